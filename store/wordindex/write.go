package wordindex

import (
	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
	"context"
	"encoding/binary"
	"slices"
)

// Entry is the data of a document that the index stores.
type Entry struct {
	PMID   record.PMID
	Date   uint32 // yyyymmdd
	Facts  uint32 // Document.Facts
	Flags  Flags
	Codes  []uint32                 // encoded IDs of the chunks (ChunkNumber)
	Chunks []postings.ChunkPostings // with terms numbered by a Vocabulary
}

// Write adds the chunks of documents, which must be ordered by PMID, to the index.
func Write(ctx context.Context, w *rows.Conn, terms *postings.Vocabulary, entries []*Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var chunks []postings.ChunkPostings
	var length int64
	values := map[postings.ColumnSpec][]byte{}
	for _, e := range entries {
		chunks = append(chunks, e.Chunks...)
		for i, in := range e.Chunks {
			length += int64(in.Length)
			h := hit{date: e.Date, facts: e.Facts, chunk: e.Codes[i], ordinal: i}
			values[columnDate] = binary.LittleEndian.AppendUint32(values[columnDate], h.date)
			values[columnFlags] = append(values[columnFlags], byte(e.Flags))
			values[columnHit] = h.append(values[columnHit])
		}
	}
	const insertSegment = "INSERT INTO segment(state,chunks,dead,length,lo,hi,bytes) VALUES(1,?,0,?,?,?,0)"
	id, err := w.Insert(insertSegment, len(chunks), length, entries[0].PMID, entries[len(entries)-1].PMID)
	if err != nil {
		return err
	}
	sink := pageSink{ctx: ctx, w: w, segment: id}
	bytes, err := postings.Write(sink, terms, chunks)
	if err != nil {
		return err
	}
	for _, c := range columns {
		n := 0
		for page := range slices.Chunk(values[c], c.PageLen*c.Width) {
			if err := sink.PutPage(c.Stream, n, page); err != nil {
				return err
			}
			n++
		}
		bytes += int64(len(values[c]))
	}
	return w.Exec("UPDATE segment SET bytes=? WHERE id=?", bytes, sink.segment)
}

// pageSink writes the pages of a segment in a transaction.
type pageSink struct {
	ctx     context.Context
	w       *rows.Conn
	segment int64
}

// PutPage writes a page.
func (p pageSink) PutPage(stream postings.Stream, n int, data []byte) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return p.w.Exec("INSERT INTO page VALUES(?,?)", pageID(p.segment, stream, n), data)
}

// CutTerm truncates a term to the maximum length. Queries truncate terms in the same way.
func CutTerm(term string) string { return term[:min(len(term), 255)] }
