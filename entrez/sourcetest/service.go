package sourcetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/contract"
	"biomcp/entrez/httpclient"
)

// Service is one simulated source. The source declares its request limit and the
// parameter of its key.
type Service struct {
	Source    *httpclient.Source
	Path      string // base under the server's address: "/api/"
	Endpoints []Endpoint

	// WriteFault, if not nil, writes a fault in the service's own format. It is also called, without a
	// planned fault, for requests over the limit (Limit429), with an invalid key (BadKey) or with a
	// long URL (URITooLarge). If it returns false, the server writes its default reply.
	WriteFault func(c *Call) (Reply, bool)
}

// Endpoint is one address of a service.
type Endpoint struct {
	Name   string // name in faults and in the list of requests
	Path   string // relative to the service's path; "" means the base
	Answer func(*Call) Reply
}

// Call is one request with the data that an answer needs.
type Call struct {
	Endpoint string
	Form     url.Values // query and posted form
	Header   http.Header
	Path     string
	Fault    *Fault // nil without a fault
	Seq      int    // number of the request
	Client   string // key or address that the limit applies to
	Count    int    // with Limit429: requests from that client in the last second
	Limit    int    // allowed requests in a second

	released <-chan struct{} // closed by the first Release after the request's arrival
}

// Get returns a parameter without surrounding spaces.
func (c *Call) Get(name string) string { return strings.TrimSpace(c.Form.Get(name)) }

// Reply is one reply, before a fault changes it.
type Reply struct {
	Status int
	Type   string // Content-Type
	Body   []byte
	Header http.Header // other headers; may be nil
}

// Content types.
const (
	XMLType  = "text/xml; charset=UTF-8"
	JSONType = "application/json; charset=UTF-8"
	TextType = "text/plain; charset=UTF-8"
	HTMLType = "text/html; charset=UTF-8"
)

// JSON returns a reply with v as one line of JSON, without HTML escapes.
func JSON(status int, v any) Reply {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // cannot happen with a simulator's own values
	}
	return Reply{Status: status, Type: JSONType, Body: bytes.TrimRight(b.Bytes(), "\n")}
}

// Page returns a reply with a web page.
func Page(status int, title, text string) Reply {
	return Reply{Status: status, Type: HTMLType,
		Body: []byte("<!DOCTYPE html>\n<html>\n<head><title>" + title + "</title></head>\n<body>\n<h1>" + title +
			"</h1>\n<p>" + text + "</p>\n</body>\n</html>\n")}
}

// File returns a reply with the bytes of a file, status 200 and the content type of its extension
// (.json or .xml, otherwise text).
func File(path string) (Reply, error) {
	body, err := os.ReadFile(path)
	kind := map[string]string{".json": JSONType, ".xml": XMLType}[filepath.Ext(path)]
	if kind == "" {
		kind = TextType
	}
	return Reply{Status: http.StatusOK, Type: kind, Body: body}, err
}

const (
	controlPath = "/control/"

	maxURI  = 8190     // Apache's limit; a longer URL is answered with 414
	maxBody = 32 << 20 // limit of a POST
)

// Add makes the server simulate a service.
func (s *Server) Add(v Service) {
	s.services = append(s.services, v)
	for _, e := range v.Endpoints {
		s.mux.HandleFunc(v.Path+e.Path, s.serve(v, e))
	}
}

// serve returns the handler of an endpoint. It reads the form, rejects requests that are too long,
// too fast or have an invalid key, and writes the reply.
func (s *Server) serve(v Service, e Endpoint) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		form, err := readForm(r)
		c := &Call{Endpoint: e.Name, Form: form, Header: r.Header, Path: r.URL.Path, Client: hostOf(r),
			Limit: v.Source.Rate.PerSecond}
		c.released = s.faults.waiting() // before Await can return, so that a later Release applies to this request
		c.Seq = s.log.open(Request{Endpoint: e.Name, Method: r.Method, Path: r.URL.Path, Params: form,
			Range: r.Header.Get("Range"), UserAgent: r.UserAgent(), At: time.Now()})
		if strings.HasPrefix(r.UserAgent(), "biomcp") { // over TCP; Transport rejects more
			for _, tag := range contract.UndeclaredTags(v.Source, strings.TrimPrefix(r.URL.Path, v.Path), form) {
				s.strangeTag(v.Source, tag)
			}
		}
		out := func(rep Reply) {
			s.log.close(c.Seq, rep.Status)
			write(w, rep)
		}
		refuse := func(kind Kind) {
			c.Fault = &Fault{Kind: kind}
			out(s.refusal(v, c))
		}
		if err != nil {
			out(Page(http.StatusBadRequest, "400 Bad Request", err.Error()))
			return
		}
		if len(r.RequestURI) > maxURI || len(r.URL.RequestURI()) > maxURI {
			refuse(URITooLarge)
			return
		}
		if key := c.Get(v.Source.Key.Param); key != "" {
			c.Client, c.Limit = key, v.Source.Rate.WithKey
			if !s.validKey(key) {
				refuse(BadKey)
				return
			}
		}
		var ok bool
		if c.Count, ok = s.pace.take(v.Source.Name+" "+c.Client, c.Limit); !ok {
			refuse(Limit429)
			return
		}
		whole := func() Reply {
			for _, answer := range s.first {
				if rep, is := answer(c); is {
					return rep
				}
			}
			if captured, ok := s.faults.captures.Load(captureKey(v.Source, e.Name, c)); ok {
				return captured.(Reply)
			}
			if e.Answer == nil {
				return JSON(http.StatusNotFound,
					map[string]string{"error": "no capture of " + captureKey(v.Source, e.Name, c)})
			}
			return e.Answer(c)
		}
		answer := func() Reply {
			if !httpclient.IsCall(r.Context()) { // the request comes from a test of the simulator or from a person
				return whole()
			}
			return KeepDeclared(contract.MatchingUses(v.Source, strings.TrimPrefix(r.URL.Path, v.Path), form), whole())
		}
		if c.Fault = s.faults.next(e.Name); c.Fault != nil && s.misbehave(w, r, v, c, answer) {
			return
		}
		out(answer())
	}
}

func readForm(r *http.Request) (url.Values, error) {
	form := r.URL.Query()
	if r.Body == nil || r.Method == http.MethodGet {
		return form, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return form, err
	}
	if len(body) > maxBody {
		return form, fmt.Errorf("request body over %d bytes", maxBody)
	}
	posted, err := url.ParseQuery(string(body))
	for name, values := range posted {
		form[name] = append(form[name], values...)
	}
	return form, err
}

func encode(form map[string][]string) string { return url.Values(form).Encode() }

func (rep Reply) head(w http.ResponseWriter) {
	maps.Copy(w.Header(), rep.Header)
	w.Header().Set("Content-Type", rep.Type)
}

func write(w http.ResponseWriter, rep Reply) {
	rep.head(w)
	w.Header().Set("Content-Length", strconv.Itoa(len(rep.Body)))
	w.WriteHeader(rep.Status)
	_, _ = w.Write(rep.Body) // the client may have left
}

func hostOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return "127.0.0.1"
}
