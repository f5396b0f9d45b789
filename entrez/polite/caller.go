package polite

import (
	"context"
	"sync"
	"sync/atomic"
)

// Caller is one of those for whom a process asks. In each lane one request of a caller waits
// among those of the others and the rest behind that one, so that nobody waits for all that
// another has asked. The zero value is complete; a Caller must not be copied.
type Caller struct{ lines sync.Map } // by lane

// line is the requests of one caller that wait for a place in the queue of a lane.
type line struct {
	first   chan struct{} // held by the one that is in the queue; the others wait in order
	waiting atomic.Int64  // with the first
}

func newLine() *line { return &line{first: make(chan struct{}, 1)} }

type callerKey struct{}

// In is a context for the calls of this caller. All calls without a Caller are of one.
func (c *Caller) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// lineOf is the line for the caller of ctx.
func (l *lane) lineOf(ctx context.Context) *line {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return l.others
	}
	own, _ := c.lines.LoadOrStore(l, newLine())
	return own.(*line)
}
