package mcpshell

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"

	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/pattern"
	"biomcp/mcpshell/access"
)

// These errors end a call without an answer.
var (
	errDeadline   = errors.New("the call took too long")
	errBusy       = errors.New("too many calls at once")
	errCallerBusy = errors.New("too many calls at once of one caller")
	errCallerRate = errors.New("too many calls of one caller in a minute")
	errPanic      = errors.New("internal error")
)

// outcomeNames maps the text of these errors to their names in the metrics.
var outcomeNames = map[string]string{
	errDeadline.Error():   "deadline",
	errBusy.Error():       "busy",
	errCallerBusy.Error(): "busy",
	errCallerRate.Error(): "busy",
	errPanic.Error():      "panic",
}

// A gate lets a limited number of calls run, and a limited number wait in order.
type gate struct{ running, waiting chan struct{} }

func newGate(running, waiting int) gate {
	return gate{make(chan struct{}, running), make(chan struct{}, waiting)}
}

// acquire waits until the call may run. It returns errBusy if too many calls wait or the call's
// deadline passes first, and otherwise the cause if ctx ends.
func (g gate) acquire(ctx context.Context) error {
	select {
	case g.running <- struct{}{}:
		return nil
	default:
	}
	select {
	case g.waiting <- struct{}{}:
		defer func() { <-g.waiting }()
	default:
		return errBusy
	}
	select {
	case g.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, errDeadline) {
			return cause
		}
		return errBusy
	}
}

func (g gate) release() { <-g.running }

// waitIdle waits until no call runs, for at most d.
func (g gate) waitIdle(d time.Duration) {
	expired := time.After(d)
	for range cap(g.running) {
		select {
		case g.running <- struct{}{}:
			defer g.release()
		case <-expired:
			return
		}
	}
}

// perform runs work when limit lets it run. It returns by the call's deadline even if work does
// not, with errDeadline, errPanic, an error of [limiter.acquire] or the cause of ctx's end. Work
// that ignores its context keeps its slot until it returns.
func perform[T any](ctx context.Context, s *Shell, limit *limiter, id string, work func(context.Context) T) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, errDeadline)
	defer cancel()
	ctx, leave, err := limit.acquire(ctx)
	if err != nil {
		return none, err
	}
	done := make(chan outcome, 1)
	go func() {
		// The error stays errPanic if work panics or calls runtime.Goexit.
		out := outcome{err: errPanic}
		defer func() {
			leave()
			done <- out
		}()
		defer s.recoverPanic(id, &out.err)
		out = outcome{value: work(ctx)}
	}()
	select {
	case out := <-done:
		// A client cannot use the answer to a call that it cancelled.
		if ctx.Err() == nil {
			return out.value, out.err
		}
	case <-ctx.Done():
	}
	return none, context.Cause(ctx)
}

// recoverPanic, when deferred, stops a panic, logs it and sets *err to errPanic.
func (s *Shell) recoverPanic(id string, err *error) {
	if recover() != nil {
		s.log.Error("panic", "call", id, "at", PanicSite())
		*err = errPanic
	}
}

// PanicSite returns the function and line of the panic that a deferred function recovers from. The
// log has it instead of the panic's value, which may hold any data in memory.
func PanicSite() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	panicked := false
	for {
		f, more := frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s (%s:%d)", f.Function, filepath.Base(f.File), f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return "unknown"
		}
	}
}

// call handles a tool call.
func (s *Shell) call(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	id, start := callID(), time.Now()
	in, err := s.parseInput(id, req.Params.Name, req.Params.Arguments)
	entry := logEntry{kind: "call", id: id, method: string(mcp.MethodToolsCall), command: in.command, family: in.call.Family}
	s.recordStart(ctx, entry)
	ctx = withCallID(ctx, id)
	var reply Reply
	if err == nil {
		defer s.reportProgress(ctx, req.Params.Meta, in.call.Progress)()
		limit := s.remote
		if in.call.Local {
			limit = s.local
		}
		reply, err = perform(ctx, s, limit, id, func(ctx context.Context) Reply { return in.call.Run(ctx, in.json) })
	}
	outcome := "ok"
	if f, ok := errors.AsType[*result.Failure](err); ok {
		entry.code = string(f.Code)
		outcome, reply, err = "refused", refusal(f, in.json), nil
	} else if f := s.failure(err, id); f != nil {
		entry.code = string(f.Code)
		outcome, reply, err = err.Error(), refusal(f, in.json), nil
	} else if err != nil {
		outcome = "cancelled"
	} else if reply.IsError {
		outcome, entry.code = "failed", string(reply.Code)
	}
	reply = reply.withNotice(in.ignored)
	name := cmp.Or(outcomeNames[outcome], outcome)
	s.counts.addCall(callLabels{in.call.Family, name, entry.code}, access.CallerOf(ctx).Subject, time.Since(start))
	s.recordAnswer(ctx, entry, outcome, start, len(reply.Text))
	if err != nil {
		return nil, err
	}
	return reply.toolResult(func(i Image) mcp.Content { return s.chartLink(ctx, i) }, supportsLinks(ctx)), nil
}

// failure returns the error to report for a call that ended without an answer. It returns nil if
// the client cancelled the call or the server stopped.
func (s *Shell) failure(err error, id string) *result.Failure {
	fail := func(code result.Code, format string, args ...any) *result.Failure {
		return &result.Failure{Code: code, Message: fmt.Sprintf(format, args...)}
	}
	running, waiting, seconds := cap(s.remote.running), cap(s.remote.waiting), s.timeout.Seconds()
	switch {
	case errors.Is(err, errDeadline):
		return fail(result.Upstream, "no answer within %gs, the limit for one call, so the call was stopped; "+
			"ask for less at once: fewer ids, named sections or a smaller --limit", seconds)
	case errors.Is(err, errBusy):
		return fail(result.RateLimit, "the server is busy: %d calls run at once, %d may wait, each for %gs; "+
			"wait for an answer and send this call again", running, waiting, seconds)
	case errors.Is(err, errCallerBusy):
		return fail(result.RateLimit, "%d calls of one caller run at once, and %d may wait; "+
			"wait for an answer and send this call again", max(1, running/callerFraction), waiting)
	case errors.Is(err, errCallerRate):
		return fail(result.RateLimit, "one caller may make %d calls a minute that need the network; "+
			"wait and send this call again", s.remote.perMinute.Burst())
	case errors.Is(err, errPanic):
		return fail(result.Unknown, "internal error; the server's log has details under call %s", id)
	}
	return nil
}

type callIDKey struct{}

func withCallID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, callIDKey{}, id)
}

// CallID returns the ID by which the log names the call or reading that ctx belongs to, or "".
func CallID(ctx context.Context) string {
	id, _ := ctx.Value(callIDKey{}).(string)
	return id
}

// callID returns a random ID that identifies one call in the log and in messages to the client.
func callID() string { return strings.ToLower(rand.Text()[:10]) }

// maxLoggedBytes is the maximum length of a command in the log, in bytes.
const maxLoggedBytes = 300

// secret matches the values of keys, and tokens: JSON objects in base64 (RFC 7519), which begin
// with eyJ, and the word after Bearer.
var secret = pattern.Lazy(`(?i)((?:api[_-]?key|token|secret|password)["']?\s*[=:]\s*` +
	`|--(?:api-key|token|secret|password)\s+` +
	`|bearer\s+)[^\s&]+` +
	`|(?-i:eyJ)[\w-]{8,}(?:\.[\w-]*)*`)

// loggable returns s cut to maxLoggedBytes bytes, without control characters and without secrets.
func loggable(s string) string {
	hasValue := strings.ContainsAny(s, "=:") || strings.Contains(s, "--")
	hasToken := strings.Contains(s, "eyJ") || strings.Contains(strings.ToLower(s), "bearer")
	if hasValue || hasToken {
		s = secret().ReplaceAllString(s, "${1}[hidden]")
	}
	if list, name := words.HideKeys(strings.Fields(s), "[hidden]", true); name != "" {
		s = strings.Join(list, " ")
	}
	tail := ""
	if len(s) > maxLoggedBytes {
		s, tail = strings.ToValidUTF8(s[:maxLoggedBytes], ""), "…"
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return s + tail
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String() + tail
}
