package ncbi

import (
	"context"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
)

// Object is a value of a JSON reply. Its parts are read by their gjson paths ("data.spdis"). A part
// that is absent or of another type is empty.
type Object struct{ gjson.Result }

// GetJSON makes a call and parses the JSON of its reply.
func GetJSON(ctx context.Context, s *httpclient.Service, call *httpclient.Call) (Object, error) {
	body, err := s.Do(ctx, call)
	if err != nil {
		return Object{}, err
	}
	o := Parse(body)
	if o.Type != gjson.JSON {
		return Object{}, call.UnreadableError(errors.New("the JSON is not an object or a list"))
	}
	return o, nil
}

// Parse parses a reply that package polite has accepted as JSON.
func Parse(body []byte) Object { return Object{gjson.ParseBytes(httpclient.EscapeControls(body))} }

// Member returns the object at a path.
func (o Object) Member(path string) Object { return Object{o.Get(path)} }

// Text returns the string at a path, or a number as written. Any other value gives "".
func (o Object) Text(path string) string { return text(o.Get(path)) }

func text(r gjson.Result) string {
	switch r.Type {
	case gjson.String:
		return strings.ToValidUTF8(r.Str, "\uFFFD")
	case gjson.Number:
		return r.Raw
	}
	return ""
}

// TextOrNil returns a pointer to the Text at a path, or nil if that is empty.
func (o Object) TextOrNil(path string) *string { return record.NilIfZero(o.Text(path)) }

// Texts returns the texts in the list at a path without empty ones, never nil. A single text gives
// a list of one.
func (o Object) Texts(path string) []string {
	var out []string
	for _, r := range o.Get(path).Array() {
		out = append(out, text(r))
	}
	return List(out)
}

// Split returns the non-empty parts of the text at a path, divided by a separator. It never returns
// nil.
func (o Object) Split(path, separator string) []string {
	return List(strings.Split(o.Text(path), separator))
}

// Each returns the members of the list at a path, or nil if the value is not a list.
func (o Object) Each(path string) (out []Object) {
	if list := o.Get(path); list.IsArray() {
		for _, r := range list.Array() {
			out = append(out, Object{r})
		}
	}
	return out
}
