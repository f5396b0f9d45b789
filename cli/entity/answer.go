package entity

import (
	"encoding/json"
	"errors"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// An answer is the payload of get.
type answer[R any] struct {
	spec      SpecOf[R]
	requested []string
	found     *FoundOf[R]
	sections  Sections
	loaded    map[string]LoadResult // by name of the section
}

// MarshalJSON returns {"requested":[], "<plural>":[], "not_found":[], "unavailable":[], …extra}. The ids
// in unavailable may have a record: their source did not answer.
func (a *answer[R]) MarshalJSON() ([]byte, error) {
	var out []byte
	add := func(key string, v any) error {
		body, err := result.JSON(map[string]any{key: v})
		if err != nil {
			return err
		}
		out = append(append(out, ','), body[1:len(body)-1]...)
		return nil
	}
	records, err := a.records(a.found.Records)
	if err := errors.Join(err, add("requested", a.requested), add(a.spec.Plural, records),
		add("not_found", a.found.Absent()), add("unavailable", a.found.Unavailable())); err != nil {
		return nil, err
	}
	if a.found.Extra != nil {
		body, err := result.JSON(a.found.Extra)
		if err != nil {
			return nil, err
		}
		if len(body) > 2 {
			out = append(append(out, ','), body[1:len(body)-1]...)
		}
	}
	out[0] = '{'
	return append(out, '}'), nil
}

// records returns the records as JSON. They have their identity and the requested sections; if none
// or all sections are requested, they are whole.
func (a *answer[R]) records(records []R) ([]json.RawMessage, error) {
	if len(a.spec.Identity) == 0 || len(a.sections) == 0 || len(a.sections) == len(a.spec.Sections) {
		return members(records, nil)
	}
	names := slices.Clone(a.spec.Identity)
	for _, sec := range a.spec.Sections {
		if a.sections.Has(sec.Name) {
			names = append(append(names, sec.Name), sec.Members...)
		}
	}
	return members(records, names)
}

// members returns the JSON of records with the named members, or with all if names is nil, and with
// their [Parts].
func members[R any](records []R, names []string) ([]json.RawMessage, error) {
	out := make([]json.RawMessage, len(records))
	for i, r := range records {
		encode := result.JSON
		if names != nil {
			encode = func(v any) ([]byte, error) { return result.EncodeMembers(v, names) }
		}
		body, err := encode(r)
		if p := partsOf(r); p != nil && err == nil {
			body, err = p.appendTo(body)
		}
		if out[i] = body; err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *answer[R]) Doc() result.Doc {
	if a.found.Text != "" {
		return result.Doc{result.Verbatim{Text: a.found.Text}}
	}
	if a.spec.Rows.Row != nil && len(a.found.Records) > 1 {
		return result.Doc{a.table()}
	}
	return a.docs(a.found.Records)
}

// docs formats records as cards, with the requested sections.
func (a *answer[R]) docs(records []R) (doc result.Doc) {
	for _, r := range records {
		one := a.spec.Card(r, a.sections)
		for _, sec := range a.spec.Sections {
			if !a.sections.Has(sec.Name) {
				continue
			}
			one = append(one, result.Heading{Level: 2, Text: sec.Label})
			if sec.Has(r) {
				one = append(one, sec.Doc(r)...)
			} else {
				one = append(one, result.Para{Text: a.emptyText(sec, r)})
			}
		}
		if len(a.found.Records) > 1 {
			one = one.Item()
		}
		doc = append(doc, one...)
	}
	return doc
}

// smaller returns a function that returns the command for a share of the records, of the sections of a
// single record, or of a single section.
func (a *answer[R]) smaller(in *command.Input) func(float64) result.Argv {
	present := a.foundIDs()
	return func(share float64) result.Argv {
		switch {
		case len(present) > 1:
			return in.Line(append(slices.Clone(present[:result.Share(len(present), share)]), a.sections...))
		case len(present) == 0:
			return nil
		case len(a.sections) > 1:
			return in.Line(append(slices.Clone(present), a.sections[:result.Share(len(a.sections), share)]...))
		case len(a.found.Records) == 1 && a.spec.Smaller != nil:
			return a.spec.Smaller(in, a.found.Records[0], share)
		}
		return nil
	}
}

// foundIDs returns the requested ids that were found, as the user typed them.
func (a *answer[R]) foundIDs() []string {
	return slices.DeleteFunc(slices.Clone(a.requested),
		func(id string) bool { return slices.Contains(a.found.Missing, id) })
}
