package polite

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Known is a question to a source whose answer is known. Together they are the contract
// of the source: addresses, parameters, search tags and paths of replies that the program
// relies on.
type Known struct {
	Call  *Call
	Facts []Fact
	Seen  string // where and when the answer was seen: "capture 2026-08-11", "document", "nobody"
	Table bool   // the facts are columns of a table, in its first line

	// Tag is a tag of Call's search, in its parameter In, that the service must know: with
	// an unknown one the first fact must not hold, or the reply tell that it was read otherwise.
	In, Tag string
}

// Fact is the value at a path of a reply, "" any: as gjson has it of JSON, the name of an
// element of XML, a column of a table, and what is in another text, in any letter case.
type Fact struct{ Path, Value string }

// Contract is all of a source's questions with a known answer.
func (s *Source) Contract() []Known {
	if s.More == nil {
		return s.Knowns
	}
	return append(slices.Clone(s.Knowns), s.More()...)
}

// Finding is how a fact was found.
type Finding struct {
	Address, Fact, Seen string // what was asked, what was to be there, and who saw it
	Drift               string // what is otherwise; "" where nothing is
	Err                 error  // why it is not known
}

func (f Fact) String() string {
	if f.Value == "" {
		return f.Path
	}
	return f.Path + " = " + f.Value
}

// text is a call as a maintainer would type it after the address of the source.
func (k *Known) text() string {
	var all []string
	for name, values := range k.Call.Params {
		all = append(all, name+"="+strings.Join(values, ","))
	}
	slices.Sort(all)
	return strings.TrimSuffix(k.Call.Path+"?"+strings.Join(all, "&"), "?")
}

// Rows are the lines of the contract without asking anybody.
func (k *Known) Rows() (rows []Finding) {
	for _, f := range k.Facts {
		rows = append(rows, Finding{Address: k.text(), Fact: f.String(), Seen: k.Seen})
	}
	if k.Tag != "" {
		rows = append(rows, Finding{Address: k.text(), Fact: "the tag " + k.Tag + " is known", Seen: k.Seen})
	}
	return rows
}

// Verify asks what is known, once and not the cache, and returns the rows of the contract
// with what is otherwise.
func (s *Service) Verify(ctx context.Context, k *Known) []Finding {
	rows := k.Rows()
	body, err := s.fresh(ctx, k.Call)
	for i := range rows {
		rows[i].Err = err
	}
	if err != nil {
		return rows
	}
	for i, f := range k.Facts {
		if got, is := f.in(k, body); !is {
			rows[i].Drift = "there is no " + f.Path
		} else if f.Value != "" && got != f.Value {
			rows[i].Drift = fmt.Sprintf("%s is %s", f.Path, Plain(got))
		}
	}
	if k.Tag != "" {
		last := &rows[len(rows)-1]
		other := *k.Call
		other.Params = maps.Clone(k.Call.Params)
		other.Params.Set(k.In, strings.ReplaceAll(k.Call.Params.Get(k.In), k.Tag, "nosuch"+k.Tag))
		switch unknown, err := s.fresh(ctx, &other); {
		case IsKind(err, NotFound), IsKind(err, Refused): // the service knows that it has no such tag
		case err != nil:
			last.Err = err
		default:
			got, is := k.Facts[0].in(k, unknown)
			if holds := is && (k.Facts[0].Value == "" || got == k.Facts[0].Value); holds && bytes.Equal(bytes.ReplaceAll(unknown, []byte("nosuch"), nil), body) {
				last.Drift = "an unknown tag finds the same"
			}
		}
	}
	return rows
}

func (s *Service) fresh(ctx context.Context, c *Call) ([]byte, error) {
	once := *c
	once.Once, once.Needs = true, nil // a missing member is a fact of its own
	return s.Do(WithoutCache(ctx), &once)
}

// in is the text at the fact's path of a reply, and whether there is one.
func (f Fact) in(k *Known, body []byte) (string, bool) {
	switch body = trimmed(body); {
	case k.Call.Form == Text || k.Call.Form == Page:
		if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, _ = io.ReadAll(io.LimitReader(z, 1<<20)) // the end of what is packed is missing
		}
		expr := "(?i)" + regexp.QuoteMeta(f.Path)
		if k.Table {
			body, _, _ = bytes.Cut(body, []byte("\n"))
			expr = `\b` + expr + `\b`
		}
		return f.Path, regexp.MustCompile(expr).Match(body)
	case len(body) > 0 && body[0] != '<':
		r := gjson.GetBytes(body, f.Path)
		return r.String(), r.Exists()
	}
	for d := xml.NewDecoder(bytes.NewReader(body)); ; {
		t, err := d.Token()
		if err != nil {
			return "", false
		}
		if start, is := t.(xml.StartElement); is && start.Name.Local == f.Path {
			var text string
			err := d.DecodeElement(&text, &start)
			return strings.TrimSpace(text), err == nil
		}
	}
}
