package table

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// Query describes a search. A record must meet all its conditions.
type Query struct {
	Text          string // words in the name, the ID or any value
	Conditions    []Condition
	Kinds         []string // accepted kinds; empty means all
	Offset, Limit int      // Limit 0 only counts the records
	SortLast      SortLast // records to sort after all others
}

// SortLast selects records whose JSON member Member has the value Value. It selects none if Member is
// "".
type SortLast struct{ Member, Value string }

// Condition matches a record if one value of one of the fields contains all words of Text, or all words
// of one of the texts in Alternatives. If Exact is set, the value must equal one of these texts, ignoring
// case. If Prefix is set, it must begin with Text.
type Condition struct {
	Fields        []string
	Text          string
	Alternatives  []string
	Exact, Prefix bool
}

// Record is one record found.
type Record struct {
	ID, Kind string
	Body     json.RawMessage
}

// Decode decodes the JSON body of a record.
func Decode[T any](r Record) (*T, error) {
	v := new(T)
	return v, json.Unmarshal(r.Body, v)
}

// Found is the result of a search in one version of a data set.
type Found struct {
	Info    Info
	Total   int
	Records []Record
}

// Find searches a data set. If q.Text is set, the best matches come first; otherwise records keep
// the order of the source. A text or filter without a letter or digit matches nothing. The error is
// an *AbsentError if the data set was never stored.
func (t *Tables) Find(ctx context.Context, set string, q Query) (*Found, error) {
	from, conditions, args := forSet(set, "record_S r"), []string{"1"}, []any{}
	order := "r.id"
	if q.Text != "" {
		from += forSet(set, " JOIN words_S ON words_S.rowid=r.id")
		conditions, args = append(conditions, forSet(set, "words_S MATCH ?")), append(args, match(q.Text))
		order = forSet(set, "bm25(words_S, 10, 1), r.id")
	}
	for _, w := range q.Conditions {
		holds, values := "v.folded IN "+placeholders(append([]string{w.Text}, w.Alternatives...)), []any{fold(w.Text)}
		for _, o := range w.Alternatives {
			values = append(values, fold(o))
		}
		switch {
		case w.Prefix:
			holds, values = "v.folded>=? AND v.folded<?", []any{fold(w.Text), fold(w.Text) + "\U0010FFFF"}
		case !w.Exact:
			words := match(w.Text)
			for _, o := range w.Alternatives {
				words = "(" + words + ") OR (" + match(o) + ")"
			}
			holds, values = forSet(set, "v.id IN (SELECT rowid FROM terms_S WHERE terms_S MATCH ?)"), []any{words}
		}
		const selectHolders = "SELECT h.value FROM value_S v, json_each(v.records) h WHERE v.field IN "
		holders := forSet(set, selectHolders+placeholders(w.Fields)+" AND "+holds)
		conditions = append(conditions, "r.id IN ("+holders+")")
		args = slices.Concat(args, list(w.Fields), values)
	}
	if len(q.Kinds) > 0 {
		conditions, args = append(conditions, "r.kind IN "+placeholders(q.Kinds)), append(args, list(q.Kinds)...)
	}
	sorted := args
	if q.SortLast.Member != "" {
		order = "json_extract(r.body, ?) IS ?, " + order
		sorted = append(slices.Clone(args), "$."+q.SortLast.Member, q.SortLast.Value)
	}
	where := " FROM " + from + " WHERE " + strings.Join(conditions, " AND ")
	f := &Found{}
	err := t.read(ctx, "search local table", func(tx *sql.Tx) (err error) {
		if f.Info, err = infoOf(ctx, tx, set); err != nil {
			return err
		}
		if err = tx.QueryRowContext(ctx, "SELECT count(*)"+where, args...).Scan(&f.Total); err != nil || q.Limit == 0 {
			return err
		}
		query := "SELECT r.key, r.kind, r.body" + where + " ORDER BY " + order + " LIMIT ? OFFSET ?"
		f.Records, err = records(ctx, tx, query, append(sorted, q.Limit, q.Offset)...)
		return err
	})
	return f, err
}

// Get returns the records of a data set with an ID, ignoring case.
func (t *Tables) Get(ctx context.Context, set, id string) (*Found, error) {
	f := &Found{}
	err := t.read(ctx, "read local table", func(tx *sql.Tx) (err error) {
		if f.Info, err = infoOf(ctx, tx, set); err != nil {
			return err
		}
		f.Records, err = records(ctx, tx,
			forSet(set, "SELECT key, kind, body FROM record_S WHERE key=? ORDER BY id"), fold(id))
		f.Total = len(f.Records)
		return err
	})
	return f, err
}

// RecordsByValue returns the records of a data set that have one of the given values in field, ignoring
// case, by value as given. The error is an *AbsentError if the data set was never stored.
func (t *Tables) RecordsByValue(ctx context.Context, set, field string, values []string) (map[string][]Record, error) {
	folded, found := make([]string, len(values)), map[string][]Record{}
	for i, v := range values {
		folded[i] = fold(v)
	}
	err := t.read(ctx, "search local table", func(tx *sql.Tx) error {
		if _, err := infoOf(ctx, tx, set); err != nil || len(values) == 0 {
			return err
		}
		const selectValue = "SELECT v.folded, r.key, r.kind, r.body" +
			" FROM value_S v, json_each(v.records) h JOIN record_S r ON r.id=h.value WHERE v.field=? AND v.folded IN "
		query := forSet(set, selectValue) + placeholders(folded) + " ORDER BY r.id"
		rows, err := tx.QueryContext(ctx, query, append([]any{field}, list(folded)...)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var value string
			var r Record
			if err := rows.Scan(&value, &r.ID, &r.Kind, (*[]byte)(&r.Body)); err != nil {
				return err
			}
			found[value] = append(found[value], r)
		}
		return rows.Err()
	})
	holders := map[string][]Record{}
	for i, v := range values {
		if records := found[folded[i]]; records != nil {
			holders[v] = records
		}
	}
	return holders, err
}

func records(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]Record, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []Record{}
	for rows.Next() {
		var r Record
		if err := rows.Scan(&r.ID, &r.Kind, (*[]byte)(&r.Body)); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

func placeholders(list []string) string { return "(?" + strings.Repeat(",?", len(list)-1) + ")" }

func list(texts []string) (args []any) {
	for _, t := range texts {
		args = append(args, t)
	}
	return args
}

// match returns the FTS5 query for all words of a text. It quotes each word, so that none acts as
// an operator (https://www.sqlite.org/fts5.html#full_text_query_syntax).
func match(text string) string {
	var words []string
	for _, w := range strings.Fields(text) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
		}
	}
	if words == nil {
		return `""` // matches nothing
	}
	return strings.Join(words, " ")
}
