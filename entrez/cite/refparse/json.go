package refparse

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// readJSON parses CSL-JSON (https://github.com/citation-style-language/schema), a list of
// identifiers, or an answer of this program, also one record per line. isJSON is false for other
// text, such as a line that begins with [1].
func readJSON(text string) (f File, isJSON bool, err error) {
	f.Format = JSON
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return f, true, nil
		} else if err != nil {
			begin := strings.Join(strings.Fields(text[:min(100, len(text))]), "")
			if strings.HasPrefix(begin, `[{"`) || strings.HasPrefix(begin, `{"`) {
				return f, true, &FormatError{Reason: "the JSON cannot be read: " + err.Error()}
			}
			return File{}, false, nil
		}
		if n, isNumber := v.([]any); isNumber && len(n) == 1 && d.More() { // [1] before a printed reference
			return File{}, false, nil
		}
		f.collect(v)
	}
}

// collect adds the records of a value: a record, or a list of them, which may be inside an object.
func (f *File) collect(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			f.collect(item)
		}
	case map[string]any:
		for _, name := range []string{"items", "articles", "results", "references"} {
			if list, ok := v[name].([]any); ok && v["title"] == nil && v["pmid"] == nil {
				f.collect(list)
				return
			}
		}
		f.add(jsonRecord(v))
	case json.Number, string:
		text := jsonText(v)
		if strings.Trim(text, "0123456789") == "" {
			text = "PMID:" + text
		}
		if text != "" {
			f.References = append(f.References, Parse(text))
		}
	}
}

func jsonRecord(record map[string]any) *builder {
	b := &builder{used: true, first: "record"}
	lower := map[string]any{}
	for name, value := range record {
		lower[strings.ToLower(name)] = value
	}
	for _, field := range []struct{ key, name string }{
		{"title", "title"}, {"container-title", "journal"}, {"journal", "journal"}, {"container-title-short", "journal"},
		{"issued", "year"}, {"year", "year"}, {"pub_date", "year"}, {"publication_date", "year"},
		{"volume", "volume"}, {"issue", "issue"}, {"page-first", "page"}, {"page", "page"}, {"pages", "page"},
		{"number", "article number"}, {"doi", "doi"}, {"pmid", "pmid"}, {"pmcid", "pmcid"}, {"url", "url"},
		{"note", "note"}, {"extra", "note"},
	} {
		b.set(field.name, jsonText(lower[field.key]))
	}
	if journal, ok := lower["journal"].(map[string]any); ok {
		for _, name := range []string{"volume", "issue", "pages"} {
			b.set(strings.TrimSuffix(name, "s"), jsonText(journal[name]))
		}
	}
	for _, key := range []string{"author", "authors"} {
		if list, ok := lower[key].([]any); ok && len(list) > 0 {
			b.setJSONAuthor(list[0])
		} else if text, ok := lower[key].(string); ok {
			b.set("author", text)
		}
	}
	return b
}

func (b *builder) setJSONAuthor(v any) {
	name, ok := v.(map[string]any)
	if !ok {
		b.set("author", jsonText(v))
		return
	}
	text := func(keys ...string) string {
		for _, key := range keys {
			if s := jsonText(name[key]); s != "" {
				return s
			}
		}
		return ""
	}
	if family := text("family", "last_name"); family != "" {
		b.set("author", strings.TrimSuffix(family+", "+text("given", "initials", "fore_name"), ", "))
	}
	b.set("group", text("literal", "collective_name", "name"))
}

// jsonText returns a text, a number, the first element of a list, or the main member of an object:
// a date or a title.
func jsonText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		if len(v) > 0 {
			return jsonText(v[0])
		}
	case map[string]any:
		for _, key := range []string{"date-parts", "raw", "literal", "year", "title"} {
			if text := jsonText(v[key]); text != "" {
				return text
			}
		}
	}
	return ""
}
