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

	"biomcp/cli/result"
	"biomcp/mcpshell/access"
	"biomcp/rag/library"
)

const (
	toolName          = "biomcp"
	title             = "BioMCP"
	serverDescription = "Searches and reads the biomedical literature and related databases."
	maxCommandBytes   = 4096

	// waitingPerRunning is the length of the queue as a multiple of MaxInFlight.
	waitingPerRunning = 8
)

// A Reply is the answer of a command. JSON cannot carry bytes that are not UTF-8; each such byte
// reaches the client as U+FFFD.
type Reply struct {
	Text   string  // standard output of the command, sent unchanged as the first block
	Images []Image // each sent as a block after Text
	// Stderr is the standard error of a successful command, and Notices holds the same messages
	// as a list. Stderr is sent as the last block if there is no image, Notices in the result's
	// _meta.
	Stderr  string
	Notices []string
	IsError bool        // the command failed
	Code    result.Code // error code for the log; "" if there is none
	// Structured is the answer of a [Tool] as JSON that matches its schema.
	Structured json.RawMessage
	// Links are resources that the answer names. Each is sent as a block to clients that support
	// links.
	Links []Resource
}

// An Image is a chart of an answer's data. Title and Alt, a description in words, go into its
// _meta.
type Image struct {
	MIME       string // image/svg+xml or image/png
	Data       []byte
	SVG        []byte // the image as SVG, sent as a link; nil: none
	Title, Alt string
}

// toolResult converts r to its protocol type. The function link returns the block after an image,
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

// A Parser parses the words of one command line, without the program's name. There is at least
// one word. It must return without waiting.
type Parser func(words []string) Call

// A Call is one command line that is parsed but has not run.
type Call struct {
	JSON bool // the command line asks for JSON
	// Refused means that the caller may not run the command, so no error suggests it.
	Refused bool
	// Family is the command without its arguments, such as "get article", or "" if the words name
	// no command. There must be few families.
	Family string
	// Local means that Run needs no other machine.
	Local bool
	// Run authorises and runs the command, and renders its answer. It should return when ctx
	// ends.
	Run func(ctx context.Context, json bool) Reply
	// Progress reports the progress of Run; nil if it is unknown.
	Progress func() Progress
	// Suggest returns the words of the line if it can be run, and otherwise of a line to try instead,
	// or nil. If the function is nil, a line that is not refused can be run.
	Suggest func() []string
	// Sections lists the sections of the command, which may follow IDs on a line of their own.
	Sections []string
	// WithArguments returns the words of the line with the arguments of a tool call that are flags
	// or the query of the command, and their names. It returns no names if there are none. It may be
	// nil.
	WithArguments func(arguments map[string]any) (line, names []string)
}

// Options configures a Shell. Parse is required.
type Options struct {
	Parse        Parser
	Tools        []Tool  // besides the main tool
	Description  string  // description of the main tool for the model
	Instructions string  // first instructions for the client
	Version      string  // version of the program
	Website      string  // home page of the program; "" for none
	Resources    Library // nil: none
	// Research opens the research library for ServeResearch; nil: none.
	Research func() (*library.Searcher, error)

	CallTimeout time.Duration // 0: 60 s
	// MaxInFlight is the maximum number of concurrent calls that may need the network, and also
	// of those that need none. One caller over HTTP gets a quarter of each. 0: 8
	MaxInFlight int
	// CallsPerMinute is the maximum number of network calls per minute of one caller over HTTP;
	// 0: no limit.
	CallsPerMinute int
	Logger         *slog.Logger // nil: no log
	// Audit receives a line of JSON for each call, session and rejected token, in one Write. The
	// log has the same lines. nil: no audit log.
	Audit io.Writer
	// HideQueries keeps command lines, URIs and params out of both logs, except for the family of a
	// command.
	HideQueries bool
}

// A Shell is the MCP server. One Shell may serve many connections.
type Shell struct {
	mcp     *server.MCPServer
	parse   Parser
	library Library
	notes   func() (*library.Searcher, error)
	streams chan struct{} // holds one value per stream of ServeResearch
	skills  []skillEntry
	info    mcp.Implementation
	timeout time.Duration
	remote  *limiter // for calls that may need the network
	local   *limiter // for all other calls
	counts  *counts
	charts  chartStore
	tools   map[string]Tool // by name; the main tool's value has only Name set
	log     *slog.Logger
	// accounts writes to the log and, if set, the audit log.
	accounts    *slog.Logger
	hideQueries bool
}

// New returns a Shell. It panics if Options.Parse is nil.
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
		remote:  newLimiter(o.MaxInFlight),
		local:   newLimiter(o.MaxInFlight),
		counts:  newCounts(),
		log:     o.Logger,

		hideQueries: o.HideQueries,

		tools: map[string]Tool{toolName: {Name: toolName}},
	}
	if o.CallsPerMinute > 0 {
		s.remote.perMinute = access.NewRate(o.CallsPerMinute, time.Minute)
	}
	s.accounts = s.log
	if o.Audit != nil {
		s.accounts = slog.New(slog.NewMultiHandler(s.log.Handler(), slog.NewJSONHandler(o.Audit, nil)))
	}
	var hooks server.Hooks
	hooks.AddOnError(noteUnparsable)
	opts := []server.ServerOption{
		server.WithHooks(&hooks),
		server.WithToolCapabilities(false),
		server.WithLogging(),
		server.WithInstructions(o.Instructions),
		server.WithTitle(title),
		server.WithDescription(serverDescription),
		server.WithWebsiteURL(o.Website),
		server.WithIcons(icons()...),
		server.WithMethodCacheHints(mcp.MethodToolsList, fixedListTTL, mcp.CacheScopePublic),
		server.WithMethodCacheHints(mcp.MethodServerDiscover, fixedListTTL, mcp.CacheScopePublic),
	}
	if s.library != nil {
		s.skills = entries(s.library.Skills())
		opts = append(opts,
			server.WithResourceCapabilities(false, false),
			server.WithPromptCapabilities(false),
			server.WithCompletions(),
			server.WithMethodCacheHints(mcp.MethodPromptsList, fixedListTTL, mcp.CacheScopePublic),
			server.WithExtensions(map[string]any{skillsExtension: struct{}{}}))
	}
	s.mcp = server.NewMCPServer(s.info.Name, s.info.Version, opts...)
	if s.library != nil {
		s.mcp.AddPrompts(prompts(s.library.Prompts())...)
	}
	s.mcp.AddTool(tool(o.Description), s.call)
	for _, t := range o.Tools {
		s.tools[t.Name] = t
		s.mcp.AddTool(t.toMCP(), s.call)
	}
	return s
}

// ProtocolVersions returns the supported versions of MCP, newest first.
func ProtocolVersions() []string { return slices.Clone(mcp.ValidProtocolVersions) }

//go:embed icon.png
var icon []byte

// icons returns the icon of the server and its tool as a data URL, so that a client need not
// fetch it.
func icons() []mcp.Icon {
	return []mcp.Icon{{
		Src:      "data:image/png;base64," + base64.StdEncoding.EncodeToString(icon),
		MIMEType: "image/png",
		Sizes:    []string{"48x48"},
	}}
}

// tool describes the main tool. It sets all four hints, because the protocol's defaults differ.
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
