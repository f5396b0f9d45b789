package polite

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Watch knows which services a command waits for, how far it is with work of many
// steps, and which replies came from the cache although their time had passed.
type Watch struct {
	mu    sync.Mutex
	waits []*Waiting
	asked bool
	works []*Work
	old   []Old

	heard     time.Time // when a call ended well last, or a piece of a file came
	replies   []taken
	elsewhere bool // a call had no reply from the cache
}

// Work is work of Total steps, of which Done are done.
type Work struct {
	What        string // "full texts"
	Done, Total int
}

// Steps lets the Watch of ctx see work of n steps, each of which ends with a call of
// step. There is nothing to see of a single one.
func Steps(ctx context.Context, what string, n int) (step func()) {
	w := watchOf(ctx)
	if w == nil || n < 2 {
		return func() {}
	}
	work := &Work{What: what, Total: n}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.works = append(w.works, work)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		work.Done = min(work.Done+1, work.Total)
	}
}

// Work is what Steps began last and is not done.
func (w *Watch) Work() (work Work, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, work := range slices.Backward(w.works) {
		if work.Done < work.Total {
			return *work, true
		}
	}
	return Work{}, false
}

// Sum is the steps of all work so far.
func (w *Watch) Sum() (done, total int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, work := range w.works {
		done, total = done+work.Done, total+work.Total
	}
	return done, total
}

// Waiting is a service that is waited for.
type Waiting struct {
	Service string
	Attempt int
	Since   time.Time
}

// Old is the oldest kept reply that stood in for a service.
type Old struct {
	Service string
	Stored  time.Time
}

type watchKey struct{}

// WithWatch lets w see the calls under ctx.
func WithWatch(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

func watchOf(ctx context.Context) *Watch { w, _ := ctx.Value(watchKey{}).(*Watch); return w }

// Await lets the Watch of ctx see that service is waited for, until done.
func Await(ctx context.Context, service string) (attempt func(n int), done func()) {
	w := watchOf(ctx)
	if w == nil {
		return func(int) {}, func() {}
	}
	entry := &Waiting{Service: service, Attempt: 1, Since: time.Now()}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits, w.asked = append(w.waits, entry), true
	return func(n int) {
			w.mu.Lock()
			defer w.mu.Unlock()
			entry.Attempt = n
		}, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.waits = slices.DeleteFunc(w.waits, func(o *Waiting) bool { return o == entry })
		}
}

// Longest is the service that has been waited for the longest.
func (w *Watch) Longest() (longest Waiting, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waits) == 0 {
		return Waiting{}, false
	}
	return *w.waits[0], true
}

// Silent is the service that has been waited for the longest, since when no service has
// sent anything.
func (w *Watch) Silent() (longest Waiting, ok bool) {
	longest, ok = w.Longest()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.heard.After(longest.Since) {
		longest.Since = w.heard
	}
	return longest, ok
}

// Asked reports whether any service was asked, and not the cache alone.
func (w *Watch) Asked() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// Old are the services for which kept replies stood in.
func (w *Watch) Old() []Old {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.old)
}

func (w *Watch) noteOld(service string, stored time.Time) {
	if w == nil || stored.IsZero() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.old, func(o Old) bool { return o.Service == service })
	if i < 0 {
		w.old = append(w.old, Old{service, stored})
	} else if stored.Before(w.old[i].Stored) {
		w.old[i].Stored = stored
	}
}

// hear notes that a service answered.
func (w *Watch) hear() {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.heard = time.Now()
	}
}

// Heard is when a service last answered under ctx; zero where that is not known.
func Heard(ctx context.Context) time.Time {
	w := watchOf(ctx)
	if w == nil {
		return time.Time{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.heard
}

type endKey struct{}

// Until makes calls under ctx end at the given time, however many there are. A
// later Until replaces an earlier one.
func Until(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, endKey{}, end)
}
