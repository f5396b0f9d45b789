package rag

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/store/vectors"
)

// slowService is a service in memory with a queue of requests. Like many services, it continues
// requests after their callers have left.
type slowService struct {
	perText, perRequest time.Duration // cost for one worker
	network             time.Duration // both ways
	workers             int
	queue               int         // requests; more are refused with 429; 0: any number
	limit               int         // texts of a request; more are refused with 413; 0: any number
	stalls              []time.Time // pairs: nothing is done between the two
	perSecond           int         // requests in a second; more are refused with 429 and Retry-After
	slow                []time.Time // pairs: work takes five times as long between the two

	mu       sync.Mutex
	free     []time.Time // when each worker is free
	under    int         // requests under way
	most     int         // texts under way, at most
	texts    int         // under way
	second   time.Time   // that is counted
	counted  int         // requests in it
	requests int
	refused  int
	answered map[string]int
}

func (s *slowService) RoundTrip(req *http.Request) (*http.Response, error) {
	var q struct{ Input []string }
	if err := json.NewDecoder(req.Body).Decode(&q); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.requests++
	if now := time.Now(); now.Sub(s.second) >= time.Second {
		s.second, s.counted = now, 0
	}
	if s.counted++; s.perSecond > 0 && s.counted > s.perSecond {
		s.refused++
		s.mu.Unlock()
		time.Sleep(s.network)
		refusal := status(http.StatusTooManyRequests, "")
		refusal.Header = http.Header{"Retry-After": {"1"}}
		return refusal, nil
	}
	if s.limit > 0 && len(q.Input) > s.limit {
		s.refused++
		s.mu.Unlock()
		time.Sleep(s.network)
		return status(http.StatusRequestEntityTooLarge, `{"error":"the batch is too large"}`), nil
	}
	if s.queue > 0 && s.under >= s.queue {
		s.refused++
		s.mu.Unlock()
		time.Sleep(s.network)
		return status(http.StatusTooManyRequests, ""), nil
	}
	if s.free == nil {
		s.free = make([]time.Time, max(s.workers, 1))
		s.answered = map[string]int{}
	}
	s.under++
	s.texts += len(q.Input)
	s.most = max(s.most, s.texts)
	w := 0
	for i, free := range s.free {
		if free.Before(s.free[w]) {
			w = i
		}
	}
	begin := time.Now().Add(s.network / 2)
	if s.free[w].After(begin) {
		begin = s.free[w]
	}
	work := s.perRequest + time.Duration(len(q.Input))*s.perText
	for i := 0; i < len(s.slow); i += 2 {
		if begin.After(s.slow[i]) && begin.Before(s.slow[i+1]) {
			work *= 5
		}
	}
	end := begin.Add(work)
	for i := 0; i < len(s.stalls); i += 2 {
		if from, to := s.stalls[i], s.stalls[i+1]; end.After(from) && begin.Before(to) {
			end = end.Add(to.Sub(from))
		}
	}
	s.free[w] = end
	s.mu.Unlock()
	wait := time.NewTimer(time.Until(end) + s.network/2)
	defer wait.Stop()
	gone := false
	select {
	case <-wait.C:
	case <-req.Context().Done():
		gone = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under--
	s.texts -= len(q.Input)
	if gone {
		return nil, req.Context().Err()
	}
	var items []string
	for i, text := range q.Input {
		s.answered[text]++
		items = append(items, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(text)))
	}
	return status(http.StatusOK, `{"data":[`+strings.Join(items, ",")+`]}`), nil
}

// capacity is how many texts a second the service can answer, in the best requests
// that the client may send.
func (s *slowService) capacity() (best float64) {
	for batch := 1; batch <= 64 && (s.limit == 0 || batch <= s.limit); batch++ {
		work := s.perRequest + time.Duration(batch)*s.perText
		can := min(float64(s.workers*batch)/work.Seconds(), float64(16*batch)/(work+s.network).Seconds())
		if s.perSecond > 0 {
			can = min(can, float64(s.perSecond*batch))
		}
		best = max(best, can)
	}
	return best
}

func (s *slowService) client(t *testing.T) *Remote {
	t.Helper()
	r, err := NewRemote(RemoteConfig{Provider: "openai", BaseURL: "http://service.test", Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// embedAll embeds n texts in four calls at once, as a sync does, and returns how
// long it took.
func (s *slowService) embedAll(t *testing.T, seed string, n int) time.Duration {
	t.Helper()
	began := time.Now()
	r := s.client(t)
	var wg sync.WaitGroup
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(i, strings.Repeat(" word", 50+rng.IntN(100)))
	}
	for part := range 4 {
		some := texts[part*n/4 : (part+1)*n/4]
		wg.Go(func() {
			got, err := r.Embed(context.Background(), some)
			if err != nil {
				t.Errorf("%s: %v", seed, err)
				return
			}
			for i, v := range got {
				if want := vectors.Unit([]float32{float32(len(some[i])), 1}); v == nil || v[0] != want[0] {
					t.Errorf("%s: text %d has the vector %v", seed, i, v)
				}
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

func TestEmbeddingKeepsPaceWithTheService(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      *slowService
		texts  int
		share  float64 // minimum share of the capacity
		atOnce int     // texts under way, at most
	}{
		{"one text a second", &slowService{perText: time.Second, network: time.Millisecond, workers: 1}, 300, 0.95, 16},
		{"a text in five seconds", &slowService{perText: 5 * time.Second, network: time.Millisecond, workers: 1}, 100, 0.95, 8},
		{"ten texts a second", &slowService{perText: 100 * time.Millisecond, network: 10 * time.Millisecond, workers: 1}, 2000, 0.9, 64},
		{"a fast one near by", &slowService{perText: time.Millisecond, perRequest: 5 * time.Millisecond, network: time.Millisecond, workers: 1}, 20000, 0.7, 1024},
		{"a fast one far away", &slowService{perText: time.Millisecond, perRequest: 50 * time.Millisecond, network: 200 * time.Millisecond, workers: 32}, 50000, 0.6, 1024},
		{"many workers, text by text", &slowService{perText: 100 * time.Millisecond, network: 10 * time.Millisecond, workers: 12}, 10000, 0.7, 1024},
		{"a short queue", &slowService{perText: 10 * time.Millisecond, perRequest: 20 * time.Millisecond, network: 10 * time.Millisecond, workers: 2, queue: 3}, 10000, 0.5, 512},
		{"one core, better in large requests", &slowService{perText: 200 * time.Millisecond, perRequest: time.Second, network: time.Millisecond, workers: 1}, 2000, 0.9, 128},
		{"one core, much better in large requests", &slowService{perText: 20 * time.Millisecond, perRequest: 500 * time.Millisecond, network: time.Millisecond, workers: 1}, 10000, 0.9, 512},
		{"one core, a little better in large requests", &slowService{perText: 100 * time.Millisecond, perRequest: 50 * time.Millisecond, network: time.Millisecond, workers: 1}, 2000, 0.9, 128},
		{"one core, 30 and 20 ms", &slowService{perText: 20 * time.Millisecond, perRequest: 30 * time.Millisecond, network: time.Millisecond, workers: 1}, 2000, 0.9, 512},
		{"one core, 200 and 2 ms", &slowService{perText: 2 * time.Millisecond, perRequest: 200 * time.Millisecond, network: time.Millisecond, workers: 1}, 10000, 0.9, 1024},
		{"one core, at most eight texts a request", &slowService{perText: 20 * time.Millisecond, perRequest: 30 * time.Millisecond, network: 50 * time.Millisecond, workers: 1, limit: 8}, 2000, 0.9, 512},
		{"one core far away, at most eight texts a request", &slowService{perText: 2 * time.Millisecond, perRequest: 20 * time.Millisecond, network: 100 * time.Millisecond, workers: 1, limit: 8}, 10000, 0.9, 512},
		{"one core, 200 and 2 ms, at most 20 texts", &slowService{perText: 2 * time.Millisecond, perRequest: 200 * time.Millisecond, network: 5 * time.Millisecond, workers: 1, limit: 20}, 4000, 0.9, 512},
		{"five requests a second", &slowService{perText: time.Millisecond, perRequest: 20 * time.Millisecond, network: 50 * time.Millisecond, workers: 8, perSecond: 5}, 20000, 0.7, 1024},
	} {
		if testing.Short() && c.texts > 2000 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// The pace depends on which of the four calls the scheduler runs first, so the
				// median of several short runs is judged.
				rates := make([]float64, 1)
				if c.texts <= 2000 {
					rates = make([]float64, 5)
				}
				for i := range rates {
					rates[i] = float64(c.texts) / c.s.embedAll(t, c.name, c.texts).Seconds()
				}
				slices.Sort(rates)
				rate := rates[len(rates)/2]
				t.Logf("%.1f texts a second (%.1f) of %.1f, %d requests, %d refused, at most %d texts at once",
					rate, rates, c.s.capacity(), c.s.requests, c.s.refused, c.s.most)
				if rate < c.share*c.s.capacity() {
					t.Errorf("%.1f texts a second, want %.0f %% of %.1f", rate, 100*c.share, c.s.capacity())
				}
				if c.s.most > c.atOnce {
					t.Errorf("%d texts at once, want at most %d", c.s.most, c.atOnce)
				}
				for text, n := range c.s.answered {
					if n != len(rates) {
						t.Errorf("%.20q was answered %d times, want %d", text, n, len(rates))
					}
				}
			})
		})
	}
}

// A service whose capacity drops by four fifths at times is used up to its capacity.
func TestEmbeddingFollowsACapacityThatChanges(t *testing.T) {
	const period = 30 * time.Second // of either speed
	synctest.Test(t, func(t *testing.T) {
		s := &slowService{perText: 8 * time.Millisecond, perRequest: 10 * time.Millisecond, network: 20 * time.Millisecond, workers: 4}
		for at := time.Now().Add(period); len(s.slow) < 40; at = at.Add(2 * period) {
			s.slow = append(s.slow, at, at.Add(period))
		}
		const n = 60000
		took := s.embedAll(t, "a capacity that changes", n)
		ideal := s.capacity() * (1 + 0.2) / 2
		t.Logf("%.1f texts a second of %.1f, %d requests, at most %d texts at once", n/took.Seconds(), ideal, s.requests, s.most)
		if n/took.Seconds() < 0.8*ideal {
			t.Error("want 80 % of the capacity")
		}
	})
}

// Services of drawn speeds, queues and stalls: every text is embedded, whenever its
// service answers, and not much later than the service could have done it.
func TestEveryTextIsEmbeddedOnceItsServiceAnswers(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 15))
		log := func(lo, hi time.Duration) time.Duration { // uniform in its magnitude
			return time.Duration(float64(lo) * math.Pow(float64(hi)/float64(lo), rng.Float64()))
		}
		synctest.Test(t, func(t *testing.T) {
			s := &slowService{
				perText: log(time.Millisecond, 5*time.Second), perRequest: log(time.Millisecond, time.Second),
				network: log(time.Millisecond, time.Second), workers: 1 + rng.IntN(8),
			}
			if rng.IntN(3) == 0 {
				s.queue = s.workers + 1 + rng.IntN(4)
			}
			n := 4 * (50 + rng.IntN(200))
			ideal := time.Duration(float64(n) / s.capacity() * float64(time.Second))
			stalled := time.Duration(0)
			at := time.Now()
			for range rng.IntN(3) {
				from := at.Add(time.Duration(rng.Int64N(int64(ideal + time.Second))))
				at = from.Add(time.Duration(rng.Int64N(int64(2 * time.Minute))))
				s.stalls = append(s.stalls, from, at)
				stalled += at.Sub(from)
			}
			name := fmt.Sprintf("seed %d: %v a text, %v a request, %v on the way, %d workers, queue %d, stalled %v, %d texts",
				seed, s.perText, s.perRequest, s.network, s.workers, s.queue, stalled, n)
			took := s.embedAll(t, name, n)
			start := 40 * (s.perText + s.perRequest + s.network)
			t.Logf("%s: %v of %v, %d requests", name, took, ideal, s.requests)
			if took > 3*ideal+start+4*stalled {
				t.Errorf("%s: took %v, the service needs %v", name, took, ideal)
			}
		})
	}
}

func status(code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Body: io.NopCloser(strings.NewReader(body))}
}
