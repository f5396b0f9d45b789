package polite

import (
	"bytes"
	"context"
	"slices"
)

// Replies are what calls were answered with, each of them a reply from the cache whose
// time had not passed. As long as the cache gives the same ones, whoever makes the same
// calls gets the same answer; [Client.Holds] sees to that.
type Replies struct{ list []taken }

// taken is one of them, under its key in the cache.
type taken struct {
	call *Call
	key  string
	body []byte
}

// Size is how many bytes the replies have.
func (r Replies) Size() (n int) {
	for _, one := range r.list {
		n += len(one.body)
	}
	return n
}

// Replies are what the calls under the context of w were answered with; ok is false
// where one of them had its answer from elsewhere, had none, or where there was no call.
func (w *Watch) Replies() (r Replies, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Replies{slices.Clone(w.replies)}, len(w.replies) > 0 && !w.asked && !w.elsewhere
}

// noteReply notes what a call was answered with; key is "" where that is no reply from
// the cache whose time lasts.
func (w *Watch) noteReply(c *Call, key string, body []byte) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if key == "" {
		w.elsewhere = true
		return
	}
	kept := &Call{Endpoint: c.Endpoint, service: c.service} // what c holds besides may be large
	w.replies = append(w.replies, taken{kept, key, body})
}

// Holds reports whether the calls that were answered with some replies would be so
// again, without a request. Where they would, the replies count as taken from the cache
// once more.
func (c *Client) Holds(ctx context.Context, r Replies) bool {
	if c.cache.store == nil || fresh(ctx) || offline(ctx) {
		return false
	}
	for _, one := range r.list {
		body, ok, err := c.cache.store.Get(ctx, one.key)
		if err != nil || !ok || !bytes.Equal(body, one.body) {
			return false
		}
	}
	for _, one := range r.list {
		c.cache.took(ctx, one.call, len(one.body))
	}
	return true
}
