package polite

import (
	"bytes"
	"context"
)

// A reply that is a list of records may be kept record by record, so that another
// list which shares some of them asks only for the others. The call that is made
// has no TTL, so that the whole is not kept as well. A second call, which names no
// record and is never made, is whose parts are kept: Kept before the source is
// asked, KeptOld where it gives no answer, Keep for each record that comes.

// Kept is what Keep stored of parts of a reply while the time of each lasts. What
// is not there is absent.
func (s *Service) Kept(ctx context.Context, c *Call, parts []string) map[string][]byte {
	return s.kept(ctx, c, parts, func(key string) ([]byte, bool, error) {
		body, ok, err := s.client.cache.get(ctx, c, key)
		if !ok {
			key = ""
		}
		watchOf(ctx).noteReply(c, key, body)
		return body, ok, err
	})
}

// KeptOld is Kept whatever the age, where err says that the source gave no answer.
// The Watch of ctx knows how old it is.
func (s *Service) KeptOld(ctx context.Context, c *Call, parts []string, err error) map[string][]byte {
	if !unanswered(err) {
		return nil
	}
	return s.kept(ctx, c, parts, func(key string) ([]byte, bool, error) {
		body, stored, ok, err := s.client.cache.store.Old(ctx, key)
		if err == nil && ok {
			watchOf(ctx).noteOld(s.source.Label, stored)
		}
		watchOf(ctx).noteReply(c, "", nil)
		return body, ok, err
	})
}

func (s *Service) kept(ctx context.Context, c *Call, parts []string, get func(key string) ([]byte, bool, error)) map[string][]byte {
	out := map[string][]byte{}
	whole := s.keyOf(ctx, c)
	if whole == "" {
		return out
	}
	for _, part := range parts {
		body, ok, err := get(partKey(whole, part))
		if err != nil {
			break // it is the store, and so the same for the others
		}
		if ok {
			out[part] = body
		}
	}
	return out
}

// Keep stores a copy of a part of a reply; false says that no part can be stored.
func (s *Service) Keep(ctx context.Context, c *Call, part string, body []byte) bool {
	whole := s.keyOf(ctx, c)
	return whole != "" && s.client.cache.put(ctx, c, partKey(whole, part), bytes.Clone(body)) == nil
}

// keyOf is the key of a call that may be answered from the cache, otherwise "".
func (s *Service) keyOf(ctx context.Context, c *Call) string {
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
