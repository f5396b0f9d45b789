package mcpshell

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// pictureHosts are the clients that hand pictures of a tool to a model, by the names that
// they give themselves (those of github.com/apify/mcp-client-capabilities). Models take
// PNG, JPEG, GIF and WebP: an SVG in a conversation makes every further request of it fail
// (github.com/anthropics/claude-code issues 15807, 28279, 58330). Read in November 2026.
var pictureHosts = []struct{ name, source string }{
	{"claude-ai", "github.com/microsoft/vscode issue 247513: shown in Claude Desktop"},
	{"claude-code", "github.com/anthropics/claude-code issues 53980, 58330"},
	{"cursor-vscode", "github.com/microsoft/playwright-mcp issue 257"},
	{"Visual Studio Code", "github.com/microsoft/vscode issue 247513"},
	{"Visual-Studio-Code", "github.com/microsoft/vscode issue 247513"},
	{"codex-mcp-client", "github.com/openai/codex issues 3741, 4819"},
	{"gemini-cli-mcp-client", "github.com/google-gemini/gemini-cli packages/core/src/tools/mcp-tool.ts: inlineData"},
}

// The pictures of charts that a client may get.
const (
	PNG = "png"
	SVG = "svg"
)

// ChartFormat is the picture that the client of a call takes, PNG or SVG: what it asked for
// in its address (/mcp?chart-format=png), else what is set, unless that is auto, else PNG
// for a client that is known to hand pictures to a model, and SVG for any other.
func ChartFormat(ctx context.Context, set string) string {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	if x != nil && x.chartFormat != "" {
		return x.chartFormat
	}
	if set == PNG || set == SVG {
		return set
	}
	if x != nil && takesPictures(x.clientName()) {
		return PNG
	}
	return SVG
}

// takesPictures reports whether a client is one of pictureHosts. More may follow its name:
// that of a server, or of a program between (via mcp-remote).
func takesPictures(client string) bool {
	for _, host := range pictureHosts {
		if rest, ok := strings.CutPrefix(client, host.name); ok && (rest == "" || rest[0] == '-' || rest[0] == ' ') {
			return true
		}
	}
	return false
}

type exchangeKey struct{}

// clientName is how the client introduced itself, "" if it did not.
func (x *exchange) clientName() string {
	if info := x.meta.ClientInfo(); info != nil {
		return info.Name
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.client
}

// linkVersion is the first version of the protocol that has links to resources.
const linkVersion = "2025-06-18"

const chartURI = "biomcp://chart/"

// The pictures that are kept for their links.
const (
	maxShelved      = 16 // of one client
	maxShelvedBytes = 32 << 20
)

// chartShelf holds the newest SVG pictures of each client, by their owner.
type chartShelf struct {
	mu   sync.Mutex
	list []shelved // the newest first
}

type shelved struct {
	owner any // a session or, without one, a subject
	uri   string
	svg   []byte
}

// put keeps a picture for its owner, and returns the address at which it can be read.
func (s *chartShelf) put(owner any, svg []byte) (uri string) {
	uri = fmt.Sprintf("%s%x.svg", chartURI, sha256.Sum256(svg))
	s.mu.Lock()
	defer s.mu.Unlock()
	own, bytes := 0, 0
	s.list = slices.DeleteFunc(append([]shelved{{owner, uri, svg}}, s.list...), func(p shelved) bool {
		mine := p.owner == owner
		if mine && p.uri == uri && own > 0 || mine && own == maxShelved || bytes+len(p.svg) > maxShelvedBytes {
			return true
		}
		if bytes += len(p.svg); mine {
			own++
		}
		return false
	})
	return uri
}

// get returns a picture of an owner.
func (s *chartShelf) get(owner any, uri string) (svg []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.list, func(p shelved) bool { return p.owner == owner && p.uri == uri })
	if at < 0 {
		return nil, false
	}
	return s.list[at].svg, true
}

// knowsLinks reports whether the client of a call knows links to resources.
func knowsLinks(ctx context.Context) bool {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x != nil && (x.isModern() || x.protocol() >= linkVersion)
}

// link is the block that leads to the SVG of a picture that is sent as PNG; nil if the
// client knows no links.
func (s *Shell) link(ctx context.Context, i Image) mcp.Content {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	if i.SVG == nil || !knowsLinks(ctx) {
		return nil
	}
	return mcp.NewResourceLink(s.charts.put(x.owner, i.SVG), i.Title, "The chart as SVG", "image/svg+xml")
}
