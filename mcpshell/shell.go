package mcpshell

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"biomcp/mcpshell/access"
	"biomcp/rag/library"
)

const (
	toolName        = "biomcp"
	title           = "BioMCP"
	about           = "Searches and reads the biomedical literature and related databases."
	maxCommandBytes = 4096

	// waitingPerRunning bounds the queue, as a multiple of MaxInFlight.
	waitingPerRunning = 8
)

// Reply is the answer of a command. JSON has no way to carry bytes that are not
// UTF-8; each such byte reaches the client as U+FFFD.
type Reply struct {
	Text   string  // what the command printed, sent unchanged as the first block
	Images []Image // sent after it, each as a block
	// Stderr is what the command printed on standard error without failing, and
	// Notices the same as a list. Stderr is sent as the last block if there is no
	// image, Notices in the result's _meta.
	Stderr  string
	Notices []string
	IsError bool // the command failed
	// Structured is the answer of a [Tool] as JSON of its schema.
	Structured json.RawMessage
	// Links are resources that the answer names, each sent as a block to clients that know links.
	Links []Resource
}

// Image is a picture of an answer's data. Title and Alt, which say in words what it
// shows, go into its _meta.
type Image struct {
	MIME       string // image/svg+xml or image/png
	Data       []byte
	SVG        []byte // the same, to which the client gets a link; nil: none
	Title, Alt string
}

// toolResult is the reply in the protocol's form. link makes the block that follows a picture,
// or nil.
func (r Reply) toolResult(link func(Image) mcp.Content, links bool) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(r.Text)}, IsError: r.IsError}
	for _, i := range r.Images {
		block := mcp.NewImageContent(base64.StdEncoding.EncodeToString(i.Data), i.MIME)
		block.Meta = mcp.NewMetaFromMap(map[string]any{"title": i.Title, "alt": i.Alt})
		out.Content = append(out.Content, block)
		if l := link(i); l != nil {
			out.Content = append(out.Content, l)
		}
	}
	if r.Stderr != "" && len(r.Images) == 0 {
		out.Content = append(out.Content, mcp.NewTextContent(r.Stderr))
	}
	for _, l := range r.Links {
		if links {
			out.Content = append(out.Content, mcp.NewResourceLink(l.URI, l.Name, l.Description, l.MIME))
		}
	}
	if r.Structured != nil {
		out.StructuredContent = r.Structured
	}
	if len(r.Notices) > 0 {
		out.Meta = mcp.NewMetaFromMap(map[string]any{"notices": r.Notices})
	}
	return out
}

// Parser parses the words of one command line. They come without the program's
// name and are never empty. It must return at once.
type Parser func(words []string) Call

// Call is one command line, parsed and not yet run.
type Call struct {
	JSON bool // the words ask for JSON
	// Refused says that the caller may not run the words, so nothing suggests them.
	Refused bool
	// Family is the command without its arguments, such as "get article"; "" if the
	// words name no command. There must be only a few families.
	Family string
	// Local says that Run asks no other machine.
	Local bool
	// Run runs the command and renders its answer. It decides what is allowed, and
	// should stop when ctx ends.
	Run func(ctx context.Context, json bool) Reply
	// Progress reports how far Run is; nil if that is not known.
	Progress func() Progress
}

// Options says what a Shell serves. Parse is required.
type Options struct {
	Parse        Parser
	Tools        []Tool  // besides the one
	Description  string  // of the tool, for the model to read
	Instructions string  // to the client, how to begin
	Version      string  // of the program
	Website      string  // of the program, "" for none
	Resources    Library // nil: none
	// Research opens the research library that ServeResearch serves; nil: none.
	Research func() (*library.Searcher, error)

	CallTimeout time.Duration // 0: 60 s
	// MaxInFlight is how many calls run at once that may need the network, and how many that
	// need none; one caller over HTTP gets a quarter of each. 0: 8
	MaxInFlight int
	// CallsPerMinute is how many calls a minute one caller over HTTP may make that may need
	// the network; 0: any number.
	CallsPerMinute int
	Logger         *slog.Logger // nil: no log
	// Audit gets the account of calls, sessions and refused tokens as lines of JSON, each in
	// one Write; the log has it too. nil: the log alone.
	Audit io.Writer
}

// Shell is the MCP server. One Shell may serve many connections.
type Shell struct {
	mcp     *server.MCPServer
	parse   Parser
	library Library
	notes   func() (*library.Searcher, error)
	streams chan struct{} // one for each stream of ServeResearch
	skills  []skillEntry
	info    mcp.Implementation
	timeout time.Duration
	remote  *places // of calls that may need the network
	local   *places // of those that need none
	counts  *counts
	charts  chartShelf
	tools   map[string]Tool // by name, the one with its name alone
	log     *slog.Logger
	// accounts is the log and, if there is one, the audit log.
	accounts *slog.Logger
}

// New makes a Shell. It panics without a Parser, which is a mistake of the program
// and not of its user.
func New(o Options) *Shell {
	if o.Parse == nil {
		panic("mcpshell: Options.Parse is nil")
	}
	o.MaxInFlight = cmp.Or(o.MaxInFlight, 8)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	s := &Shell{
		parse:   o.Parse,
		library: o.Resources,
		notes:   o.Research,
		streams: make(chan struct{}, maxStreams),
		info:    mcp.Implementation{Name: toolName, Version: o.Version, Title: title, WebsiteURL: o.Website},
		timeout: cmp.Or(o.CallTimeout, time.Minute),
		remote:  newPlaces(o.MaxInFlight),
		local:   newPlaces(o.MaxInFlight),
		counts:  newCounts(),
		log:     o.Logger,
		tools:   map[string]Tool{toolName: {Name: toolName}},
	}
	if o.CallsPerMinute > 0 {
		s.remote.perMinute = access.NewRate(o.CallsPerMinute, time.Minute)
	}
	s.accounts = s.log
	if o.Audit != nil {
		s.accounts = slog.New(slog.NewMultiHandler(s.log.Handler(), slog.NewJSONHandler(o.Audit, nil)))
	}
	opts := []server.ServerOption{
		server.WithToolCapabilities(false),
		server.WithLogging(),
		server.WithInstructions(o.Instructions),
		server.WithTitle(title),
		server.WithDescription(about),
		server.WithWebsiteURL(o.Website),
		server.WithIcons(icons()...),
		server.WithMethodCacheHints(mcp.MethodToolsList, fixedFor, mcp.CacheScopePublic),
		server.WithMethodCacheHints(mcp.MethodServerDiscover, fixedFor, mcp.CacheScopePublic),
	}
	if s.library != nil {
		s.skills = entries(s.library.Skills())
		opts = append(opts, server.WithResourceCapabilities(false, false), server.WithPromptCapabilities(false), server.WithCompletions(),
			server.WithMethodCacheHints(mcp.MethodPromptsList, fixedFor, mcp.CacheScopePublic), server.WithExtensions(map[string]any{skillsExtension: struct{}{}}))
	}
	s.mcp = server.NewMCPServer(s.info.Name, s.info.Version, opts...)
	if s.library != nil {
		s.mcp.AddPrompts(prompts(s.library.Prompts())...)
	}
	s.mcp.AddTool(tool(o.Description), s.call)
	for _, t := range o.Tools {
		s.tools[t.Name] = t
		s.mcp.AddTool(t.listed(), s.call)
	}
	return s
}

// ProtocolVersions lists the versions of MCP that a Shell speaks, the newest first.
func ProtocolVersions() []string { return slices.Clone(mcp.ValidProtocolVersions) }

//go:embed icon.png
var icon []byte

// icons is the icon of the server and of its tool, in the text itself: a client needs to ask
// nobody for it.
func icons() []mcp.Icon {
	return []mcp.Icon{{Src: "data:image/png;base64," + base64.StdEncoding.EncodeToString(icon), MIMEType: "image/png", Sizes: []string{"48x48"}}}
}

// tool describes the one tool. It gives all four hints, because the protocol's
// defaults are different.
func tool(description string) mcp.Tool {
	t := mcp.NewToolWithRawSchema(toolName, description, json.RawMessage(fmt.Sprintf(inputSchema, maxCommandBytes)))
	t.Title, t.Icons, t.Annotations = title, icons(), readOnly(title)
	return t
}

func readOnly(title string) mcp.ToolAnnotation {
	return mcp.ToolAnnotation{
		Title:           title,
		ReadOnlyHint:    new(true),
		DestructiveHint: new(false),
		IdempotentHint:  new(true),
		OpenWorldHint:   new(true),
	}
}

const inputSchema = `{
  "type": "object",
  "properties": {
    "command": {
      "type": "string",
      "maxLength": %d,
      "description": "One biomcp command line, quoted as for a POSIX shell, for example: search article \"lung cancer\" --limit 5"
    },
    "json": {
      "type": "boolean",
      "description": "Answer in JSON, as with --json"
    }
  },
  "required": ["command"],
  "additionalProperties": false
}`
