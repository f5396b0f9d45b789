package httpclient

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Progress records the services that a command waits for, its progress in work of many steps, and the
// replies that came from the cache although they had expired.
type Progress struct {
	outer *Progress // progress of the command that this one is a part of, or nil

	mu    sync.Mutex
	waits []*Waiting
	asked bool
	tasks []*Task
	old   []StaleReply

	lastAnswer time.Time // when a call last succeeded or a piece of a file arrived
	replies    []cachedReply
	uncached   bool // a call was not answered from the cache
	stored     int  // replies put into the cache

	silence silence
}

// silence measures the time that calls have waited since a service last answered one of them.
type silence struct {
	waiting int           // calls that wait now
	since   time.Time     // when waiting became positive, or the last answer
	before  time.Duration // time waited before since
}

// beginWait returns the remaining time of limit. end must be called once when the call ends.
func (w *Progress) beginWait(limit time.Duration) (left time.Duration, end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, now := &w.silence, time.Now()
	if s.waiting == 0 {
		s.since = now
	}
	s.waiting++
	return s.left(limit, now), func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if s.waiting--; s.waiting == 0 {
			s.before += time.Since(s.since)
		}
	}
}

// silenceLeft returns the remaining time of limit while calls wait.
func (w *Progress) silenceLeft(limit time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.silence.left(limit, time.Now())
}

func (s *silence) left(limit time.Duration, now time.Time) time.Duration {
	return limit - s.before - now.Sub(s.since)
}

// Task is a task. Done of its Total steps are complete.
type Task struct {
	Name        string // "full texts"
	Done, Total int
}

// BeginTask registers a task of n steps with the Progress of ctx, and with those that it is nested in.
// Each call of step completes one. A task of one step is not shown.
func BeginTask(ctx context.Context, name string, n int) (step func()) {
	return watchOf(ctx).begin(name, n)
}

func (w *Progress) begin(name string, n int) (step func()) {
	if w == nil || n < 2 {
		return func() {}
	}
	outer := w.outer.begin(name, n)
	work := &Task{Name: name, Total: n}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tasks = append(w.tasks, work)
	return func() {
		outer()
		w.mu.Lock()
		defer w.mu.Unlock()
		work.Done = min(work.Done+1, work.Total)
	}
}

// CurrentTask returns the most recent task that is not complete.
func (w *Progress) CurrentTask() (work Task, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, work := range slices.Backward(w.tasks) {
		if work.Done < work.Total {
			return *work, true
		}
	}
	return Task{}, false
}

// TotalSteps returns the number of steps of all tasks so far.
func (w *Progress) TotalSteps() (done, total int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, work := range w.tasks {
		done, total = done+work.Done, total+work.Total
	}
	return done, total
}

// Waiting describes a service that a command waits for.
type Waiting struct {
	Service string
	Attempt int
	Since   time.Time
}

// StaleReply is the oldest expired reply that was used because a service did not answer.
type StaleReply struct {
	Service string
	Stored  time.Time
}

type watchKey struct{}

// WithProgress returns a context whose calls w records. A Progress of ctx itself records the tasks too.
func WithProgress(ctx context.Context, w *Progress) context.Context {
	if outer := watchOf(ctx); outer != w {
		w.outer = outer
	}
	return context.WithValue(ctx, watchKey{}, w)
}

func watchOf(ctx context.Context) *Progress { w, _ := ctx.Value(watchKey{}).(*Progress); return w }

// Await tells the Progress of ctx that a command waits for service, until done is called.
func Await(ctx context.Context, service string) (attempt func(n int), endWait func()) {
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

// LongestWait returns the service that the command has waited for the longest.
func (w *Progress) LongestWait() (longest Waiting, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waits) == 0 {
		return Waiting{}, false
	}
	return *w.waits[0], true
}

// LongestSilence returns the same service as LongestWait, with Since no earlier than the last reply of any
// service.
func (w *Progress) LongestSilence() (longest Waiting, ok bool) {
	longest, ok = w.LongestWait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lastAnswer.After(longest.Since) {
		longest.Since = w.lastAnswer
	}
	return longest, ok
}

// SentRequest reports whether a request was sent to any service.
func (w *Progress) SentRequest() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// StaleReplies returns the services for which expired replies were used.
func (w *Progress) StaleReplies() []StaleReply {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.old)
}

func (w *Progress) noteOld(service string, stored time.Time) {
	if w == nil || stored.IsZero() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.old, func(o StaleReply) bool { return o.Service == service })
	if i < 0 {
		w.old = append(w.old, StaleReply{service, stored})
	} else if stored.Before(w.old[i].Stored) {
		w.old[i].Stored = stored
	}
}

// noteAnswer records that a service answered.
func (w *Progress) noteAnswer() {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.lastAnswer = time.Now()
		w.silence.since, w.silence.before = w.lastAnswer, 0
	}
}

// noteStored records that a reply was put into the cache.
func (w *Progress) noteStored() {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.stored++
	}
}

// StoredReplies returns the number of replies put into the cache.
func (w *Progress) StoredReplies() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stored
}

// LastReply returns the time of the last reply under ctx, or zero if unknown.
func LastReply(ctx context.Context) time.Time {
	w := watchOf(ctx)
	if w == nil {
		return time.Time{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lastAnswer
}

type endKey struct{}

type silenceKey struct{}

// WithSilenceLimit returns a context whose calls, all together, wait at most limit without an answer.
// Every answer starts the time anew, and work between calls does not count. Downloads have a limit of
// their own (Save). The context must have a Progress.
func WithSilenceLimit(ctx context.Context, limit time.Duration) context.Context {
	return context.WithValue(ctx, silenceKey{}, limit)
}

// limitSilence returns the context of a call under WithSilenceLimit. done must be called when the call
// has ended.
func limitSilence(ctx context.Context, c *Call) (_ context.Context, done func()) {
	w := watchOf(ctx)
	limit, ok := ctx.Value(silenceKey{}).(time.Duration)
	if !ok || w == nil || c.file != nil {
		return ctx, func() {}
	}
	left, end := w.beginWait(limit)
	s := &silenceContext{Context: ctx, ended: make(chan struct{})}
	if left <= 0 {
		s.end(context.DeadlineExceeded)
		return s, end
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(left, func() { s.expire(w, limit) })
	stop := context.AfterFunc(ctx, func() { s.end(ctx.Err()) })
	return s, func() {
		stop()
		s.end(context.Canceled)
		end()
	}
}

// silenceContext is the context of a call under WithSilenceLimit. It ends like a context whose deadline
// has passed, but an answer to any call of the command extends it.
type silenceContext struct {
	context.Context
	ended chan struct{}
	timer *time.Timer

	mu  sync.Mutex
	err error
}

func (s *silenceContext) Done() <-chan struct{} { return s.ended }

func (s *silenceContext) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// expire ends s, unless a call was answered since the timer was set.
func (s *silenceContext) expire(w *Progress, limit time.Duration) {
	left := w.silenceLeft(limit)
	if left <= 0 {
		s.end(context.DeadlineExceeded)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.timer.Reset(left)
	}
}

func (s *silenceContext) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if s.err = err; s.timer != nil {
		s.timer.Stop()
	}
	close(s.ended)
}

// HasEnd reports whether ctx is under WithEnd.
func HasEnd(ctx context.Context) bool { return ctx.Value(endKey{}) != nil }

// WithEnd returns a context whose calls all end at the given time. A later WithEnd replaces an earlier
// one.
func WithEnd(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, endKey{}, end)
}

// WithoutEnd returns a context whose calls have the deadline of the client each, for long work in many
// calls.
func WithoutEnd(ctx context.Context) context.Context { return context.WithValue(ctx, endKey{}, nil) }
