package entreztest

import (
	"cmp"
	"encoding/xml"
	"net/http"
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/idconv"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/sourcetest"
)

// A call is one request with methods for its parameters.
type call struct{ *sourcetest.Call }

func (c *call) get(name string) string { return c.Get(name) }

// number returns a parameter that is a count, or defaultValue if it is missing or invalid.
func (c *call) number(name string, defaultValue int) int {
	n, err := strconv.Atoi(c.get(name))
	if err != nil || n < 0 {
		return defaultValue
	}
	return n
}

func (c *call) json() bool { return strings.EqualFold(c.get("retmode"), "json") }

func (c *call) or(name, defaultValue string) string { return cmp.Or(c.get(name), defaultValue) }

func (c *call) db() string { return strings.ToLower(c.or("db", "pubmed")) }

// ids returns the IDs of all id parameters, each of which may be a list.
func (c *call) ids() []string {
	var out []string
	for _, list := range c.Form["id"] {
		out = append(out, splitIDs(list)...)
	}
	return out
}

func splitIDs(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' })
}

// historyIDs returns the part of a history set that query_key, WebEnv, retstart and retmax select, at most limit IDs.
// ok is false if the database has no such set.
func (s *Server) historyIDs(c *call, limit int) (ids []string, ok bool) {
	set, ok := s.history.get(c.get("WebEnv"), c.get("query_key"))
	return window(set.ids, c.number("retstart", 0), min(c.number("retmax", limit), limit)), ok && set.db == c.db()
}

type reply = sourcetest.Reply

func jsonReply(status int, v any) reply { return sourcetest.JSON(status, v) }
func xmlReply(body string) reply {
	return reply{Status: http.StatusOK, Type: sourcetest.XMLType, Body: []byte(body)}
}
func textReply(body string) reply {
	return reply{Status: http.StatusOK, Type: sourcetest.TextType, Body: []byte(body)}
}

// xmlOf encodes v as an element with that name, after the prolog.
func xmlOf(prolog, name string, v any) reply {
	var b strings.Builder
	b.WriteString(prolog)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "\t")
	if err := enc.EncodeElement(v, xml.StartElement{Name: xml.Name{Local: name}}); err != nil {
		panic(err) // cannot happen: the values are this package's
	}
	return xmlReply(b.String() + "\n")
}

// header is the "header" of the JSON of every E-utility.
type header struct {
	Type    string `json:"type"`
	Version string `json:"version"`
}

func headerOf(name string) header { return header{name, "0.3"} }

// unescape reverts the escapes of encoding/xml that NCBI does not use.
var unescape = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#xA;", "\n", "&#x9;", "\t")

// esc escapes text for element content. It replaces characters that XML does not allow with U+FFFD.
func esc(s string) string {
	needsEscape := func(r rune) bool { return r < ' ' || r == '<' || r == '>' || r == '&' || r >= 0x7f }
	if !strings.ContainsFunc(s, needsEscape) {
		return s
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return unescape.Replace(b.String())
}

// attr escapes text for an attribute.
func attr(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}

// tag returns the element <name>text</name>.
func tag(name, text string) string { return "<" + name + ">" + esc(text) + "</" + name + ">" }

// services adds the services of NCBI to the server.
func (s *Server) services() {
	endpoint := func(name, path string, answer func(*call) reply) sourcetest.Endpoint {
		return sourcetest.Endpoint{
			Name: name, Path: path, Answer: func(c *sourcetest.Call) reply { return answer(&call{c}) },
		}
	}
	s.AddKinds(ncbiKinds...)
	s.Server.Add(sourcetest.Service{
		Source: &entrez.Source, Path: "/entrez/eutils/", WriteFault: s.faultReply,
		Endpoints: []sourcetest.Endpoint{
			endpoint("esearch", "esearch.fcgi", s.esearch),
			endpoint("esummary", "esummary.fcgi", s.esummary),
			endpoint("efetch", "efetch.fcgi", s.efetch),
			endpoint("elink", "elink.fcgi", s.elink),
			endpoint("einfo", "einfo.fcgi", s.einfo),
			endpoint("espell", "espell.fcgi", s.espell),
			endpoint("epost", "epost.fcgi", s.epost),
			endpoint("ecitmatch", "ecitmatch.cgi", s.ecitmatch),
		},
	})
	s.Server.Add(sourcetest.Service{
		Source: &pubtator.Source, Path: "/research/pubtator3-api/", WriteFault: s.faultReply,
		Endpoints: []sourcetest.Endpoint{
			endpoint("pubtator", "publications/export/biocjson", s.exportBioC),
			endpoint("autocomplete", "entity/autocomplete/", s.autocomplete),
			endpoint("relations", "relations", s.relations),
		},
	})
	s.Server.Add(sourcetest.Service{
		Source: &idconv.Source, Path: "/tools/idconv/api/v1/articles/", WriteFault: s.faultReply,
		Endpoints: []sourcetest.Endpoint{endpoint("idconv", "", s.idconv)},
	})
	s.Files.AddTo(s.Server)
}
