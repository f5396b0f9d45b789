package entrez_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
)

// A panic in a goroutine that makes a request is raised in the caller, where a server can recover.
func TestPanicReachesTheCaller(t *testing.T) {
	c, err := httpclient.New(httpclient.Config{Cache: panicking{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "a bug in the cache") {
			t.Errorf("recovered %.100q", p)
		}
	}()
	ids := make([]string, 450) // three batches at a time
	for i := range ids {
		ids[i] = fmt.Sprint(i + 1)
	}
	got, err := entrez.New(c).Fetch(t.Context(), ids)
	t.Errorf("got %v, %v", got, err)
}

// panicking is a cache that panics.
type panicking struct{}

func (panicking) Get(context.Context, string) ([]byte, bool, error) { panic("a bug in the cache") }

func (panicking) GetStale(context.Context, string) ([]byte, time.Time, bool, error) { panic("test") }

func (panicking) Put(context.Context, string, []byte, time.Duration) error { return nil }
func (panicking) Delete(context.Context, string) error                     { return nil }
