package polite

import (
	"context"
	"net/http"
	"time"
)

// deadline is the one limit over queue, retries and transfer.
type deadline struct {
	next  http.RoundTripper
	limit time.Duration
}

func (d *deadline) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), d.limit)
	defer cancel() // the answer is in memory: nothing is read after this
	return d.next.RoundTrip(req.WithContext(ctx))
}
