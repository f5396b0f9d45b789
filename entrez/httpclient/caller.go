package httpclient

import (
	"context"
	"sync"
	"sync/atomic"
)

// A Caller takes turns with the other callers of this process. It has at most one request in the
// queue of each rate group, and its other requests wait behind that one. So no caller waits for all
// requests of another. The zero value is ready to use; a Caller must not be copied.
type Caller struct{ queues sync.Map } // by limiter

// callerQueue holds the requests of one caller that wait for a place in the queue of a rate group.
type callerQueue struct {
	turn    chan struct{} // held by the request in the queue; the others wait in order
	waiting atomic.Int64  // number of requests, including the one in the queue
}

func newCallerQueue() *callerQueue { return &callerQueue{turn: make(chan struct{}, 1)} }

type callerKey struct{}

// Context returns a context for the calls of this caller. Calls without a Caller share one queue.
func (c *Caller) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// queueOf returns the queue of the caller of ctx in this group.
func (l *limiter) queueOf(ctx context.Context) *callerQueue {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return l.sharedQueue
	}
	own, _ := c.queues.LoadOrStore(l, newCallerQueue())
	return own.(*callerQueue)
}
