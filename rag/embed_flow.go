package rag

import (
	"context"
	"sync"
	"time"
)

const (
	// gain is by how much the texts answered in a second must rise for a larger
	// step to be kept.
	gain = 1.1
	// roundsAtRest is how many rounds pass before more is tried again.
	roundsAtRest = 8
	// leastTimeout and longRequest bound a time-out from below, and the time of a
	// request that is still made larger.
	leastTimeout = 15 * time.Second
	longRequest  = 10 * time.Second
)

// flow decides how many texts are sent to a service at once, and how long their
// answer is waited for, by what was measured.
//
// It begins with one text in one request. Once the first answer is there (until
// then a service may load its model) it doubles in turn the texts of a request and
// the requests under way, as long as the rate of the answers rises by gain; what
// brought nothing is taken back, and tried again later. That is the slow start of
// TCP Vegas, which compares the rate it expects with the rate it gets (Brakmo and
// Peterson, IEEE JSAC 13:1465, 1995). The rate must rise both in texts and in
// bytes: whether a longer text takes longer differs between services, and a few
// texts that happen to be short or long are no gain. A time-out, or a service that
// says that it is overloaded, halves what is under way (multiplicative decrease:
// Chiu and Jain, Computer Networks 17:1, 1989), once for all that was sent before.
//
// A time-out is four times the smoothed time of a request and its deviation, and
// doubles with each time-out until there is an answer (RFC 6298, sections 2 and
// 5.5); the factor is for texts of unequal lengths.
type flow struct {
	maxBatch, maxSlots    int
	first, least, longest time.Duration // time-outs: the first one, and bounds

	mu      sync.Mutex
	wake    chan struct{} // closed where those who wait should look again
	batch   int           // texts in a request
	slots   int           // requests under way, at most
	busy    int           // requests under way
	waiting int           // for a slot
	broken  int           // how often a request has failed for good
	failure error         // the last time

	timeout       time.Duration
	srtt, rttvar  time.Duration // of a request, as in RFC 6298
	answeredAt    time.Time     // the last time
	decreasedAt   time.Time     // requests sent before do not decrease again
	rate          rate          // at the step that is kept
	trial, widen  bool          // a larger step is being measured; it has more requests
	refused       bool          // more requests were refused, so until the next rest only larger ones are tried
	failed, rest  int           // trials in succession without a gain; rounds until the next
	skip, answers int           // of this round: answers to what was sent before it, and others
	texts, bytes  int
	began         time.Time
}

// rate is what is answered in a second.
type rate struct{ texts, bytes float64 }

func newFlow(maxBatch, maxSlots int, first, longest time.Duration) *flow {
	return &flow{
		maxBatch: maxBatch, maxSlots: maxSlots, first: first, least: min(leastTimeout, first), longest: longest,
		wake: make(chan struct{}), batch: 1, slots: 1, timeout: first, skip: 1,
	}
}

// acquire waits until a request may be sent, and returns how many texts it may
// have. Where a request fails for good meanwhile, its failure is returned.
func (f *flow) acquire(ctx context.Context) (texts int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for broken := f.broken; f.busy >= f.slots; {
		wake := f.wake
		f.waiting++
		f.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
		}
		f.mu.Lock()
		f.waiting--
		switch {
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case f.broken != broken:
			return 0, f.failure
		}
	}
	f.busy++
	return f.batch, nil
}

// release ends a request. A failure for good is that of all who wait, too.
func (f *flow) release(failure error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy--
	if failure != nil {
		f.broken++
		f.failure = failure
	}
	f.wakeAll()
}

func (f *flow) wakeAll() {
	close(f.wake)
	f.wake = make(chan struct{})
}

// patience is how long the answer to a request may take, of which began is when
// its texts were first sent: none is left where nothing was answered for the
// longest time.
func (f *flow) patience(began time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.answeredAt.After(began) {
		began = f.answeredAt
	}
	return min(f.timeout, f.longest-time.Since(began))
}

// answeredSince reports whether the service has answered a request since a time.
func (f *flow) answeredSince(t time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answeredAt.After(t)
}

// answered takes in an answer to a request of so many texts and bytes.
func (f *flow) answered(sent time.Time, texts, bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	took := now.Sub(sent)
	if f.answeredAt.IsZero() {
		f.srtt, f.rttvar = took, took/2
	} else {
		f.rttvar += ((f.srtt - took).Abs() - f.rttvar) / 4
		f.srtt += (took - f.srtt) / 8
	}
	f.answeredAt = now
	f.setTimeout()
	switch {
	case f.waiting == 0: // fewer texts than could be sent: nothing is learnt
		f.newRound(max(f.busy-1, 1))
		return
	case f.skip > 0:
		if f.skip--; f.skip == 0 {
			f.began = now
		}
		return
	}
	f.texts += texts
	f.bytes += bytes
	if f.answers++; f.answers >= max(3, 2*f.slots) {
		seconds := max(now.Sub(f.began), time.Microsecond).Seconds()
		f.judge(rate{float64(f.texts) / seconds, float64(f.bytes) / seconds})
	}
}

func (f *flow) setTimeout() {
	f.timeout = min(max(4*(f.srtt+4*f.rttvar), f.least), f.longest)
}

// newRound begins to measure once the requests sent before are answered.
func (f *flow) newRound(before int) {
	f.skip, f.answers, f.texts, f.bytes, f.began = before, 0, 0, 0, time.Now()
}

// judge ends a round with its rate.
func (f *flow) judge(now rate) {
	switch {
	case !f.trial:
		f.rate = now
		if f.rest > 0 {
			f.rest--
		} else {
			f.grow()
		}
	case now.texts >= gain*f.rate.texts && now.bytes >= gain*f.rate.bytes:
		f.rate, f.failed = now, 0
		f.widen = !f.widen
		f.grow()
	default:
		if f.widen {
			f.slots /= 2
		} else {
			f.batch = (f.batch + 1) / 2
		}
		f.widen = !f.widen
		if f.failed++; f.failed < 2 {
			f.grow()
		} else {
			f.stay()
		}
	}
	f.newRound(f.busy - 1)
}

// grow begins to measure a larger step, if there is one.
func (f *flow) grow() {
	fullBatch := f.batch == f.maxBatch || f.srtt > longRequest
	fullSlots := f.slots == f.maxSlots || f.refused
	switch {
	case fullBatch && fullSlots:
		f.stay()
		return
	case fullBatch:
		f.widen = true
	case fullSlots:
		f.widen = false
	}
	if f.widen {
		f.slots = min(2*f.slots, f.maxSlots)
		f.wakeAll()
	} else {
		f.batch = min(2*f.batch, f.maxBatch)
	}
	f.trial = true
	f.srtt, f.rttvar = 2*f.srtt, 2*f.rttvar // at worst
	f.setTimeout()
}

// stay keeps the step that is reached for some rounds.
func (f *flow) stay() { f.trial, f.refused, f.failed, f.rest = false, false, 0, roundsAtRest }

// decrease halves what is under way, after a request that was sent at a time has
// timed out or was refused because there are too many.
func (f *flow) decrease(sent time.Time, timedOut bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if sent.Before(f.decreasedAt) || !timedOut && f.busy > f.slots { // the last decrease is still to take effect
		return
	}
	f.decreasedAt = time.Now()
	if timedOut {
		f.timeout = min(2*f.timeout, f.longest)
	}
	f.stay()
	if f.slots > 1 {
		f.slots /= 2
		if !timedOut {
			f.refused, f.rest = true, 0
		}
	} else {
		f.batch = (f.batch + 1) / 2
	}
	f.widen = false
	f.newRound(max(f.busy-1, 1))
}
