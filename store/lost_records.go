package store

import (
	"context"
	"encoding/json"
	"slices"

	"biomcp/entrez/record"
)

const lostKey = "lost" // of the PMIDs that a Repair could not read

// Lost returns the PMIDs of records that a Repair could not read and that were not stored
// again since, in their order.
func (s *Store) Lost(ctx context.Context) ([]record.PMID, error) {
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

// SetLost sets the list that Lost returns.
func (s *Store) SetLost(ctx context.Context, pmids []record.PMID) error {
	text, err := lostText(pmids)
	if err != nil {
		return err
	}
	return s.SetMeta(ctx, lostKey, text)
}

// lostText is the list as it is stored.
func lostText(pmids []record.PMID) (string, error) {
	pmids = slices.Clone(pmids)
	slices.Sort(pmids)
	text, err := json.Marshal(slices.Compact(pmids))
	return string(text), err
}
