package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
)

// A call with json: true returns the answer to the line with --json, including its suggested
// commands.
func TestJSONArgumentIsTheFlag(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	for _, line := range []string{"search article ergothioneine --limit 1", "get article 90100001", "get article 90100001 mesh", "search article", "list article", "no such",
		"serach article ergothioneine", "search article ergothioneine --lmit 3", "search lung cancer"} {
		t.Run(line, func(t *testing.T) {
			byFlag := agent(app)(t.Context(), split(t, line+" --json"), false)
			byArgument := agent(app)(t.Context(), split(t, line), true)
			if byFlag.Text != byArgument.Text {
				t.Errorf("%s: with --json\n%s\nwith json: true\n%s", line, byFlag.Text, byArgument.Text)
			}
		})
	}
}

// If a service quotes a rejected request, the failure reveals neither key nor contact. No
// failure contains a URL.
func TestFailuresNameNoKeyContactOrAddress(t *testing.T) {
	t.Parallel()
	const email = "admin+biomcp@lab.example"
	for _, body := range []string{`{"error":"refused: %s"}`, `<eSearchResult><ERROR>refused: %s</ERROR></eSearchResult>`, `refused: %s`} {
		t.Run(body, func(t *testing.T) {
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
		})
	}
}

// If an answer is too long, it suggests a command with flags for a shorter one. Following the
// suggestions leads to a complete answer within a few calls.
func TestLongAnswersHaveAWayOn(t *testing.T) {
	t.Parallel()
	srv := entreztest.New(t, entreztest.File("../cmd/biomcp/testdata/records.xml"))
	if err := srv.Add(entreztest.Generate(150, 3)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	if text, code := ask(t, app, command.Person, "sync pubmed --from "+sampleRecords); code != 0 {
		t.Fatal(text)
	}
	for _, c := range []struct {
		line  string
		max   int
		calls int
		first string // a part of the first suggestion
	}{
		{"get article --json " + strings.Join(generated(150), " "), 60000, 2, ""},
		{"get article 90100001 --format xml", 2000, 2, "biomcp get article 90100001\n"},
		{"get article 90100001 --json", 1500, 2, "biomcp get article 90100001\n"},
		{"get article 90100001 mesh references citation --json", 1500, 4, "mesh"},
		{"search article ergothioneine --limit 20 --json", 2500, 3, "--limit"},
		{"search corpus ergothioneine --explain --json --top-k 100", 3000, 3, "--top-k"},
		{"list --json", 5000, 2, "biomcp list\n"},
	} {
		t.Run(c.line, func(t *testing.T) {
			line := c.line
			for calls := 1; ; calls++ {
				parsed := parse(NewTree(), split(t, line), command.Agent)
				out := parsed.run(t.Context(), app, agentIO())
				text, failed := RenderAnswer(out, parsed.json, c.max)
				if !failed {
					break
				}
				m := tryLine.FindStringSubmatch(text)
				if m == nil || calls == c.calls {
					t.Errorf("%.80s: after %d calls: %s", c.line, calls, text)
					break
				}
				next := m[1] + m[2]
				if calls == 1 && !strings.Contains(next+"\n", c.first) {
					t.Errorf("%.80s: first suggestion %q", c.line, next)
				}
				line = strings.TrimPrefix(next, "biomcp ")
			}
		})
	}
}

var tryLine = regexp.MustCompile(`"try": ?"([^"]*)"|try: +(.*)`)

// URLs occur only in the members that are documented to contain them.
func TestAddressesAreOnlyInTheirMembers(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	for _, line := range []string{
		"search article ergothioneine --abstracts", "search mesh ergothioneine", "get article 90100001", "get article 90100001 90100002 all",
		"get article 90100001 --format medline", "get ids 90100001", "get spelling ergothionein", "get database pubmed", "health", "version",
		"search citation --journal \"J Synth Nutr\" --year 2023 --volume 12 --page 101",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := ask(t, app, command.Agent, line+" --json")
			var answer any
			if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 0 {
				t.Fatalf("%s: exit %d, %v", line, code, err)
			}
			var walk func(key string, v any)
			walk = func(key string, v any) {
				switch v := v.(type) {
				case map[string]any:
					for k, member := range v {
						walk(strings.TrimPrefix(key+"."+k, "."), member)
					}
				case []any:
					for _, member := range v {
						walk(key, member)
					}
				case string:
					if strings.Contains(v, "127.0.0.1") && !strings.Contains(key, "_url") && key != "efetch.urls" {
						t.Errorf("%s: %s is %s", line, key, v)
					}
				}
			}
			walk("", answer)
		})
	}
}
