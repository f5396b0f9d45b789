package store

import (
	"context"

	"biomcp/entrez/record"
	"biomcp/store/salvage"
)

// copyVectors copies the vectors of the models that are expensive to compute. If the journal is damaged
// it copies none, because the matching texts are unknown.
func (s *recovery) copyVectors(ctx context.Context) error {
	if s.result.Losses.Journal > 0 {
		return nil
	}
	for old, m := range s.models {
		now, err := s.to.NewModel(ctx, m.Name, m.Dim)
		if err != nil {
			return err
		}
		if err := s.copyModelVectors(ctx, old, now); err != nil {
			return err
		}
		if m.InUse {
			s.inUse = now.ID
		}
	}
	if s.inUse == 0 {
		return nil
	}
	err := s.to.UseModel(ctx, s.inUse, 0)
	if IsKind(err, ModelMismatch) {
		return nil // the next sync computes the lost vectors
	}
	return err
}

// copyModelVectors copies the vectors of one model.
func (s *recovery) copyModelVectors(ctx context.Context, old int64, m Model) error {
	var list []Vector
	flush := func() error {
		n, err := s.to.AddVectors(ctx, m.ID, list)
		s.result.Saved.Vectors += int64(n)
		list = list[:0]
		return err
	}
	table := salvage.Table{Name: "vector", Key: "id", Columns: "id, data", First: old<<32 + 1,
		Last: old<<32 + maxPMID, IntactWhere: sums()["vector"]}
	_, err := s.from.Each(ctx, table, func(scan func(...any) error) error {
		var id int64
		var row []byte
		if err := scan(&id, &row); err != nil {
			return err
		}
		pmid := record.PMID(uint32(id))
		vectors, ok := m.decodeRow(s.to.vectorCodec(m), pmid, row)
		if !ok || id>>32 != old {
			return nil
		}
		states, err := s.to.States(ctx, []record.PMID{pmid})
		if err != nil || states[pmid].Version == 0 {
			return err // their document is lost
		}
		for i := range vectors {
			vectors[i].Version = states[pmid].Version
		}
		if list = append(list, vectors...); len(list) < 2000 {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// decodeRow decodes a row of the table vector. ok is false if the row is invalid.
func (m Model) decodeRow(p vectorCodec, pmid record.PMID, row []byte) (list []Vector, ok bool) {
	if len(row) == 0 || len(row)%(2+p.ByteSize()) != 0 {
		return nil, false
	}
	for ordinal, stored := range p.each(row) {
		v := Vector{PMID: pmid, Ordinal: int(ordinal), Values: make([]float32, m.Dim)}
		p.DecodeBytes(v.Values, stored)
		if m.checkVector("", v.Values) != nil {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}
