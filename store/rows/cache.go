package rows

import (
	"container/list"
	"sync"
)

// Cache is a least-recently-used cache of index pages and values decoded from them. Its contents
// are immutable and keyed by segment numbers that are never reused, so entries never become stale.
type Cache struct {
	mu    sync.Mutex
	left  int64
	items map[CacheKey]*list.Element
	order *list.List // most recently used first
}

// CacheKey is the number of a page or the name of a value.
type CacheKey struct {
	Page int64
	Name string
}

type cacheItem struct {
	key   CacheKey
	value any
	bytes int64
}

// NewCache returns a cache of at most limit bytes.
func NewCache(limit int64) *Cache {
	return &Cache{left: limit, items: map[CacheKey]*list.Element{}, order: list.New()}
}

// Get returns a value and reports whether it is cached.
func (m *Cache) Get(key CacheKey) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.items[key]
	if e == nil {
		return nil, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*cacheItem).value, true
}

// Put caches a value that occupies the given number of bytes, unless the key is cached already.
func (m *Cache) Put(key CacheKey, value any, bytes int) {
	const overhead = 200 // for the map and the list
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.items[key] != nil {
		return
	}
	item := &cacheItem{key, value, int64(bytes) + overhead}
	m.items[key] = m.order.PushFront(item)
	for m.left -= item.bytes; m.left < 0; {
		last := m.order.Back()
		old := m.order.Remove(last).(*cacheItem)
		delete(m.items, old.key)
		m.left += old.bytes
	}
}
