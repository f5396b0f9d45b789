package rows

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Rows that many others depend on are stored twice: rows of models, PMID lists of files, codes of
// bodies, and small tables as JSON. The second copy of a model's row has the negative number of the
// model, and that of a PMID list the negative number of its row. The other copies are rows of the
// table page with numbers that no segment has. They are allocated at another time than the first
// copies and so lie on other pages of the file. A reader uses the copy that is undamaged, and a
// Repair restores the other.
const (
	CopyOfTables = 1       // number of the row with the small tables
	CopyOfCode   = 1 << 26 // added to the number of a code to get the number of its row
)

// CopiedTables maps each small table that is stored twice to its columns, except the checksum.
var CopiedTables = map[string]string{
	"meta": "key,value", "checkpoint": "key,last_edat",
	"segment": "id,state,chunks,dead,length,lo,hi,bytes", "model": "id,state,name,dim,vectors,created",
}

// copyTables returns the statement that writes the second copy of the small tables if they have
// changed. damagedTables returns the query that reports whether one of their rows is damaged.
var copyTables, damagedTables = sync.OnceValue(func() string {
	const insertPage = "INSERT OR REPLACE INTO page(id,data) SELECT %d, tables" +
		" FROM (SELECT CAST(json_object(%s) AS BLOB) AS tables)" +
		" WHERE tables IS NOT (SELECT data FROM page WHERE id=%[1]d)"
	return fmt.Sprintf(insertPage,
		CopyOfTables, formatTables("'%[1]s',(SELECT json_group_array(json_array(%[2]s,sum)) FROM %[1]s)", ","))
}), sync.OnceValue(func() string {
	return "SELECT " + formatTables("EXISTS (SELECT 1 FROM %[1]s WHERE sum IS NOT crc32c('%[1]s',%[2]s))", " OR ")
})

// formatTables formats part for each small table and its columns and joins the results.
func formatTables(part, separator string) string {
	parts := []string{}
	for _, table := range slices.Sorted(maps.Keys(CopiedTables)) { // sorted, as the copy would otherwise change
		parts = append(parts, fmt.Sprintf(part, table, CopiedTables[table]))
	}
	return strings.Join(parts, separator)
}

// CopySubquery returns a subquery for the second copy of a table.
func CopySubquery(table string) string {
	columns := strings.Split(CopiedTables[table]+",sum", ",")
	for i, c := range columns {
		columns[i] = fmt.Sprintf("value->>%d AS %s", i, c)
	}
	return fmt.Sprintf("(SELECT %s FROM page, json_each(CAST(data AS TEXT),'$.%s') WHERE page.id=%d)",
		strings.Join(columns, ","), table, CopyOfTables)
}

// EachCopied runs f on every row of a table that is stored twice. query contains %s for the table.
// If one copy is damaged, EachCopied calls again and reads the other copy.
func (r *Conn) EachCopied(table, query string, reset func(), f func(scan func(...any) error) error) error {
	err := r.Each(fmt.Sprintf(query, table), nil, f)
	if !IsDamaged(err) {
		return err
	}
	reset()
	if other := r.Each(fmt.Sprintf(query, CopySubquery(table)), nil, f); other != nil {
		return err
	}
	return nil
}

// CopiedRow scans the first row of a table that is stored twice whose key is key, and reports
// whether there is one. It reads the other copy if the first is damaged.
func (r *Conn) CopiedRow(table, column, key string, dest any) (bool, error) {
	// SQLite must not compute the checksums of other rows with this key, as it would without the +.
	query := fmt.Sprintf("SELECT %s FROM %%s WHERE intact(sum IS crc32c('%s',%s)) AND +key=?", column, table,
		CopiedTables[table])
	found, err := r.RowFound(fmt.Sprintf(query, table+" NOT INDEXED"), []any{key}, dest)
	if !IsDamaged(err) {
		return found, err
	}
	again, other := r.RowFound(fmt.Sprintf(query, CopySubquery(table)), []any{key}, dest)
	if other != nil {
		return found, err
	}
	return again, nil
}

// changesCopied reports whether a statement may change one of the small tables.
func changesCopied(query string) bool {
	if strings.HasPrefix(query, "SELECT") {
		return false
	}
	for table := range CopiedTables {
		if strings.Contains(query, table) {
			return true
		}
	}
	return false
}

// writeCopies writes the second copy of the small tables in a transaction that may have changed
// them. It fails if a row of the first copy is damaged, as the second copy is then the only good
// one.
func (r *Conn) writeCopies() error {
	if !r.changes {
		return nil
	}
	var bad bool
	if err := r.Row(damagedTables(), nil, &bad); err != nil {
		return err
	}
	if bad {
		return ErrDamaged
	}
	return r.Exec(copyTables())
}
