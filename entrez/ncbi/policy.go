package ncbi

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"

	"biomcp/entrez/httpclient"
)

// Rate is the limit that NCBI sets for each IP address, or for each key (NBK25497). NCBI states no
// limit for the ID converter; without a key it shares a lane with the E-utilities, to be safe.
var Rate = httpclient.Rate{Group: "ncbi", PerSecond: 3, WithKey: 10}

// Key is the API key of the E-utilities.
var Key = httpclient.Key{Variable: "NCBI_API_KEY", Param: "api_key"}

// ToolParam and EmailParam are the parameters for the names of tool and maintainer.
const ToolParam, EmailParam = "tool", "email"

// MaxQuery is the maximum length of the parameters in a URL. NCBI answers 414 to one of 8 kB.
const MaxQuery = 4000

// CheckReply recognizes the errors that NCBI writes into replies, in any form and with any status.
func CheckReply(r httpclient.Reply) *httpclient.Verdict {
	verdict := func(kind httpclient.Kind, text string) *httpclient.Verdict {
		return &httpclient.Verdict{Kind: kind, Text: text}
	}
	if g, ok := gatewayError(r); ok {
		switch text := strings.ToLower(g); {
		case strings.Contains(text, "rate limit"):
			return verdict(httpclient.RateLimited, "answered that its request limit is exceeded ("+g+")")
		case strings.Contains(text, "api key"):
			return verdict(httpclient.BadKey, "does not know the API key ("+g+")")
		case r.Status < 400 || r.Status >= 500:
			return verdict(httpclient.Upstream, "answered with an error of its gateway ("+g+")")
		}
	}
	if r.Status < 200 || r.Status >= 300 {
		return nil
	}
	if bytes.HasPrefix(r.Body, []byte("NCBI C++ Exception")) {
		return verdict(httpclient.Upstream, "answered with an internal error"+r.ErrorDetail())
	}
	if r.Form == httpclient.Text || r.Complete() {
		if errors := Errors(r.Body); len(errors) > 0 {
			return verdict(httpclient.Refused, httpclient.ErrorText(errors...))
		}
	}
	return nil
}

// gatewayError parses the error that NCBI's gateway sends instead of a reply, in JSON whatever the
// expected form:
//
//	{"error":"API rate limit exceeded","api-key":"...","count":"4","limit":"3"}
//
// A service's own reply with an "error" also has a "header" or a "result".
func gatewayError(r httpclient.Reply) (string, bool) {
	text := r.JSONField("error")
	reply := Parse(r.Body)
	return httpclient.Redact(text), text != "" && !reply.Get("header").Exists() && !reply.Get("result").Exists()
}

// Errors returns the error messages in a reply: ERROR elements anywhere in XML (DTDs eSearch,
// eLink, ePost, eSpell), and the member ERROR of JSON at the top level or in a "...result". A reply
// without these marks is not parsed.
func Errors(body []byte) (out []string) {
	if bytes.Contains(body, []byte(`"ERROR"`)) {
		if !json.Valid(httpclient.EscapeControls(body)) {
			return nil
		}
		o := Parse(body)
		out = o.Texts("ERROR")
		for _, member := range o.Map() {
			if member.IsObject() {
				out = append(out, Object{member}.Texts("ERROR")...)
			}
		}
		return out
	}
	if !bytes.Contains(body, []byte("<ERROR>")) {
		return nil
	}
	d := decoder(body)
	for {
		t, err := d.Token()
		if err != nil {
			return List(out)
		}
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == "ERROR" {
			var text string
			if d.DecodeElement(&text, &start) == nil {
				out = append(out, text)
			}
		}
	}
}

// passing lists marks of replies that must not be cached: an error inside a good reply, in any of
// NCBI's spellings, and a history session, which expires at NCBI. Text that happens to contain a
// mark is requested again, which does less harm than caching an error.
var passing = [][]byte{
	[]byte("<ERROR>"), []byte("<WebEnv>"), []byte(` error="`),
	[]byte(`"error"`), []byte(`"ERROR"`), []byte(`"webenv"`), []byte(`"esummaryresult"`),
}

// Cacheable reports whether a reply contains no mark in passing.
func Cacheable(body []byte) bool {
	for _, mark := range passing {
		if bytes.Contains(body, mark) {
			return false
		}
	}
	return true
}
