package rag

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

const (
	// increase and decrease are the constants of AIMD: what is added to an amount after
	// answers in time, and the factor by which a late one lowers it.
	increase = 1
	decrease = 0.5
	// lateAfter is how long an answer may take if a single text takes under half of it.
	lateAfter = 10 * time.Second
)

// flow decides how many requests are sent to a service at once, of how many texts, and
// how long their answer is waited for.
//
// Both amounts follow additive increase, multiplicative decrease (Chiu and Jain,
// Computer Networks 17:1, 1989). One at a time grows, by increase after each round of
// answers. A late answer or a time-out lowers it by decrease, once for all that was sent
// before, and the other one grows; a refusal because of overload lowers the requests.
// Until it is first lowered an amount doubles (slow start: Jacobson, SIGCOMM 1988), the
// texts of a request only while that saves a tenth of the time of a text.
type flow struct {
	first, longest time.Duration // time-outs

	mu           sync.Mutex
	changed      *sync.Cond
	batch, slots amount  // texts of a request, requests under way
	turn         *amount // the one that grows
	busy         int     // requests under way
	waiting      int     // callers of acquire
	failures     int     // for good
	failure      error   // the last one

	timeout    time.Duration
	fastest    time.Duration // of the answers
	perText    time.Duration // in the last round of slow start
	answeredAt time.Time     // the last time
	changedAt  time.Time     // answers to what was sent before say nothing
	answers    int           // in this round
	accepted   int           // the most texts of a request
	tooMany    int           // requests of batch texts refused for their size, one after the other
}

// amount is between 1 and most.
type amount struct {
	n, most int
	steady  bool // past slow start
}

func newFlow(maxBatch, maxSlots int, first, longest time.Duration) *flow {
	f := &flow{first: first, longest: longest, timeout: first, batch: amount{n: 1, most: maxBatch}, slots: amount{n: 1, most: maxSlots}}
	f.turn, f.changed = &f.batch, sync.NewCond(&f.mu)
	return f
}

// acquire waits until a request may be sent, and returns how many texts it may have. It
// fails when a request of any caller fails for good.
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

// release ends a request, with its failure if it is not sent again.
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

// patience returns how long a request may take whose texts were first sent at began:
// nothing once the service has answered none for the longest time.
func (f *flow) patience(began time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.answeredAt.After(began) {
		began = f.answeredAt
	}
	return min(f.timeout, f.longest-time.Since(began))
}

// note records how a request ended. The time of the first answer is ignored, since the
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
		if f.turn = &f.batch; f.slots.n > 1 { // one request is not too many, only too early
			f.lower(&f.slots)
		}
	case err != nil:
	case took > max(lateAfter, 2*f.fastest):
		f.lower(f.turn)
	case f.waiting > 0: // as much as may be sent is under way
		if f.answers++; f.answers >= f.slots.n {
			f.grow(took / time.Duration(f.batch.n))
		}
	}
}

// size records whether a service took a request of n texts. Where it refuses three of as many
// as may be sent, it has a limit and not one text that is too long: so many are sent as are
// halfway to what it has taken.
func (f *flow) size(n int, ok bool) {
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
		f.begin()
	}
}

// grow raises the amount whose turn it is, after a round in which a text took perText.
func (f *flow) grow(perText time.Duration) {
	if !f.batch.steady && f.turn == &f.batch {
		f.batch.steady = f.perText > 0 && perText > f.perText*9/10
		f.perText = perText
	}
	if f.turn.n == f.turn.most || f.turn == &f.batch && f.batch.steady && !f.slots.steady {
		f.turn = f.other(f.turn)
		if f.turn.steady { // it was lowered last, so that a round passes without more
			f.begin()
			return
		}
	}
	step := increase
	if !f.turn.steady {
		step = f.turn.n
	}
	f.turn.n = min(f.turn.n+step, f.turn.most)
	f.begin()
}

// lower lowers an amount, or the other one if it is at its least.
func (f *flow) lower(a *amount) {
	if a.n == 1 {
		a = f.other(a)
	}
	a.n, a.steady = int(math.Ceil(decrease*float64(a.n))), true
	f.turn = f.other(a)
	f.begin()
}

func (f *flow) other(a *amount) *amount {
	if a == &f.batch {
		return &f.slots
	}
	return &f.batch
}

// begin begins a round of answers.
func (f *flow) begin() {
	f.changedAt, f.answers = time.Now(), 0
	f.changed.Broadcast()
}
