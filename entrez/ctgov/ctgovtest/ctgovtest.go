// Package ctgovtest simulates ClinicalTrials.gov over a few synthetic studies: no
// such trials exist. It evaluates Essie expressions, as far as package ctgov writes
// them, counts on the first page alone, gives a token with every page but the last,
// and answers with the fields that were asked for.
//
//	s := sourcetest.New(t)
//	ctgovtest.AddTo(s)
package ctgovtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/ctgov"
	"biomcp/entrez/sourcetest"
)

//go:embed studies.json
var studies []byte

// AddTo makes the server simulate ClinicalTrials.gov, with the endpoints "studies"
// and "version".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &ctgov.Source, Path: "/ctgov/", Endpoints: []sourcetest.Endpoint{
		{Name: "studies", Path: "studies", Answer: answer},
		{Name: "version", Path: "version", Answer: func(*sourcetest.Call) sourcetest.Reply {
			return sourcetest.JSON(http.StatusOK, map[string]string{"apiVersion": "2.0.3", "dataTimestamp": "2026-11-20T09:00:05"})
		}},
	}})
}

// answer is a page of studies, or what is wrong with the request in plain text.
func answer(c *sourcetest.Call) sourcetest.Reply {
	page, err := pageOf(c)
	if err != nil {
		return sourcetest.Reply{Status: http.StatusBadRequest, Type: sourcetest.TextType, Body: []byte(err.Error())}
	}
	return sourcetest.JSON(http.StatusOK, page)
}

func pageOf(c *sourcetest.Call) (map[string]any, error) {
	fields := strings.Split(c.Get("fields"), ",")
	for _, f := range fields {
		if paths[f] == "" {
			return nil, fmt.Errorf("fields: %q is not a field", f)
		}
	}
	hits, err := find(c)
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(c.Get("pageSize"))
	if err != nil || size < 1 {
		return nil, fmt.Errorf("pageSize: %q", c.Get("pageSize"))
	}
	form := maps.Clone(c.Form) // what must stay the same from page to page
	form.Del("countTotal")
	form.Del("pageSize")
	form.Del("pageToken")
	sum := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(form.Encode())))
	from, first := 0, c.Get("pageToken") == ""
	if n, of, _ := strings.Cut(c.Get("pageToken"), "."); !first {
		if from, err = strconv.Atoi(n); err != nil || of != sum {
			return nil, fmt.Errorf("pageToken: the parameters differ from the first page")
		}
	}
	end := min(from+min(size, ctgov.MaxPage), len(hits))
	shown := []any{}
	for _, s := range hits[min(from, end):end] {
		shown = append(shown, pick(map[string]any(s), "", fields))
	}
	page := map[string]any{"studies": shown}
	if first && c.Get("countTotal") == "true" {
		page["totalCount"] = len(hits)
	}
	if end < len(hits) {
		page["nextPageToken"] = fmt.Sprintf("%d.%s", end, sum)
	}
	return page, nil
}

// areas are the fields that a parameter searches by itself.
var areas = map[string][]string{
	"query.cond": {"Condition", "BriefTitle", "Keyword"}, "query.intr": {"InterventionName", "InterventionOtherName"},
	"query.spons": {"LeadSponsorName"}, "query.locn": {"LocationFacility", "LocationCity", "LocationState", "LocationCountry"}, "filter.advanced": {"BriefTitle"},
	"query.term": {"NCTId", "BriefTitle", "OfficialTitle", "Condition", "InterventionName", "BriefSummary", "Keyword"},
}

func find(c *sourcetest.Call) (hits []Study, err error) {
	if err := json.Unmarshal(studies, &hits); err != nil {
		panic(err) // our own file
	}
	keep := func(is func(Study) bool) { hits = slices.DeleteFunc(hits, func(s Study) bool { return !is(s) }) }
	for name, own := range areas {
		if c.Get(name) == "" {
			continue
		}
		e, err := Parse(c.Get(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		keep(func(s Study) bool { return e.Holds(s, own) })
	}
	for name, fields := range map[string][]string{"filter.ids": {"NCTId", "NCTIdAlias"}, "filter.overallStatus": {"OverallStatus"}} {
		if list := strings.Split(strings.ToUpper(c.Get(name)), ","); list[0] != "" {
			keep(func(s Study) bool {
				return slices.ContainsFunc(s.texts(fields...), func(v string) bool { return slices.Contains(list, v) })
			})
		}
	}
	switch of := c.Get("aggFilters"); of {
	case "":
	case "results:with":
		keep(func(s Study) bool { return slices.Contains(s.texts("HasResults"), "true") })
	default:
		return nil, fmt.Errorf("aggFilters: %s is not simulated", of)
	}
	if geo := c.Get("filter.geo"); geo != "" {
		var lat, lon, within, y, x float64
		var unit string
		if _, err := fmt.Sscanf(geo, "distance(%f,%f,%f%2s)", &lat, &lon, &within, &unit); err != nil {
			return nil, fmt.Errorf("filter.geo: %w", err)
		}
		if unit == "km" {
			within /= 1.609344
		}
		keep(func(s Study) bool {
			return slices.ContainsFunc(s.texts("LocationGeoPoint"), func(point string) bool {
				_, err := fmt.Sscanf(point, "map[lat:%f lon:%f]", &y, &x)
				return err == nil && math.Hypot((y-lat)*69, (x-lon)*69*math.Cos(lat*math.Pi/180)) <= within // 69 miles a degree: near enough
			})
		})
	}
	return hits, nil
}

// Study is a study as the API's JSON has it.
type Study map[string]any

// paths are where the fields are that package ctgov and the searches above ask for.
var paths = map[string]string{"HasResults": "hasResults"}

func init() {
	for module, fields := range map[string]string{
		"protocolSection.identificationModule.":       "NCTId:nctId NCTIdAlias:nctIdAliases BriefTitle OfficialTitle Acronym",
		"protocolSection.statusModule.":               "OverallStatus WhyStopped StartDate:startDateStruct CompletionDate:completionDateStruct LastUpdatePostDate:lastUpdatePostDateStruct",
		"protocolSection.sponsorCollaboratorsModule.": "LeadSponsorName:leadSponsor.name",
		"protocolSection.descriptionModule.":          "BriefSummary",
		"protocolSection.conditionsModule.":           "Condition:conditions Keyword:keywords",
		"protocolSection.designModule.":               "StudyType Phase:phases EnrollmentCount:enrollmentInfo.count EnrollmentType:enrollmentInfo.type",
		"protocolSection.armsInterventionsModule.":    "InterventionType:interventions.type InterventionName:interventions.name InterventionOtherName:interventions.otherNames ArmGroup:armGroups",
		"protocolSection.eligibilityModule.":          "EligibilityCriteria Sex MinimumAge MaximumAge",
		"protocolSection.contactsLocationsModule.": "CentralContact:centralContacts OverallOfficial:overallOfficials LocationFacility:locations.facility LocationStatus:locations.status " +
			"LocationCity:locations.city LocationState:locations.state LocationCountry:locations.country LocationGeoPoint:locations.geoPoint",
		"protocolSection.": "OutcomesModule ReferencesModule", "resultsSection.": "OutcomeMeasuresModule AdverseEventsModule",
		"documentSection.": "LargeDocumentModule", "derivedSection.miscInfoModule.": "VersionHolder",
	} {
		for f := range strings.FieldsSeq(fields) {
			name, path, given := strings.Cut(f, ":")
			if !given {
				path = strings.ToLower(name[:1]) + name[1:]
			}
			paths[name] = module + path
		}
	}
}

// pick returns a study reduced to some fields, nil if it has none of them.
func pick(v any, at string, fields []string) any {
	if slices.ContainsFunc(fields, func(f string) bool { return at == paths[f] || strings.HasPrefix(at, paths[f]+".") }) {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		for name, value := range v {
			if v[name] = pick(value, strings.TrimPrefix(at+"."+name, "."), fields); v[name] == nil {
				delete(v, name)
			}
		}
		if len(v) > 0 {
			return v
		}
	case []any:
		v = slices.Clone(v)
		for i := range v {
			v[i] = pick(v[i], at, fields)
		}
		if v = slices.DeleteFunc(v, func(one any) bool { return one == nil }); len(v) > 0 {
			return v
		}
	}
	return nil
}

// texts are the values of fields.
func (s Study) texts(fields ...string) (out []string) {
	var walk func(v any, path []string)
	walk = func(v any, path []string) {
		list, isList := v.([]any)
		object, _ := v.(map[string]any)
		switch {
		case isList:
			for _, one := range list {
				walk(one, path)
			}
		case len(path) > 0 && object != nil:
			walk(object[path[0]], path[1:])
		case v != nil:
			out = append(out, fmt.Sprint(v))
		}
	}
	for _, f := range fields {
		walk(map[string]any(s), strings.Split(paths[f], "."))
	}
	return out
}

// sites are the study with one location each.
func (s Study) sites() (out []Study) {
	protocol, _ := s["protocolSection"].(map[string]any)
	module, _ := protocol["contactsLocationsModule"].(map[string]any)
	list, _ := module["locations"].([]any)
	for _, site := range list {
		out = append(out, Study{"protocolSection": map[string]any{"contactsLocationsModule": map[string]any{"locations": []any{site}}}})
	}
	return out
}
