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

// imageHosts lists the clients that show a tool's images to a model, by the names that they
// report (as in github.com/apify/mcp-client-capabilities). Models accept PNG, JPEG, GIF and WebP;
// an SVG in a conversation makes all its further requests fail (github.com/anthropics/claude-code
// issues 15807, 28279, 58330). The sources were read in November 2026.
var imageHosts = []struct{ name, source string }{
	{"claude-ai", "github.com/microsoft/vscode issue 247513: shown in Claude Desktop"},
	{"claude-code", "github.com/anthropics/claude-code issues 53980, 58330"},
	{"cursor-vscode", "github.com/microsoft/playwright-mcp issue 257"},
	{"Visual Studio Code", "github.com/microsoft/vscode issue 247513"},
	{"Visual-Studio-Code", "github.com/microsoft/vscode issue 247513"},
	{"codex-mcp-client", "github.com/openai/codex issues 3741, 4819"},
	{"gemini-cli-mcp-client", "github.com/google-gemini/gemini-cli packages/core/src/tools/mcp-tool.ts: inlineData"},
}

// These are the image formats of charts.
const (
	PNG = "png"
	SVG = "svg"
)

// ChartFormat returns the image format for the client of a call, PNG or SVG. The format in the
// client's URL (/mcp?chart-format=png) has priority, then set if it is PNG or SVG. Otherwise it
// returns PNG for a client that is known to show images to a model, and SVG for all others.
func ChartFormat(ctx context.Context, set string) string {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	if x != nil && x.chartFormat != "" {
		return x.chartFormat
	}
	if set == PNG || set == SVG {
		return set
	}
	if x != nil && showsImages(x.clientName()) {
		return PNG
	}
	return SVG
}

// showsImages reports whether client is one of imageHosts. The name of a server or of a proxy
// may follow the client's name, as in "(via mcp-remote)".
func showsImages(client string) bool {
	for _, host := range imageHosts {
		if rest, ok := strings.CutPrefix(client, host.name); ok && (rest == "" || rest[0] == '-' || rest[0] == ' ') {
			return true
		}
	}
	return false
}

type exchangeKey struct{}

// clientName returns the name that the client reported, or "".
func (x *exchange) clientName() string {
	if info := x.meta.ClientInfo(); info != nil {
		return info.Name
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.client
}

// linkVersion is the first version of the protocol with resource links.
const linkVersion = "2025-06-18"

const chartURI = "biomcp://chart/"

// These limits bound the stored SVG images.
const (
	maxStoredCharts     = 16 // images per client
	maxStoredChartBytes = 32 << 20
)

// chartStore stores the newest SVG images of each client.
type chartStore struct {
	mu   sync.Mutex
	list []storedChart // newest first
}

type storedChart struct {
	owner any // a session or, without sessions, a subject
	uri   string
	svg   []byte
}

// put stores an image for its owner, and returns the URI from which it can be read.
func (s *chartStore) put(owner any, svg []byte) (uri string) {
	uri = fmt.Sprintf("%s%x.svg", chartURI, sha256.Sum256(svg))
	s.mu.Lock()
	defer s.mu.Unlock()
	own, bytes := 0, 0
	s.list = slices.DeleteFunc(append([]storedChart{{owner, uri, svg}}, s.list...), func(p storedChart) bool {
		mine := p.owner == owner
		if mine && p.uri == uri && own > 0 || mine && own == maxStoredCharts || bytes+len(p.svg) > maxStoredChartBytes {
			return true
		}
		if bytes += len(p.svg); mine {
			own++
		}
		return false
	})
	return uri
}

// get returns the image of an owner with the given URI.
func (s *chartStore) get(owner any, uri string) (svg []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.list, func(p storedChart) bool { return p.owner == owner && p.uri == uri })
	if at < 0 {
		return nil, false
	}
	return s.list[at].svg, true
}

// supportsLinks reports whether the client of a call supports resource links.
func supportsLinks(ctx context.Context) bool {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x != nil && (x.isModern() || x.protocol() >= linkVersion)
}

// chartLink returns a link to the SVG of an image that is sent as PNG. It returns nil if there is no
// SVG or the client does not support links.
func (s *Shell) chartLink(ctx context.Context, i Image) mcp.Content {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	if i.SVG == nil || !supportsLinks(ctx) {
		return nil
	}
	return mcp.NewResourceLink(s.charts.put(x.owner, i.SVG), i.Title, "The chart as SVG", "image/svg+xml")
}
