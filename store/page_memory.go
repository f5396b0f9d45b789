package store

import (
	"container/list"
	"sync"
)

// memory keeps pages of the index and values decoded from them, the least
// recently used going first. All of it is immutable and named by segments whose
// numbers are never given again, so nothing in it ever becomes wrong.
type memory struct {
	mu    sync.Mutex
	left  int64
	items map[memoryKey]*list.Element
	order *list.List // the most recently used first
}

// memoryKey is the number of a page, or the name of a value.
type memoryKey struct {
	page int64
	name string
}

type memoryItem struct {
	key   memoryKey
	value any
	bytes int64
}

func newMemory(limit int64) *memory {
	return &memory{left: limit, items: map[memoryKey]*list.Element{}, order: list.New()}
}

func (m *memory) get(key memoryKey) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.items[key]
	if e == nil {
		return nil, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*memoryItem).value, true
}

func (m *memory) put(key memoryKey, value any, bytes int) {
	const overhead = 200 // of the map and the list
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.items[key] != nil {
		return
	}
	item := &memoryItem{key, value, int64(bytes) + overhead}
	m.items[key] = m.order.PushFront(item)
	for m.left -= item.bytes; m.left < 0; {
		last := m.order.Back()
		old := m.order.Remove(last).(*memoryItem)
		delete(m.items, old.key)
		m.left += old.bytes
	}
}
