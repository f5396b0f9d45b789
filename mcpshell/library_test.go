package mcpshell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/rag/library"
	files "biomcp/store/library"
)

// portal returns a server with a library of two synthetic projects.
func portal(t *testing.T) *Shell {
	t.Helper()
	dir := t.TempDir()
	changed := time.Date(2025, 11, 23, 12, 0, 0, 0, time.UTC)
	for name, text := range map[string]string{
		"project-id/README.md":    "---\ntitle: Project Title\ncategory: Consumer Product Research\ntags: [Product Comparison, Buying Guide]\ncreated: 2025-11-23T10:00:00Z\n---\n# Overview\n",
		"project-id/file-name.md": "About grills.",
		"bare/a b.md":             "Grills again, and grills.",
		"bare/bytes.md":           "\xff",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	searcher := library.NewSearcher(files.New(dir))
	return New(Options{Parse: parsing(echo), Version: "1.2.3", Research: func() (*library.Searcher, error) { return searcher, nil }})
}

func post(s *Shell, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/api/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	s.ServeResearch(w, r)
	return w
}

// sameJSON fails unless an answer equals the wanted JSON.
func sameJSON(t *testing.T, asked, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil || !reflect.DeepEqual(g, w) {
		t.Errorf("%s\nanswered %s\nwant     %s", asked, got, want)
	}
}

const (
	bareFile = `{"uri":"research://bare/a%20b.md","name":"bare - a b.md","description":"Research file from project: bare","mimeType":"text/markdown",` +
		`"metadata":{"category":null,"createdAt":"2025-11-23T12:00:00.000Z","fileName":"a b.md","modifiedAt":"2025-11-23T12:00:00.000Z","projectId":"bare","projectName":"bare","tags":[]}}`
	readmeFile = `{"uri":"research://project-id/README.md","name":"Project Title - README.md","description":"Research file from project: project-id","mimeType":"text/markdown",` +
		`"metadata":{"category":"Consumer Product Research","createdAt":"2025-11-23T10:00:00.000Z","fileName":"README.md","modifiedAt":"2025-11-23T12:00:00.000Z","projectId":"project-id","projectName":"project-id","tags":["Product Comparison","Buying Guide"]}}`
	otherFile = `{"uri":"research://project-id/file-name.md","name":"Project Title - file-name.md","description":"Research file from project: project-id","mimeType":"text/markdown",` +
		`"metadata":{"category":"Consumer Product Research","createdAt":"2025-11-23T12:00:00.000Z","fileName":"file-name.md","modifiedAt":"2025-11-23T12:00:00.000Z","projectId":"project-id","projectName":"project-id","tags":["Product Comparison","Buying Guide"]}}`
)

func TestResearchAnswers(t *testing.T) {
	s := portal(t)
	list := func(files ...string) string {
		return `{"resources":[` + strings.Join(files, ",") + `],"nextCursor":null}`
	}
	for _, c := range []struct{ method, params, result string }{
		{"resources/list", `{}`, list(bareFile, readmeFile, otherFile)},
		{"resources/list", `{"cursor":null}`, list(bareFile, readmeFile, otherFile)},
		{"resources/list", `null`, list(bareFile, readmeFile, otherFile)},
		{"resources/search", `{"query":"grills","category":"Consumer Product Research","tags":["buying guide"]}`, list(otherFile)},
		{"resources/search", `{"query":"grills"}`, list(bareFile, otherFile)},
		{"resources/search", `{"tags":["Buying Guide"]}`, list(readmeFile, otherFile)},
		{"resources/search", `{"query":"grills","tags":["Kitchen Appliances"]}`, list()},
		{"resources/search", `{}`, list(bareFile, readmeFile, otherFile)},
		{"resources/read", `{"uri":"research://bare/a%20b.md"}`, `{"contents":[{"uri":"research://bare/a%20b.md","mimeType":"text/markdown","text":"Grills again, and grills."}]}`},
	} {
		t.Run(c.method, func(t *testing.T) {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":12345678901234567890,"method":%q,"params":%s}`, c.method, c.params)
			w := post(s, body)
			if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" || !strings.Contains(w.Body.String(), `"id":12345678901234567890`) {
				t.Errorf("%s: HTTP %d %s %s", body, w.Code, w.Header(), w.Body)
			}
			sameJSON(t, body, w.Body.String(), `{"jsonrpc":"2.0","id":12345678901234567890,"result":`+c.result+`}`)
		})
	}
}

func TestResearchErrors(t *testing.T) {
	s := portal(t)
	request := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"r","method":%q,"params":%s}`, method, params)
	}
	for _, c := range []struct {
		body    string
		code    int
		message string
	}{
		{`{"jsonrpc":"2.0",`, -32700, "not JSON"},
		{``, -32700, "not JSON"},
		{"\xff", -32700, "not UTF-8"},
		{`[` + request("resources/list", `{}`) + `]`, -32600, "not a batch"},
		{`[]`, -32600, "not a batch"},
		{`[`, -32700, "not JSON"},
		{`"x"`, -32600, "one JSON object"},
		{`{"id":1,"method":"resources/list"}`, -32600, "jsonrpc must be"},
		{`{"jsonrpc":"1.0","id":1,"method":"resources/list"}`, -32600, "jsonrpc must be"},
		{`{"jsonrpc":"2.0","id":1}`, -32600, "method must be"},
		{`{"jsonrpc":"2.0","id":{},"method":"resources/list"}`, -32600, "id must be"},
		{request("invalid/method", `{}`), -32601, "Method not found: invalid/method"},
		{request("initialize", `{}`), -32601, "Method not found: initialize"},
		{request("resources/list", `[]`), -32602, "params must be an object"},
		{request("resources/list", `{"cursor":"1"}`), -32602, "one page"},
		{request("resources/list", `{"cursor":1}`), -32602, "cursor must be a string"},
		{request("resources/read", `{}`), -32602, "uri is missing"},
		{request("resources/read", `null`), -32602, "uri is missing"},
		{request("resources/read", `{"uri":5}`), -32602, "uri must be a string"},
		{request("resources/read", `{"uri":""}`), -32602, "unknown resource"},
		{request("resources/read", `{"uri":"research://none/README.md"}`), -32602, "unknown resource: research://none/README.md"},
		{request("resources/read", `{"uri":"research://project-id/../../etc/passwd"}`), -32602, "unknown resource"},
		{request("resources/read", `{"uri":"file:///etc/passwd"}`), -32602, "unknown resource"},
		{request("resources/read", `{"uri":"biomcp://info"}`), -32602, "unknown resource"},
		{request("resources/read", `{"uri":"research://bare/bytes.md"}`), -32603, "not UTF-8"},
		{request("resources/search", `{"query":["x"]}`), -32602, "query and category must be strings"},
		{request("resources/search", `{"tags":"x"}`), -32602, "a list of strings"},
	} {
		t.Run(c.body, func(t *testing.T) {
			w := post(s, c.body)
			var got struct {
				Version string `json:"jsonrpc"`
				ID      any
				Error   struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || got.Version != "2.0" || got.Error.Code != c.code || !strings.Contains(got.Error.Message, c.message) {
				t.Errorf("%.200s\nanswered HTTP %d %s, want %d %s", c.body, w.Code, w.Body, c.code, c.message)
			}
			if strings.Contains(c.body, `"id":"r"`) && c.body[0] == '{' && got.ID != "r" {
				t.Errorf("%s answered under another id: %s", c.body, w.Body)
			}
		})
	}
	for _, body := range []string{`{"jsonrpc":"2.0","method":"resources/list"}`, `{"jsonrpc":"2.0","method":"notifications/anything","params":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`} {
		t.Run(body, func(t *testing.T) {
			if w := post(s, body); w.Code != 202 || w.Body.Len() > 0 {
				t.Errorf("the notification %s: HTTP %d %s", body, w.Code, w.Body)
			}
		})
	}
}

// A request that is not a message of the protocol gets an HTTP error status.
func TestResearchOverHTTP(t *testing.T) {
	s := portal(t)
	send := func(method, kind, accept, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, "/api/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		if accept != "" {
			r.Header.Set("Accept", accept)
		}
		s.ServeResearch(w, r)
		return w
	}
	list := `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`
	for _, c := range []struct {
		method, kind, accept, body string
		want                       int
	}{
		{"POST", "application/json; charset=utf-8", "", list, 200},
		{"POST", "text/plain", "", list, 415},
		{"POST", "", "", list, 415},
		{"POST", "application/json", "", list + strings.Repeat(" ", MaxBody-len(list)), 200},
		{"POST", "application/json", "", list + strings.Repeat(" ", MaxBody-len(list)+1), 413},
		{"PUT", "application/json", "", list, 405},
		{"DELETE", "", "", "", 405},
		{"GET", "", "application/json", "", 406},
	} {
		t.Run(c.method, func(t *testing.T) {
			if w := send(c.method, c.kind, c.accept, c.body); w.Code != c.want || c.want == 405 && w.Header().Get("Allow") != "GET, POST" {
				t.Errorf("%s %q, accept %q, %d bytes: HTTP %d, want %d", c.method, c.kind, c.accept, len(c.body), w.Code, c.want)
			}
		})
	}
}

// A library that panics, hangs or cannot be opened fails only that call.
func TestResearchFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for message, open := range map[string]func() (*library.Searcher, error){
			"internal error; the server's log": func() (*library.Searcher, error) { panic("SECRET") },
			"no home folder":                   func() (*library.Searcher, error) { return nil, errors.New("no home folder") },
			"no answer within 5s":              func() (*library.Searcher, error) { time.Sleep(time.Minute); return nil, nil },
		} {
			s := New(Options{Parse: parsing(echo), CallTimeout: 5 * time.Second, Research: open})
			w := post(s, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
			if w.Code != 200 || !strings.Contains(w.Body.String(), `"code":-32603`) || !strings.Contains(w.Body.String(), message) {
				t.Errorf("%s: HTTP %d %s", message, w.Code, w.Body)
			}
			synctest.Wait()
			time.Sleep(time.Minute)
		}
	})
}

func TestResearchStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Parse: parsing(echo), Version: "1.2.3"})
		open := func() (*httptest.ResponseRecorder, func()) {
			ctx, stop := context.WithCancel(t.Context())
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(ctx, "GET", "/api/mcp", nil)
			r.Header.Set("Accept", "text/event-stream")
			done := make(chan struct{})
			go func() { s.ServeResearch(w, r); close(done) }()
			synctest.Wait()
			return w, func() { stop(); <-done }
		}
		w, end := open()
		time.Sleep(2*keepAlive + time.Second)
		synctest.Wait()
		var lines []string
		for in := bufio.NewScanner(strings.NewReader(w.Body.String())); in.Scan(); {
			lines = append(lines, in.Text())
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" || !w.Flushed || len(lines) != 6 {
			t.Fatalf("HTTP %d %s %q", w.Code, w.Header(), lines)
		}
		sameJSON(t, "GET", strings.TrimPrefix(lines[0], "data: "), `{"jsonrpc":"2.0","method":"server/connected","params":{"serverInfo":{"name":"biomcp","version":"1.2.3","capabilities":{"resources":true,"tools":false,"prompts":false}}}}`)
		if got := strings.Join(lines[1:], "\n"); got != "\n: keepalive\n\n: keepalive\n" {
			t.Errorf("after the first event: %q", got)
		}
		end()
		var ends []func()
		for range maxStreams {
			_, end := open()
			ends = append(ends, end)
		}
		w, end = open()
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("one stream too many: HTTP %d", w.Code)
		}
		end()
		for _, end := range ends {
			end()
		}
		if w, end = open(); w.Code != 200 {
			t.Errorf("after streams have ended: HTTP %d", w.Code)
		}
		end()
	})
}
