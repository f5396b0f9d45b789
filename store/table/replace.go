package table

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"

	"biomcp/store/disk"
)

// Row is one record of a data set to be stored.
type Row struct {
	ID        string // unique key; Get ignores its case
	Kind      string // a kind within the data set: "product", "ingredient"
	Name      string // counts most in a search
	Values    []Value
	ExtraText string // further words for searches
	Body      any    // the record, encoded as JSON
}

// Value is a text of a record by which records can be filtered.
type Value struct{ Field, Text string }

// Add adds values of a field.
func (r *Row) Add(field string, texts ...string) {
	for _, t := range texts {
		r.Values = append(r.Values, Value{field, t})
	}
}

const schema = `
CREATE TABLE record_S(id INTEGER PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE value_S(id INTEGER PRIMARY KEY, field TEXT NOT NULL, folded TEXT NOT NULL, records TEXT NOT NULL);
CREATE VIRTUAL TABLE words_S USING fts5(name, more, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE terms_S USING fts5(folded, content='', tokenize='porter unicode61 remove_diacritics 2');`

const dropSchema = `DROP TABLE IF EXISTS record_S; DROP TABLE IF EXISTS value_S;
DROP TABLE IF EXISTS words_S; DROP TABLE IF EXISTS terms_S`

// ErrNoRows is returned by Replace if a version has no records.
var ErrNoRows = errors.New("it has no records")

// Replace replaces a data set by a new version in one transaction. fill passes its rows to put in
// order. check receives the old and the new version. An error of either rolls everything back.
// Replace sets Version, Rows, StoredAt and CheckedAt of info.
func (t *Tables) Replace(ctx context.Context, info Info, fill func(put func(*Row) error) error,
	check func(old, new *Info) error) (Info, error) {
	err := t.write(ctx, "store local table", func(tx *sql.Conn) error {
		old, err := infoOf(ctx, tx, info.Name)
		if err != nil && !IsAbsent(err) {
			return err
		}
		if _, err := tx.ExecContext(ctx, forSet(info.Name, dropSchema+";"+schema)); err != nil {
			return err
		}
		w, err := newWriter(ctx, tx, info.Name)
		if err != nil {
			return err
		}
		if err = fill(w.put); err == nil {
			err = w.putValues()
		}
		if err = errors.Join(err, w.close()); err == nil && w.rows == 0 {
			err = ErrNoRows
		}
		if err != nil {
			return err
		}
		info.Version, info.Rows = old.Version+1, w.rows
		info.StoredAt, info.CheckedAt = info.StoredAt.UTC(), info.StoredAt.UTC()
		if err := check(&old, &info); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, forSet(info.Name,
			"CREATE INDEX key_S ON record_S(key); CREATE UNIQUE INDEX folded_S ON value_S(field, folded)"))
		if err != nil {
			return err
		}
		return info.put(ctx, tx)
	})
	if err == nil {
		t.shrink(ctx)
	}
	return info, err
}

// writer writes rows to new tables.
type writer struct {
	ctx       context.Context
	rows      int
	values    map[Value]int // index in held
	valueList []holders
	stmts     [4]*sql.Stmt // record, words, value, terms
}

// holders lists the records that have a value, in order.
type holders struct {
	Value
	records []int
}

func newWriter(ctx context.Context, tx *sql.Conn, set string) (*writer, error) {
	w := &writer{ctx: ctx, values: map[Value]int{}}
	for i, q := range [...]string{
		"INSERT INTO record_S VALUES(?,?,?,?)", "INSERT INTO words_S(rowid,name,more) VALUES(?,?,?)",
		"INSERT INTO value_S VALUES(?,?,?,?)", "INSERT INTO terms_S(rowid,folded) VALUES(?,?)",
	} {
		var err error
		if w.stmts[i], err = tx.PrepareContext(ctx, forSet(set, q)); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	return w, nil
}

func (w *writer) close() (err error) {
	for _, s := range w.stmts {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

func (w *writer) put(r *Row) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	body, err := json.Marshal(r.Body)
	if err != nil {
		return disk.NewError(disk.Invalid, "store local table", "the record %s has no form in JSON", r.ID)
	}
	w.rows++
	more := []string{r.ID, r.ExtraText}
	for _, v := range r.Values {
		more = append(more, v.Text)
		if v.Text = fold(v.Text); v.Text != "" {
			w.addValue(v)
		}
	}
	_, err = w.stmts[0].Exec(w.rows, fold(r.ID), r.Kind, string(body))
	if err == nil {
		_, err = w.stmts[1].Exec(w.rows, r.Name, strings.Join(more, "\n"))
	}
	return err
}

// addValue records that the last record has a value.
func (w *writer) addValue(v Value) {
	i, known := w.values[v]
	if !known {
		i = len(w.valueList)
		w.values[v], w.valueList = i, append(w.valueList, holders{Value: v})
	}
	h := &w.valueList[i]
	if n := len(h.records); n == 0 || h.records[n-1] != w.rows {
		h.records = append(h.records, w.rows)
	}
}

// putValues writes the values of all records.
func (w *writer) putValues() error {
	for i, h := range w.valueList {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		records, err := json.Marshal(h.records)
		if err != nil {
			return err
		}
		if _, err := w.stmts[2].Exec(i+1, h.Field, h.Text, string(records)); err != nil {
			return err
		}
		if _, err := w.stmts[3].Exec(i+1, h.Text); err != nil {
			return err
		}
	}
	return nil
}
