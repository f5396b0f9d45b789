package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ErrNoClient means that standard input ended before any message: the server was
// started by hand, or the client failed.
var ErrNoClient = errors.New("standard input ended before any message came")

const (
	// answering is how many requests may be in hand in addition to those running and
	// waiting. When a client does not read, they fill up and reading stops.
	answering = 16
	// drainGrace is how long the last answers have after the calls' own deadline.
	drainGrace = 5 * time.Second
	// stopGrace is how long cancelled work has to end before ServeStdio returns, so
	// that its files can be closed afterwards.
	stopGrace = time.Second
)

// connection is one client on a pair of streams.
type connection struct {
	*Shell
	ctx      context.Context // ends with the connection
	session  *server.InProcessSession
	out      chan mcp.JSONRPCMessage
	places   chan struct{} // one for each request being answered
	requests sync.WaitGroup
	version  string // of the protocol, "" before initialize; the reader's alone

	mu       sync.Mutex
	inFlight map[string]context.CancelCauseFunc // by the id as it was sent
}

var errCancelled = errors.New("cancelled by the client")

// ServeStdio serves one client: JSON-RPC messages, one a line, from in and to
// out, and nothing else to out. Requests are answered as they are done, not in
// order.
//
// It returns nil when in has ended and every request is answered, at most the
// call deadline and five seconds later; [ErrNoClient], with out untouched, when
// in ended before any message; the cause of ctx's end, with calls cancelled; or
// the error of reading or writing. A Read or Write that is blocked by then goes
// on until its stream is closed, which is left to the caller.
func (s *Shell) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	session := server.NewInProcessSession("stdio", nil)
	c := &connection{
		Shell:    s,
		ctx:      s.mcp.WithContext(ctx, session),
		session:  session,
		out:      make(chan mcp.JSONRPCMessage),
		places:   make(chan struct{}, cap(s.gate.running)+cap(s.gate.waiting)+answering),
		inFlight: map[string]context.CancelCauseFunc{},
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		if err := c.write(out); err != nil {
			stop(fmt.Errorf("writing to the client: %w", err))
		}
	}()
	ended := make(chan error, 1)
	go func() { ended <- c.read(in) }()

	var err error
	select {
	case err = <-ended:
		if err == nil {
			c.drain(written)
		}
	case <-ctx.Done():
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	stop(nil)
	s.gate.waitIdle(stopGrace)
	return err
}

// drain waits for the last answers to be written.
func (c *connection) drain(written <-chan struct{}) {
	go func() {
		c.requests.Wait()
		close(c.out)
	}()
	select {
	case <-written:
	case <-c.ctx.Done():
	case <-time.After(c.timeout + drainGrace):
		c.log.Warn("the client did not take its last answers")
	}
}

// read handles messages until in or the connection ends.
func (c *connection) read(in io.Reader) error {
	lines := newLineReader(in, maxLine)
	for first := true; c.ctx.Err() == nil; first = false {
		line, err := lines.next()
		switch {
		case errors.Is(err, errLongLine):
			c.send(rpcError(lines.id.request(), mcp.INVALID_REQUEST, fmt.Sprintf("the message has more than %d bytes", maxLine)))
		case err != nil && first:
			if errors.Is(err, io.EOF) {
				return ErrNoClient
			}
			return fmt.Errorf("%w (%w)", ErrNoClient, err)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading from the client: %w", err)
		case line[0] == '[' && c.version == batchVersion:
			c.handleBatch(line)
		default:
			c.handle(line, c.send)
		}
	}
	return nil
}

// batchVersion is the version of the protocol in which a line may be a list of
// messages; later ones forbid it.
const batchVersion = "2025-03-26"

// maxBatch is how many messages one batch may hold.
const maxBatch = 100

// handleBatch deals with a list of messages. Their answers are sent as a list
// when the last of them is there; where none is due, nothing is sent.
func (c *connection) handleBatch(line []byte) {
	var list []json.RawMessage
	if !utf8.Valid(line) || json.Unmarshal(line, &list) != nil {
		c.send(rpcError(nil, mcp.PARSE_ERROR, "the batch is not JSON"))
		return
	}
	if n := len(list); n == 0 || n > maxBatch {
		c.send(rpcError(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a batch holds 1 to %d messages, not %d", maxBatch, n)))
		return
	}
	var mu sync.Mutex
	var answers []mcp.JSONRPCMessage
	var pending sync.WaitGroup
	for _, one := range list {
		pending.Add(1)
		c.handle(one, func(reply mcp.JSONRPCMessage) {
			defer pending.Done()
			if reply != nil {
				mu.Lock()
				defer mu.Unlock()
				answers = append(answers, reply)
			}
		})
	}
	c.requests.Go(func() {
		pending.Wait()
		if len(answers) > 0 {
			c.send(answers)
		}
	})
}

// handle deals with one message. What takes no time is answered at once and in
// order; every other request runs concurrently, so that a slow one delays
// neither the next nor its own cancellation. It calls answer once, with nil
// where no answer is due.
func (c *connection) handle(line []byte, answer func(mcp.JSONRPCMessage)) {
	m, refused := decode(line)
	if refused != nil {
		c.log.Debug("malformed message", "bytes", len(line))
		answer(refused)
		return
	}
	if m.id == nil && m.method == "notifications/cancelled" {
		c.cancel(m)
		answer(nil)
		return
	}
	switch mcp.MCPMethod(m.method) {
	case "": // a response, and we ask for nothing
		answer(nil)
		return
	case mcp.MethodInitialize, mcp.MethodPing, mcp.MethodSetLogLevel:
		reply := c.reply(c.ctx, m)
		if hello, ok := reply.(mcp.JSONRPCResponse); ok {
			if r, ok := hello.Result.(mcp.InitializeResult); ok {
				c.version = r.ProtocolVersion
			}
		}
		answer(reply)
		return
	}
	if m.id == nil {
		c.reply(c.ctx, m)
		answer(nil)
		return
	}
	select {
	case c.places <- struct{}{}:
	case <-c.ctx.Done():
		answer(nil)
		return
	}
	id := string(m.id)
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.mu.Lock()
	c.inFlight[id] = cancel
	c.mu.Unlock()
	c.requests.Go(func() {
		reply := c.reply(ctx, m)
		c.mu.Lock()
		delete(c.inFlight, id)
		c.mu.Unlock()
		if ctx.Err() != nil { // the protocol wants no answer to what was cancelled
			reply = nil
		}
		answer(reply)
		cancel(nil)
		<-c.places
	})
}

// reply is answer with a bug anywhere in it turned into an error.
func (c *connection) reply(ctx context.Context, m message) (reply mcp.JSONRPCMessage) {
	defer func() {
		if recover() != nil {
			id := callID()
			c.log.Error("panic", "call", id, "method", loggable(m.method), "at", panicSite())
			if m.id != nil {
				reply = rpcError(m.id, mcp.INTERNAL_ERROR, c.failure(errPanic, id).Message)
			}
		}
	}()
	return c.answer(ctx, m)
}

func (c *connection) cancel(m message) {
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if m.params == nil || json.Unmarshal(m.params, &params) != nil {
		return // a notification gets no answer, not even to its mistakes
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.inFlight[string(params.ID)]; ok {
		cancel(errCancelled)
	}
}

// send hands a message to the writer and waits until it takes it.
func (c *connection) send(reply mcp.JSONRPCMessage) {
	if reply == nil {
		return
	}
	select {
	case c.out <- reply:
	case <-c.ctx.Done():
	}
}

// write is the only user of out. The log messages of a call go before its
// answer.
func (c *connection) write(out io.Writer) error {
	notes := c.session.ClientNotifications()
	put := func(v any) error {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		_, err = out.Write(append(data, '\n'))
		return err
	}
	for {
		select {
		case note := <-notes:
			if err := put(note); err != nil {
				return err
			}
		case reply, more := <-c.out:
			for len(notes) > 0 {
				if err := put(<-notes); err != nil {
					return err
				}
			}
			if !more {
				return nil
			}
			if err := put(reply); err != nil {
				return err
			}
		case <-c.ctx.Done():
			return nil
		}
	}
}
