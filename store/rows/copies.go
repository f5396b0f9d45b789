package rows

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// What many rows depend on is stored twice: the rows of models, the PMIDs of files, the codes of
// bodies, and small tables as JSON. The second copy of a model's row is under the negative number
// of the model, that of PMIDs under the negative number of the row; that of the others is a row of the table page under the number of no segment, on pages that
// were taken at another time than the pages of the first. A reader takes the copy that holds;
// a Repair makes two of one.
const (
	CopyOfTables = 1       // the number of the row with the small tables
	CopyOfCode   = 1 << 26 // with the number of a code added, that of its row
)

// Copied are the small tables that are stored twice, with their columns before the sum.
var Copied = map[string]string{
	"meta": "key,value", "checkpoint": "key,last_edat",
	"segment": "id,state,chunks,dead,length,lo,hi,bytes", "model": "id,state,name,dim,vectors,created",
}

// copyTables is the statement that writes the second copy of the small tables, if they have
// changed; damagedTables says whether one of their rows is damaged.
var copyTables, damagedTables = sync.OnceValue(func() string {
	return fmt.Sprintf("INSERT OR REPLACE INTO page(id,data) SELECT %d, tables FROM (SELECT CAST(json_object(%s) AS BLOB) AS tables) WHERE tables IS NOT (SELECT data FROM page WHERE id=%[1]d)",
		CopyOfTables, ofCopied("'%[1]s',(SELECT json_group_array(json_array(%[2]s,sum)) FROM %[1]s)", ","))
}), sync.OnceValue(func() string {
	return "SELECT " + ofCopied("EXISTS (SELECT 1 FROM %[1]s WHERE sum IS NOT crc32c('%[1]s',%[2]s))", " OR ")
})

// ofCopied is a part of a statement for each of the small tables and its columns.
func ofCopied(part, separator string) string {
	parts := []string{}
	for _, table := range slices.Sorted(maps.Keys(Copied)) { // in one order, or the copy would change
		parts = append(parts, fmt.Sprintf(part, table, Copied[table]))
	}
	return strings.Join(parts, separator)
}

// Copy is the second copy of a table, in a query.
func Copy(table string) string {
	columns := strings.Split(Copied[table]+",sum", ",")
	for i, c := range columns {
		columns[i] = fmt.Sprintf("value->>%d AS %s", i, c)
	}
	return fmt.Sprintf("(SELECT %s FROM page, json_each(CAST(data AS TEXT),'$.%s') WHERE page.id=%d)", strings.Join(columns, ","), table, CopyOfTables)
}

// EachCopied runs f on every row of a table that is stored twice. query names it as %s. If one
// copy is damaged, again is called and the other one is read.
func (r *Conn) EachCopied(table, query string, again func(), f func(scan func(...any) error) error) error {
	err := r.Each(fmt.Sprintf(query, table), nil, f)
	if !Damaged(err) {
		return err
	}
	again()
	if other := r.Each(fmt.Sprintf(query, Copy(table)), nil, f); other != nil {
		return err
	}
	return nil
}

// changesCopied reports whether a statement may change one of the small tables.
func changesCopied(query string) bool {
	if strings.HasPrefix(query, "SELECT") {
		return false
	}
	for table := range Copied {
		if strings.Contains(query, table) {
			return true
		}
	}
	return false
}

// writeCopies writes the second copy of the small tables in a transaction that may have changed
// them. It fails if a row of the first is damaged: the second is then all that is left of it.
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
