package rag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"biomcp/store/vectors"
)

// Embed sends texts in several requests at the same time, and adapts their size and number to
// the service (flow). It first cuts each text, at a blank, to two thirds of MaxTokens as
// counted by CountTokens, because models use about one and a half tokens per biomedical word.
// If a service refuses a request as too long, its two halves are sent; a single text is halved
// instead, at most four times. After a time-out, texts are sent again in smaller requests, and
// after a refusal because of overload, later. Embed fails if no request was answered for
// Deadline.
func (r *Remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	err := r.EmbedEach(ctx, texts, func(from int, vectors [][]float32) error {
		copy(out[from:], vectors)
		return nil
	})
	return out, err
}

// EmbedEach calls visit with the vectors of each answer; from is the index of the first one's
// text. Calls may be concurrent. After a failure it sends no more texts, but still passes on
// answers to earlier requests.
func (r *Remote) EmbedEach(ctx context.Context, texts []string, visit func(from int, vectors [][]float32) error) error {
	left := &portions{list: []portion{{to: len(texts)}}}
	group := pool.New().WithErrors().WithFirstError()
	for range min(len(texts), r.c.Concurrency) {
		group.Go(func() error {
			for !left.empty() {
				if err := r.sendNext(ctx, texts, left, visit); err != nil {
					left.drop()
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// sendNext sends a portion of the texts, and puts it back if it must be sent again.
func (r *Remote) sendNext(
	ctx context.Context, texts []string, pending *portions, visit func(int, [][]float32) error,
) error {
	n, err := r.flow.acquire(ctx)
	if err != nil {
		return err
	}
	p, ok := pending.next(n)
	if !ok {
		r.flow.release(nil)
		return nil
	}
	batch := make([]string, 0, n)
	for _, text := range texts[p.from:p.to] {
		batch = append(batch, firstTokens(text, r.c.MaxTokens*2/3))
	}
	from, out := p.from, make([][]float32, len(batch))
	err = r.embed(ctx, batch, out, p.began, 4)
	if n := slices.IndexFunc(out, func(v []float32) bool { return v == nil }); n >= 0 {
		out = out[:n]
	}
	p.from += len(out)
	if err != nil && r.shouldRetry(&p, err) {
		pending.add(p)
		err = nil
	}
	if ctx.Err() != nil {
		r.flow.release(nil) // this is not a failure for other callers
		err = context.Cause(ctx)
	} else {
		r.flow.release(err)
	}
	if len(out) > 0 {
		if stored := visit(from, out); err == nil {
			err = stored
		}
	}
	return err
}

// shouldRetry reports whether to send a portion again that failed with err.
func (r *Remote) shouldRetry(p *portion, err error) bool {
	var e *EmbedError
	switch {
	case r.flow.timeLeft(p.began) <= 0 || !errors.As(err, &e):
		return false
	case !timedOut(err):
		return e.overload() && r.dim.Load() > 0 // the service has answered before
	case p.to-p.from == 1:
		p.timeouts++
	}
	return p.timeouts <= max(r.c.Retries, 0)
}

// A portion is a range of the texts.
type portion struct {
	from, to int
	began    time.Time // time when it was first sent
	timeouts int       // number of time-outs as a single text
}

// portions holds the texts that are not being sent.
type portions struct {
	mu   sync.Mutex
	list []portion
}

func (s *portions) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.list) == 0
}

// next removes and returns a portion of at most n texts.
func (s *portions) next(n int) (portion, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.list) - 1
	if last < 0 {
		return portion{}, false
	}
	p := s.list[last]
	if p.to = min(p.to, p.from+n); p.to < s.list[last].to {
		s.list[last].from = p.to
	} else {
		s.list = s.list[:last]
	}
	if p.began.IsZero() {
		p.began = time.Now()
	}
	return p, true
}

func (s *portions) add(p portion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, p)
}

func (s *portions) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
}

// firstTokens returns the first n tokens of text.
func firstTokens(text string, n int) string {
	if len(text) <= n { // a token has at least one byte
		return text
	}
	if pieces := split(nil, text); len(pieces) > n {
		return strings.TrimSpace(text[:pieces[n].start])
	}
	return text
}

// embed sends texts and sets out to their vectors, in order. began is the time when the texts
// were first sent. A single text may be cut at most cuts times.
func (r *Remote) embed(ctx context.Context, texts []string, out [][]float32, began time.Time, cuts int) error {
	reply, err := r.post(ctx, r.retry, texts, began)
	switch {
	case err == nil:
		r.flow.noteSize(len(texts), true)
		return r.read(reply, out)
	case !tooLong(err):
		return err
	case len(texts) > 1:
		r.flow.noteSize(len(texts), false)
		half := len(texts) / 2
		if err := r.embed(ctx, texts[:half], out[:half], began, cuts); err != nil {
			return err
		}
		return r.embed(ctx, texts[half:], out[half:], began, cuts)
	case cuts > 0 && CountTokens(texts[0]) > 1:
		return r.embed(ctx, []string{firstTokens(texts[0], CountTokens(texts[0])/2)}, out, began, cuts-1)
	}
	return err
}

// read parses a reply that must have one vector for each element of out.
func (r *Remote) read(reply []byte, out [][]float32) error {
	list, err := r.p.vectors(reply)
	if err == nil && len(list) != len(out) {
		err = fmt.Errorf("%d vectors for %d texts", len(list), len(out))
	}
	if err != nil {
		return r.fail(EmbedBadReply, "its answer cannot be used: "+err.Error(), err)
	}
	dim := r.dim.Load()
	for i, v := range list {
		if len(v) == 0 {
			return r.fail(EmbedBadReply, "an empty vector", nil)
		}
		if dim = cmp.Or(dim, int64(len(v))); int64(len(v)) != dim {
			return r.fail(EmbedBadReply, fmt.Sprintf("vectors of %d and of %d numbers", dim, len(v)), nil)
		}
		if out[i] = vectors.Unit(v); out[i] == nil {
			return r.fail(EmbedBadReply, "a vector of length zero", nil)
		}
	}
	if !r.dim.CompareAndSwap(0, dim) && r.dim.Load() != dim { // another reply has set it meanwhile
		return r.fail(EmbedBadReply, fmt.Sprintf("vectors of %d and of %d numbers", r.dim.Load(), dim), nil)
	}
	return nil
}
