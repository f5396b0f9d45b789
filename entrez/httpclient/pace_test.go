package httpclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

// rule fails if more than limit of the times lie within one second.
func rule(t *testing.T, times []time.Time, limit int) {
	t.Helper()
	for i := limit; i < len(times); i++ {
		if d := times[i].Sub(times[i-limit]); d < time.Second {
			t.Errorf("requests %d to %d came within %v: more than %d a second", i-limit, i, d, limit)
		}
	}
}

func crowd(t *testing.T, n int, rts ...*Client) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := search(t.Context(), rts[i%len(rts)], fmt.Sprint("term ", i)); err != nil {
				t.Errorf("request %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

func TestPace(t *testing.T) {
	cases := []struct {
		name  string
		key   string
		delay time.Duration
		limit int
		last  time.Duration // when the last of 30 requests is sent
	}{
		{"no key", "", 0, 3, 29 * 350 * time.Millisecond},
		{"a key", secret, 0, 10, 29 * 110 * time.Millisecond},
		{"a smaller delay is raised", "", time.Millisecond, 3, 29 * 350 * time.Millisecond},
		{"a smaller delay is raised to the key's", secret, 109 * time.Millisecond, 10, 29 * 110 * time.Millisecond},
		{"a larger delay is kept", secret, time.Second, 10, 29 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				net := always(200, good)
				o := options(net)
				o.Keys, o.Delay = keys(c.key), c.delay
				rt := open(o)
				crowd(t, 30, rt)
				rule(t, net.times, c.limit)
				lane := "ncbi"
				if c.key != "" {
					lane = "ncbi-key"
				}
				if n := remembered(rt, lane); n != c.limit {
					t.Errorf("%d requests are remembered, want the last %d", n, c.limit)
				}
				if last := net.times[29].Sub(began); last != c.last {
					t.Errorf("the last of 30 left after %v, want %v", last, c.last)
				}
			})
		})
	}
}

func TestPaceAcrossProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		net := always(200, good)
		o := options(net)
		o.SlotDir = filepath.Join(t.TempDir(), "made", "on demand")
		crowd(t, 24, open(o), open(o), open(o)) // three stacks know of each other by the folder alone
		rule(t, net.times, 3)
		if last := net.times[23].Sub(began); last > 23*350*time.Millisecond+50*time.Millisecond {
			t.Errorf("slots were lost: the last of 24 left after %v", last)
		}
	})
}

func TestPaceServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := always(200, good)
		rt := open(options(net))
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() { search(t.Context(), rt, fmt.Sprint("nr", i)) })
			synctest.Wait()
		}
		wg.Wait()
		for i, form := range net.forms {
			if !strings.Contains(form, fmt.Sprint("nr", i)) {
				t.Fatalf("request %d overtook: %s", i, form)
			}
		}
	})
}

func TestCancelledCallsLeaveTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := always(200, good)
		o := options(net)
		o.SlotDir = t.TempDir()
		rt := open(o)
		search(t.Context(), rt, "first")

		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				if _, err := search(ctx, rt, fmt.Sprint("leaver ", i)); !errors.Is(err, context.Canceled) {
					t.Errorf("a leaver got %v", err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		cancel()
		wg.Wait()
		if d := time.Since(began); d != 0 {
			t.Errorf("leaving took %v", d)
		}
		search(t.Context(), rt, "stayer")
		if d := time.Since(began); d > 350*time.Millisecond {
			t.Errorf("who stayed waited %v behind those who left", d)
		}
		if net.count() != 2 {
			t.Errorf("%d requests were made, want 2", net.count())
		}
	})
}

func TestQueueLongerThanTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		l := newLimiter("ncbi", dir, 3, 350*time.Millisecond, discard)
		full := func(b *ledger) { b.next = time.Now().Add(time.Minute).UnixNano() }
		if _, err := editFile(t.Context(), dir, "pace-ncbi", full); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		failure(t, l.wait(ctx, "NCBI"), Timeout)
		if time.Since(began) != 0 {
			t.Error("it waited for a slot that could not be used")
		}
		b, _ := editFile(t.Context(), dir, "pace-ncbi", func(*ledger) {})
		if b.next != began.Add(time.Minute).UnixNano() {
			t.Error("it took a slot that it could not use")
		}
	})
}

// A request that is sent late (a slow dial, a busy machine) must not coincide with requests that
// are sent on time.
func TestLateRequestDelaysTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		late := newLimiter("ncbi", dir, 3, 350*time.Millisecond, discard)
		prompt := newLimiter("ncbi", dir, 3, 350*time.Millisecond, discard)
		var mu sync.Mutex
		var times []time.Time
		leave := func(l *limiter, dial time.Duration) {
			if err := l.wait(t.Context(), "NCBI"); err != nil {
				t.Error(err)
			}
			sleep(t.Context(), dial)
			l.awaitSend(t.Context())
			mu.Lock()
			times = append(times, time.Now())
			mu.Unlock()
		}
		var wg sync.WaitGroup
		wg.Go(func() { leave(late, 300*time.Millisecond) })
		synctest.Wait()
		for range 6 {
			leave(prompt, 0)
		}
		wg.Wait()
		rule(t, times, 3)
		if d := times[6].Sub(times[0]); d > 6*350*time.Millisecond+time.Millisecond {
			t.Errorf("a late request cost a slot: %v", d)
		}
	})
}

// A process killed while it holds a slot wastes only that slot.
func TestKilledProcessLeavesOneSlotUnused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		killed := newLimiter("ncbi", dir, 3, 350*time.Millisecond, discard)
		killed.edit(t.Context(), func(b *ledger) { b.reserve(time.Now().UnixNano(), 0, killed.spacing) })
		net := always(200, good)
		o := options(net)
		o.SlotDir = dir
		began := time.Now()
		crowd(t, 3, open(o))
		if d := net.times[0].Sub(began); d != 350*time.Millisecond {
			t.Errorf("the next request was sent after %v, want 350 ms", d)
		}
		if d := net.times[2].Sub(net.times[0]); d != 700*time.Millisecond {
			t.Errorf("the third request was sent %v after the first, want 700 ms", d)
		}
	})
}

var discard = slog.New(slog.DiscardHandler)

func TestSlotFileHealsItself(t *testing.T) {
	now := time.Now()
	future := ledger{next: now.Add(240 * time.Hour).UnixNano(), sentTimes: []int64{
		now.Add(240 * time.Hour).UnixNano(), now.Add(240 * time.Hour).UnixNano(), now.Add(240 * time.Hour).UnixNano()}}
	whole := ledger{next: now.UnixNano(), sentTimes: []int64{now.UnixNano()}}.encode()
	files := map[string][]byte{
		"empty":             {},
		"cut off":           whole[:len(whole)/3],
		"one digit changed": []byte(strings.Replace(string(whole), "1 ", "2 ", 1)),
		"a stranger's":      []byte(strings.Repeat("\x00\xffPK\x03\x04", 4000)),
		"another version":   []byte("biomcp-pace 1 00000000 1 2 3"),
		"no numbers":        []byte("biomcp-pace 2 00000000 x"),
		"another clock":     future.encode(),
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "pace-ncbi"), data, 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) { // its clock begins in the year 2000
				began := time.Now()
				net := always(200, good)
				o := options(net)
				o.SlotDir = dir
				crowd(t, 6, open(o), open(o))
				rule(t, net.times, 3)
				if d := time.Since(began); d > 3*time.Second {
					t.Errorf("6 requests took %v", d)
				}
			})
		})
	}
}

func TestPaceWithoutASharedFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		net := always(200, good)
		o := options(net)
		log, text := logger()
		o.SlotDir, o.Logger = filepath.Join(file, "slots"), log
		crowd(t, 12, open(o))
		rule(t, net.times, 3)
		if n := strings.Count(text.String(), "request rate cannot be used"); n != 1 {
			t.Errorf("said %d times that the folder cannot be used, want once:\n%s", n, text)
		}
		if strings.Contains(text.String(), file) {
			t.Error("the log names a local path")
		}
	})
}

func TestProcessesShareThePaceInTheSpareFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, unusable := range []string{filepath.Join(file, "slots"), ""} {
		synctest.Test(t, func(t *testing.T) {
			net := always(200, good)
			o := options(net)
			o.SlotDir, o.SpareDir = unusable, filepath.Join(dir, "spare")
			crowd(t, 12, open(o), open(o), open(o), open(o))
			rule(t, net.times, 3)
		})
	}
	if err := os.Chmod(filepath.Join(dir, "spare"), 0o777); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && makePrivate(filepath.Join(dir, "spare")) == nil {
		t.Error("a folder that others may write to is used")
	}
}

func TestRetryAfterHoldsForTheNextRequests(t *testing.T) {
	for _, status := range []int{429, 503} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := inTurn(says(status, "busy", "Retry-After", "20"), says(200, good))
				o := options(net)
				o.SlotDir, o.MaxRetries = t.TempDir(), 0
				if _, err := search(t.Context(), open(o), "first"); err == nil {
					t.Fatal("no error")
				}
				short, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if _, err := search(short, open(o), "no time"); err == nil {
					t.Fatal("no error")
				}
				if _, err := search(t.Context(), open(o), "another process"); err != nil {
					t.Fatal(err)
				}
				if d := net.times[1].Sub(net.times[0]); d < 20*time.Second || d > 21*time.Second {
					t.Errorf("after status %d the next request came after %v, want 20 s", status, d)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		net := always(429, limitBody, "Retry-After", "600")
		c := open(options(net))
		for i := range 2 {
			_, err := search(t.Context(), c, fmt.Sprint(i))
			if f := failure(t, err, RateLimited); f.RetryAfter < 9*time.Minute {
				t.Errorf("RetryAfter %v", f.RetryAfter)
			}
		}
		if net.count() != 1 {
			t.Errorf("%d requests to a service that asked for none", net.count())
		}
	})
}

func TestQueueLongerThanTheDeadlineIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(options(always(200, good)))
		began := time.Now()
		var refused atomic.Int32
		var wg sync.WaitGroup
		for i := range 200 { // at 350 ms each: 70 s under a deadline of 60
			wg.Go(func() {
				if _, err := search(t.Context(), c, fmt.Sprint(i)); err != nil && time.Since(began) == 0 {
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		if n := refused.Load(); n < 25 || n > 30 {
			t.Errorf("%d of 200 were refused at once, want those past a minute", n)
		}
	})
	b := ledger{next: 90e9}
	if slot, ok := b.reserve(1, 60e9, 350e6); !ok || slot != 1 {
		t.Errorf("a slot past any deadline is believed: %d %v", slot, ok)
	}
}

func TestPaceWithALockThatIsNeverReleased(t *testing.T) {
	dir := t.TempDir()
	lock := flock.New(filepath.Join(dir, "pace-ncbi.lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	synctest.Test(t, func(t *testing.T) {
		net := always(200, good)
		o := options(net)
		o.SlotDir = dir
		rt := open(o)
		began := time.Now()
		crowd(t, 6, rt)
		rule(t, net.times, 3)
		if d := time.Since(began); d > lockTimeout+2*time.Second {
			t.Errorf("6 requests took %v with a lock that is never released", d)
		}
	})
}

func FuzzBook(f *testing.F) {
	f.Add(ledger{next: 1, sentTimes: []int64{2, 3}}.encode())
	f.Add([]byte("biomcp-pace 2 00000000 "))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, ok := decodeLedger(data)
		if !ok {
			return
		}
		again, ok := decodeLedger(b.encode())
		if !ok || again.next != b.next || len(again.sentTimes) != len(b.sentTimes) {
			t.Errorf("%v became %v", b, again)
		}
	})
}

func BenchmarkSlot_1(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if _, err := editFile(b.Context(), dir, "pace-ncbi", func(k *ledger) {
			k.reserve(time.Now().UnixNano(), 0, time.Nanosecond)
			k.send(time.Now().UnixNano(), 3, time.Nanosecond)
		}); err != nil {
			b.Fatal(err)
		}
	}
}
