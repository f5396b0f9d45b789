package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/vectors"
	"biomcp/store/wordindex"
)

// Special values of vector_code.part. Greater values are partitions.
const (
	loosePart  = 0  // codes by PMID: all of a small model, the new ones of a large one
	placedPart = -1 // keys of chunks that are in partitions or have no vector
)

// partitionSizes holds limits that are numbers of chunks, except rows and means.
type partitionSizes struct {
	first         int64 // size of a model from which it has partitions
	loose         int64 // chunks outside partitions that cause a move into partitions
	full          int64 // target size of a partition; one of more than twice the size is split
	rows          int64 // rows of a partition; more are joined
	chunksPerStep int64 // chunks that one transaction moves
	means         int64 // maximum of partitions made at once; later splits make more
	maxScanned    int64 // chunks in partitions that a search scans
	minScanned    int64 // the minimum of that, if half of the model is less
}

var defaultSizes = partitionSizes{first: 100_000, loose: 50_000, full: 1024, rows: 8, chunksPerStep: 100_000,
	means: 512, maxScanned: 1 << 17, minScanned: 50_000}

// ArrangePartitions brings the partitions of a model up to date: it creates them if the model is large
// enough, moves codes into them, and joins their rows and splits them. Each step is a transaction
// of a second or two. If it is stopped between steps, searches find the same chunks and the next
// call continues.
func (s *Store) ArrangePartitions(ctx context.Context, model int64) error {
	a := arrangement{s: s, ctx: ctx}
	err := s.db.Read(ctx, arranging, func(r *rows.Conn) error { return a.count(r, model) })
	for more := a.due(); more && err == nil; {
		more, err = a.step()
	}
	return err
}

const arranging = "arrange vectors"

// step runs the next step in one transaction. It reports whether there may be more.
func (a *arrangement) step() (hasMore bool, err error) {
	err = a.s.db.Write(a.ctx, arranging, func(w *rows.Conn) error {
		a.w = w
		if err := a.count(w, a.model.ID); err != nil {
			return err
		}
		ix, err := a.s.words.Load(w)
		if err != nil {
			return err
		}
		a.generation = ix.Generation + 1
		if hasMore, err = a.next(); err != nil {
			return err
		}
		return w.SetMeta("generation", a.generation)
	})
	return hasMore, err
}

// tidyUp merges word index segments and arranges the models that serve searches, as far as that is
// due.
func (s *Store) tidyUp(ctx context.Context) error {
	merged := s.words.Merge(ctx, wordindex.ChooseSegments)
	models, err := s.Models(ctx)
	for _, m := range models {
		if err == nil && (m.InUse || m.IsSecond) {
			err = s.ArrangePartitions(ctx, m.ID)
		}
	}
	return errors.Join(merged, err)
}

// arrangement is one run of ArrangePartitions.
type arrangement struct {
	s              *Store
	ctx            context.Context
	w              *rows.Conn
	generation     int64
	model          Model
	partitions     int64
	loose          int64 // chunks outside partitions
	placed         int64 // keys of chunks that are in partitions or have no vector
	partitionCodes int64 // codes in partitions, including outdated ones
	untidy         int64 // 1 if chunks were moved and not all partitions have been tidied since
	tidying        bool
	all            bool  // rewrite all partitions
	after          int64 // last partition that tidy has visited
}

func (a *arrangement) count(r *rows.Conn, model int64) (err error) {
	if a.model, err = a.s.modelOf(r, model); err != nil {
		return err
	}
	return r.Row(`SELECT (SELECT count(*) FROM vector_partition WHERE model=?1),
		(SELECT coalesce(sum(n),0) FROM vector_code WHERE model=?1 AND part=0),
		(SELECT coalesce(sum(n),0) FROM vector_code WHERE model=?1 AND part=-1),
		(SELECT coalesce(sum(n),0) FROM vector_code WHERE model=?1 AND part>0),
		(SELECT count(*) FROM meta WHERE key='untidy ' || ?1)`,
		[]any{model}, &a.partitions, &a.loose, &a.placed, &a.partitionCodes, &a.untidy)
}

// due reports whether there is anything to arrange.
func (a *arrangement) due() bool {
	if a.partitions == 0 {
		return a.loose >= a.s.sizes.first
	}
	return a.loose >= a.s.sizes.loose || a.untidy > 0 || a.outdated()
}

// outdated reports whether many codes in partitions belong to changed or removed chunks.
func (a *arrangement) outdated() bool { return a.partitionCodes > 2*a.placed+a.s.sizes.loose }

// next runs one step. It reports whether there may be more.
func (a *arrangement) next() (hasMore bool, err error) {
	switch {
	case a.tidying:
		return a.tidy()
	case !a.due():
		return false, nil
	case a.partitions == 0:
		return a.begin()
	case a.loose >= a.s.sizes.loose:
		return true, a.place()
	}
	a.tidying, a.all = true, a.outdated()
	return true, nil
}

// begin creates the first partitions, which are still empty. It reports false if no chunk has a
// vector.
func (a *arrangement) begin() (ok bool, err error) {
	ids, err := a.rows(loosePart, 1<<62)
	if err != nil {
		return false, err
	}
	const sampled = 128 // rows, with a quarter of a million chunks
	space := a.s.space(a.model.Dim)
	var codes []vectors.Code
	for i := range min(sampled, len(ids)) {
		l, err := readLeaf(a.w, ids[i*len(ids)/min(sampled, len(ids))], space.Words)
		if err != nil {
			return false, err
		}
		for j, scale := range l.coarse {
			if scale == scale {
				codes = append(codes, l.code(j))
			}
		}
	}
	k := max(1, min(a.loose/a.s.sizes.full, a.s.sizes.means))
	means := space.Group(int(k), len(codes), func(i int) vectors.Code { return codes[i] }, nil)
	_, err = a.insert(means)
	return len(means) > 0, err
}

// insert adds partitions and returns the number of the first.
func (a *arrangement) insert(means [][]float32) (first int64, err error) {
	const selectNextPartition = "SELECT coalesce(max(part),0)+1 FROM vector_partition WHERE model=?"
	if err := a.w.Row(selectNextPartition, []any{a.model.ID}, &first); err != nil {
		return 0, err
	}
	for i, mean := range means {
		data, err := binary.Append(nil, binary.LittleEndian, mean)
		if err != nil {
			return 0, err
		}
		if err := a.w.Exec("INSERT INTO vector_partition VALUES(?,?,?)", a.model.ID, first+int64(i), data); err != nil {
			return 0, err
		}
	}
	return first, nil
}

// rows returns the first rows of a part, ordered by PMID, that together hold at least chunks
// chunks.
func (a *arrangement) rows(part, chunks int64) (ids []int64, err error) {
	list, err := listLeaves(a.w, a.model.ID, part)
	n := int64(0)
	for _, at := range list {
		if n >= chunks {
			break
		}
		ids = append(ids, at.id)
		n += at.n
	}
	return ids, err
}

// place moves the first chunks outside partitions into the nearest partitions.
func (a *arrangement) place() error {
	p, err := readPartitions(a.w, a.s.space(a.model.Dim), a.model.ID, 0, math.MaxInt64)
	if err != nil {
		return err
	}
	ids, err := a.rows(loosePart, a.s.sizes.chunksPerStep)
	if err != nil {
		return err
	}
	words := p.space.Words
	all := &leaf{words: words}
	var keys []vectorChange
	for _, id := range ids {
		l, err := readLeaf(a.w, id, words)
		if err != nil {
			return err
		}
		for i, pmid := range l.pmids {
			if len(keys) == 0 || keys[len(keys)-1].pmid != pmid {
				keys = append(keys, vectorChange{pmid: pmid})
			}
			last := &keys[len(keys)-1]
			last.ordinals = append(last.ordinals, l.ordinals[i])
			last.codes = append(last.codes, vectors.Code{})
			if l.coarse[i] == l.coarse[i] {
				all.addFrom(l, i)
			}
		}
		if err := a.w.Exec("DELETE FROM vector_code WHERE id=?", id); err != nil {
			return err
		}
	}
	for g, l := range all.groups(p.means, nil) {
		if len(l.pmids) > 0 {
			if n, err := a.insertRelative(p.parts[g], l, p.means.Mean(g)); err != nil {
				return err
			} else if n < len(l.pmids) { // every code outside partitions must have a vector
				return errVectorMissing
			}
		}
	}
	if err := a.ctx.Err(); err != nil {
		return err
	}
	if _, err := changeLeaves(a.w, a.model, placedPart, 0, keys, a.generation); err != nil {
		return err
	}
	return a.w.SetMeta(fmt.Sprint("untidy ", a.model.ID), 1)
}

// insertRelative adds the chunks of l that have vectors to a partition and returns their number. It
// computes their codes from the vectors, relative to mean, because a code does not determine its
// vector precisely enough.
func (a *arrangement) insertRelative(part int64, l *leaf, mean []float32) (n int, err error) {
	now := &leaf{words: l.words}
	if l, err = a.s.vectorCodec(a.model).recode(a.w, a.model, l, mean); err != nil {
		return 0, err
	}
	for i, scale := range l.coarse {
		if scale == scale {
			now.addFrom(l, i)
		}
	}
	if n = len(now.pmids); n > 0 {
		err = insertLeaf(a.w, a.model, part, int64(now.pmids[0]), now, a.generation)
	}
	return n, err
}

// groups divides a leaf by the nearest of the means. origin is the origin of its codes.
func (l *leaf) groups(means *vectors.Means, origin []float32) []*leaf {
	codes := make([]vectors.Code, len(l.pmids))
	for i := range codes {
		codes[i] = l.code(i)
	}
	groups := make([]*leaf, means.Len())
	for g := range groups {
		groups[g] = &leaf{words: l.words}
	}
	for i, g := range means.Nearest(codes, origin) {
		groups[g].addFrom(l, i)
	}
	return groups
}

// tidy joins the rows of partitions that have many, drops outdated codes, and splits partitions
// that are too large; several partitions in one step.
func (a *arrangement) tidy() (hasMore bool, err error) {
	for done := int64(0); done < a.s.sizes.chunksPerStep; {
		var part, n int64
		const selectUntidy = `SELECT part, sum(n) FROM vector_code WHERE model=? AND part>? GROUP BY part` +
			` HAVING count(*)>? OR sum(n)>? OR ? LIMIT 1`
		err := a.w.Row(selectUntidy,
			[]any{a.model.ID, a.after, a.s.sizes.rows, 2 * a.s.sizes.full, a.all}, &part, &n)
		if err != nil {
			return false, err
		}
		if part == 0 {
			return false, a.w.Exec("DELETE FROM meta WHERE key='untidy ' || ?", a.model.ID)
		}
		if err := a.rewrite(part); err != nil {
			return false, err
		}
		a.after = part
		done += n
		if err := a.ctx.Err(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// rewrite rewrites a partition as one row or splits it into several partitions.
func (a *arrangement) rewrite(part int64) error {
	p, err := readPartitions(a.w, a.s.space(a.model.Dim), a.model.ID, part, part)
	if err != nil {
		return err
	}
	mean := p.mean(part)
	l, err := a.current(part, mean)
	if err != nil {
		return err
	}
	if err := a.w.Exec("DELETE FROM vector_code WHERE model=? AND part=?", a.model.ID, part); err != nil {
		return err
	}
	n := int64(len(l.pmids))
	if n > 2*a.s.sizes.full {
		space := a.s.space(a.model.Dim)
		k := min((n+a.s.sizes.full/2)/a.s.sizes.full, a.s.sizes.means)
		means := space.Group(int(k), len(l.pmids), l.code, mean)
		var used [][]float32
		var leaves []*leaf
		for g, part := range l.groups(space.Means(means), mean) {
			if len(part.pmids) > 0 {
				used, leaves = append(used, means[g]), append(leaves, part)
			}
		}
		if len(leaves) > 1 { // all codes may be alike
			first, err := a.insert(used)
			if err != nil {
				return err
			}
			for i, l := range leaves {
				if _, err := a.insertRelative(first+int64(i), l, used[i]); err != nil {
					return err
				}
			}
			return a.w.Exec("DELETE FROM vector_partition WHERE model=? AND part=?", a.model.ID, part)
		}
	}
	if n == 0 {
		return nil
	}
	return insertLeaf(a.w, a.model, part, int64(l.pmids[0]), l, a.generation)
}

// current returns the codes of a partition, without duplicates and known outdated ones.
func (a *arrangement) current(part int64, mean []float32) (*leaf, error) {
	p := a.s.vectorCodec(a.model)
	words := p.Space.Words
	type place struct {
		l *leaf
		i int
	}
	var list []place
	leaves, err := listLeaves(a.w, a.model.ID, part)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(leaves, func(a, b leafRow) int {
		return cmp.Or(cmp.Compare(b.gen, a.gen), cmp.Compare(b.id, a.id))
	})
	for _, at := range leaves {
		l, err := readLeaf(a.w, at.id, words)
		if err != nil {
			return nil, err
		}
		for i := range l.pmids {
			list = append(list, place{l, i})
		}
	}
	slices.SortStableFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.l.pmids[a.i], b.l.pmids[b.i]), cmp.Compare(a.l.ordinals[a.i], b.l.ordinals[b.i]))
	})
	list = slices.CompactFunc(list, func(a, b place) bool { // the newest is first
		return a.l.pmids[a.i] == b.l.pmids[b.i] && a.l.ordinals[a.i] == b.l.ordinals[b.i]
	})
	l := &leaf{words: words}
	check := a.partitionCodes > a.placed
	var pmid record.PMID
	var now map[uint16]vectors.Code
	for _, at := range list {
		if id := at.l.pmids[at.i]; check && id != pmid {
			pmid, now = id, map[uint16]vectors.Code{}
			row, err := a.model.row(a.w, id)
			if err != nil {
				return nil, err
			}
			for ordinal, stored := range p.each(row) {
				now[ordinal] = p.EncodeBytes(stored, mean)
			}
		}
		if code, ok := now[at.l.ordinals[at.i]]; !check || ok && similar(code, at.l.code(at.i), p.Space.Dim) {
			l.addFrom(at.l, at.i)
		}
	}
	return l, nil
}

// similar reports whether two codes may belong to one vector. After a small change of a text, the old
// and new codes may be alike too; then both stay, and a search uses one of them.
func similar(a, b vectors.Code, dim int) bool {
	n := 0
	for i, w := range a.Signs {
		n += bits.OnesCount8(w ^ b.Signs[i])
	}
	return n <= 1+dim/32
}
