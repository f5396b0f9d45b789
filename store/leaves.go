package store

import "sync"

// leafCache remembers the codes of the models in use, up to a limit of memory:
// what does not fit is read again for each search, which costs time but never
// more memory.
type leafCache struct {
	mu     sync.Mutex
	left   int64
	models map[int64]*modelLeaves
}

// modelLeaves are the leaves of a model as of a generation.
type modelLeaves struct {
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
	was := c.models[model]
	if was != nil && was.generation == generation {
		return was.list, nil
	}
	list := []leafAt{}
	err := r.each("SELECT id, lo, gen, n FROM vector_code WHERE model=? ORDER BY lo", []any{model}, func(scan func(...any) error) error {
		var at leafAt
		err := scan(&at.id, &at.lo, &at.gen, &at.n)
		list = append(list, at)
		return err
	})
	if err != nil || was != nil && generation < was.generation {
		return list, err
	}
	now := &modelLeaves{generation, list, map[int64]keptLeaf{}}
	if was != nil {
		for _, at := range list {
			if k, ok := was.kept[at.id]; ok && k.gen == at.gen {
				now.kept[at.id] = k
				delete(was.kept, at.id)
			}
		}
		c.free(was)
	}
	if c.models == nil {
		c.models = map[int64]*modelLeaves{}
	}
	c.models[model] = now
	if len(c.models) > modelsInUse { // one of them was replaced
		oldest := model
		for id, m := range c.models {
			if m.generation < c.models[oldest].generation {
				oldest = id
			}
		}
		c.free(c.models[oldest])
		delete(c.models, oldest)
	}
	return list, nil
}

// modelsInUse is how many models a search uses.
const modelsInUse = 2

func (c *leafCache) free(m *modelLeaves) {
	for _, k := range m.kept {
		c.left += k.leaf.size()
	}
}

// load returns the codes of a leaf of a model.
func (c *leafCache) load(r *reader, model int64, at leafAt, words int) (*leaf, error) {
	c.mu.Lock()
	if m := c.models[model]; m != nil {
		if k, ok := m.kept[at.id]; ok && k.gen == at.gen {
			c.mu.Unlock()
			return k.leaf, nil
		}
	}
	c.mu.Unlock()
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
	if m := c.models[model]; m != nil && c.left >= l.size() {
		if _, ok := m.kept[at.id]; !ok {
			m.kept[at.id] = keptLeaf{at.gen, l}
			c.left -= l.size()
		}
	}
	return l, nil
}
