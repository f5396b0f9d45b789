package store

import (
	"context"
	"strconv"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// PMIDs returns at most limit PMIDs of the corpus that begin with the digits begins. A shorter PMID
// comes before a longer one. It returns none if begins is not a number.
func (s *Store) PMIDs(ctx context.Context, begins string, limit int) (pmids []record.PMID, err error) {
	low, err := strconv.ParseUint(begins, 10, 63)
	if begins == "" {
		low, err = 1, nil
	}
	if err != nil || low == 0 || begins != "" && begins != strconv.FormatUint(low, 10) {
		return nil, nil
	}
	err = s.db.Read(ctx, "read PMIDs", func(r *rows.Conn) error {
		// The prefix 12 matches 12, 120 to 129, 1200 to 1299, ...
		for width := uint64(1); low*width <= uint64(record.MaxPMID) && len(pmids) < limit; width *= 10 {
			high := (low+1)*width - 1
			if begins == "" {
				high = uint64(record.MaxPMID)
			}
			const selectDocument = "SELECT pmid FROM document WHERE pmid BETWEEN ? AND ? AND body IS NOT NULL" +
				" ORDER BY pmid LIMIT ?"
			more, err := rows.List(r, selectDocument,
				[]any{low * width, high, limit - len(pmids)}, func(pmid *record.PMID) []any { return []any{pmid} })
			if pmids = append(pmids, more...); err != nil || begins == "" {
				return err
			}
		}
		return nil
	})
	return pmids, err
}
