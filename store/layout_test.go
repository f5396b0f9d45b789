package store

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

// withOldPositions makes every second segment of a corpus what it was when positions were
// varints; docs are what the corpus holds.
func withOldPositions(t *testing.T, s *Store, docs map[record.PMID]*Document) {
	t.Helper()
	err := s.write(t.Context(), "test", func(tx *sql.Conn) error {
		w := newReader(tx)
		defer w.close()
		ix, err := s.loadIndex(w)
		if err != nil {
			return err
		}
		for n, g := range ix.segments {
			if n%2 == 0 {
				continue
			}
			if err := w.exec("DELETE FROM page WHERE id>=? AND id<?", pageID(g.ID, postings.Dict, 0), pageID(g.ID, streamDate, 0)); err != nil {
				return err
			}
			if err := writeOldPositions(oldSink{pageSink{t.Context(), w, g.ID}}, g, docs); err != nil {
				return err
			}
		}
		return w.exec(withoutBytes + "DELETE FROM meta WHERE key='rewrite'; PRAGMA user_version=6")
	})
	if err != nil {
		t.Fatal(err)
	}
}

func writeOldPositions(sink postings.Sink, g *segment, docs map[record.PMID]*Document) error {
	type posting struct {
		chunk     uint32
		positions []uint32
	}
	lists := map[string][]*posting{}
	var lengths []uint16
	var ids []uint32
	add := func(term string, chunk uint32) *posting {
		if list := lists[term]; len(list) == 0 || list[len(list)-1].chunk != chunk {
			lists[term] = append(list, &posting{chunk: chunk})
		}
		return lists[term][len(lists[term])-1]
	}
	for _, pmid := range slices.Sorted(maps.Keys(docs)) {
		if pmid < g.lo || pmid > g.hi { // no two segments overlap
			continue
		}
		for _, c := range docs[pmid].Chunks {
			chunk := uint32(len(ids))
			lengths, ids = append(lengths, uint16(cmp.Or(c.Length, len(c.Tokens)))), append(ids, uint32(pmid))
			for _, p := range propertiesOf(docs[pmid]) {
				add(p, chunk)
			}
			for _, token := range c.Tokens {
				p := add(token.Term, chunk)
				p.positions = append(p.positions, token.Pos)
			}
		}
	}
	if len(ids) != g.Chunks {
		return fmt.Errorf("%d chunks, want %d", len(ids), g.Chunks)
	}
	w := postings.NewWriter(sink, lengths, ids)
	for _, term := range slices.Sorted(maps.Keys(lists)) {
		w.Begin([]byte(term))
		for _, p := range lists[term] {
			var varints []byte
			last := uint32(0)
			for _, at := range p.positions {
				varints = binary.AppendUvarint(varints, uint64(at-last))
				last = at
			}
			w.Add(p.chunk, uint32(max(1, len(p.positions))), varints)
		}
		w.End()
	}
	_, err := w.Close()
	return err
}

// oldSink takes off the byte that blocks of Dict begin with since then.
type oldSink struct{ postings.Sink }

func (s oldSink) PutPage(stream postings.Stream, n int, data []byte) error {
	if stream == postings.Dict {
		data = bytes.TrimPrefix(data, []byte{1})
	}
	return s.Sink.PutPage(stream, n, data)
}

// blocksOfDict is how many blocks of Dict are of an old layout, and of today's.
func blocksOfDict(t *testing.T, s *Store) (old, now int) {
	t.Helper()
	err := s.w.QueryRow("SELECT count(*) FILTER (WHERE substr(data,1,1)=x'00'), count(*) FILTER (WHERE substr(data,1,1)=x'01') FROM page WHERE id>>26&63 = ?", int(postings.Dict)).Scan(&old, &now)
	if err != nil {
		t.Fatal(err)
	}
	return old, now
}

// A corpus of which some segments are old answers as one of today, also where it cannot be
// written; the next commit merges them, or writes them once more.
func TestOldPositions(t *testing.T) {
	for _, commits := range []record.PMID{3, mergeWidth - 1} {
		dir := t.TempDir()
		s := openTest(t, dir, Options{})
		rng := rand.New(rand.NewPCG(1, 52))
		all := map[record.PMID]*Document{}
		for part := range commits {
			var docs []*Document
			for i := range record.PMID(150) {
				doc := randomDocument(rng, 1+150*part+i, 2020)
				for _, c := range doc.Chunks {
					for j := range c.Tokens { // numbers of one, two and three bytes, old and new
						c.Tokens[j].Pos = c.Tokens[j].Pos*[]uint32{1, 2, 90}[i%3] + uint32(i%2)*900
					}
				}
				docs, all[doc.PMID] = append(docs, doc), doc
			}
			commitTest(t, s, "test", docs...)
		}
		var queries []Query
		for range 40 {
			at := uint32(1+rng.IntN(10)) * []uint32{1, 2, 90}[rng.IntN(3)]
			queries = append(queries,
				Phrase{Slots: []Slot{{Terms: []string{"w0", "w1"}}, {Terms: []string{"w2", "w0", "w3"}, At: at}}},
				Phrase{Slots: []Slot{{Terms: []string{fmt.Sprint("w", rng.IntN(30))}}, {Terms: []string{fmt.Sprint("w", rng.IntN(30)), "w5"}, At: at}}})
		}
		ask := func(s *Store) (answers [][]Hit) {
			t.Helper()
			for _, q := range queries {
				hits, err := s.Search(t.Context(), q, Filter{}, 1000)
				if err != nil {
					t.Fatal(err)
				}
				answers = append(answers, hits)
			}
			return answers
		}
		want := ask(s)
		if found := len(slices.Concat(want...)); found < 500 {
			t.Fatalf("%d hits", found)
		}
		withOldPositions(t, s, all)
		if old, now := blocksOfDict(t, s); old == 0 || now == 0 {
			t.Fatalf("%d old blocks, %d of today", old, now)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		reader := openTest(t, dir, Options{ReadOnly: true})
		if !reflect.DeepEqual(ask(reader), want) {
			t.Error("a reader finds other hits")
		}
		s = openTest(t, dir, Options{})
		if !reflect.DeepEqual(ask(s), want) {
			t.Error("a writer finds other hits")
		}
		another := randomDocument(rng, 5000, 2020)
		for len(another.Chunks) == 0 {
			another = randomDocument(rng, 5000, 2020)
		}
		commitTest(t, s, "test", another)
		if old, now := blocksOfDict(t, s); old != 0 || now == 0 {
			t.Errorf("after the next commit %d old blocks, %d of today", old, now)
		}
		fresh := openTest(t, t.TempDir(), Options{})
		commitTest(t, fresh, "test", append(slices.Collect(maps.Values(all)), another)...)
		want = ask(fresh)
		for _, s := range []*Store{s, reader} {
			if !reflect.DeepEqual(ask(s), want) {
				t.Errorf("%d commits: other hits after the next", commits)
			}
		}
	}
}
