package wordindex

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
)

// Remove marks the chunks of the given PMIDs, which must ascend, as removed.
func (g *Segment) Remove(src Source, pmids []record.PMID, generation int64) error {
	from := sort.Search(len(pmids), func(i int) bool { return pmids[i] >= g.MinPMID })
	var removed postings.Bits
	pages := map[int]bool{}
	var dead, length int64
	for _, pmid := range pmids[from:] {
		if pmid > g.MaxPMID {
			break
		}
		first, err := g.Find(src, pmid)
		if err != nil {
			return err
		}
		for i := first; i < uint32(g.Chunks); i++ {
			id, err := g.ChunkID(src, i)
			if err != nil {
				return err
			}
			if record.PMID(id) != pmid || g.isRemoved(i) {
				break
			}
			if removed == nil {
				removed = postings.NewBits(g.Chunks)
				copy(removed, g.RemovedChunks)
			}
			l, err := g.ChunkLength(src, i)
			if err != nil {
				return err
			}
			removed.Set(i)
			pages[int(i/deadPage)] = true
			dead++
			length += int64(l)
		}
	}
	if dead == 0 {
		return nil
	}
	if err := writeDead(src.r, g.ID, removed, slices.Collect(maps.Keys(pages)), generation); err != nil {
		return err
	}
	const updateSegment = "UPDATE segment" +
		" SET dead=dead+?, length=length-?, state=CASE WHEN dead+? < chunks THEN 1 ELSE 2 END WHERE id=?"
	return src.r.Exec(updateSegment, dead, length, dead, g.ID)
}

// writeDead stores the given pages of the set of removed chunks of a segment.
func writeDead(w *rows.Conn, segment int64, removed postings.Bits, pages []int, generation int64) error {
	for _, page := range pages {
		part := removed[page*deadPage/64 : min((page+1)*deadPage/64, len(removed))]
		bits := make([]byte, 0, 8*len(part))
		for _, word := range part {
			bits = binary.LittleEndian.AppendUint64(bits, word)
		}
		const insertDead = "INSERT OR REPLACE INTO dead(segment,page,gen,bits) VALUES(?,?,?,?)"
		if err := w.Exec(insertDead, segment, page, generation, bits); err != nil {
			return err
		}
	}
	return nil
}

// Find returns the first chunk whose PMID is at least pmid.
func (g *Segment) Find(src Source, pmid record.PMID) (uint32, error) {
	// Find the page first, by the first PMID of each page, which are cached.
	firsts, err := g.pageFirsts(src)
	if err != nil {
		return 0, err
	}
	n := sort.Search(len(firsts), func(i int) bool { return record.PMID(firsts[i]) >= pmid })
	if n == 0 {
		return 0, nil
	}
	n--
	page, err := src.GetPage(g.ID, postings.IDs, n)
	if err != nil {
		return 0, err
	}
	i := sort.Search(len(page)/4, func(i int) bool {
		return record.PMID(binary.LittleEndian.Uint32(page[4*i:])) >= pmid
	})
	return uint32(n*postings.ColumnLen + i), nil
}

func (g *Segment) pageFirsts(src Source) ([]uint32, error) {
	key := fmt.Sprint("firsts ", g.ID)
	if firsts, ok := src.Recall(key).([]uint32); ok {
		return firsts, nil
	}
	var firsts []uint32
	for at := 0; at < g.Chunks; at += postings.ColumnLen {
		id, err := g.ChunkID(src, uint32(at))
		if err != nil {
			return nil, err
		}
		firsts = append(firsts, id)
	}
	src.Remember(key, firsts, 4*len(firsts)+len(key))
	return firsts, nil
}
