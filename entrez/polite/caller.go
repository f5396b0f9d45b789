package polite

import (
	"context"
	"sync"
	"sync/atomic"
)

// A Caller takes turns with the other callers of this process. It has at most one request in the
// queue of each lane, and its other requests wait behind that one. So no caller waits for all
// requests of another. The zero value is ready to use; a Caller must not be copied.
type Caller struct{ lines sync.Map } // by lane

// line holds the requests of one caller that wait for a place in the queue of a lane.
type line struct {
	first   chan struct{} // held by the request in the queue; the others wait in order
	waiting atomic.Int64  // number of requests, including the one in the queue
}

func newLine() *line { return &line{first: make(chan struct{}, 1)} }

type callerKey struct{}

// In returns a context for the calls of this caller. Calls without a Caller share one line.
func (c *Caller) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// lineOf returns the line of the caller of ctx in this lane.
func (l *lane) lineOf(ctx context.Context) *line {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return l.others
	}
	own, _ := c.lines.LoadOrStore(l, newLine())
	return own.(*line)
}
