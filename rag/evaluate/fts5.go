package evaluate

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode"

	_ "modernc.org/sqlite" // the driver

	"biomcp/entrez/record"
	"biomcp/store"
)

// FTS5 is a full-text table of SQLite in memory, for comparison. It uses the Porter stemmer,
// any word of the query, and BM25 with weight 2 for the title.
type FTS5 struct{ db *sql.DB }

// NewFTS5 returns a table of documents.
func NewFTS5(ctx context.Context, docs []*store.Document) (*FTS5, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	f := &FTS5{db}
	if err := f.fill(ctx, docs); err != nil {
		db.Close()
		return nil, err
	}
	return f, nil
}

func (f *FTS5) fill(ctx context.Context, docs []*store.Document) error {
	const create = "CREATE VIRTUAL TABLE document USING fts5(title, abstract, tokenize='porter unicode61')"
	if _, err := f.db.ExecContext(ctx, create); err != nil {
		return err
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, d := range docs {
		const insert = "INSERT INTO document(rowid, title, abstract) VALUES(?,?,?)"
		if _, err := tx.ExecContext(ctx, insert, d.PMID, d.Title, d.Abstract); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Close frees the table.
func (f *FTS5) Close() error { return f.db.Close() }

// Rank returns the best documents for a query. It is a Ranker.
func (f *FTS5) Rank(ctx context.Context, query string) ([]record.PMID, error) {
	words := strings.FieldsFunc(query, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return nil, nil
	}
	const sel = "SELECT rowid FROM document WHERE document MATCH ? ORDER BY bm25(document, 2, 1), rowid LIMIT %d"
	rows, err := f.db.QueryContext(ctx, fmt.Sprintf(sel, depth), `"`+strings.Join(words, `" OR "`)+`"`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ranked []record.PMID
	for rows.Next() {
		var pmid record.PMID
		if err := rows.Scan(&pmid); err != nil {
			return nil, err
		}
		ranked = append(ranked, pmid)
	}
	return ranked, rows.Err()
}
