package wordindex

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

// PMIDs returns the set of PMIDs of the documents that pass a filter, or nil for all.
func (ix *Snapshot) PMIDs(src Source, f CompiledFilter) (postings.Bits, error) {
	if f.name == "" {
		return nil, nil
	}
	key := fmt.Sprint("pmids ", ix.Generation, " ", f.name)
	if set, ok := src.Recall(key).(postings.Bits); ok {
		return set, nil
	}
	var hi record.PMID
	for _, g := range ix.Segments {
		hi = max(hi, g.MaxPMID)
	}
	set := postings.NewBits(int(hi) + 1)
	for _, g := range ix.Segments {
		accepted, err := g.acceptedChunks(src, f)
		if err != nil {
			return nil, err
		}
		for n := 0; n*postings.ColumnLen < g.Chunks; n++ {
			from := n * postings.ColumnLen
			to := min(from+postings.ColumnLen, g.Chunks)
			if !accepted.Any(uint32(from), uint32(to-1)) {
				continue
			}
			page, err := src.GetPage(g.ID, postings.IDs, n)
			if err != nil || len(page) < 4*(to-from) {
				return nil, cmp.Or(err, postings.ErrDamaged)
			}
			for i := from; i < to; i++ {
				if accepted.Has(uint32(i)) {
					if id := binary.LittleEndian.Uint32(page[4*(i-from):]); record.PMID(id) <= hi {
						set.Set(id)
					}
				}
			}
		}
	}
	src.Remember(key, set, 8*len(set)+len(key))
	return set, nil
}

// Locate sets the remaining fields of hits that have a PMID and an ordinal.
func (ix *Snapshot) Locate(src Source, hits []Hit) error {
	for i := range hits {
		h := &hits[i]
		found := false
		for _, g := range ix.Segments {
			if h.PMID < g.MinPMID || h.PMID > g.MaxPMID {
				continue
			}
			chunk, err := g.Find(src, h.PMID)
			if err != nil {
				return err
			}
			if chunk += uint32(h.Ordinal); chunk >= uint32(g.Chunks) || g.isRemoved(chunk) {
				continue
			}
			id, err := g.ChunkID(src, chunk)
			if err != nil {
				return err
			}
			if record.PMID(id) != h.PMID {
				continue
			}
			if err := g.describe(src, chunk, h); err != nil {
				return err
			}
			found = true
			break
		}
		if !found {
			return fmt.Errorf("a vector belongs to no chunk: %w", postings.ErrDamaged)
		}
	}
	return nil
}
