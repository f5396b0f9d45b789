package rag

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"
)

// Embed sends texts in requests of the size, and as many at once, as the service
// can answer (flow). A text is first cut, at a blank, to two thirds of MaxTokens
// as CountTokens reckons: models count a biomedical word as one and a half
// tokens. What a service refuses as too long is sent again in two halves, a single
// text cut to its first half, four times at most. What has timed out is sent again
// in smaller requests, until nothing was answered for Deadline.
func (r *Remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	err := r.EmbedEach(ctx, texts, func(from int, vectors [][]float32) error {
		copy(out[from:], vectors)
		return nil
	})
	return out, err
}

// EmbedEach calls each with the vectors of every answer, and the place of the first
// among the texts; several calls may be made at once. After a failure no more is
// sent; what is under way is still answered.
func (r *Remote) EmbedEach(ctx context.Context, texts []string, each func(from int, vectors [][]float32) error) error {
	left := &portions{list: []portion{{to: len(texts)}}}
	group := pool.New().WithErrors().WithFirstError()
	for range min(len(texts), r.c.Concurrency) {
		group.Go(func() error {
			err := r.sendPortions(ctx, texts, left, each)
			if err != nil {
				left.drop()
			}
			return err
		})
	}
	return group.Wait()
}

func (r *Remote) sendPortions(ctx context.Context, texts []string, left *portions, each func(int, [][]float32) error) error {
	for !left.empty() {
		n, err := r.flow.acquire(ctx)
		if err != nil {
			return err
		}
		s, ok := left.take(n)
		if !ok {
			r.flow.release(nil)
			return nil
		}
		sent := time.Now()
		out, err := r.sendPortion(ctx, texts, s)
		from := s.from
		s.from += len(out)
		if err != nil && r.again(&s, err, sent) {
			left.put(s)
			err = nil
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
			r.flow.release(nil)
		} else {
			r.flow.release(err)
		}
		if len(out) > 0 {
			if stored := each(from, out); err == nil {
				err = stored
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sendPortion returns the vectors of the first texts of a portion: with an error, those
// that were answered before it.
func (r *Remote) sendPortion(ctx context.Context, texts []string, s portion) ([][]float32, error) {
	batch := make([]string, 0, s.to-s.from)
	for _, text := range texts[s.from:s.to] {
		batch = append(batch, firstTokens(text, r.c.MaxTokens*2/3))
	}
	out := make([][]float32, len(batch))
	err := r.embed(ctx, batch, out, s.began, 4)
	if n := slices.IndexFunc(out, func(v []float32) bool { return v == nil }); n >= 0 {
		out = out[:n]
	}
	return out, err
}

// again notes a failure of a portion that was sent at a time, and reports whether
// it is sent again: after a time-out, in what may be smaller requests, until a
// single text has timed out too often; after another failure that may pass, while
// the service answers other requests.
func (r *Remote) again(p *portion, err error, sent time.Time) bool {
	var e *EmbedError
	switch {
	case !errors.As(err, &e) || !e.temporary():
		return false
	case !timedOut(err) && !r.flow.answeredSince(sent):
		return false
	case !timedOut(err) || p.to-p.from == 1:
		p.failures++
	}
	return p.failures <= max(r.c.Retries, 0) && r.flow.patience(p.began) > 0
}

// portion is a part of the texts.
type portion struct {
	from, to int
	began    time.Time // when it was first sent
	failures int       // other than time-outs of several texts
}

// portions are the texts that are not under way.
type portions struct {
	mu   sync.Mutex
	list []portion
}

func (s *portions) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.list) == 0
}

// take takes at most n texts.
func (s *portions) take(n int) (portion, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return portion{}, false
	}
	last := len(s.list) - 1
	first := s.list[last]
	if first.to-first.from > n {
		s.list[last].from += n
		first.to = first.from + n
	} else {
		s.list = s.list[:last]
	}
	if first.began.IsZero() {
		first.began = time.Now()
	}
	return first, true
}

func (s *portions) put(again portion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, again)
}

func (s *portions) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
}

// firstTokens cuts text after n tokens.
func firstTokens(text string, n int) string {
	if len(text) <= n { // a token takes a byte at least
		return text
	}
	if pieces := split(nil, text); len(pieces) > n {
		return strings.TrimSpace(text[:pieces[n].start])
	}
	return text
}

// embed sends texts and fills out with their vectors, in their order. began is when
// the texts were first sent.
func (r *Remote) embed(ctx context.Context, texts []string, out [][]float32, began time.Time, cuts int) error {
	reply, err := r.post(ctx, texts, began)
	switch {
	case err != nil && tooLong(err) && len(texts) > 1:
		half := len(texts) / 2
		if err := r.embed(ctx, texts[:half], out[:half], began, cuts); err != nil {
			return err
		}
		return r.embed(ctx, texts[half:], out[half:], began, cuts)
	case err != nil && tooLong(err) && cuts > 0 && CountTokens(texts[0]) > 1:
		return r.embed(ctx, []string{firstTokens(texts[0], CountTokens(texts[0])/2)}, out, began, cuts-1)
	case err != nil:
		return err
	}
	return r.read(reply, out)
}

// read reads a reply with one vector for each place in out.
func (r *Remote) read(reply []byte, out [][]float32) error {
	vectors, err := r.p.vectors(reply, len(out))
	if err != nil {
		return r.fail(EmbedBadReply, "its answer cannot be used: "+err.Error(), err)
	}
	for i, v := range vectors {
		if r.dim.CompareAndSwap(0, int64(len(v))); int64(len(v)) != r.dim.Load() {
			return r.fail(EmbedBadReply, fmt.Sprintf("vectors of %d and of %d numbers", r.dim.Load(), len(v)), nil)
		}
		if out[i] = unitVector(v); out[i] == nil {
			return r.fail(EmbedBadReply, "a vector without length", nil)
		}
	}
	return nil
}

// unitVector scales v to length 1; nil where it has no finite length.
func unitVector(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if norm := math.Sqrt(sum); norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(norm) {
		for i, x := range v {
			v[i] = float32(float64(x) / norm)
		}
		return v
	}
	return nil
}
