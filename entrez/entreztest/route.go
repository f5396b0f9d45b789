package entreztest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	entrezPath   = "/entrez/eutils/"
	pubtatorPath = "/research/pubtator3-api/"
	idconvPath   = "/tools/idconv/api/v1/articles/"
	controlPath  = "/control/"

	maxURI  = 8190     // Apache's limit, past which NCBI answers 414
	maxBody = 32 << 20 // of a POST
)

// A call is one request with what the endpoints need of it.
type call struct {
	form  url.Values
	fault *Fault // nil on most days
	seq   int
}

func (c *call) get(name string) string { return strings.TrimSpace(c.form.Get(name)) }

// number reads a parameter that is a count; wrong ones count as not given.
func (c *call) number(name string, otherwise int) int {
	n, err := strconv.Atoi(c.get(name))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

func (c *call) json() bool { return strings.EqualFold(c.get("retmode"), "json") }

func (c *call) db() string {
	if db := c.get("db"); db != "" {
		return strings.ToLower(db)
	}
	return "pubmed"
}

// ids splits the id parameters, each of which may be a list.
func (c *call) ids() []string {
	var out []string
	for _, list := range c.form["id"] {
		out = append(out, strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' })...)
	}
	return out
}

// A reply is one answer before a fault has had its way with it.
type reply struct {
	status int
	kind   string // Content-Type
	body   []byte
}

const (
	xmlType  = "text/xml; charset=UTF-8"
	jsonType = "application/json; charset=UTF-8"
	textType = "text/plain; charset=UTF-8"
	htmlType = "text/html; charset=UTF-8"
)

func xmlReply(body string) reply  { return reply{http.StatusOK, xmlType, []byte(body)} }
func textReply(body string) reply { return reply{http.StatusOK, textType, []byte(body)} }

// jsonReply writes v as NCBI does: one line, nothing escaped for HTML.
func jsonReply(status int, v any) reply {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only our own structs come here
	}
	return reply{status, jsonType, bytes.TrimRight(b.Bytes(), "\n")}
}

// header is the "header" of the JSON of every E-utility.
type header struct {
	Type    string `json:"type"`
	Version string `json:"version"`
}

func headerOf(name string) header { return header{name, "0.3"} }

// unescape takes back what encoding/xml escapes and NCBI does not.
var unescape = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#xA;", "\n", "&#x9;", "\t")

// esc is text for element content; characters that XML cannot hold become U+FFFD.
func esc(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == '<' || r == '>' || r == '&' || r >= 0x7f }) < 0 {
		return s
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return unescape.Replace(b.String())
}

// attr is text for an attribute.
func attr(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}

// tag is <name>text</name>.
func tag(name, text string) string { return "<" + name + ">" + esc(text) + "</" + name + ">" }

type endpoint struct {
	name    string
	service string // whose limit it counts against
	answer  func(*call) reply
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for file, e := range map[string]endpoint{
		"esearch.fcgi":  {"esearch", "entrez", s.esearch},
		"esummary.fcgi": {"esummary", "entrez", s.esummary},
		"efetch.fcgi":   {"efetch", "entrez", s.efetch},
		"elink.fcgi":    {"elink", "entrez", s.elink},
		"einfo.fcgi":    {"einfo", "entrez", s.einfo},
		"espell.fcgi":   {"espell", "entrez", s.espell},
		"epost.fcgi":    {"epost", "entrez", s.epost},
		"ecitmatch.cgi": {"ecitmatch", "entrez", s.ecitmatch},
	} {
		mux.HandleFunc(entrezPath+file, s.serve(e))
	}
	mux.HandleFunc(idconvPath, s.serve(endpoint{"idconv", "idconv", s.idconv}))
	mux.HandleFunc(pubtatorPath+"publications/export/biocjson", s.serve(endpoint{"pubtator", "pubtator", s.exportBioC}))
	mux.HandleFunc(controlPath, s.control)
	return mux
}

// serve does for every endpoint what NCBI's front does: read the form, refuse
// what is too long, too fast or has a wrong key, and write the answer.
func (s *Server) serve(e endpoint) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		form, err := readForm(r)
		c := &call{form: form}
		rec := Request{Endpoint: e.name, Method: r.Method, Path: r.URL.Path, Params: form, UserAgent: r.UserAgent(), At: time.Now()}
		c.seq = s.log.open(rec)
		out := func(rep reply) {
			s.log.close(c.seq, rep.status)
			write(w, rep)
		}
		if err != nil {
			out(reply{http.StatusBadRequest, htmlType, []byte(htmlPage("400 Bad Request", err.Error()))})
			return
		}
		if len(r.RequestURI) > maxURI || len(r.URL.RequestURI()) > maxURI {
			out(uriTooLarge())
			return
		}
		who, limit := hostOf(r), 3
		if key := c.get("api_key"); key != "" && e.service == "entrez" {
			if !s.validKey(key) {
				out(badKey(key))
				return
			}
			who, limit = key, 10
		}
		if count, ok := s.pace.take(e.service+" "+who, limit); !ok {
			out(limitBody(http.StatusTooManyRequests, who, count, limit))
			return
		}
		if c.fault = s.faults.next(e.name); c.fault != nil {
			if s.misbehave(w, r, e, c) {
				return
			}
		}
		out(e.answer(c))
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

func write(w http.ResponseWriter, rep reply) {
	w.Header().Set("Content-Type", rep.kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(rep.body)))
	w.WriteHeader(rep.status)
	_, _ = w.Write(rep.body) // the client may have left
}

func hostOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return "127.0.0.1"
}

func (s *Server) validKey(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[key]
}
