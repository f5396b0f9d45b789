package ncbi

import (
	"context"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/polite"
	"biomcp/entrez/record"
)

// Object is a value of a JSON reply whose parts are read by their paths, as gjson has
// them ("data.spdis"). What is absent, or of another type than asked for, is empty.
type Object struct{ gjson.Result }

// Ask sends a call and reads the JSON of its reply.
func Ask(ctx context.Context, s *polite.Service, call *polite.Call) (Object, error) {
	body, err := s.Do(ctx, call)
	if err != nil {
		return Object{}, err
	}
	o := Parse(body)
	if o.Type != gjson.JSON {
		return Object{}, call.Unreadable(errors.New("no JSON of the known shape"))
	}
	return o, nil
}

// Parse is a reply of which package polite has seen that it is JSON.
func Parse(body []byte) Object { return Object{gjson.ParseBytes(polite.Mend(body))} }

// At is the object at a path.
func (o Object) At(path string) Object { return Object{o.Get(path)} }

// Text is a string, or a number in its own spelling.
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

// Known returns Text, nil if that is empty.
func (o Object) Known(path string) *string { return record.Known(o.Text(path)) }

// Texts is a list of texts without blank ones, never nil; one text is a list of one.
func (o Object) Texts(path string) []string {
	var out []string
	for _, r := range o.Get(path).Array() {
		out = append(out, text(r))
	}
	return List(out)
}

// Split is the parts of a text between separators, without blank ones, never nil.
func (o Object) Split(path, separator string) []string {
	return List(strings.Split(o.Text(path), separator))
}

// Each yields the members of a list; any other value has none.
func (o Object) Each(path string) (out []Object) {
	if list := o.Get(path); list.IsArray() {
		for _, r := range list.Array() {
			out = append(out, Object{r})
		}
	}
	return out
}
