package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
	"biomcp/store/vectors"
)

// leaf is a row of vector_code: the codes of chunks of one partition, or of chunks outside
// partitions with neighbouring PMIDs, ordered by PMID.
type leaf struct {
	words    int // 64-bit words for the signs of a chunk; 0 if the leaf holds only keys
	pmids    []record.PMID
	ordinals []uint16
	coarse   []float32 // scales; NaN if a chunk has no vector
	fine     []float32
	signs    []byte
	large    []byte
}

// leafFull is the maximum number of chunks in a leaf, except for a single document with more.
const leafFull = 2048

func (l *leaf) encode() (keys, data []byte) {
	for _, p := range l.pmids {
		keys = binary.LittleEndian.AppendUint32(keys, uint32(p))
	}
	for _, o := range l.ordinals {
		keys = binary.LittleEndian.AppendUint16(keys, o)
	}
	if l.words == 0 {
		return keys, []byte{}
	}
	for _, scales := range [][]float32{l.coarse, l.fine} {
		for _, s := range scales {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(s))
		}
	}
	return keys, slices.Concat(data, l.signs, l.large)
}

// keysColumns lists the columns of vector_code that identify the chunks of a row.
const keysColumns = "model, part, lo, gen, n, keysum, keys"

// readKeys scans keysColumns and verifies their checksum. It scans the remaining columns of the row
// into dest.
func readKeys(scan func(...any) error, dest ...any) (*leaf, error) {
	var model, part, lo, gen, n, sum int64
	var keys []byte
	err := scan(append([]any{&model, &part, &lo, &gen, &n, &sum, &keys}, dest...)...)
	if err == nil {
		err = rows.CheckSum(sum, "vector_code", model, part, lo, gen, n, keys)
	}
	if err != nil {
		return nil, err
	}
	if n < 0 || int64(len(keys)) != 6*n {
		return nil, postings.ErrDamaged
	}
	l := &leaf{pmids: make([]record.PMID, n), ordinals: make([]uint16, n)}
	for i := range n {
		l.pmids[i] = record.PMID(binary.LittleEndian.Uint32(keys[4*i:]))
		l.ordinals[i] = binary.LittleEndian.Uint16(keys[4*n+2*i:])
	}
	return l, nil
}

// decode sets the codes of a leaf, which retains data.
func (l *leaf) decode(words int, data []byte) error {
	n := len(l.pmids)
	l.words = words
	if words == 0 {
		l.coarse, l.fine = make([]float32, n), make([]float32, n)
		return nil
	}
	if len(data) != n*(8+16*words) {
		return postings.ErrDamaged
	}
	for _, scales := range []*[]float32{&l.coarse, &l.fine} {
		*scales = make([]float32, n)
		for i := range *scales {
			(*scales)[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		data = data[4*n:]
	}
	half := 8 * n * words
	l.signs, l.large = data[:half:half], data[half:]
	return nil
}

func (l *leaf) size() int64 {
	return int64(unsafe.Sizeof(*l)) + int64(len(l.pmids)*(22+16*l.words)) // a leaf that was read holds its scales twice
}

func (l *leaf) code(i int) vectors.Code {
	from, to := 8*i*l.words, 8*(i+1)*l.words
	return vectors.Code{Signs: l.signs[from:to], Large: l.large[from:to], Coarse: l.coarse[i], Fine: l.fine[i]}
}

// add appends a chunk.
func (l *leaf) add(pmid record.PMID, ordinal uint16, c vectors.Code) {
	l.pmids = append(l.pmids, pmid)
	l.ordinals = append(l.ordinals, ordinal)
	l.coarse = append(l.coarse, c.Coarse)
	l.fine = append(l.fine, c.Fine)
	l.signs = append(l.signs, c.Signs...)
	l.large = append(l.large, c.Large...)
}

// addFrom appends chunk i of another leaf.
func (l *leaf) addFrom(o *leaf, i int) { l.add(o.pmids[i], o.ordinals[i], o.code(i)) }

// slice returns the chunks from index from up to, but not including, to.
func (l *leaf) slice(from, to int) *leaf {
	w := 8 * l.words
	return &leaf{l.words, l.pmids[from:to], l.ordinals[from:to], l.coarse[from:to], l.fine[from:to],
		l.signs[from*w : to*w], l.large[from*w : to*w]}
}

// vectorChange is a change of the vectors of one document.
type vectorChange struct {
	pmid     record.PMID
	replace  bool // remove its old vectors
	ordinals []uint16
	vectors  [][]float32    // empty for a chunk without a vector
	stored   [][]byte       // stored forms of vectors
	codes    []vectors.Code // codes of the stored forms
}

// applyChanges applies changes, ordered by PMID, to the vectors of a model. Codes in partitions are not
// touched (vector_means.go).
func (s *Store) applyChanges(w *rows.Conn, m Model, changes []vectorChange, generation int64) error {
	p := s.vectorCodec(m)
	words := p.Space.Words
	for i := range changes {
		for _, v := range changes[i].vectors {
			var stored []byte
			code := noCode(words)
			if len(v) > 0 {
				stored, code = p.pack(v)
			}
			changes[i].stored = append(changes[i].stored, stored)
			changes[i].codes = append(changes[i].codes, code)
		}
	}
	added, err := changeLeaves(w, m, loosePart, words, changes, generation)
	if err != nil {
		return err
	}
	for i := range changes {
		changes[i].codes = nil
	}
	removed, err := changeLeaves(w, m, placedPart, 0, changes, generation)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := changeRow(w, m, p, c); err != nil {
			return err
		}
	}
	return w.Exec("UPDATE model SET vectors=vectors+? WHERE id=?", added+removed, m.ID)
}

// noCode returns the code of a chunk without a vector.
func noCode(words int) vectors.Code {
	return vectors.Code{Signs: make([]byte, 8*words), Large: make([]byte, 8*words), Coarse: float32(math.NaN())}
}

// changeLeaves applies changes to the leaves of a part and returns the number of chunks it gained.
func changeLeaves(w *rows.Conn, m Model, part int64, words int, changes []vectorChange,
	generation int64) (total int64, err error) {
	for len(changes) > 0 {
		var id, lo int64
		const selectLeaf = "SELECT id, lo FROM vector_code WHERE model=? AND part=? AND lo<=?" +
			" ORDER BY lo DESC LIMIT 1"
		found, err := w.RowFound(selectLeaf, []any{m.ID, part, changes[0].pmid}, &id, &lo)
		if err != nil {
			return 0, err
		}
		next := int64(1) << 32
		const selectNextLow = "SELECT lo FROM vector_code WHERE model=? AND part=? AND lo>? ORDER BY lo LIMIT 1"
		if err := w.Row(selectNextLow, []any{m.ID, part, changes[0].pmid}, &next); err != nil {
			return 0, err
		}
		here := changes
		if i := slices.IndexFunc(changes, func(c vectorChange) bool { return int64(c.pmid) >= next }); i >= 0 {
			here = changes[:i]
		}
		changes = changes[len(here):]
		old := &leaf{words: words}
		if found {
			if old, err = readLeaf(w, id, words); err != nil {
				return 0, err
			}
		}
		now, same := old.apply(here)
		if same {
			continue
		}
		total += int64(len(now.pmids) - len(old.pmids))
		if err := writeLeaves(w, m, part, id, lo, now, generation); err != nil {
			return 0, err
		}
	}
	return total, nil
}

var leafRows = rows.NewBlobs("vector_code", "data")

func readLeaf(r *rows.Conn, id int64, words int) (*leaf, error) {
	l := &leaf{words: words}
	const query = "SELECT " + keysColumns + ", sum, data FROM vector_code WHERE id=?"
	err := r.Each(query, []any{id}, func(scan func(...any) error) (err error) {
		var sum int64
		var data rows.Blob
		if l, err = readKeys(scan, &sum, &data); err == nil {
			err = leafRows.Check(sum, id, data)
		}
		if err == nil {
			err = l.decode(words, data)
		}
		return err
	})
	return l, err
}

// apply returns the leaf after changes. same reports whether they left it as it was.
func (l *leaf) apply(changes []vectorChange) (now *leaf, equal bool) {
	now, equal = &leaf{words: l.words}, true
	at := 0
	for _, c := range changes {
		for ; at < len(l.pmids) && l.pmids[at] < c.pmid; at++ {
			now.addFrom(l, at)
		}
		// Merge the old and new chunks of the document in the order of their ordinals.
		mine := &leaf{words: l.words}
		for ; at < len(l.pmids) && l.pmids[at] == c.pmid; at++ {
			if !c.replace && !slices.Contains(c.ordinals, l.ordinals[at]) {
				mine.addFrom(l, at)
			} else {
				equal = false
			}
		}
		for i, code := range c.codes {
			mine.add(c.pmid, c.ordinals[i], code)
			equal = false
		}
		order := make([]int, len(mine.pmids))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(mine.ordinals[a]) - int(mine.ordinals[b]) })
		for _, i := range order {
			now.addFrom(mine, i)
		}
	}
	for ; at < len(l.pmids); at++ {
		now.addFrom(l, at)
	}
	return now, equal
}

// writeLeaves replaces row id (0: none), whose range began at lo, with l, in as many rows as l
// needs.
func writeLeaves(w *rows.Conn, m Model, part, id, lo int64, l *leaf, generation int64) error {
	if id != 0 {
		if err := w.Exec("DELETE FROM vector_code WHERE id=?", id); err != nil {
			return err
		}
	}
	pieces := (len(l.pmids) + leafFull - 1) / leafFull
	for from := 0; pieces > 0; pieces-- {
		to := from + (len(l.pmids)-from)/pieces
		for to > from && to < len(l.pmids) && l.pmids[to] == l.pmids[to-1] {
			to++ // a document is never split
		}
		if to > from {
			if from > 0 { // the first row keeps lo, so that every PMID stays in the range of a row
				lo = int64(l.pmids[from])
			}
			if err := insertLeaf(w, m, part, lo, l.slice(from, to), generation); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

func insertLeaf(w *rows.Conn, m Model, part, lo int64, l *leaf, generation int64) error {
	keys, data := l.encode()
	const insertVectorCode = "INSERT INTO vector_code(model,part,lo,gen,n,keys,data) VALUES(?,?,?,?,?,?,?)"
	return w.Exec(insertVectorCode, m.ID, part, lo, generation, len(l.pmids), keys, data)
}

// changeRow stores the vectors of one document.
func changeRow(w *rows.Conn, m Model, p vectorCodec, c vectorChange) error {
	id := m.rowID(c.pmid)
	var row []byte
	add := func(ordinal uint16, stored []byte) {
		row = append(binary.LittleEndian.AppendUint16(row, ordinal), stored...)
	}
	if !c.replace {
		old, err := m.row(w, c.pmid)
		if err != nil {
			return err
		}
		for o, stored := range p.each(old) {
			if !slices.Contains(c.ordinals, o) {
				add(o, stored)
			}
		}
	}
	for i, o := range c.ordinals {
		if len(c.stored[i]) > 0 {
			add(o, c.stored[i])
		}
	}
	if len(row) == 0 {
		return w.Exec("DELETE FROM vector WHERE id=?", id)
	}
	return w.Exec("INSERT OR REPLACE INTO vector VALUES(?,?)", id, row)
}

// space returns the rotation for vectors of dimension dim. It is deterministic.
func (s *Store) space(dim int) *vectors.Space {
	if sp, made := s.spaces.Load(dim); made {
		return sp.(*vectors.Space)
	}
	sp, _ := s.spaces.LoadOrStore(dim, vectors.NewSpace(dim))
	return sp.(*vectors.Space)
}

// leafRow identifies a row of vector_code.
type leafRow struct {
	id, lo, gen, n int64
	loose          bool // outside partitions
}

// listLeaves lists the rows of a part of a model's codes, ordered by PMID.
func listLeaves(r *rows.Conn, model, part int64) ([]leafRow, error) {
	const selectLeaves = "SELECT id, lo, gen, n FROM vector_code WHERE model=? AND part=? ORDER BY lo"
	return rows.List(r, selectLeaves, []any{model, part}, func(at *leafRow) []any {
		at.loose = part == loosePart
		return []any{&at.id, &at.lo, &at.gen, &at.n}
	})
}

// leaves lists the rows of a part. It uses the cache if nothing was committed since.
func (n *vectorSearch) leaves(part int64) ([]leafRow, error) {
	key := rows.CacheKey{Name: fmt.Sprint("rows ", n.model.ID, " ", part, " ", n.ix.Generation)}
	if list, ok := n.s.codes.Get(key); ok {
		return list.([]leafRow), nil
	}
	list, err := listLeaves(n.r, n.model.ID, part)
	if err == nil {
		n.s.codes.Put(key, list, 40*len(list)+len(key.Name))
	}
	return list, err
}

// load returns the codes of a row, from the cache if possible.
func (n *vectorSearch) load(at leafRow) (*leaf, error) {
	key := rows.CacheKey{Page: at.id, Name: strconv.FormatInt(at.gen, 36)}
	if l, ok := n.s.codes.Get(key); ok {
		return l.(*leaf), nil
	}
	l, err := readLeaf(n.r, at.id, n.space.Words)
	if err == nil {
		n.s.codes.Put(key, l, int(l.size()))
	}
	return l, err
}
