package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Resource is one text a client may read, as it is listed. Modified and Meta, its
// _meta, may be empty.
type Resource struct {
	URI, Name, Description, MIME string
	Modified                     time.Time
	Meta                         map[string]any
}

// listed is the resource in the protocol's form.
func (r Resource) listed() mcp.Resource {
	out := mcp.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIME}
	if !r.Modified.IsZero() {
		out.Annotations = &mcp.Annotations{LastModified: r.Modified.UTC().Format(time.RFC3339)}
	}
	if r.Meta != nil {
		out.Meta = mcp.NewMetaFromMap(r.Meta)
	}
	return out
}

// Template is a family of resources: URI holds variables in braces (RFC 6570),
// as in biomcp://stats/{database}.
type Template struct {
	URI, Name, Description, MIME string
}

// Reading is the text of a resource, and notices about it.
type Reading struct {
	MIME, Text string
	Notices    []string
}

// Library is the resources that a client can read. Its order is the
// order clients see. It must be safe for concurrent use, and should stop when
// ctx ends; calls are bounded and timed as the tool's are.
type Library interface {
	List(ctx context.Context) []Resource
	Templates() []Template
	// Read finds a resource by its URI, listed or of a template. found is false
	// where there is none; err says why one that exists could not be read, in
	// words fit for the client to see.
	Read(ctx context.Context, uri string) (r Reading, found bool, err error)
	// Complete is what a variable of a template may be that begins with some text;
	// of more than 100 values a client gets the first. ok is false where there is no
	// such template or variable.
	Complete(ctx context.Context, template, variable, begins string) (values []string, ok bool)
}

// pageSize is how many resources one page of a list holds.
const pageSize = 100

// answerResource answers the three resource methods and completion/complete; ok is
// false for any other message. mcp-go is passed by because it sorts lists by name, pages by name,
// and words the unknown resource differently.
func (s *Shell) answerResource(ctx context.Context, m message) (reply mcp.JSONRPCMessage, ok bool) {
	if s.library == nil || m.id == nil {
		return nil, false
	}
	var params struct {
		Meta   *mcp.Meta `json:"_meta"`
		Cursor string    `json:"cursor"`
		URI    string    `json:"uri"`
	}
	var err error
	if m.params != nil && json.Unmarshal(m.params, &params) != nil {
		err = errors.New("uri and cursor must be strings, _meta an object")
	}
	version := params.Meta.ProtocolVersion()
	modern := mcp.IsModernProtocol(version)
	if modern && (!mcp.IsValidProtocolVersion(version) || params.Meta.ClientCapabilities() == nil) {
		return nil, false // mcp-go refuses it in the protocol's words
	}
	var result mcp.ResultMetadata
	var refused *mcp.JSONRPCErrorDetails
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodResourcesList:
		if err == nil {
			result, refused = s.listResources(ctx, params.Cursor)
		}
	case mcp.MethodResourcesTemplatesList:
		result = listTemplates(s.library)
	case mcp.MethodResourcesRead:
		if err == nil && params.URI == "" {
			err = errors.New("uri is missing")
		}
		if err == nil {
			defer s.reportProgress(ctx, params.Meta, nil)()
			result, refused = s.readResource(ctx, params.URI)
		}
	case mcp.MethodCompletionComplete:
		result, refused = s.complete(ctx, m.params)
	default:
		return nil, false
	}
	if err != nil {
		return rpcError(m.id, mcp.INVALID_PARAMS, "params of "+m.method+": "+err.Error()), true
	}
	if refused != nil {
		return rpcError(m.id, refused.Code, refused.Message), true
	}
	if modern {
		// Protocol 2026-07-28 requires these of every result, hints of every list and every reading.
		result.SetResultType(mcp.ResultTypeComplete)
		result.EnsureResultMeta().SetServerInfo(s.info)
		if r, ok := result.(mcp.CacheHintSetter); ok {
			r.SetCacheHints(0, mcp.CacheScopePrivate)
		}
	}
	return mcp.NewJSONRPCResultResponse(rpcID(m.id), result), true
}

// listResources is one page. The cursor is the position of its first entry.
func (s *Shell) listResources(ctx context.Context, cursor string) (*mcp.ListResourcesResult, *mcp.JSONRPCErrorDetails) {
	from, err := strconv.ParseUint(cursor, 10, 31)
	if cursor != "" && err != nil {
		return nil, &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: fmt.Sprintf("no cursor %.40q", cursor)}
	}
	id := callID()
	all, err := perform(ctx, s, id, s.library.List)
	if err != nil {
		return nil, s.internal(err, id)
	}
	all = all[min(int(from), len(all)):]
	page := &mcp.ListResourcesResult{Resources: []mcp.Resource{}}
	if len(all) > pageSize {
		all = all[:pageSize]
		page.NextCursor = mcp.Cursor(strconv.FormatUint(from+pageSize, 10))
	}
	for _, r := range all {
		page.Resources = append(page.Resources, r.listed())
	}
	return page, nil
}

func listTemplates(l Library) *mcp.ListResourceTemplatesResult {
	list := &mcp.ListResourceTemplatesResult{ResourceTemplates: []mcp.ResourceTemplate{}}
	for _, t := range l.Templates() {
		list.ResourceTemplates = append(list.ResourceTemplates, mcp.NewResourceTemplate(t.URI, t.Name,
			mcp.WithTemplateDescription(t.Description), mcp.WithTemplateMIMEType(t.MIME)))
	}
	return list
}

func (s *Shell) readResource(ctx context.Context, uri string) (*mcp.ReadResourceResult, *mcp.JSONRPCErrorDetails) {
	type reading struct {
		Reading
		found bool
		err   error
	}
	id, start := callID(), time.Now()
	s.log.Info("read", "call", id, "uri", loggable(uri))
	got, err := perform(ctx, s, id, func(ctx context.Context) (r reading) {
		r.Reading, r.found, r.err = s.library.Read(ctx, uri)
		return r
	})
	outcome := "ok"
	var refused *mcp.JSONRPCErrorDetails
	switch {
	case err != nil:
		outcome, refused = err.Error(), s.internal(err, id)
	case got.err != nil:
		outcome, refused = "failed", s.internal(got.err, id)
	case !got.found:
		outcome, refused = "not found", &mcp.JSONRPCErrorDetails{Code: mcp.RESOURCE_NOT_FOUND, Message: "Unknown resource: " + uri}
	}
	s.logEnd(ctx, id, outcome, time.Since(start), len(got.Text))
	if refused != nil {
		return nil, refused
	}
	out := &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{
		mcp.TextResourceContents{URI: uri, MIMEType: got.MIME, Text: got.Text},
	}}
	if len(got.Notices) > 0 {
		out.Meta = mcp.NewMetaFromMap(map[string]any{"notices": got.Notices})
		out.Contents = append(out.Contents, mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: "notice: " + strings.Join(got.Notices, "\nnotice: ") + "\n"})
	}
	return out, nil
}

// internal is the message of an error that is not part of a tool's result.
func (s *Shell) internal(err error, id string) *mcp.JSONRPCErrorDetails {
	text := err.Error()
	if f := s.failure(err, id); f != nil {
		text = f.Message
	}
	return &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: text}
}
