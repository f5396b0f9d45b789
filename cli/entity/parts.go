package entity

import (
	"strings"

	"biomcp/cli/result"
)

// Part is a section's part of a record that is no list of rows. JSON leaves it out where
// the section was not asked for; asked for, it is null if it did not come.
type Part[T any] struct {
	Asked bool
	Value T
}

// IsZero is what omitzero asks.
func (p Part[T]) IsZero() bool { return !p.Asked }

// MarshalJSON is the value's.
func (p Part[T]) MarshalJSON() ([]byte, error) { return result.JSON(p.Value) }

// Parts are the rows of a record's sections that are [Linked]; the record embeds them. In
// JSON each is a member with the name of its section, after those of the record: null if
// it did not come, and left out where it was not asked for.
type Parts struct{ parts []part }

type part struct {
	section string
	rows    any // a list, nil if it did not come
	total   *int
	counted bool
	some    bool // there are rows
	doc     result.Doc
}

// Asked reports whether a section was asked for, and so is a part.
func (p *Parts) Asked(section string) bool { return p.of(section).section != "" }

func (p *Parts) of(section string) (none part) {
	for _, one := range p.parts {
		if one.section == section {
			return one
		}
	}
	return none
}

func (p *Parts) own() *Parts { return p }

// partsOf returns the parts of a record, nil if it embeds none.
func partsOf(record any) *Parts {
	if r, is := record.(interface{ own() *Parts }); is {
		return r.own()
	}
	return nil
}

// encoded is the JSON of a record with its parts as further members.
func (p *Parts) encoded(record []byte) ([]byte, error) {
	for _, one := range p.parts {
		name := strings.ReplaceAll(one.section, "-", "_")
		members := map[string]any{name: one.rows}
		if one.counted {
			members[name+"_total"] = one.total
		}
		body, err := result.JSON(members)
		if err != nil {
			return nil, err
		}
		record = append(append(record[:len(record)-1], ','), body[1:]...)
	}
	return record, nil
}
