package store

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"unsafe"

	"biomcp/store/postings"
	"biomcp/store/vectors"
)

// leaf is a row of vector_code: the codes of chunks with neighbouring PMIDs.
type leaf struct {
	pmids    []uint32
	ordinals []uint16
	scales   []float32
	codes    []uint64
}

// leafFull is the number of chunks in a leaf before it is split.
const leafFull = 2048

func (l *leaf) encode() (keys, data []byte) {
	for _, p := range l.pmids {
		keys = binary.LittleEndian.AppendUint32(keys, p)
	}
	for _, o := range l.ordinals {
		keys = binary.LittleEndian.AppendUint16(keys, o)
	}
	for _, s := range l.scales {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(s))
	}
	for _, c := range l.codes {
		data = binary.LittleEndian.AppendUint64(data, c)
	}
	return keys, data
}

func decodeKeys(n int, keys []byte) (*leaf, error) {
	if n < 0 || len(keys) != 6*n {
		return nil, postings.ErrDamaged
	}
	l := &leaf{pmids: make([]uint32, n), ordinals: make([]uint16, n)}
	for i := range n {
		l.pmids[i] = binary.LittleEndian.Uint32(keys[4*i:])
		l.ordinals[i] = binary.LittleEndian.Uint16(keys[4*n+2*i:])
	}
	return l, nil
}

func decodeLeaf(n, words int, keys, data []byte) (*leaf, error) {
	l, err := decodeKeys(n, keys)
	if err != nil || len(data) != n*(4+8*words) {
		return nil, firstError(err, postings.ErrDamaged)
	}
	l.scales, l.codes = make([]float32, n), make([]uint64, n*words)
	for i := range l.scales {
		l.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	for i := range l.codes {
		l.codes[i] = binary.LittleEndian.Uint64(data[4*n+8*i:])
	}
	return l, nil
}

func (l *leaf) size() int64 {
	return int64(unsafe.Sizeof(*l)) + 10*int64(len(l.pmids)) + 8*int64(len(l.codes))
}

// add appends chunk i of another leaf.
func (l *leaf) add(o *leaf, i, words int) {
	l.pmids = append(l.pmids, o.pmids[i])
	l.ordinals = append(l.ordinals, o.ordinals[i])
	l.scales = append(l.scales, o.scales[i])
	l.codes = append(l.codes, o.codes[i*words:(i+1)*words]...)
}

// part is the chunks from up to to.
func (l *leaf) part(from, to, words int) *leaf {
	return &leaf{l.pmids[from:to], l.ordinals[from:to], l.scales[from:to], l.codes[from*words : to*words]}
}

// change is what becomes of the vectors of one document.
type change struct {
	pmid     uint32
	replace  bool // those it has are removed
	ordinals []uint16
	vectors  [][]float32 // empty: the chunk has none
}

// change applies changes, in the order of PMID, to the vectors of a model.
func (s *Store) change(w *reader, m Model, changes []change, generation int64) error {
	space := s.space(m.Dim)
	var total int64
	for len(changes) > 0 {
		var id, lo int64
		found, err := w.found("SELECT id, lo FROM vector_code WHERE model=? AND lo<=? ORDER BY lo DESC LIMIT 1", []any{m.ID, changes[0].pmid}, &id, &lo)
		if err != nil {
			return err
		}
		next := int64(1) << 32
		if err := w.row("SELECT lo FROM vector_code WHERE model=? AND lo>? ORDER BY lo LIMIT 1", []any{m.ID, changes[0].pmid}, &next); err != nil {
			return err
		}
		here := changes
		if i := slices.IndexFunc(changes, func(c change) bool { return int64(c.pmid) >= next }); i >= 0 {
			here = changes[:i]
		}
		changes = changes[len(here):]
		old := &leaf{}
		if found {
			var n int
			var keys, data []byte
			if err := w.row("SELECT n, keys, data FROM vector_code WHERE id=?", []any{id}, &n, &keys, &data); err != nil {
				return err
			}
			if old, err = decodeLeaf(n, space.Words, keys, data); err != nil {
				return err
			}
		}
		now := old.changed(space, here)
		total += int64(len(now.pmids) - len(old.pmids))
		if err := s.writeLeaves(w, m, id, lo, now, space.Words, generation); err != nil {
			return err
		}
		for _, c := range here {
			if err := changeRow(w, m, c); err != nil {
				return err
			}
		}
	}
	return w.exec("UPDATE model SET vectors=vectors+? WHERE id=?", total, m.ID)
}

// changed is the leaf after some changes.
func (l *leaf) changed(space *vectors.Space, changes []change) *leaf {
	now := &leaf{}
	at := 0
	for _, c := range changes {
		for ; at < len(l.pmids) && l.pmids[at] < c.pmid; at++ {
			now.add(l, at, space.Words)
		}
		// The chunks of the document, old and new, in the order of their ordinals.
		mine := &leaf{}
		for ; at < len(l.pmids) && l.pmids[at] == c.pmid; at++ {
			if !c.replace && !slices.Contains(c.ordinals, l.ordinals[at]) {
				mine.add(l, at, space.Words)
			}
		}
		for i, o := range c.ordinals {
			scale := float32(math.NaN())
			if len(c.vectors[i]) > 0 {
				mine.codes, scale = space.Encode(mine.codes, c.vectors[i])
			} else {
				mine.codes = append(mine.codes, make([]uint64, space.Words)...)
			}
			mine.pmids = append(mine.pmids, c.pmid)
			mine.ordinals = append(mine.ordinals, o)
			mine.scales = append(mine.scales, scale)
		}
		order := make([]int, len(mine.pmids))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(mine.ordinals[a]) - int(mine.ordinals[b]) })
		for _, i := range order {
			now.add(mine, i, space.Words)
		}
	}
	for ; at < len(l.pmids); at++ {
		now.add(l, at, space.Words)
	}
	return now
}

// writeLeaves writes a leaf in the place of row id (0: a new one) that began at
// lo, in as many rows as it needs.
func (s *Store) writeLeaves(w *reader, m Model, id, lo int64, l *leaf, words int, generation int64) error {
	if id != 0 {
		if err := w.exec("DELETE FROM vector_code WHERE id=?", id); err != nil {
			return err
		}
	}
	pieces := (len(l.pmids) + leafFull - 1) / leafFull
	for from := 0; pieces > 0; pieces-- {
		to := from + (len(l.pmids)-from)/pieces
		for to > from && to < len(l.pmids) && l.pmids[to] == l.pmids[to-1] {
			to++ // a document is not torn apart
		}
		part := l.part(from, to, words)
		keys, data := part.encode()
		if from == 0 && to > from { // the first keeps the beginning, so that no PMID is without a row
			if err := w.exec("INSERT INTO vector_code(model,lo,gen,n,keys,data) VALUES(?,?,?,?,?,?)", m.ID, lo, generation, to-from, keys, data); err != nil {
				return err
			}
		} else if to > from {
			if err := w.exec("INSERT INTO vector_code(model,lo,gen,n,keys,data) VALUES(?,?,?,?,?,?)", m.ID, part.pmids[0], generation, to-from, keys, data); err != nil {
				return err
			}
		}
		from = to
	}
	if len(l.pmids) == 0 && lo == 0 {
		return w.exec("INSERT INTO vector_code(model,lo,gen,n,keys,data) VALUES(?,0,?,0,x'',x'')", m.ID, generation)
	}
	return nil
}

// changeRow stores the vectors of one document.
func changeRow(w *reader, m Model, c change) error {
	id := m.ID<<32 | int64(c.pmid)
	var row []byte
	if !c.replace {
		if err := w.row("SELECT data FROM vector WHERE id=?", []any{id}, &row); err != nil {
			return err
		}
		size := 2 + 2*m.Dim
		var kept []byte
		for ; len(row) >= size; row = row[size:] {
			if !slices.Contains(c.ordinals, binary.LittleEndian.Uint16(row)) {
				kept = append(kept, row[:size]...)
			}
		}
		row = kept
	}
	for i, o := range c.ordinals {
		if len(c.vectors[i]) > 0 {
			row = vectors.AppendHalf(binary.LittleEndian.AppendUint16(row, o), c.vectors[i])
		}
	}
	if len(row) == 0 {
		return w.exec("DELETE FROM vector WHERE id=?", id)
	}
	return w.exec("INSERT OR REPLACE INTO vector VALUES(?,?)", id, row)
}

// spaces are the rotations in use, by dimension.
type spaces struct {
	mu   sync.Mutex
	list map[int]*vectors.Space
}

func (s *Store) space(dim int) *vectors.Space {
	s.spaces.mu.Lock()
	defer s.spaces.mu.Unlock()
	sp := s.spaces.list[dim]
	if sp == nil {
		sp = vectors.NewSpace(dim)
		if s.spaces.list == nil {
			s.spaces.list = map[int]*vectors.Space{}
		}
		s.spaces.list[dim] = sp
	}
	return sp
}
