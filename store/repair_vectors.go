package store

import (
	"context"
	"maps"
	"slices"

	"biomcp/entrez/record"
)

// repairModelRows restores the second copy of each row of a model if one copy is undamaged. A model that
// has lost both copies of a row, or the only one, is dropped, to be fitted again.
func (m *inPlaceRepair) repairModelRows() error {
	if !m.hasDamage("model_row") {
		return nil
	}
	models, err := m.s.models(m.w)
	if err != nil {
		return err
	}
	count := func(id int64) (n int64, err error) {
		const selectRowCount = "SELECT max((SELECT count(*) FROM model_row WHERE model=?1)," +
			" (SELECT count(*) FROM model_row WHERE model=-?1))"
		return n, m.w.Row(selectRowCount, []any{id}, &n)
	}
	had, copied := map[int64]int64{}, map[int64]bool{}
	for _, of := range models {
		if had[of.ID], err = count(of.ID); err != nil {
			return err
		}
		copied[of.ID] = hasModelRows(m.w, -of.ID)
	}
	if err := m.deleteDamaged("model_row"); err != nil {
		return err
	}
	for id, before := range had {
		err := m.w.Exec(`INSERT INTO model_row(model,key,data) SELECT -model, key, data FROM model_row AS one
			WHERE model IN (?1,-?1) AND ?2
			AND NOT EXISTS (SELECT 1 FROM model_row WHERE model=-one.model AND key=one.key)`, id, copied[id])
		if err != nil {
			return err
		}
		n, err := count(id)
		if err == nil && n < before {
			err = m.w.Exec("UPDATE model SET state=2 WHERE id=?", id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repairVectors regenerates codes from vectors and deletes the keys of chunks without a vector, so
// that the next sync computes their vectors.
func (m *inPlaceRepair) repairVectors(ctx context.Context) error {
	models, err := m.s.models(m.w)
	if err != nil {
		return err
	}
	codes, err := m.damagedColumns("vector_code", "model", "id",
		"keysum IS crc32c('vector_code',model,part,lo,gen,n,keys)")
	if err != nil {
		return err
	}
	means, err := m.damagedColumns("vector_partition", "model")
	if err != nil {
		return err
	}
	all := map[int64]bool{} // models whose codes are all regenerated
	for _, row := range means {
		all[row[0]] = true
	}
	for _, row := range codes {
		all[row[0]] = all[row[0]] || row[2] == 0
	}
	var changes []vectorChange
	for _, pmid := range slices.Sorted(maps.Keys(m.vectors)) {
		changes = append(changes, vectorChange{pmid: pmid, replace: true})
	}
	for _, of := range models {
		if all[of.ID] {
			err = m.rebuildCodes(ctx, of)
		}
		for _, row := range codes {
			if err == nil && row[0] == of.ID && !all[of.ID] {
				err = m.repairCodes(of, row[1])
			}
		}
		if err == nil {
			err = m.s.applyChanges(m.w, of, slices.Clone(changes), m.generation)
		}
		if err != nil {
			return err
		}
		delete(all, of.ID)
	}
	if len(all) > 0 {
		return errNotRepairable // rows of an unknown model: their model number is damaged too
	}
	// Each key stands for a chunk that is done.
	const updateModel = "UPDATE model SET vectors=(SELECT coalesce(sum(n),0) FROM vector_code" +
		" WHERE vector_code.model=model.id AND part IN (?,?))"
	return m.w.Exec(updateModel, loosePart, placedPart)
}

// repairCodes regenerates the codes of one row whose keys are undamaged.
func (m *inPlaceRepair) repairCodes(of Model, id int64) error {
	p := m.s.vectorCodec(of)
	var l *leaf
	var part int64
	const query = "SELECT " + keysColumns + ", part FROM vector_code WHERE id=?"
	err := m.w.Each(query, []any{id}, func(scan func(...any) error) (err error) {
		l, err = readKeys(scan, &part)
		return err
	})
	if err != nil {
		return err
	}
	if part == placedPart {
		return m.w.Exec("UPDATE vector_code SET data=x'' WHERE id=?", id)
	}
	places, err := readPartitions(m.w, p.Space, of.ID, part, part)
	if err == nil {
		l, err = p.recode(m.w, of, l, places.mean(part))
	}
	if err != nil {
		return err
	}
	_, data := l.encode()
	return m.w.Exec("UPDATE vector_code SET data=? WHERE id=?", data, id)
}

// rebuildCodes regenerates all codes of a model. Chunks that were known to have no vector count as
// missing afterwards.
func (m *inPlaceRepair) rebuildCodes(ctx context.Context, of Model) error {
	for _, q := range []string{"DELETE FROM vector_code WHERE model=?", "DELETE FROM vector_partition WHERE model=?"} {
		if err := m.w.Exec(q, of.ID); err != nil {
			return err
		}
	}
	p := m.s.vectorCodec(of)
	for after, more := record.PMID(0), true; more; {
		var changes []vectorChange
		const selectVector = "SELECT id, data FROM vector WHERE id>? AND id<? ORDER BY id LIMIT 2000"
		err := m.w.Each(selectVector, []any{of.rowID(after), (of.ID + 1) << 32}, func(scan func(...any) error) error {
			var id int64
			var row []byte
			err := scan(&id, &row)
			after = record.PMID(uint32(id))
			list, ok := of.decodeRow(p, after, row)
			if err == nil && !ok {
				err = errNotRepairable
			}
			c := vectorChange{pmid: after}
			for _, v := range list {
				c.ordinals, c.vectors = append(c.ordinals, uint16(v.Ordinal)), append(c.vectors, v.Values)
			}
			changes = append(changes, c)
			return err
		})
		if err == nil {
			err = ctx.Err()
		}
		if more = len(changes) > 0; err == nil && more {
			err = m.s.applyChanges(m.w, of, changes, m.generation)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
