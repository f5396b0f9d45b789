package mcpshell

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// charting returns the options of a shell that answers each line with an image in the client's
// format. The server's setting is set.
func charting(set string) Options {
	return Options{Resources: shelf(1), Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		image := Image{MIME: "image/svg+xml", Data: []byte("<svg>" + words[0] + "</svg>"), Title: "A chart"}
		if ChartFormat(ctx, set) == PNG {
			image = Image{MIME: "image/png", Data: []byte("png"), SVG: image.Data, Title: image.Title}
		}
		return Reply{Text: "table", Images: []Image{image}}
	})}
}

// A block is part of an answer.
type block struct{ Type, MimeType, Data, URI string }

func blocks(t *testing.T, raw string) (list []block) {
	t.Helper()
	var message struct{ Result struct{ Content []block } }
	if err := json.Unmarshal([]byte(raw), &message); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return message.Result.Content
}

// types returns the types of the blocks of an answer, with the MIME types of its images.
func types(list []block) string {
	var words []string
	for _, b := range list {
		words = append(words, strings.TrimSpace(b.Type+" "+b.MimeType))
	}
	return strings.Join(words, ", ")
}

func hello(version, client string) string {
	name, _ := json.Marshal(client)
	return request("0", "initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":`+string(name)+`,"version":"1"}}`)
}

const (
	asSVG  = "text, image image/svg+xml"
	asPNG  = "text, image image/png, resource_link image/svg+xml"
	noLink = "text, image image/png"
)

func TestChartFormatSuitsTheClient(t *testing.T) {
	for _, c := range []struct{ set, version, client, want string }{
		{"auto", "2025-11-25", "claude-code", asPNG},
		{"auto", "2025-11-25", "claude-ai (via mcp-remote 0.1.29)", asPNG},
		{"auto", "2025-06-18", "gemini-cli-mcp-client-biomcp", asPNG},
		{"auto", "2025-11-25", "Visual Studio Code - Insiders", asPNG},
		{"auto", "2025-11-25", "claude-codes", asSVG},
		{"auto", "2025-11-25", "somebody", asSVG},
		{"auto", "2025-11-25", "", asSVG},
		{"auto", "2025-03-26", "claude-code", noLink}, // whose content has no links
		{"png", "2025-11-25", "somebody", asPNG},
		{"svg", "2025-11-25", "claude-code", asSVG},
	} {
		t.Run(c.set+" "+c.version+" "+c.client, func(t *testing.T) {
			served(t, charting(c.set), func(t *testing.T, r *rig) {
				r.ask(hello(c.version, c.client))
				if got := types(blocks(t, r.ask(call("1", "a")).raw)); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			})
		})
	}
}

// In protocol 2026-07-28 each request names its client. Over HTTP the format in the URL overrides
// the server's setting.
func TestChartFormatOfARequest(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"}}`
	modern := func(client, method, params string) string {
		return request("1", method, "{"+params+","+fmt.Sprintf(meta, client)+"}")
	}
	chart := func(client string) string {
		return modern(client, "tools/call", `"name":"biomcp","arguments":{"command":"a"}`)
	}
	read := func(uri string) string { return modern("x", "resources/read", `"uri":"`+uri+`"`) }
	served(t, charting("auto"), func(t *testing.T, r *rig) {
		list := blocks(t, r.ask(chart("cursor-vscode")).raw)
		if types(list) != asPNG || types(blocks(t, r.ask(chart("x")).raw)) != asSVG {
			t.Error(list)
		}
		if g := r.ask(read(list[2].URI)); !strings.Contains(g.raw, `\u003csvg\u003ea\u003c/svg\u003e`) {
			t.Error(g.raw)
		}
	})
	overHTTP(t, charting("svg"), Site{}, func(t *testing.T, r *siteRig) {
		post := func(path, body, method, name string) answer {
			return r.do("POST", path, body, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: "+method, "Mcp-Name: "+name)
		}
		list := blocks(t, post("/mcp?chart-format=png", chart("x"), "tools/call", "biomcp").got(t).raw)
		if types(list) != asPNG {
			t.Fatal(list)
		}
		if a := post("/mcp", read(list[2].URI), "resources/read", list[2].URI); !strings.Contains(a.body, "svg+xml") || !strings.Contains(a.body, "/svg") {
			t.Error(a.body)
		}
		if got := types(blocks(t, post("/mcp?chart-format=jpeg", chart("claude-code"), "tools/call", "biomcp").got(t).raw)); got != asSVG {
			t.Error(got)
		}
		session := r.open("2025-11-25")
		if got := types(blocks(t, r.post(call("1", "a"), session).got(t).raw)); got != asSVG {
			t.Error(got)
		}
		a := r.do("POST", "/mcp?chart-format=png", initialize("0", "2025-11-25"))
		asking := "Mcp-Session-Id: " + a.Header.Get("Mcp-Session-Id")
		if got := types(blocks(t, r.post(call("1", "a"), asking).got(t).raw)); got != asPNG {
			t.Error(got)
		}
	})
}

// Only the session that got a link can read its SVG. The oldest images are dropped.
func TestChartLinksAreOfTheSession(t *testing.T) {
	read := func(uri string) string { return request("1", "resources/read", `{"uri":"`+uri+`"}`) }
	overHTTP(t, charting("png"), Site{}, func(t *testing.T, r *siteRig) {
		one, other := r.open("2025-11-25"), r.open("2025-11-25")
		var links []string
		for i := range maxStoredCharts + 2 {
			list := blocks(t, r.post(call("1", fmt.Sprint("chart", i)), one).got(t).raw)
			if data, err := base64.StdEncoding.DecodeString(list[1].Data); types(list) != asPNG || err != nil || string(data) != "png" {
				t.Fatal(list, err)
			}
			links = append(links, list[2].URI)
		}
		if again := blocks(t, r.post(call("1", "chart3"), one).got(t).raw); again[2].URI != links[3] || len(slices.Compact(links)) != maxStoredCharts+2 {
			t.Error(again, links)
		}
		for i, uri := range links {
			a := r.post(read(uri), one)
			if found := a.got(t).Error == nil; found != (i > 1) || found && !strings.Contains(a.body, fmt.Sprintf("chart%d\\u003c/svg", i)) {
				t.Errorf("chart %d: %s", i, a.body)
			}
			if a := r.post(read(uri), other); a.got(t).Error == nil || a.got(t).Error.Code != -32002 {
				t.Errorf("another session reads chart %d: %s", i, a.body)
			}
		}
	})
}

func TestShelfIsBounded(t *testing.T) {
	var s chartStore
	for i := range 100 {
		svg := make([]byte, 1<<20)
		svg[0] = byte(i)
		s.put(i, svg)
	}
	if len(s.list) != maxStoredChartBytes>>20 || s.list[0].owner != 99 {
		t.Errorf("%d pictures, the newest of %v", len(s.list), s.list[0].owner)
	}
}

// Each entry of imageHosts has a source.
func TestPictureHostsHaveSources(t *testing.T) {
	for _, h := range imageHosts {
		if !showsImages(h.name) || !strings.HasPrefix(h.source, "github.com/") {
			t.Errorf("%+v", h)
		}
	}
}
