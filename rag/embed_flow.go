package rag

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

const (
	// increase and decrease are the constants of AIMD: the number added to an amount after
	// timely answers, and the factor applied to it after a late one.
	increase = 1
	decrease = 0.5
	// lateAfter is the time after which an answer is late, unless the fastest answer took more
	// than half of it.
	lateAfter = 10 * time.Second
)

// A flow controls how many requests are sent to a service at the same time, how many texts each
// has, and how long to wait for the answer.
//
// Both amounts follow additive increase, multiplicative decrease (Chiu and Jain, Computer
// Networks 17:1, 1989). Only one of them grows at a time, by increase after each round of
// answers. A late answer or a time-out multiplies it by decrease, once for all requests sent
// before, and then the other one grows. A refusal because of overload lowers the number of
// requests. Until an amount is first lowered, it doubles (slow start: Jacobson, SIGCOMM 1988).
// The number of texts per request only doubles while that saves a tenth of the time per text.
type flow struct {
	first, longest time.Duration // time-outs of the first request and at most

	mu           sync.Mutex
	changed      *sync.Cond
	batch, slots amount  // texts per request, and maximum number of open requests
	turn         *amount // the amount that grows now
	busy         int     // number of open requests
	waiting      int     // number of callers blocked in acquire
	failures     int     // number of permanent failures
	failure      error   // last permanent failure

	timeout    time.Duration
	fastest    time.Duration // time of the fastest answer
	perText    time.Duration // time per text in the last round of slow start
	answeredAt time.Time     // time of the last answer
	changedAt  time.Time     // time of the last change; answers to earlier requests are ignored
	answers    int           // number of answers in this round
	accepted   int           // greatest number of texts accepted in a request
	tooMany    int           // number of consecutive full requests refused for their size
}

// An amount is a number from 1 to limit that adapts to the service.
type amount struct {
	n, limit int
	steady   bool // past slow start
}

func newFlow(maxBatch, maxSlots int, first, longest time.Duration) *flow {
	f := &flow{
		first: first, longest: longest, timeout: first,
		batch: amount{n: 1, limit: maxBatch}, slots: amount{n: 1, limit: maxSlots},
	}
	f.turn, f.changed = &f.batch, sync.NewCond(&f.mu)
	return f
}

// acquire waits until a request may be sent, and returns the maximum number of its texts. It
// returns an error if a request of any caller fails permanently.
func (f *flow) acquire(ctx context.Context) (texts int, err error) {
	defer context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	})()
	f.mu.Lock()
	defer f.mu.Unlock()
	for failures := f.failures; f.busy >= f.slots.n; {
		f.waiting++
		f.changed.Wait()
		f.waiting--
		switch {
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case f.failures != failures:
			return 0, f.failure
		}
	}
	f.busy++
	return f.batch.n, nil
}

// release ends a request. failure is its error, unless it will be sent again.
func (f *flow) release(failure error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy--
	if failure != nil {
		f.failures++
		f.failure = failure
	}
	f.changed.Broadcast()
}

// timeLeft returns the time-out of a request whose texts were first sent at began. It is not
// positive if the service has answered no request for the longest time-out.
func (f *flow) timeLeft(began time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.answeredAt.After(began) {
		began = f.answeredAt
	}
	return min(f.timeout, f.longest-time.Since(began))
}

// note records the outcome of a request. It ignores the time of the first answer, because the
// service may have loaded its model for it.
func (f *flow) note(sent time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, first := time.Now(), f.answeredAt.IsZero()
	took := now.Sub(sent)
	if err == nil {
		f.answeredAt, f.timeout = now, min(max(f.first, 4*took), f.longest)
		if !first && (f.fastest == 0 || took < f.fastest) {
			f.fastest = took
		}
	}
	var e *EmbedError
	switch {
	case sent.Before(f.changedAt) || err == nil && first:
	case timedOut(err):
		f.timeout = min(2*f.timeout, f.longest)
		f.lower(f.turn)
	case errors.As(err, &e) && e.overload():
		// If a single request was refused, the number of requests cannot be lowered: wait only.
		if f.turn = &f.batch; f.slots.n > 1 {
			f.lower(&f.slots)
		}
	case err != nil:
	case took > max(lateAfter, 2*f.fastest):
		f.lower(f.turn)
	case f.waiting > 0: // the limits are in full use
		if f.answers++; f.answers >= f.slots.n {
			f.grow(took / time.Duration(f.batch.n))
		}
	}
}

// noteSize records whether a service accepted a request of n texts. Three refusals of full
// requests in a row mean that the service limits the number of texts, rather than that one text
// is too long. Then noteSize sets the limit to n-1, and the current number to halfway between
// the greatest accepted number and n.
func (f *flow) noteSize(n int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ok {
		f.accepted = max(f.accepted, n)
	}
	if n < f.batch.n {
		return
	}
	if f.tooMany++; ok {
		f.tooMany = 0
	}
	if f.tooMany == 3 {
		f.tooMany, f.batch = 0, amount{max(1, (min(f.accepted, n-1)+n)/2), n - 1, true}
		f.beginRound()
	}
}

// grow raises the amount that grows now, after a round with perText per text.
func (f *flow) grow(perText time.Duration) {
	if !f.batch.steady && f.turn == &f.batch {
		f.batch.steady = f.perText > 0 && perText > f.perText*9/10
		f.perText = perText
	}
	if f.turn.n == f.turn.limit || f.turn == &f.batch && f.batch.steady && !f.slots.steady {
		f.turn = f.other(f.turn)
		if f.turn.steady { // lowered recently, so keep it for one round
			f.beginRound()
			return
		}
	}
	step := increase
	if !f.turn.steady {
		step = f.turn.n
	}
	f.turn.n = min(f.turn.n+step, f.turn.limit)
	f.beginRound()
}

// lower lowers an amount, or the other one if it is 1.
func (f *flow) lower(a *amount) {
	if a.n == 1 {
		a = f.other(a)
	}
	a.n, a.steady = int(math.Ceil(decrease*float64(a.n))), true
	f.turn = f.other(a)
	f.beginRound()
}

func (f *flow) other(a *amount) *amount {
	if a == &f.batch {
		return &f.slots
	}
	return &f.batch
}

// beginRound starts a new round of answers.
func (f *flow) beginRound() {
	f.changedAt, f.answers = time.Now(), 0
	f.changed.Broadcast()
}
