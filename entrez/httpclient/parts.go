package httpclient

import (
	"bytes"
	"context"
)

// A reply that is a list of records may be cached record by record, so that another list requests
// only the records that are not cached yet. The call for the list has no TTL, so that the complete
// reply is not cached as well. The records are stored under a second call, which names no record
// and is never made: Kept reads them before the request, StaleParts if the source does not answer, and
// Keep stores each record that arrives.

// CachedParts returns the stored parts of a reply that have not expired, by name.
func (s *Service) CachedParts(ctx context.Context, c *Call, parts []string) map[string][]byte {
	return s.readParts(ctx, c, parts, func(key string) ([]byte, bool, error) {
		body, ok, err := s.client.cache.get(ctx, c, key)
		if !ok {
			key = ""
		}
		watchOf(ctx).noteReply(c, key, body)
		return body, ok, err
	})
}

// StaleParts returns the stored parts of a reply even if they have expired. It returns nil unless err
// says that the source did not answer. The Progress of ctx records their age.
func (s *Service) StaleParts(ctx context.Context, c *Call, parts []string, err error) map[string][]byte {
	if !sourceUnavailable(err) {
		return nil
	}
	return s.readParts(ctx, c, parts, func(key string) ([]byte, bool, error) {
		body, stored, ok, err := s.client.cache.store.GetStale(ctx, key)
		if err == nil && ok {
			watchOf(ctx).noteOld(s.source.Label, stored)
		}
		watchOf(ctx).noteReply(c, "", nil)
		return body, ok, err
	})
}

// readParts reads each part of c's reply with get. It skips missing parts and stops at an error.
func (s *Service) readParts(ctx context.Context, c *Call, parts []string,
	get func(key string) (body []byte, ok bool, err error)) map[string][]byte {
	out := map[string][]byte{}
	whole := s.cacheKeyOf(ctx, c)
	if whole == "" {
		return out
	}
	for _, part := range parts {
		body, ok, err := get(partKey(whole, part))
		if err != nil {
			break // the store failed, so the other parts would fail too
		}
		if ok {
			out[part] = body
		}
	}
	return out
}

// StorePart stores a copy of one part of a reply. It returns false if the cache cannot store any part.
func (s *Service) StorePart(ctx context.Context, c *Call, part string, body []byte) bool {
	whole := s.cacheKeyOf(ctx, c)
	return whole != "" && s.client.cache.put(ctx, c, partKey(whole, part), bytes.Clone(body)) == nil
}

// cacheKeyOf returns the cache key of a call, or "" if the cache does not serve it.
func (s *Service) cacheKeyOf(ctx context.Context, c *Call) string {
	req, err := s.request(ctx, c)
	if err != nil || !s.client.cache.serves(ctx, c) {
		return ""
	}
	key, err := requestKey(req)
	if err != nil {
		return ""
	}
	return key
}

func partKey(whole, part string) string { return whole + "/" + part }
