package store

import (
	"context"
	"encoding/json"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

const lostKey = "lost" // meta key of the PMIDs that a Repair could not read

// LostRecords returns the PMIDs, in ascending order, of the records that a Repair could not read and that
// have not been stored again since.
func (s *Store) LostRecords(ctx context.Context) ([]record.PMID, error) {
	lost := []record.PMID{}
	text, err := s.Meta(ctx, lostKey)
	if err != nil || text == "" {
		return lost, err
	}
	if err := json.Unmarshal([]byte(text), &lost); err != nil {
		return nil, &Error{Kind: Corrupt, Op: "read corpus", Message: "the list of lost records is damaged", Err: err}
	}
	states, err := s.States(ctx, lost)
	return slices.DeleteFunc(lost, func(pmid record.PMID) bool { return states[pmid].Version > 0 }), err
}

// addLost adds PMIDs to the list that LostRecords returns.
func addLost(w *rows.Conn, pmids []record.PMID) error {
	var text string
	if err := w.Meta(userMeta+lostKey, &text); err != nil {
		return err
	}
	var lost []record.PMID
	if text != "" {
		if err := json.Unmarshal([]byte(text), &lost); err != nil {
			return &Error{Kind: Corrupt, Op: repairing, Message: "the list of lost records is damaged", Err: err}
		}
	}
	lost = append(lost, pmids...)
	slices.Sort(lost)
	list, err := json.Marshal(slices.Compact(lost))
	if err != nil {
		return err
	}
	return w.SetMeta(userMeta+lostKey, string(list))
}
