package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"biomcp/entrez/entreztest"
)

// A call with json: true answers what the line with --json answers, the commands
// to type next included.
func TestJSONArgumentIsTheFlag(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	for _, line := range []string{"search article ergothioneine --limit 1", "get article 90100001", "get article 90100001 mesh", "search article", "list article", "no such"} {
		byFlag := agent(app)(t.Context(), split(t, line+" --json"), false)
		byArgument := agent(app)(t.Context(), split(t, line), true)
		if byFlag.Text != byArgument.Text {
			t.Errorf("%s: with --json\n%s\nwith json: true\n%s", line, byFlag.Text, byArgument.Text)
		}
	}
}

// A service that quotes the request it refuses reveals neither key nor contact,
// and an address stands in no failure.
func TestFailuresNameNoKeyContactOrAddress(t *testing.T) {
	const email = "admin+biomcp@lab.example"
	for _, body := range []string{`{"error":"refused: %s"}`, `<eSearchResult><ERROR>refused: %s</ERROR></eSearchResult>`, `refused: %s`} {
		for _, status := range []int{200, 400} {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(status)
				fmt.Fprintf(w, body, strings.ReplaceAll(r.URL.RawQuery, "&", " ")+" "+r.FormValue("email")+" "+r.FormValue("api_key"))
			}))
			app := ncbiApp(t, synthetic(t))
			app.Env.Network.Email = email
			for name := range app.Env.Network.Addresses {
				app.Env.Network.Addresses[name] = srv.URL + "/"
			}
			for _, line := range []string{"search article cancer", "get article 1", "get ids 1", "search mesh asthma", "get database pubmed", "get spelling asthma"} {
				r := agent(app)(t.Context(), split(t, line), true)
				for _, secret := range []string{email, "admin%2Bbiomcp", entreztest.Key, "http://"} {
					if strings.Contains(r.Text, secret) {
						t.Errorf("%s, status %d: %s in %s", line, status, secret, r.Text)
					}
				}
				if !r.IsError {
					t.Errorf("%s, status %d: no failure: %s", line, status, r.Text)
				}
			}
			srv.Close()
		}
	}
}
