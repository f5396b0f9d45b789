package store

import "sync"

// leafCache remembers the codes of the model in use, up to a limit of memory:
// what does not fit is read again for each search, which costs time but never
// more memory.
type leafCache struct {
	mu         sync.Mutex
	left       int64
	model      int64
	generation int64
	list       []leafAt // in the order of lo
	kept       map[int64]keptLeaf
}

// leafAt is a row of vector_code.
type leafAt struct{ id, lo, gen, n int64 }

type keptLeaf struct {
	gen  int64
	leaf *leaf
}

// of lists the leaves of a model as of a generation.
func (c *leafCache) of(r *reader, model, generation int64) ([]leafAt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list != nil && c.model == model && c.generation == generation {
		return c.list, nil
	}
	list := []leafAt{}
	err := r.each("SELECT id, lo, gen, n FROM vector_code WHERE model=? ORDER BY lo", []any{model}, func(scan func(...any) error) error {
		var at leafAt
		err := scan(&at.id, &at.lo, &at.gen, &at.n)
		list = append(list, at)
		return err
	})
	if err != nil || generation < c.generation {
		return list, err
	}
	was := c.kept
	c.model, c.generation, c.list, c.kept = model, generation, list, map[int64]keptLeaf{}
	for _, at := range list {
		if k, ok := was[at.id]; ok && k.gen == at.gen {
			c.kept[at.id] = k
			delete(was, at.id)
		}
	}
	for _, k := range was {
		c.left += k.leaf.size()
	}
	return list, nil
}

// load returns the codes of a leaf.
func (c *leafCache) load(r *reader, at leafAt, words int) (*leaf, error) {
	c.mu.Lock()
	k, ok := c.kept[at.id]
	c.mu.Unlock()
	if ok && k.gen == at.gen {
		return k.leaf, nil
	}
	var keys, data []byte
	if err := r.row("SELECT keys, data FROM vector_code WHERE id=?", []any{at.id}, &keys, &data); err != nil {
		return nil, err
	}
	l, err := decodeLeaf(int(at.n), words, keys, data)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.kept[at.id]; !ok && c.kept != nil && c.left >= l.size() {
		c.kept[at.id] = keptLeaf{at.gen, l}
		c.left -= l.size()
	}
	return l, nil
}
