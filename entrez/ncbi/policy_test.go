package ncbi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/httpclient"
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
	const none = httpclient.Kind("")
	for _, c := range []struct {
		status int
		form   httpclient.Form
		body   string
		kind   httpclient.Kind
	}{
		{429, httpclient.XML, limit, httpclient.RateLimited},
		{200, httpclient.XML, limit, httpclient.RateLimited},
		{400, httpclient.JSON, badKey, httpclient.BadKey},
		{200, httpclient.XML, badKey, httpclient.BadKey},
		{200, httpclient.XML, `{"error":"error forwarding request","api-key":"x"}`, httpclient.Upstream},
		{200, httpclient.Text, "NCBI C++ Exception:\n    Error: (CException::eUnknown)", httpclient.Upstream},
		{200, httpclient.XML, "<r><ERROR>Invalid db name specified: x</ERROR></r>", httpclient.Refused},
		{200, httpclient.JSON, "<r><ERROR>not even JSON</ERROR></r>", httpclient.Refused},
		{200, httpclient.XML, "{\"ERROR\":\"two\nlines\"}", httpclient.Refused},
		{200, httpclient.JSON, "{\"esearchresult\":{\"ERROR\":\"two\nlines\"}}", httpclient.Refused},
		{200, httpclient.XML, "<r><ERROR>cut o", none},
		{200, httpclient.XML, "<r/>", none},
		{200, httpclient.JSON, `{"header":{"type":"x"},"error":"no"}`, none}, // the service's own, not the gateway's
		{200, httpclient.JSON, `{"error":"Invalid uid YYY at position= 0","result":{"uids":[]}}`, none},
		{502, httpclient.XML, "<html>bad gateway</html>", none},
		{200, httpclient.XML, "", none},
	} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			v := CheckReply(httpclient.Reply{Status: c.status, Form: c.form, Body: []byte(c.body)})
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
		if v := CheckReply(httpclient.Reply{Status: status, Form: httpclient.Form(form), Body: []byte(body)}); v != nil && (v.Kind == "" || v.Text == "") {
			t.Errorf("%+v", v)
		}
	})
}
