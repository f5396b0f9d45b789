package store

import (
	"context"
	"iter"

	"biomcp/entrez/record"
	"biomcp/store/disk"
	"biomcp/store/rows"
)

var documentRows = "SELECT " + documentTable.Columns + " FROM document "

// Document returns one document. The error is NotFound if the corpus does not have it.
func (s *Store) Document(ctx context.Context, pmid record.PMID) (*Document, error) {
	docs, err := s.DocumentsByPMID(ctx, []record.PMID{pmid})
	if err != nil {
		return nil, err
	}
	if docs[pmid] == nil {
		return nil, disk.NewError(NotFound, "read document", "pmid:%d is not in the corpus", pmid)
	}
	return docs[pmid], nil
}

// DocumentsByPMID returns those of the given documents that are in the corpus.
func (s *Store) DocumentsByPMID(ctx context.Context, pmids []record.PMID) (map[record.PMID]*Document, error) {
	docs := make(map[record.PMID]*Document, len(pmids))
	err := s.db.Read(ctx, "read documents", func(r *rows.Conn) error {
		for _, pmid := range pmids {
			doc, err := s.document(r, pmid)
			if err != nil {
				return err
			}
			if doc != nil {
				docs[pmid] = doc
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
	return docs, err
}

// document reads a document. It returns nil if the corpus does not have it.
func (s *Store) document(r *rows.Conn, pmid record.PMID) (*Document, error) {
	var row storedDocument
	found, err := r.RowFound(documentRows+"WHERE pmid=? AND body IS NOT NULL", []any{pmid}, row.columns()...)
	if err != nil || !found {
		return nil, err
	}
	return s.decode(r, row)
}

// Documents yields every document with a PMID greater than after, ordered by PMID. It reads in
// portions, each from a separate snapshot.
func (s *Store) Documents(ctx context.Context, after record.PMID) iter.Seq2[*Document, error] {
	return s.FilteredDocuments(ctx, after, func(record.PMID) bool { return true })
}

// FilteredDocuments is like Documents but yields only wanted documents, and does not decompress the others.
func (s *Store) FilteredDocuments(
	ctx context.Context, after record.PMID, wanted func(record.PMID) bool,
) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		const portion = 200
		var docs []*Document
		for {
			read := 0
			err := s.db.Read(ctx, "read documents", func(r *rows.Conn) error {
				read, docs = 0, docs[:0]
				query := documentRows + "WHERE pmid>? AND body IS NOT NULL ORDER BY pmid LIMIT ?"
				return r.Each(query, []any{after, portion}, func(scan func(...any) error) error {
					var row storedDocument
					if err := scan(row.columns()...); err != nil {
						return err
					}
					read++
					after = row.pmid
					if !wanted(row.pmid) {
						return nil
					}
					doc, err := s.decode(r, row)
					docs = append(docs, doc)
					return err
				})
			})
			if err != nil {
				yield(nil, err)
				return
			}
			for _, doc := range docs {
				if !yield(doc, nil) {
					return
				}
			}
			if read < portion {
				return
			}
		}
	}
}

// storedDocument is a row of the table document.
type storedDocument struct {
	pmid  record.PMID
	state State
	body  []byte // nil if the record is deleted
	sum   int64
}

// columns returns the destinations into which the columns of documentTable are scanned.
func (row *storedDocument) columns() []any {
	st := &row.state
	return []any{&row.pmid, &st.Version, &st.PMIDVersion, &st.Revised, &st.Hash, &st.File, (*rows.Blob)(&row.body),
		&row.sum}
}

// scanDocument reads a row of documentTable and decodes its document, which is nil if the record is
// deleted. The error is Corrupt if the row is damaged.
func (s *Store) scanDocument(r *rows.Conn, scan func(...any) error) (row storedDocument, doc *Document, err error) {
	if err := scan(row.columns()...); err != nil {
		return storedDocument{}, nil, err
	}
	if row.state.Deleted = row.body == nil; row.state.Deleted {
		return row, nil, row.state.check(row.pmid, nil, row.sum)
	}
	doc, content, err := s.decodeRow(r, row)
	if err == nil && hashOf(row.pmid, content) != row.state.Hash {
		err = errDocument(nil)
	}
	return row, doc, err
}

// skimDocument is like scanDocument but returns only the number of chunks. It overwrites text with the
// decompressed body.
func (s *Store) skimDocument(
	r *rows.Conn, scan func(...any) error, text *[]byte,
) (row storedDocument, chunks int, err error) {
	if err := scan(row.columns()...); err != nil {
		return storedDocument{}, 0, err
	}
	if row.state.Deleted = row.body == nil; row.state.Deleted {
		return row, 0, row.state.check(row.pmid, nil, row.sum)
	}
	var content []byte
	if err = row.state.check(row.pmid, row.body, row.sum); err == nil {
		*text, err = s.bodies.unpackTo((*text)[:0], r, row.body)
	}
	if err == nil {
		chunks, content, err = skimBody(*text)
	}
	if err != nil || hashOf(row.pmid, content) != row.state.Hash {
		err = errDocument(err)
	}
	return row, chunks, err
}

// decode decodes the document of a row.
func (s *Store) decode(r *rows.Conn, row storedDocument) (*Document, error) {
	doc, _, err := s.decodeRow(r, row)
	return doc, err
}

// decodeRow is like decode and also returns the part of the body that is hashed.
func (s *Store) decodeRow(r *rows.Conn, row storedDocument) (doc *Document, content []byte, err error) {
	body, err := s.bodyOf(r, row)
	if err == nil {
		doc, content, err = decodeContent(body)
	}
	if err != nil {
		return nil, nil, errDocument(err)
	}
	doc.PMID, doc.Version = row.pmid, row.state.Version
	return doc, content, nil
}

func errDocument(err error) error {
	return &Error{Kind: Corrupt, Op: "read document", Message: "a stored document is damaged", Err: err}
}

// bodyOf verifies the checksum of a row and returns its decompressed body.
func (s *Store) bodyOf(r *rows.Conn, row storedDocument) ([]byte, error) {
	if err := row.state.check(row.pmid, row.body, row.sum); err != nil {
		return nil, err
	}
	return s.bodies.unpack(r, row.body)
}
