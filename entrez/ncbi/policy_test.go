package ncbi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/polite"
)

// The values are from NBK25497.
func TestRate(t *testing.T) {
	if Rate.Limit(false) != 3 || Rate.Limit(true) != 10 || Rate.Delay(false) != 350*time.Millisecond || Rate.Delay(true) != 110*time.Millisecond {
		t.Errorf("%+v: %v, %v with a key", Rate, Rate.Delay(false), Rate.Delay(true))
	}
}

func TestJudge(t *testing.T) {
	const limit = `{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"4","limit":"3"}`
	const badKey = `{"error":"API key invalid","api-key":"0123456789abcdef0123456789abcdef0123","type":"invalid","status":"unknown"}`
	const none = polite.Kind("")
	for _, c := range []struct {
		status int
		form   polite.Form
		body   string
		kind   polite.Kind
	}{
		{429, polite.XML, limit, polite.RateLimited},
		{200, polite.XML, limit, polite.RateLimited},
		{400, polite.JSON, badKey, polite.BadKey},
		{200, polite.XML, badKey, polite.BadKey},
		{200, polite.XML, `{"error":"error forwarding request","api-key":"x"}`, polite.Upstream},
		{200, polite.Text, "NCBI C++ Exception:\n    Error: (CException::eUnknown)", polite.Upstream},
		{200, polite.XML, "<r><ERROR>Invalid db name specified: x</ERROR></r>", polite.Refused},
		{200, polite.JSON, "<r><ERROR>not even JSON</ERROR></r>", polite.Refused},
		{200, polite.XML, "{\"ERROR\":\"two\nlines\"}", polite.Refused},
		{200, polite.JSON, "{\"esearchresult\":{\"ERROR\":\"two\nlines\"}}", polite.Refused},
		{200, polite.XML, "<r><ERROR>cut o", none},
		{200, polite.XML, "<r/>", none},
		{200, polite.JSON, `{"header":{"type":"x"},"error":"no"}`, none}, // the service's own, not the gateway's
		{502, polite.XML, "<html>bad gateway</html>", none},
		{200, polite.XML, "", none},
	} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			v := CheckReply(polite.Reply{Status: c.status, Form: c.form, Body: []byte(c.body)})
			got := none
			if v != nil {
				got = v.Kind
				if strings.Contains(v.Text, "192.0.2.7") || strings.Contains(v.Text, "0123456789abcdef") || strings.Contains(v.Text, "\n") {
					t.Errorf("%q holds what NCBI echoed", v.Text)
				}
			}
			if got != c.kind {
				t.Errorf("%d %s: %q, want %q", c.status, c.body, got, c.kind)
			}
		})
	}
}

func TestKeep(t *testing.T) {
	for body, want := range map[string]bool{
		"<r><Id>1</Id></r>":         true,
		"<r><ERROR>no</ERROR></r>":  false,
		"<r><WebEnv>M</WebEnv></r>": false,
		`<pmc-articleset><Reply Id="1" error="not available"/></pmc-articleset>`:          false,
		"{\"esearchresult\":{\"ERROR\":\"a\nb\"}}":                                        false,
		`{"esearchresult":{"webenv":"MCID_1"}}`:                                           false,
		`{"esummaryresult":["Empty id list - nothing todo"]}`:                             false,
		`{"result":{"uids":["1"],"1":{"uid":"1","error":"cannot get document summary"}}}`: false,
	} {
		t.Run(body, func(t *testing.T) {
			if Cacheable([]byte(body)) != want {
				t.Errorf("%s: kept %v", body, !want)
			}
		})
	}
}

func FuzzJudge(f *testing.F) {
	for _, s := range []string{"", "<", "<r><ERROR>x</ERROR></r>", `{"ERROR":"a"}`, `{"error":"API key invalid"}`, "{\"ERROR\":\"a\nb\"}", `{"ERROR":["a",1,null,{}]}`} {
		f.Add(s, 200, 0)
		f.Add(s, 400, 1)
	}
	f.Fuzz(func(t *testing.T, body string, status, form int) {
		if v := CheckReply(polite.Reply{Status: status, Form: polite.Form(form), Body: []byte(body)}); v != nil && (v.Kind == "" || v.Text == "") {
			t.Errorf("%+v", v)
		}
	})
}
