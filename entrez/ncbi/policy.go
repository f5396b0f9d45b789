package ncbi

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"

	"biomcp/entrez/polite"
)

// Rate is the limit that NCBI counts by address, or by key (NBK25497). It states
// none for the ID converter, so that without a key it and the E-utilities share
// one lane, the careful reading.
var Rate = polite.Rate{Lane: "ncbi", PerSecond: 3, WithKey: 10}

// Key is the API key of the E-utilities.
var Key = polite.Key{Variable: "NCBI_API_KEY", Param: "api_key"}

// Parameters in which NCBI asks for the names of tool and maintainer.
const ToolParam, EmailParam = "tool", "email"

// MaxQuery is the longest address sent, in bytes of its parameters: NCBI answers
// one of 8 kB with 414.
const MaxQuery = 4000

// Judge reads the errors that NCBI writes into replies, whatever form was asked
// for and whatever the status is.
func Judge(r polite.Reply) *polite.Verdict {
	verdict := func(kind polite.Kind, text string) *polite.Verdict { return &polite.Verdict{Kind: kind, Text: text} }
	if g, ok := gatewayError(r); ok {
		switch text := strings.ToLower(g); {
		case strings.Contains(text, "rate limit"):
			return verdict(polite.RateLimited, "answered that its request limit is exceeded ("+g+")")
		case strings.Contains(text, "api key"):
			return verdict(polite.BadKey, "does not know the API key ("+g+")")
		case r.Status < 400 || r.Status >= 500:
			return verdict(polite.Upstream, "answered with an error of its gateway ("+g+")")
		}
	}
	if r.Status < 200 || r.Status >= 300 {
		return nil
	}
	if bytes.HasPrefix(r.Body, []byte("NCBI C++ Exception")) {
		return verdict(polite.Upstream, "answered with an internal error"+r.Said())
	}
	if r.Form == polite.Text || r.Whole() {
		if errors := Errors(r.Body); len(errors) > 0 {
			return verdict(polite.Refused, polite.ErrorText(errors...))
		}
	}
	return nil
}

// gatewayError reads the body that NCBI's front door sends in place of any
// answer, whatever form was asked for:
//
//	{"error":"API rate limit exceeded","api-key":"...","count":"4","limit":"3"}
//
// A service's own answer with an "error" in it has a "header" too.
func gatewayError(r polite.Reply) (string, bool) {
	text := r.Says("error")
	return polite.Redact(text), text != "" && !Parse(r.Body).Get("header").Exists()
}

// Errors are the error texts of a reply: the ERROR elements of XML, in every
// place and wrapper in which the E-utilities put them (DTDs eSearch, eLink,
// ePost, eSpell), and the ERROR of JSON, on top or in the "...result". Replies
// without one, the rule, are not parsed for it.
func Errors(body []byte) (out []string) {
	if bytes.Contains(body, []byte(`"ERROR"`)) {
		if !json.Valid(polite.Mend(body)) {
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

// passing marks what must not be kept: an error inside a good reply, in any of
// NCBI's spellings, and a history session, which ends on NCBI's side. A text that
// happens to hold one of these is asked for again, which is the cheaper mistake.
var passing = [][]byte{
	[]byte("<ERROR>"), []byte("<WebEnv>"), []byte(` error="`),
	[]byte(`"error"`), []byte(`"ERROR"`), []byte(`"webenv"`), []byte(`"esummaryresult"`),
}

// Keep reports whether a reply holds nothing that passes.
func Keep(body []byte) bool {
	for _, mark := range passing {
		if bytes.Contains(body, mark) {
			return false
		}
	}
	return true
}
