package httpclient

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// The many requests of one caller wait behind each other, and another caller waits for at most one
// of them.
func TestCallersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := always(200, good)
		rt := open(options(net))
		var greedy, modest, second Caller
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() { search(greedy.Context(t.Context()), rt, fmt.Sprint("much", i)) })
			synctest.Wait()
		}
		for i := range 3 {
			wg.Go(func() { search(modest.Context(t.Context()), rt, fmt.Sprint("little", i)) })
			wg.Go(func() { search(second.Context(t.Context()), rt, fmt.Sprint("other", i)) })
			wg.Go(func() { search(t.Context(), rt, fmt.Sprint("nobody", i)) })
			synctest.Wait()
		}
		wg.Wait()
		place := map[string]int{}
		for i, form := range net.forms {
			for _, who := range []string{"much", "little", "other", "nobody"} {
				if strings.Contains(form, who) {
					place[who] = i + 1
				}
			}
		}
		if n := len(net.forms); n != 29 {
			t.Fatalf("%d requests, want 29", n)
		}
		if place["much"] != 29 {
			t.Errorf("the last request of the greedy caller is number %d, want 29", place["much"])
		}
		const latest = 2 + 3*4 // the greedy caller's first two requests had left the queue before
		for _, who := range []string{"little", "other", "nobody"} {
			if place[who] > latest {
				t.Errorf("the last request of %q is number %d, want at most %d", who, place[who], latest)
			}
		}
		rule(t, net.times, 3)
	})
}
