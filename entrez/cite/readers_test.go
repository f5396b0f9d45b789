package cite

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// The readers in this file do not share code with the writers. They follow the rules of the
// formats, so that they read what other programs would.

type tagged struct{ tag, value string }

var (
	risLine   = regexp.MustCompile(`^([A-Z][A-Z0-9])  - (.*)$`)
	nbibTag   = regexp.MustCompile(`^[A-Z]{2,4} *$`)
	bibHead   = regexp.MustCompile(`^([a-z]+)\{([A-Za-z0-9:]+),`)
	bibField  = regexp.MustCompile(`^([a-z]+) *= *`)
	bibMacros = regexp.MustCompile(`^[a-z]{3}( # "--" # [a-z]{3})?`)
)

// readRIS splits a file into records. Each begins with TY, ends with ER, and has one field per
// line.
func readRIS(file string) ([][]tagged, error) {
	var records [][]tagged
	var open []tagged
	if !strings.HasSuffix(file, "\n") {
		return nil, errors.New("no line feed at the end")
	}
	for _, l := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		m := risLine.FindStringSubmatch(l)
		switch {
		case m == nil:
			return nil, fmt.Errorf("no RIS line: %q", l)
		case (m[1] == "TY") != (open == nil):
			return nil, fmt.Errorf("TY must open a record and nothing else: %q", l)
		case strings.ContainsFunc(l, unicode.IsControl):
			return nil, fmt.Errorf("control character in %q", l)
		case m[1] == "ER":
			if m[2] != "" {
				return nil, fmt.Errorf("ER with a value: %q", l)
			}
			records, open = append(records, open), nil
		default:
			open = append(open, tagged{m[1], m[2]})
		}
	}
	if open != nil {
		return nil, errors.New("no ER")
	}
	return records, nil
}

func values(fields []tagged, tag string) []string {
	var out []string
	for _, f := range fields {
		if f.tag == tag {
			out = append(out, f.value)
		}
	}
	return out
}

func value(fields []tagged, tag string) string { return strings.Join(values(fields, tag), "|") }

// readNBIB parses "TAG - value" with continuation lines of six spaces. An empty line ends each
// record, as in PubMed's files; without it two joined files would become one record.
func readNBIB(file string) ([][]tagged, error) {
	var records [][]tagged
	whole, ended := strings.CutSuffix(file, "\n\n")
	if !ended {
		return nil, errors.New("no empty line at the end")
	}
	for _, text := range strings.Split(whole, "\n\n") {
		var fields []tagged
		for _, l := range strings.Split(text, "\n") {
			switch {
			case strings.ContainsFunc(l, unicode.IsControl):
				return nil, fmt.Errorf("control character in %q", l)
			case len(l) > 6 && l[:6] == "      " && l[6] != ' ' && len(fields) > 0:
				fields[len(fields)-1].value += " " + l[6:]
			case len(l) > 6 && l[4:6] == "- " && nbibTag.MatchString(l[:4]):
				fields = append(fields, tagged{strings.TrimSpace(l[:4]), l[6:]})
			default:
				return nil, fmt.Errorf("no MEDLINE line: %q", l)
			}
		}
		if len(fields) == 0 || fields[0].tag != "PMID" {
			return nil, fmt.Errorf("a record must begin with PMID: %q", text)
		}
		records = append(records, fields)
	}
	return records, nil
}

type bibEntry struct {
	kind, key string
	fields    []tagged
}

// readBibTeX parses entries as BibTeX does: a value is in balanced braces, or consists of digits or
// macros joined by #. A backslash does not hide a brace.
func readBibTeX(file string) ([]bibEntry, error) {
	var entries []bibEntry
	rest := file
	for {
		before, after, found := strings.Cut(rest, "@")
		if strings.TrimSpace(before) != "" {
			return nil, fmt.Errorf("text outside an entry: %q", before)
		}
		if !found {
			return entries, nil
		}
		m := bibHead.FindStringSubmatch(after)
		if m == nil {
			return nil, fmt.Errorf("no entry: %.40q", after)
		}
		entry := bibEntry{kind: m[1], key: m[2]}
		rest = after[len(m[0]):]
		for {
			rest = strings.TrimLeft(rest, " \n")
			if strings.HasPrefix(rest, "}") {
				rest = rest[1:]
				break
			}
			name := bibField.FindStringSubmatch(rest)
			if name == nil {
				return nil, fmt.Errorf("no field: %.40q", rest)
			}
			rest = rest[len(name[0]):]
			text, n := bibValue(rest)
			if n < 0 || !strings.HasPrefix(rest[n:], ",") {
				return nil, fmt.Errorf("field %s has no end: %.80q", name[1], rest)
			}
			entry.fields = append(entry.fields, tagged{name[1], text})
			rest = rest[n+1:]
		}
		entries = append(entries, entry)
	}
}

func bibValue(s string) (string, int) {
	if !strings.HasPrefix(s, "{") {
		m := bibMacros.FindString(s)
		if m == "" {
			return "", -1
		}
		return m, len(m)
	}
	depth := 0
	for i, r := range s {
		switch r {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[1:i], i + 1
			}
		}
	}
	return "", -1
}

// unLaTeX removes LaTeX's escapes. It returns an error if a special character is not escaped.
func unLaTeX(s string) (string, error) {
	s = strings.NewReplacer(`\textbackslash{}`, "\x01", `\textasciitilde{}`, "~", `\textasciicircum{}`, "^",
		`\textbraceleft{}`, "\x02", `\textbraceright{}`, "\x03", `\&`, "&", `\%`, "%", `\$`, "$", `\#`, "#", `\_`, "_",
		`\{`, "\x02", `\}`, "\x03").Replace(s)
	if strings.ContainsAny(s, `\{}`) {
		return s, fmt.Errorf("not escaped: %q", s)
	}
	return strings.NewReplacer("\x01", `\`, "\x02", "{", "\x03", "}").Replace(s), nil
}

// authorNames splits a BibTeX name list at "and" outside of braces.
func authorNames(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		case depth == 0 && strings.HasPrefix(s[i:], " and "):
			out = append(out, s[from:i])
			from = i + len(" and ")
		}
	}
	return append(out, s[from:])
}

// The keys of csl-data.json (CSL 1.0.2), with their types.
var (
	cslTypes   = []string{"article", "article-journal", "book", "chapter"}
	cslStrings = []string{
		"title", "original-title", "container-title", "container-title-short", "collection-title", "publisher",
		"publisher-place", "edition", "volume", "issue", "number", "page", "page-first", "genre", "status", "language", "ISSN", "ISBN",
		"DOI", "PMID", "PMCID", "URL", "source", "keyword", "note", "abstract", "id", "type",
	}
	cslPeople = []string{"author", "editor"}
	cslDates  = []string{"issued", "available-date"}
)

// readCSL checks a file against the keys and types of the schema.
func readCSL(file string) ([]map[string]any, error) {
	var items []map[string]any
	if err := json.Unmarshal([]byte(file), &items); err != nil {
		return nil, err
	}
	for _, item := range items {
		if _, ok := item["id"].(string); !ok || !slices.Contains(cslTypes, fmt.Sprint(item["type"])) {
			return nil, fmt.Errorf("id %v, type %v", item["id"], item["type"])
		}
		for key, v := range item {
			bad := fmt.Errorf("%s is %v", key, v)
			switch {
			case slices.Contains(cslStrings, key):
				if s, ok := v.(string); !ok || s == "" {
					return nil, bad
				}
			case slices.Contains(cslPeople, key):
				for _, name := range v.([]any) {
					for part, text := range name.(map[string]any) {
						if s, ok := text.(string); !ok || s == "" || !slices.Contains([]string{"family", "given", "suffix", "literal"}, part) {
							return nil, bad
						}
					}
				}
			case slices.Contains(cslDates, key):
				spans := v.(map[string]any)["date-parts"].([]any)
				if len(spans) < 1 || len(spans) > 2 {
					return nil, bad
				}
				for _, parts := range spans {
					if n := len(parts.([]any)); n < 1 || n > 3 {
						return nil, bad
					}
				}
			default:
				return nil, fmt.Errorf("no key of CSL: %s", key)
			}
		}
	}
	return items, nil
}
