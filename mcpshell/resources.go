package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// A Resource is a text that a client may read, as it appears in the list. Modified and Meta,
// which becomes _meta, may be empty.
type Resource struct {
	URI, Name, Description, MIME string
	Modified                     time.Time
	Meta                         map[string]any
}

// toMCP converts r to its protocol type.
func (r Resource) toMCP() mcp.Resource {
	out := mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Name, Description: r.Description, MIMEType: r.MIME}
	if !r.Modified.IsZero() {
		out.Annotations = &mcp.Annotations{LastModified: r.Modified.UTC().Format(time.RFC3339)}
	}
	if r.Meta != nil {
		out.Meta = mcp.NewMetaFromMap(r.Meta)
	}
	return out
}

// A Template is a family of resources. Its URI contains variables in braces (RFC 6570), as in
// biomcp://stats/{database}.
type Template struct {
	URI, Name, Description, MIME string
}

// A Reading is the text of a resource, with notices about it.
type Reading struct {
	MIME, Text string
	Notices    []string
}

// A Library provides the resources that a client can read, in the order in which clients see
// them. It must be safe for concurrent use, and its methods should return when ctx ends. The
// limits and deadline of tool calls apply to them too.
type Library interface {
	List(ctx context.Context) []Resource
	Templates() []Template
	// Read reads a resource by its URI, which may match a template. It reports whether the
	// resource exists. If it exists but cannot be read, err gives the reason in words that a
	// client may see.
	Read(ctx context.Context, uri string) (r Reading, found bool, err error)
	// Complete returns the values of a variable that begin with a text; a client gets the first
	// 100. The variable belongs to the template with the URI of, or is an argument of the prompt
	// with the name of. It reports whether the variable exists.
	Complete(ctx context.Context, ref, variable, prefix string) (values []string, ok bool)
	// The results of Prompts and Skills never change.
	Prompts() []Prompt
	Skills() []Skill
}

// pageSize is the number of resources in one page of a list.
const pageSize = 100

// isResourceRequest reports whether a request reads or lists resources or skills, or completes a
// variable. The shell answers these itself, because mcp-go sorts and pages lists by name and has
// another message for an unknown resource.
func (x *exchange) isResourceRequest() bool {
	switch mcp.MCPMethod(x.method) {
	case mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList, mcp.MethodResourcesRead,
		mcp.MethodCompletionComplete, methodSkillsList, methodSkillsGet:
		return x.library != nil && x.id != nil
	}
	return false
}

// answerResource answers a request for which isResourceRequest is true.
func (x *exchange) answerResource() (mcp.ResultMetadata, *mcp.JSONRPCErrorDetails) {
	var params struct {
		Meta   map[string]any `json:"_meta"`
		Cursor string         `json:"cursor"`
		URI    string         `json:"uri"`
	}
	invalid := func(text string) (mcp.ResultMetadata, *mcp.JSONRPCErrorDetails) {
		return nil, &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: "params of " + x.method + ": " + text}
	}
	if x.params != nil && json.Unmarshal(x.params, &params) != nil {
		return invalid("uri and cursor must be strings, _meta an object")
	}
	switch mcp.MCPMethod(x.method) {
	case mcp.MethodResourcesList:
		return x.listResources(x.ctx, params.Cursor)
	case mcp.MethodResourcesTemplatesList:
		return listTemplates(x.library), nil
	case mcp.MethodCompletionComplete:
		return x.complete(x.ctx, x.params)
	case methodSkillsList:
		if params.Cursor != "" {
			return invalid("the list has one page and no cursor")
		}
		return &skillList{Skills: x.skills}, nil
	}
	if params.URI == "" {
		return invalid("uri is missing")
	}
	if mcp.MCPMethod(x.method) == methodSkillsGet {
		return x.skill(params.URI)
	}
	defer x.reportProgress(x.ctx, x.meta, nil)()
	result, refused := x.readResource(x.ctx, params.URI)
	if refused != nil && refused.Code == mcp.RESOURCE_NOT_FOUND && x.isModern() {
		// Protocol 2026-07-28 has no separate code for this error.
		refused.Code, refused.Data = mcp.INVALID_PARAMS, map[string]string{"uri": truncate(params.URI)}
	}
	return result, refused
}

// listResources returns one page of the list. The cursor is the position of the page's first
// entry.
func (s *Shell) listResources(ctx context.Context, cursor string) (mcp.ResultMetadata, *mcp.JSONRPCErrorDetails) {
	from, err := strconv.ParseUint(cursor, 10, 31)
	if cursor != "" && err != nil {
		return nil, &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: fmt.Sprintf("unknown cursor %.40q", cursor)}
	}
	id := callID()
	all, err := perform(ctx, s, s.local, id, s.library.List)
	if err != nil {
		return nil, s.internalError(err, id)
	}
	all = all[min(int(from), len(all)):]
	page := &mcp.ListResourcesResult{Resources: []mcp.Resource{}}
	if len(all) > pageSize {
		all = all[:pageSize]
		page.NextCursor = mcp.Cursor(strconv.FormatUint(from+pageSize, 10))
	}
	for _, r := range all {
		page.Resources = append(page.Resources, r.toMCP())
	}
	return page, nil
}

func listTemplates(l Library) *mcp.ListResourceTemplatesResult {
	list := &mcp.ListResourceTemplatesResult{ResourceTemplates: []mcp.ResourceTemplate{}}
	for _, t := range l.Templates() {
		list.ResourceTemplates = append(list.ResourceTemplates, mcp.NewResourceTemplate(t.URI, t.Name,
			mcp.WithTemplateTitle(t.Name), mcp.WithTemplateDescription(t.Description), mcp.WithTemplateMIMEType(t.MIME)))
	}
	return list
}

func (s *Shell) readResource(ctx context.Context, uri string) (mcp.ResultMetadata, *mcp.JSONRPCErrorDetails) {
	type reading struct {
		Reading
		found bool
		err   error
	}
	id, start := callID(), time.Now()
	ctx = withCallID(ctx, id)
	got, err := perform(ctx, s, s.remote, id, func(ctx context.Context) (r reading) {
		if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok && strings.HasPrefix(uri, chartURI) {
			svg, found := s.charts.get(x.owner, uri)
			return reading{Reading{MIME: "image/svg+xml", Text: string(svg)}, found, nil}
		}
		r.Reading, r.found, r.err = s.library.Read(ctx, uri)
		return r
	})
	outcome := "ok"
	var refused *mcp.JSONRPCErrorDetails
	switch {
	case err != nil:
		outcome, refused = err.Error(), s.internalError(err, id)
	case got.err != nil:
		outcome, refused = "failed", s.internalError(got.err, id)
	case !got.found:
		outcome = "not found"
		refused = &mcp.JSONRPCErrorDetails{Code: mcp.RESOURCE_NOT_FOUND, Message: "Unknown resource: " + uri}
	}
	s.recordAnswer(ctx, logEntry{kind: "read", id: id, method: string(mcp.MethodResourcesRead), command: uri}, outcome, start, len(got.Text))
	if refused != nil {
		return nil, refused
	}
	out := &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{
		mcp.TextResourceContents{URI: uri, MIMEType: got.MIME, Text: got.Text},
	}}
	if len(got.Notices) > 0 {
		out.Meta = mcp.NewMetaFromMap(map[string]any{"notices": got.Notices})
		text := "notice: " + strings.Join(got.Notices, "\nnotice: ") + "\n"
		out.Contents = append(out.Contents, mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: text})
	}
	return out, nil
}

// internalError returns err as a JSON-RPC error, for requests other than tool calls.
func (s *Shell) internalError(err error, id string) *mcp.JSONRPCErrorDetails {
	text := err.Error()
	if f := s.failure(err, id); f != nil {
		text = f.Message
	}
	return &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: text}
}
