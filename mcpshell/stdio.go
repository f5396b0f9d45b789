package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// ErrNoClient is returned by ServeStdio if standard input ends before any message. The server was
// then started by hand, or the client failed.
var ErrNoClient = errors.New("standard input ended before any message came")

const (
	// spareRequests is the number of requests accepted in addition to those that run and wait. If
	// a client does not read its answers, no more requests are read.
	spareRequests = 16
	// maxNotes is the maximum number of notifications that wait to be written; more are dropped.
	maxNotes = 100
	// drainGrace is the additional time after the calls' deadline in which the last answers can
	// be written.
	drainGrace = 5 * time.Second
	// stopGrace is the time that cancelled work has to end before ServeStdio returns and the
	// caller closes its files.
	stopGrace = time.Second
)

// A connection is one client on a pair of streams.
type connection struct {
	*session
	ctx      context.Context // ends with the connection
	notes    chan mcp.JSONRPCNotification
	out      chan mcp.JSONRPCMessage
	slots    chan struct{} // holds one value per request being answered
	requests sync.WaitGroup
}

var errCancelled = errors.New("cancelled by the client")

// ServeStdio serves one client. It reads JSON-RPC messages from in, one a line, and writes only
// JSON-RPC messages to out. Requests are answered as they finish, not in order.
//
// It returns nil when in has ended and every request is answered, at most the call deadline and
// five seconds later. It returns [ErrNoClient], without writing to out, if in ends before any
// message. If ctx ends, it cancels the calls and returns the cause. Otherwise it returns the
// error of reading or writing. A blocked Read or Write continues until the caller closes its
// stream.
func (s *Shell) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &connection{
		session: s.newSession(),
		ctx:     ctx,
		notes:   make(chan mcp.JSONRPCNotification, maxNotes),
		out:     make(chan mcp.JSONRPCMessage),
		slots:   make(chan struct{}, cap(s.remote.running)+cap(s.remote.waiting)+spareRequests),
	}
	s.counts.addSessions(1)
	defer s.counts.addSessions(-1)
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
	s.waitIdle(stopGrace)
	return err
}

// drain waits until the last answers are written.
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
			text := fmt.Sprintf("the message has more than %d bytes", maxLine)
			c.send(rpcError(lines.id.request(), mcp.INVALID_REQUEST, text))
		case err != nil && first:
			if errors.Is(err, io.EOF) {
				return ErrNoClient
			}
			return fmt.Errorf("%w (%w)", ErrNoClient, err)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading from the client: %w", err)
		default:
			c.handle(line)
		}
	}
	return nil
}

// handle answers one message. Immediate requests are answered in order; all others run
// concurrently, so that a slow one delays neither the next message nor its own cancellation.
func (c *connection) handle(line []byte) {
	x := c.receive(c.ctx, decode(line), c.notes)
	if x.isImmediate() {
		reply := x.answer()
		if _, opened := reply.(mcp.JSONRPCResponse); opened && x.method == string(mcp.MethodInitialize) {
			x.recordSession(c.ctx, "opened", time.Now())
		}
		c.send(reply)
		return
	}
	select {
	case c.slots <- struct{}{}:
	case <-c.ctx.Done():
		return
	}
	c.requests.Go(func() {
		c.send(x.answer())
		<-c.slots
	})
}

// send passes a message to the writer and waits until the writer takes it.
func (c *connection) send(reply mcp.JSONRPCMessage) {
	if reply == nil {
		return
	}
	select {
	case c.out <- reply:
	case <-c.ctx.Done():
	}
}

// write writes messages to out; no other code does. The log messages of a call precede its
// answer.
func (c *connection) write(out io.Writer) error {
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
		case note := <-c.notes:
			if err := put(note); err != nil {
				return err
			}
		case reply, more := <-c.out:
			for len(c.notes) > 0 {
				if err := put(<-c.notes); err != nil {
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
