package httpclient

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Expectation is a request to a source whose reply is known in advance. All of them together are the
// source's contract: the addresses, parameters, search tags and reply paths that the program relies
// on.
type Expectation struct {
	Call     *Call
	Facts    []Fact
	Evidence string // where and when the reply was seen: "capture 2026-08-11", "document", "not seen"
	Table    bool   // the facts are column names in the first line of a table
	// Refusal, if not "", means that the service must refuse the request, with an error of this kind in its
	// own form.
	Refusal Kind

	// Tag is a search tag in the parameter TagParam that the service must support. With an unknown tag
	// instead, the first fact must be false or the reply must show that the query was read
	// differently.
	TagParam, Tag string
}

// Fact is an expected value in a reply; an empty Value matches any. Path is a gjson path in JSON,
// the name of an element in XML, a column in a table, and in other text a string to find, ignoring
// case.
type Fact struct{ Path, Value string }

// Contract returns all known requests of the source.
func (s *Source) Contract() []Expectation {
	if s.Expectations == nil {
		return nil
	}
	return s.Expectations()
}

// Finding is the result of checking one fact.
type Finding struct {
	Address, Fact, Evidence string // the request, the expected fact and its evidence
	Drift                   string // how the reply differs; "" if it does not
	Err                     error  // why the fact could not be checked
}

func (f Fact) String() string {
	if f.Value == "" {
		return f.Path
	}
	return f.Path + " = " + f.Value
}

// text returns the call as a maintainer would type it after the address of the source.
func (k *Expectation) text() string {
	var all []string
	for name, values := range k.Call.Params {
		all = append(all, name+"="+short(strings.Join(values, ",")))
	}
	slices.Sort(all)
	return strings.TrimSuffix(k.Call.Path+"?"+strings.Join(all, "&"), "?")
}

// short returns a parameter's value with at most three elements of a list.
func short(value string) string {
	list := strings.Split(value, ",")
	if len(list) <= 20 {
		return value
	}
	return strings.Join(list[:3], ",") + fmt.Sprintf(",… (%d)", len(list))
}

// Rows returns the facts of the contract without a request.
func (k *Expectation) Rows() (rows []Finding) {
	for _, f := range k.Facts {
		rows = append(rows, Finding{Address: k.text(), Fact: f.String(), Evidence: k.Evidence})
	}
	if k.Refusal != "" {
		rows = append(rows, Finding{Address: k.text(), Fact: "the service refuses it", Evidence: k.Evidence})
	}
	if k.Tag != "" {
		rows = append(rows, Finding{Address: k.text(), Fact: "the tag " + k.Tag + " is known", Evidence: k.Evidence})
	}
	return rows
}

// Verify makes the request of k without the cache and without retries. It returns the rows of the
// contract with every difference.
func (s *Service) Verify(ctx context.Context, k *Expectation) []Finding {
	rows := k.Rows()
	body, err := s.doUncached(ctx, k.Call)
	refusal, refused := errors.AsType[*Error](err)
	switch {
	case k.Refusal != "" && err == nil:
		rows[0].Drift = "it is not refused"
		return rows
	case k.Refusal != "" && IsKind(err, k.Refusal):
		return rows
	case refused && refusal.Kind == Refused && len(refusal.Reply) > 0: // the facts may describe a refusal with status 200
		body, err = refusal.Reply, nil
	}
	for i := range rows {
		rows[i].Err = err
	}
	if err != nil {
		return rows
	}
	for i, f := range k.Facts {
		if got, found := f.lookup(k, body); !found {
			rows[i].Drift = "there is no " + f.Path
		} else if f.Value != "" && got != f.Value {
			rows[i].Drift = fmt.Sprintf("%s is %s", f.Path, Plain(got))
		}
	}
	if k.Tag != "" {
		last := &rows[len(rows)-1]
		other := *k.Call
		other.Params = maps.Clone(k.Call.Params)
		other.Params.Set(k.TagParam, strings.ReplaceAll(k.Call.Params.Get(k.TagParam), k.Tag, "nosuch"+k.Tag))
		switch unknown, err := s.doUncached(ctx, &other); {
		case IsKind(err, NotFound), IsKind(err, Refused): // the service rejects unknown tags
		case err != nil:
			last.Err = err
		default:
			fact := k.Facts[0]
			got, found := fact.lookup(k, unknown)
			holds := found && (fact.Value == "" || got == fact.Value)
			if holds && bytes.Equal(bytes.ReplaceAll(unknown, []byte("nosuch"), nil), body) {
				last.Drift = "an unknown tag finds the same records"
			}
		}
	}
	return rows
}

func (s *Service) doUncached(ctx context.Context, c *Call) ([]byte, error) {
	once := *c
	once.NoRetry, once.Needs = true, nil // the facts report missing members
	return s.Do(WithoutCache(ctx), &once)
}

// lookup returns the text at the fact's path in a reply and reports whether it exists.
func (f Fact) lookup(k *Expectation, body []byte) (string, bool) {
	switch body = trimBOM(body); {
	case k.Call.Form == Text || k.Call.Form == Page:
		if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, _ = io.ReadAll(io.LimitReader(z, 1<<20)) // the compressed data may be cut off
		}
		expr := "(?i)" + regexp.QuoteMeta(f.Path)
		if k.Table {
			body, _, _ = bytes.Cut(body, []byte("\n"))
			expr = `(?:^|\W)` + expr + `(?:\W|$)` // a name may end in ")"
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
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == f.Path {
			var text string
			err := d.DecodeElement(&text, &start)
			return strings.TrimSpace(text), err == nil
		}
	}
}
