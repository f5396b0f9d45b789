package httpclient

import (
	"bytes"
	"context"
	"slices"
)

// Replies are cached replies of several calls that had not expired. While the cache returns the
// same replies, repeating the calls gives the same answer; [Client.StillCached] checks this.
type Replies struct{ list []cachedReply }

// cachedReply is one reply with its key in the cache.
type cachedReply struct {
	call *Call
	key  string
	body []byte
}

// Size returns the total length of the replies in bytes.
func (r Replies) Size() (n int) {
	for _, one := range r.list {
		n += len(one.body)
	}
	return n
}

// Replies returns the replies of the calls under the context of w. ok is false if any call was not
// answered from the cache, or if there was no call.
func (w *Progress) Replies() (r Replies, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Replies{slices.Clone(w.replies)}, len(w.replies) > 0 && !w.asked && !w.uncached
}

// noteReply records the reply of a call. key is "" unless it is a cached reply that has not
// expired.
func (w *Progress) noteReply(c *Call, key string, body []byte) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if key == "" {
		w.uncached = true
		return
	}
	kept := &Call{Endpoint: c.Endpoint, service: c.service} // without the rest of c, which may be large
	w.replies = append(w.replies, cachedReply{kept, key, body})
}

// StillCached reports whether the same calls would get the same replies from the cache without a request.
// If so, the replies count as read from the cache again.
func (c *Client) StillCached(ctx context.Context, r Replies) bool {
	if c.cache.store == nil || cacheDisabled(ctx) || offline(ctx) {
		return false
	}
	for _, one := range r.list {
		body, ok, err := c.cache.store.Get(ctx, one.key)
		if err != nil || !ok || !bytes.Equal(body, one.body) {
			return false
		}
	}
	for _, one := range r.list {
		c.cache.countHit(ctx, one.call, len(one.body))
	}
	return true
}
