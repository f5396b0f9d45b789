package store

import (
	"fmt"
	"strconv"
)

// leafAt is a row of vector_code.
type leafAt struct {
	id, lo, gen, n int64
	loose          bool // in no partition
}

// leavesOf lists the rows of a part of a model's codes, in the order of PMID.
func leavesOf(r *reader, model, part int64) ([]leafAt, error) {
	list := []leafAt{}
	err := r.each("SELECT id, lo, gen, n FROM vector_code WHERE model=? AND part=? ORDER BY lo", []any{model, part}, func(scan func(...any) error) error {
		at := leafAt{loose: part == loosePart}
		err := scan(&at.id, &at.lo, &at.gen, &at.n)
		list = append(list, at)
		return err
	})
	return list, err
}

// leaves lists the rows of a part, from memory where nothing was committed since.
func (n *near) leaves(part int64) ([]leafAt, error) {
	key := memoryKey{name: fmt.Sprint("rows ", n.model.ID, " ", part, " ", n.ix.generation)}
	if list, ok := n.s.codes.get(key); ok {
		return list.([]leafAt), nil
	}
	list, err := leavesOf(n.src.r, n.model.ID, part)
	if err == nil {
		n.s.codes.put(key, list, 40*len(list)+len(key.name))
	}
	return list, err
}

// load returns the codes of a row, from memory where they are there.
func (n *near) load(at leafAt) (*leaf, error) {
	key := memoryKey{page: at.id, name: strconv.FormatInt(at.gen, 36)}
	if l, ok := n.s.codes.get(key); ok {
		return l.(*leaf), nil
	}
	l, err := readLeaf(n.src.r, at.id, n.space.Words)
	if err == nil {
		l.loose = at.loose
		n.s.codes.put(key, l, int(l.size()))
	}
	return l, err
}
