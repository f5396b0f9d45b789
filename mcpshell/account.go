package mcpshell

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"biomcp/cli/result"
	"biomcp/mcpshell/access"
)

// codeOfRefusal is the code of a call of an unknown tool.
const codeOfRefusal = string(result.Validation)

// logEntry describes a request for the log.
type logEntry struct {
	kind    string // message of the log line: call, read, research, session or token
	id      string // assigned by the server; the attribute "call"
	method  string // MCP or HTTP method
	command string // command line, URI or params, as received
	family  string // the command without its arguments, which may be logged if queries may not
	code    string // code of the failure, such as VALIDATION; "" if there is none
}

// shown returns the command for the log. If queries are not logged, it is the family.
func (s *Shell) shown(d logEntry) string {
	isQuery := d.kind == "call" || d.kind == "read" || d.kind == "research"
	if s.hideQueries && isQuery {
		return loggable(d.family)
	}
	return loggable(d.command)
}

// recordStart writes a line at the start of a call to the log.
func (s *Shell) recordStart(ctx context.Context, d logEntry) {
	s.log.InfoContext(ctx, "start", "call", d.id, "subject", loggable(access.CallerOf(ctx).Subject),
		"method", loggable(d.method), "command", s.shown(d))
}

// record writes one line about d to the log and, if set, to the audit log. The line names the
// session by an alias, because anyone who knows a session's ID can use the session.
func (s *Shell) record(ctx context.Context, d logEntry, outcome string, start time.Time, size int) {
	caller := access.CallerOf(ctx)
	var request, session string
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		if request = string(x.id); !x.isModern() { // modern protocols have no sessions
			session = x.alias
		}
	}
	level := slog.LevelInfo
	if outcome == errPanic.Error() {
		level = slog.LevelError
	}
	s.accounts.Log(ctx, level, d.kind,
		"call", d.id, "request", loggable(request), "subject", loggable(caller.Subject), "session", session,
		"peer", cmp.Or(caller.Peer, "stdio"), "method", loggable(d.method), "command", s.shown(d),
		"outcome", outcome, "code", d.code,
		"duration_ms", time.Since(start).Milliseconds(), "bytes", size)
}

// recordAnswer records an answered request, and sends the outcome to a client that asked for log
// messages.
func (s *Shell) recordAnswer(ctx context.Context, d logEntry, outcome string, start time.Time, size int) {
	s.record(ctx, d, outcome, start, size)
	level := mcp.LoggingLevelInfo
	if outcome == errPanic.Error() {
		level = mcp.LoggingLevelError
	}
	// A client that does not accept messages loses them, but not its answers.
	_ = s.mcp.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(level, toolName, map[string]any{
		"call": d.id, "outcome": outcome, "code": d.code, "duration_ms": time.Since(start).Milliseconds(), "bytes": size,
	}))
}

// recordSession records that a session, which began at start, was opened, has ended or was
// rejected.
func (c *session) recordSession(ctx context.Context, outcome string, start time.Time) {
	x := &exchange{session: c}
	client := strings.TrimSpace(x.clientName() + " " + x.protocol())
	entry := logEntry{kind: "session", id: callID(), method: string(mcp.MethodInitialize), command: client}
	c.record(context.WithValue(ctx, exchangeKey{}, x), entry, outcome, start, 0)
}

// recordRefusal records a request without a valid token.
func (s *Shell) recordRefusal(q *http.Request, reason error) {
	entry := logEntry{kind: "token", id: callID(), method: q.Method, command: q.URL.Path}
	s.record(q.Context(), entry, reason.Error(), time.Now(), 0)
}
