package rows

import (
	"fmt"
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

// Copied are the small tables that are stored twice, with their columns.
var Copied = map[string]string{
	"meta": "key,value,sum", "checkpoint": "key,last_edat,sum",
	"segment": "id,state,chunks,dead,length,lo,hi,bytes,sum", "model": "id,state,name,dim,vectors,created,sum",
}

// copyTables is the statement that writes the second copy of the small tables, if they have
// changed.
var copyTables = sync.OnceValue(func() string {
	parts := []string{}
	for table, columns := range Copied {
		parts = append(parts, fmt.Sprintf("'%s',(SELECT json_group_array(json_array(%s)) FROM %[1]s)", table, columns))
	}
	return fmt.Sprintf("INSERT OR REPLACE INTO page(id,data) SELECT %d, tables FROM (SELECT CAST(json_object(%s) AS BLOB) AS tables) WHERE tables IS NOT (SELECT data FROM page WHERE id=%[1]d)",
		CopyOfTables, strings.Join(parts, ","))
})

// Copy is the second copy of a table, in a query.
func Copy(table string) string {
	columns := strings.Split(Copied[table], ",")
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

// damagedTables is the statement that says whether a row of the small tables is damaged.
var damagedTables = sync.OnceValue(func() string {
	parts := []string{}
	for table, columns := range Copied {
		parts = append(parts, fmt.Sprintf("EXISTS (SELECT 1 FROM %[1]s WHERE sum IS NOT crc32c('%[1]s',%[2]s))", table, strings.TrimSuffix(columns, ",sum")))
	}
	return "SELECT " + strings.Join(parts, " OR ")
})

// writeCopies writes the second copy of the small tables in a transaction. It fails if a row of
// the first is damaged: the second is then all that is left of it.
func (r *Conn) writeCopies() error {
	var bad bool
	if err := r.Row(damagedTables(), nil, &bad); err != nil {
		return err
	}
	if bad {
		return ErrDamaged
	}
	return r.Exec(copyTables())
}
