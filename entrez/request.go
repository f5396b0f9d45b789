package entrez

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"biomcp/entrez/polite"
)

// request is one call under way: where it goes, and what errors say about it.
type request struct {
	endpoint
	params url.Values
	ids    int    // how many ids the parameters hold
	shown  string // the address for results and errors
	method string

	post bool              // even where it is short
	once bool              // one attempt
	keep func([]byte) bool // has the last word on caching
}

// Past these a GET becomes a POST: NCBI asks for it over about 200 ids and for
// queries of several hundred characters (NBK25499), and answers an address of
// 8 kB with 414.
const (
	longList = 200
	longTerm = 600
	longURL  = 4000
)

// newRequest is a request with parameters given as name, value, name, value.
func newRequest(e endpoint, params ...string) *request {
	r := &request{endpoint: e, params: url.Values{}}
	for i := 0; i+1 < len(params); i += 2 {
		r.set(params[i], params[i+1])
	}
	return r
}

// set adds a parameter that is not empty. Control characters and broken UTF-8
// would come back in an answer that is no XML any more.
func (r *request) set(name, value string) {
	value = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && !(name == "bdata" && c == '\r') {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(value, "\uFFFD"))
	if value != "" {
		r.params.Set(name, value)
	}
}

func (r *request) setIDs(name string, ids []string) {
	r.set(name, strings.Join(ids, ","))
	r.ids = len(ids)
}

// bound is how many bytes of the answer are read.
func (r *request) bound() int64 {
	if r.op == efetch.op {
		return r.most + int64(r.ids)*perRecord
	}
	return r.most
}

// send makes the call and returns the whole answer.
func (c *Client) send(ctx context.Context, r *request) ([]byte, error) {
	address := *c.base[r.service]
	address.Path += r.file
	r.shown, r.method = address.Redacted(), http.MethodGet
	form := strings.ReplaceAll(r.params.Encode(), "%2C", ",") // half the length of a list of ids
	var body io.Reader
	if r.post || r.ids > longList || len(r.params.Get("term")) > longTerm || len(form) > longURL {
		r.method, body = http.MethodPost, strings.NewReader(form)
	} else {
		address.RawQuery = form
		r.shown = address.Redacted()
	}
	ctx = polite.WithCall(ctx, polite.Call{
		Service: string(r.service), Lane: r.service.lane(), Form: r.form, MaxBytes: r.bound(), TTL: r.ttl,
		Once: r.once, Keep: r.keep,
	})
	req, err := http.NewRequestWithContext(ctx, r.method, address.String(), body)
	if err != nil {
		return nil, r.failed(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, r.failed(err)
	}
	if u, ok := ctx.Value(usageKey{}).(*Usage); ok {
		if resp.Header.Get(polite.FromCache) != "" {
			u.Cached.Add(1)
		} else {
			u.Asked.Add(1)
		}
	}
	answer, err := polite.Body(resp)
	if err != nil {
		return nil, r.failed(err)
	}
	if problems := errorsIn(answer); len(problems) > 0 {
		return answer, r.refused(problems...)
	}
	return answer, nil
}

// errorsIn are the error texts of an answer: the ERROR elements of XML, in every
// place and wrapper in which the E-utilities put them (DTDs eSearch, eLink,
// ePost, eSpell), and the ERROR of JSON, on top or in the "...result". Answers
// without one, the rule, are not parsed for it.
func errorsIn(body []byte) (out []string) {
	if bytes.Contains(body, []byte(`"ERROR"`)) {
		return list(jsonErrors(body, 2))
	}
	if !bytes.Contains(body, []byte("<ERROR>")) {
		return nil
	}
	d := decoder(body)
	for {
		t, err := d.Token()
		if err != nil {
			return list(out)
		}
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == "ERROR" {
			var text string
			if d.DecodeElement(&text, &start) == nil {
				out = append(out, text)
			}
		}
	}
}

func jsonErrors(body []byte, depth int) (out []string) {
	var object map[string]json.RawMessage
	if depth == 0 || json.Unmarshal(polite.Mend(body), &object) != nil {
		return nil
	}
	for key, value := range object {
		if key == "ERROR" {
			var found texts
			if found.UnmarshalJSON(value) == nil {
				out = append(out, found...)
			}
			continue
		}
		out = append(out, jsonErrors(value, depth-1)...)
	}
	return out
}

func decoder(body []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(body, []byte("\uFFFD"))))
	d.Entity = xml.HTMLEntity
	// What claims another encoding was made valid UTF-8 above.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

func decodeXML(body []byte, v any) error { return decoder(body).Decode(v) }
