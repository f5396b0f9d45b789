package httpclient

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A reply reported as unreadable is removed from the cache: the next call requests it again, and it
// is not offered when the source is unreachable.
func TestUnreadableRepliesAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := inTurn(says(200, good), says(200, good), says(200, good), breaks(errors.New("no route")))
		cfg := options(net)
		cfg.Cache, cfg.MaxRetries = &memory{}, 0
		service := open(cfg).Service(source)
		do := func() (*Call, error) {
			call := NewCall(Endpoint{Form: XML, TTL: time.Hour}, "term", "x")
			_, err := service.Do(t.Context(), call)
			return call, err
		}
		for asked, kept := range []bool{false, false, true} {
			call, err := do()
			if kept {
				call, err = do()
			}
			if err != nil || net.count() != asked+1 {
				t.Fatalf("asked %d times, want %d: %v", net.count(), asked+1, err)
			}
			_ = call.UnreadableError(errors.New("it makes no sense"))
		}
		if _, err := do(); !IsKind(err, Unreachable) {
			t.Errorf("%v", err)
		}
	})
}
