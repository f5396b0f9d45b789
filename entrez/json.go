package entrez

import (
	"bytes"
	"encoding/json"
)

// NCBI writes an empty value as "", null, [] or not at all, whatever its type
// otherwise is, and numbers with and without quotation marks. These types take
// each as what it stands for.

// text is a string, or a number in its own spelling.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
		return nil
	}
	var n json.Number
	if json.Unmarshal(b, &n) == nil {
		*t = text(n)
	}
	return nil // a list or object where text should be says nothing
}

// texts is a list of strings; one string is a list of one.
type texts []string

func (t *texts) UnmarshalJSON(b []byte) error {
	var one text
	var each []text
	if json.Unmarshal(b, &each) != nil {
		if err := one.UnmarshalJSON(b); err != nil {
			return err
		}
		each = []text{one}
	}
	*t = nil
	for _, s := range each {
		if s != "" {
			*t = append(*t, string(s))
		}
	}
	return nil
}

// many is a list of objects, where an empty one may be written as anything else.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '[' {
		*m = nil
		return nil
	}
	return json.Unmarshal(b, (*[]T)(m))
}
