package httpclient_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/httpclient"
)

// A part that does not arrive is cancelled StragglerTimeout after the others, but a single part is not.
func TestPartsAreNotHeldUpByOne(t *testing.T) {
	for name, c := range map[string]struct {
		takes []time.Duration // duration of each part; 0 means that it never ends
		want  time.Duration
		late  int
	}{
		"one hangs":               {[]time.Duration{time.Second, 0, 2 * time.Second}, 2*time.Second + httpclient.StragglerTimeout, 1},
		"two hang":                {[]time.Duration{0, 3 * time.Second, 0}, 3*time.Second + httpclient.StragglerTimeout, 2},
		"slow, but it comes":      {[]time.Duration{time.Second, 5 * time.Second, 9 * time.Second}, 9 * time.Second, 0},
		"alone it has its time":   {[]time.Duration{20 * time.Second}, 20 * time.Second, 0},
		"all are slow":            {[]time.Duration{20 * time.Second, 21 * time.Second}, 21 * time.Second, 0},
		"there is nothing to ask": {nil, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, errs := time.Now(), make([]error, len(c.takes))
				err := httpclient.FetchAll(t.Context(), 0, len(c.takes), func(ctx context.Context, i int) {
					var came <-chan time.Time
					if c.takes[i] > 0 {
						came = time.After(c.takes[i])
					}
					select {
					case <-came:
					case <-ctx.Done():
						errs[i] = httpclient.StragglerError(ctx, "Sky", ctx.Err())
					}
				})
				late := 0
				for _, err := range errs {
					if err != nil {
						if late++; !httpclient.IsKind(err, httpclient.Timeout) || err.Error() != "Sky did not answer within 5s of the others" || !errors.Is(err, context.DeadlineExceeded) {
							t.Error(err)
						}
					}
				}
				if took := time.Since(began); err != nil || took != c.want || late != c.late {
					t.Errorf("%v, %d late, %v", took, late, err)
				}
			})
		})
	}
}

func TestPartsOfACallThatIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := httpclient.FetchAll(ctx, 0, 2, func(ctx context.Context, _ int) { <-ctx.Done() }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestPanicOfAPartIsTheCallers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_ = httpclient.FetchAll(t.Context(), 0, 2, func(_ context.Context, i int) {
		if i == 1 {
			panic("a part")
		}
	})
}
