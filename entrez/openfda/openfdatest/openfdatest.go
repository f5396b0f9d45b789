// Package openfdatest simulates openFDA with a few records of invented drugs. The
// format is openFDA's; the content is made up.
package openfdatest

import (
	_ "embed"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/openfda"
	"biomcp/entrez/sourcetest"
)

// data has the lists "drugsfda", "event", "shortages" and "enforcement".
//
//go:embed data.json
var data []byte

// AddTo makes the server simulate openFDA, with the endpoints "drugsfda", "events",
// "shortages" and "enforcement".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &openfda.Source, Path: "/openfda/", Endpoints: []sourcetest.Endpoint{
		{Name: "drugsfda", Path: "drug/drugsfda.json", Answer: answer("drugsfda")},
		{Name: "events", Path: "drug/event.json", Answer: answer("event")},
		{Name: "shortages", Path: "drug/shortages.json", Answer: answer("shortages")},
		{Name: "enforcement", Path: "drug/enforcement.json", Answer: answer("enforcement")},
	}})
}

var term = regexp.MustCompile(`([a-z_.]+):"([^"]*)"`)

// answer searches a list as openFDA does: with phrases, AND, OR and groups in parentheses.
func answer(list string) func(*sourcetest.Call) sourcetest.Reply {
	return func(c *sourcetest.Call) sourcetest.Reply {
		found := []gjson.Result{}
		for _, r := range append(gjson.GetBytes(data, list).Array(), generics(list)...) {
			if search := c.Get("search"); search == "" || holds(r, search) {
				found = append(found, r)
			}
		}
		if field, desc := strings.CutSuffix(c.Get("sort"), ":desc"); field != "" {
			slices.SortStableFunc(found, func(a, b gjson.Result) int {
				order := strings.Compare(a.Get(field).String(), b.Get(field).String())
				if desc {
					order = -order
				}
				return order
			})
		}
		if skip := number(c.Get("skip")); skip >= len(found) { // as openFDA (api/faers/api.js)
			return sourcetest.JSON(http.StatusNotFound,
				map[string]any{"error": map[string]string{"code": "NOT_FOUND", "message": "No matches found!"}})
		}
		meta := map[string]any{"last_updated": "2026-11-02"}
		results := []any{}
		limit := max(1, number(c.Get("limit")))
		if field := strings.TrimSuffix(c.Get("count"), ".exact"); field != "" {
			counts := map[string]int{}
			for _, r := range found {
				for _, v := range values(r, field) {
					counts[v]++
				}
			}
			names := []string{}
			for name := range counts {
				names = append(names, name)
			}
			slices.SortFunc(names, func(a, b string) int { return 2*(counts[b]-counts[a]) + strings.Compare(a, b) })
			for _, name := range names[:min(limit, len(names))] {
				results = append(results, map[string]any{"term": name, "count": counts[name]})
			}
		} else {
			skip := number(c.Get("skip"))
			meta["results"] = map[string]int{"skip": skip, "limit": limit, "total": len(found)}
			for _, r := range found[skip:min(len(found), skip+limit)] {
				results = append(results, r.Value())
			}
		}
		return sourcetest.JSON(http.StatusOK, map[string]any{"meta": meta, "results": results})
	}
}

// Generics is the number of applications for pairstatin. The last is its new drug application.
const Generics = 120

// generics returns the applications for pairstatin.
func generics(list string) (all []gjson.Result) {
	for i := 1; list == "drugsfda" && i <= Generics; i++ {
		kind := "ANDA"
		if i == Generics {
			kind = "NDA"
		}
		all = append(all, gjson.Parse(fmt.Sprintf(`{"application_number":"%s%06d","sponsor_name":"MADE-UP GENERICS",`+
			`"products":[{"brand_name":"PAIRSTATIN","active_ingredients":[{"name":"PAIRSTATIN"}],"marketing_status":"Prescription"}],`+
			`"submissions":[{"submission_type":"ORIG","submission_status":"AP","submission_status_date":"2020%02d01"}]}`,
			kind, 910000+i, 1+i%12)))
	}
	return all
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // 0 if invalid
	return n
}

// holds reports whether a record matches a search.
func holds(r gjson.Result, search string) bool {
	if parts := split(search, " AND "); len(parts) > 1 {
		return !slices.ContainsFunc(parts, func(part string) bool { return !holds(r, part) })
	}
	if parts := split(search, " OR "); len(parts) > 1 {
		return slices.ContainsFunc(parts, func(part string) bool { return holds(r, part) })
	}
	if group, is := strings.CutPrefix(search, "("); is {
		return holds(r, strings.TrimSuffix(group, ")"))
	}
	m := term.FindStringSubmatch(search)
	return m != nil && slices.ContainsFunc(values(r, m[1]), func(v string) bool {
		return strings.Contains(" "+strings.ToLower(v)+" ", " "+strings.ToLower(m[2])+" ")
	})
}

// split splits a search at an operator outside of parentheses.
func split(search, operator string) (parts []string) {
	from := 0
	for i := range search {
		head := search[min(from, i):i]
		if i >= from && strings.HasPrefix(search[i:], operator) && strings.Count(head, "(") == strings.Count(head, ")") {
			parts, from = append(parts, head), i+len(operator)
		}
	}
	return append(parts, search[from:])
}

// values returns the texts at a path, any part of which may be a list.
func values(r gjson.Result, path string) (out []string) {
	if r.IsArray() {
		for _, item := range r.Array() {
			out = append(out, values(item, path)...)
		}
		return out
	}
	if path == "" {
		return []string{r.String()}
	}
	first, rest, _ := strings.Cut(path, ".")
	if next := r.Get(first); next.Exists() {
		out = values(next, rest)
	}
	return out
}
