package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A shelf is a library of numbered resources and templates.
type shelf int

func (n shelf) List(context.Context) []Resource {
	list := []Resource{}
	for i := range int(n) {
		// Names fall while positions rise, and come in pairs.
		list = append(list, Resource{
			URI: fmt.Sprintf("biomcp://book/%d", i), Name: fmt.Sprintf("Book %04d", (int(n)-i)/2), Description: "a book", MIME: "text/markdown",
			Modified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Meta: map[string]any{"number": i},
		})
	}
	return list
}

func (shelf) Templates() []Template {
	return []Template{
		{"biomcp://zoo/{animal}", "Zoo", "an animal", "application/json"},
		{"biomcp://ark/{animal}", "Ark", "another", "application/json"},
	}
}

func (shelf) Prompts() []Prompt {
	return []Prompt{{"visit", "Visit the zoo", "Asks for a visit", []Argument{{"animal", "replaces lion"}}, func(given map[string]string) string { return "visit the " + given["animal"] }}}
}

func (shelf) Skills() []Skill {
	return []Skill{{"skill://feed/SKILL.md", "feed", "How to feed", "---\nname: feed\n---\nβ\n"}}
}

func (shelf) Complete(_ context.Context, template, variable, begins string) (values []string, ok bool) {
	if template == "visit" && variable == "animal" {
		return []string{"lion" + begins}, true
	}
	if template != "biomcp://zoo/{animal}" || variable != "animal" {
		return nil, false
	}
	if begins == "panic" {
		panic("SECRET")
	}
	for i := range 150 {
		if name := fmt.Sprintf("lion%d", i); strings.HasPrefix(name, begins) {
			values = append(values, name)
		}
	}
	return values, true
}

func (n shelf) Read(ctx context.Context, uri string) (_ Reading, found bool, err error) {
	switch {
	case strings.HasPrefix(uri, "biomcp://book/"):
		for _, r := range n.List(ctx) {
			if r.URI == uri {
				return Reading{MIME: r.MIME, Text: "text of " + uri + "\n<β> & \"co\"\n"}, true, nil
			}
		}
	case uri == "skill://feed/SKILL.md":
		return Reading{MIME: "text/markdown", Text: n.Skills()[0].Text}, true, nil
	case uri == "biomcp://zoo/lion":
		return Reading{MIME: "application/json", Text: `{"animal":"lion"}`}, true, nil
	case uri == "biomcp://zoo/dodo":
		return Reading{"application/json", `{"animal":"dodo"}`, []string{"it is gone", "for good"}}, true, nil
	case uri == "biomcp://zoo/ill":
		return Reading{}, true, errors.New("the zoo does not answer")
	case uri == "biomcp://zoo/slow":
		<-ctx.Done()
		return Reading{}, true, ctx.Err()
	case uri == "biomcp://zoo/panic":
		panic("SECRET")
	}
	return Reading{}, false, nil
}

type resourceReply struct {
	Result struct {
		Resources []struct {
			URI, Name, Title, Description, MimeType string
			Annotations                             struct{ LastModified string }
			Meta                                    map[string]any `json:"_meta"`
		}
		ResourceTemplates []struct {
			URITemplate, Name, Title, Description, MimeType string
		}
		Contents []struct {
			URI, MimeType, Text string
		}
		NextCursor *string
	}
}

func resource(t *testing.T, g got) (r resourceReply) {
	t.Helper()
	if g.Error != nil {
		t.Fatalf("answered %s", g.raw)
	}
	if err := json.Unmarshal([]byte(g.raw), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The list has the library's order, and no entry is lost or repeated between pages.
func TestResourceList(t *testing.T) {
	for _, n := range []int{0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize, 2*pageSize + 50} {
		served(t, Options{Resources: shelf(n)}, func(t *testing.T, r *rig) {
			var uris []string
			pages, params := 0, `{}`
			for {
				g := r.ask(request("1", "resources/list", params))
				if !strings.Contains(g.raw, `"resources":[`) {
					t.Fatalf("no list in %s", g.raw)
				}
				page := resource(t, g).Result
				for _, e := range page.Resources {
					uris = append(uris, e.URI)
					if e.Name == "" || e.Title != e.Name || e.Description != "a book" || e.MimeType != "text/markdown" ||
						e.Annotations.LastModified != "2026-01-02T03:04:05Z" || e.Meta["number"] == nil {
						t.Errorf("entry %+v", e)
					}
				}
				pages++
				if page.NextCursor == nil {
					break
				}
				params = fmt.Sprintf(`{"cursor":%q}`, *page.NextCursor)
			}
			for i, e := range shelf(n).List(t.Context()) {
				if i >= len(uris) || uris[i] != e.URI {
					t.Fatalf("%d of %d listed; number %d is not %s", len(uris), n, i, e.URI)
				}
			}
			if len(uris) != n || pages != max(1, (n+pageSize-1)/pageSize) {
				t.Errorf("%d of %d listed on %d pages", len(uris), n, pages)
			}
		})
	}
}

func TestResourceCursors(t *testing.T) {
	served(t, Options{Resources: shelf(5)}, func(t *testing.T, r *rig) {
		for _, cursor := range []string{`"x"`, `"-1"`, `"1.5"`, `"99999999999999999999"`, `" 1"`, `5`, `{}`} {
			g := r.ask(request("1", "resources/list", `{"cursor":`+cursor+`}`))
			if g.Error == nil || g.Error.Code != -32602 || !strings.Contains(g.Error.Message, "cursor") {
				t.Errorf("cursor %s answered %s", cursor, g.raw)
			}
		}
		// A list that has become shorter ends.
		for cursor, want := range map[string]int{`""`: 5, `"0"`: 5, `"3"`: 2, `"5"`: 0, `"2000000000"`: 0} {
			page := resource(t, r.ask(request("1", "resources/list", `{"cursor":`+cursor+`}`))).Result
			if len(page.Resources) != want || page.NextCursor != nil {
				t.Errorf("cursor %s: %d entries", cursor, len(page.Resources))
			}
		}
	})
}

func TestResourceTemplates(t *testing.T) {
	served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
		list := resource(t, r.ask(request("1", "resources/templates/list", `{}`))).Result.ResourceTemplates
		if len(list) != 2 || list[0].URITemplate != "biomcp://zoo/{animal}" || list[0].Name != "Zoo" || list[1].Name != "Ark" || list[1].Title != "Ark" ||
			list[0].Description != "an animal" || list[0].MimeType != "application/json" {
			t.Errorf("templates: %+v", list)
		}
	})
}

func TestResourceRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{Resources: shelf(3), CallTimeout: 5 * time.Second})
		read := func(uri string) got {
			return r.ask(request(`"r"`, "resources/read", fmt.Sprintf(`{"uri":%q}`, uri)))
		}
		for uri, want := range map[string][2]string{
			"biomcp://book/2":   {"text/markdown", "text of biomcp://book/2\n<β> & \"co\"\n"},
			"biomcp://zoo/lion": {"application/json", `{"animal":"lion"}`},
		} {
			c := resource(t, read(uri)).Result.Contents
			if len(c) != 1 || c[0].URI != uri || c[0].MimeType != want[0] || c[0].Text != want[1] {
				t.Errorf("%s: %+v", uri, c)
			}
		}
		g := read("biomcp://zoo/dodo")
		if c := resource(t, g).Result.Contents; len(c) != 2 || c[0].Text != `{"animal":"dodo"}` || c[1].MimeType != "text/plain" ||
			c[1].Text != "notice: it is gone\nnotice: for good\n" || !strings.Contains(g.raw, `"_meta":{"notices":["it is gone","for good"]}`) {
			t.Errorf("notices: %s", g.raw)
		}
		// Unknown ones, of a template or not, say so in the contract's words.
		for _, uri := range []string{"biomcp://nothing", "biomcp://book/3", "biomcp://zoo/unicorn", "biomcp://zoo/", "file:///etc/passwd", "x", "../..", "%s%d", "biomcp://book/2?x=\u00e9"} {
			g := read(uri)
			if g.Error == nil || g.Error.Code != -32002 || g.Error.Message != "Unknown resource: "+uri || string(g.ID) != `"r"` {
				t.Errorf("%s answered %s", uri, g.raw)
			}
		}
		for params, want := range map[string]string{`{}`: "uri is missing", `{"uri":""}`: "uri is missing", `{"uri":5}`: "must be strings", `{"uri":["x"]}`: "must be strings", `null`: "uri is missing"} {
			g := r.ask(request("1", "resources/read", params))
			if g.Error == nil || g.Error.Code != -32602 || !strings.Contains(g.Error.Message, want) {
				t.Errorf("params %s answered %s", params, g.raw)
			}
		}
		for uri, want := range map[string]string{
			"biomcp://zoo/ill":   "the zoo does not answer",
			"biomcp://zoo/slow":  "within 5s",
			"biomcp://zoo/panic": "internal error",
		} {
			g := read(uri)
			if g.Error == nil || g.Error.Code != -32603 || !strings.Contains(g.Error.Message, want) {
				t.Errorf("%s answered %s", uri, g.raw)
			}
		}
		if strings.Contains(r.log.String(), "SECRET") {
			t.Error("the panic's text is in the log")
		}
		if got := r.logLines("read"); len(got) != 15 {
			t.Errorf("%d readings are logged", len(got))
		}
		// A reading can be cancelled.
		r.send(request("9", "resources/read", `{"uri":"biomcp://zoo/slow"}`),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`)
		r.alive()
		r.send(request("10", "resources/subscribe", `{"uri":"biomcp://book/1"}`))
		if g := r.next(); g.Error == nil || g.Error.Code != -32601 {
			t.Errorf("subscribe answered %s", g.raw)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// A broken library panics outside Read. The server continues.
type broken struct{ shelf }

func (broken) Templates() []Template { return []Template{{URI: "not a {template"}} }

func TestLibraryErrors(t *testing.T) {
	served(t, Options{Resources: broken{}}, func(t *testing.T, r *rig) {
		g := r.ask(request("1", "resources/templates/list", `{}`))
		if g.Error == nil || g.Error.Code != -32603 || strings.Contains(g.Error.Message, "template") {
			t.Errorf("answered %s", g.raw)
		}
		r.alive()
	})
}
