package store

import (
	"database/sql"
	"encoding/binary"
	"iter"
	"slices"
	"strconv"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/vectors"
	"biomcp/store/wordindex"
)

// vectorCodec converts vectors of a model to and from their stored form, bytes (package vectors).
type vectorCodec struct{ *vectors.Space }

func (s *Store) vectorCodec(m Model) vectorCodec { return vectorCodec{s.space(m.Dim)} }

// pack returns the stored form of a vector and the code of that form.
func (p vectorCodec) pack(v []float32) ([]byte, vectors.Code) {
	b := p.AppendBytes(make([]byte, 0, p.ByteSize()), v)
	return b, p.EncodeBytes(b, nil)
}

// each yields the ordinals and stored vectors of a row of the table vector.
func (p vectorCodec) each(row []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for size := 2 + p.ByteSize(); len(row) >= size; row = row[size:] {
			if !yield(binary.LittleEndian.Uint16(row), row[2:size]) {
				return
			}
		}
	}
}

// recode computes the codes of the chunks of l from their vectors, relative to origin. Chunks
// without a vector get noCode.
func (p vectorCodec) recode(r *rows.Conn, m Model, l *leaf, origin []float32) (*leaf, error) {
	codes := map[wordindex.Key]vectors.Code{}
	err := m.rows(r, slices.Compact(slices.Clone(l.pmids)), func(pmid record.PMID, row []byte) error {
		for ordinal, stored := range p.each(row) {
			codes[wordindex.Key{PMID: pmid, Ordinal: ordinal}] = p.EncodeBytes(stored, origin)
		}
		return nil
	})
	now := &leaf{words: p.Words}
	for i, pmid := range l.pmids {
		code, ok := codes[wordindex.Key{PMID: pmid, Ordinal: l.ordinals[i]}]
		if !ok {
			code = noCode(p.Words)
		}
		now.add(pmid, l.ordinals[i], code)
	}
	return now, err
}

var vectorRows = rows.NewBlobs("vector", "data")

// row reads the row of a document. It returns an empty slice if there is none.
func (m Model) row(r *rows.Conn, pmid record.PMID) ([]byte, error) {
	return vectorRows.Read(r, m.rowID(pmid))
}

// rows calls f with the existing rows of documents. It reads them with one statement: for the 600
// of a search by meaning, one statement each takes twice as long.
func (m Model) rows(r *rows.Conn, pmids []record.PMID, f func(record.PMID, []byte) error) error {
	list := []byte{'['}
	for i, pmid := range pmids {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, m.rowID(pmid), 10)
	}
	list = append(list, ']')
	// CROSS JOIN keeps the order of the tables.
	const query = "SELECT v.id, v.sum, v.data FROM json_each(?) j CROSS JOIN vector v ON v.id=j.value"
	return r.Each(query, []any{string(list)}, func(scan func(...any) error) error {
		var id, sum int64
		var row sql.RawBytes
		if err := scan(&id, &sum, &row); err != nil {
			return err
		}
		if err := vectorRows.Check(sum, id, row); err != nil {
			return err
		}
		return f(record.PMID(uint32(id)), row)
	})
}

func (m Model) rowID(pmid record.PMID) int64 { return m.ID<<32 | int64(pmid) }
