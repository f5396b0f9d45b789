package store

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// Year returns the two-digit year of a file: 26 for 260123.
func (n FileNumber) Year() int { return int(n / 10_000) }

// listedPage is the number of PMIDs whose bits a row of the table listed holds.
const listedPage = 1 << 16

var listedRows = rows.NewBlobs("listed", "bits")

// AddFilePMID records, in the same transaction, that the batch's file holds a record of pmid, whether or
// not that record is put (Store.VanishedPMIDs).
func (b *Batch) AddFilePMID(pmid record.PMID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.filePMIDs = append(b.filePMIDs, pmid)
}

// DropFilePMIDs deletes, in the same transaction, the PMID lists of files before a year.
func (b *Batch) DropFilePMIDs(before int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgetBefore = before
}

// writeFilePMIDs writes the PMIDs that the file of the batch holds.
func (c *commit) writeFilePMIDs() error {
	if c.file > 0 {
		slices.Sort(c.filePMIDs)
	}
	for rest := c.filePMIDs; c.file > 0 && len(rest) > 0; {
		page := rest[0] / listedPage
		id, set := int64(c.file.Year())*listedPage+int64(page), make([]byte, listedPage/8)
		old, err := listedRows.Read(c.w, id)
		if err != nil {
			return err
		}
		copy(set, old)
		for len(rest) > 0 && rest[0]/listedPage == page {
			set[rest[0]%listedPage/8] |= 1 << (rest[0] % 8)
			rest = rest[1:]
		}
		if string(set) == string(old) {
			continue
		}
		if err := c.w.Exec("INSERT OR REPLACE INTO listed VALUES(?1,?2),(-?1,?2)", id, set); err != nil {
			return err
		}
	}
	if c.forgetBefore > 0 {
		return c.w.Exec("DELETE FROM listed WHERE abs(id)<?", int64(c.forgetBefore)*listedPage)
	}
	return nil
}

// VanishedPMIDs returns the documents that PubMed's files of earlier years held but no imported file of
// year holds, ordered by PMID. If all files of the year were imported, these are the records that
// PubMed removed without a notice. Files imported before a Repair are ignored, as their PMID lists
// may be lost.
func (s *Store) VanishedPMIDs(ctx context.Context, year int) (pmids []record.PMID, err error) {
	err = s.db.Read(ctx, "read documents", func(r *rows.Conn) error {
		pages := map[int64][]byte{} // unions of the PMID sets of earlier years, by page
		const selectListed = "SELECT id, sum, bits FROM listed WHERE id BETWEEN 1 AND ?"
		err := r.Each(selectListed, []any{int64(year)*listedPage - 1}, func(scan func(...any) error) error {
			var id, sum int64
			var set []byte
			if err := scan(&id, &sum, &set); err != nil {
				return err
			}
			if err := listedRows.Check(sum, id, set); err != nil {
				return err
			}
			for i, b := range pages[id%listedPage] {
				set[i] |= b
			}
			pages[id%listedPage] = set
			return nil
		})
		for page, set := range pages {
			if err == nil {
				pmids, err = appendVanished(r, pmids, page, set, year)
			}
			if err == nil {
				err = ctx.Err()
			}
		}
		return err
	})
	slices.Sort(pmids)
	return pmids, err
}

// appendVanished appends the vanished PMIDs of one page to pmids.
func appendVanished(r *rows.Conn, pmids []record.PMID, page int64, set []byte, year int) ([]record.PMID, error) {
	now, err := listedRows.Read(r, int64(year)*listedPage+page)
	if err != nil {
		return nil, err
	}
	for i, b := range set {
		if now != nil {
			b &^= now[i]
		}
		for ; b != 0; b &= b - 1 {
			pmid := record.PMID(page*listedPage + int64(i)*8 + int64(bits.TrailingZeros8(b)))
			st, err := stateOf(r, pmid)
			if err != nil {
				return nil, err
			}
			if st.Version > 0 && !st.Deleted && st.File.Year() < year {
				pmids = append(pmids, pmid)
			}
		}
	}
	return pmids, nil
}

// ImportedFiles summarises the imported files whose paths share a prefix.
type ImportedFiles struct {
	Files int
	Last  File // greatest path
}

// ImportedFiles summarises the completely imported files whose paths begin with begins.
func (s *Store) ImportedFiles(ctx context.Context, begins string) (in ImportedFiles, err error) {
	of := " FROM file NOT INDEXED WHERE " + intact("file") + " AND path>=?1 AND path<?1||char(1114111)"
	err = s.db.Read(ctx, "read job", func(r *rows.Conn) error {
		var modified int64
		if err := r.Row("SELECT count(*)"+of, []any{begins}, &in.Files); err != nil || in.Files == 0 {
			return err
		}
		err := r.Row("SELECT path, size, mtime, hash"+of+" ORDER BY path DESC LIMIT 1", []any{begins},
			&in.Last.Path, &in.Last.Size, &modified, &in.Last.Hash)
		in.Last.ModTime = time.Unix(0, modified).UTC()
		return err
	})
	return in, err
}
