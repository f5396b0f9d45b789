package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// What many rows depend on is stored twice: the codes of bodies, and small tables as JSON.
// The second copy is a row of the table page under the number of no segment, on pages that
// were taken at another time than those of the first. Who reads takes the copy that holds;
// a Repair makes two of one.
const (
	twinOfTables = 1
	twinOfCode   = 1 << pageBits // and the number of the code
)

var twins = map[string]string{
	"meta": "key,value,sum", "checkpoint": "key,last_edat,sum",
	"segment": "id,state,chunks,dead,length,lo,hi,bytes,sum", "model": "id,state,name,dim,vectors,created,sum",
}

// keepTwins is the statement that writes the second copy of the small tables, if they have
// changed.
var keepTwins = sync.OnceValue(func() string {
	parts := []string{}
	for table, columns := range twins {
		parts = append(parts, fmt.Sprintf("'%s',(SELECT json_group_array(json_array(%s)) FROM %[1]s)", table, columns))
	}
	return fmt.Sprintf("INSERT OR REPLACE INTO page(id,data) SELECT %d, twin FROM (SELECT CAST(json_object(%s) AS BLOB) AS twin) WHERE twin IS NOT (SELECT data FROM page WHERE id=%[1]d)",
		twinOfTables, strings.Join(parts, ","))
})

// twinOf is the second copy of a table, in a query.
func twinOf(table string) string {
	columns := strings.Split(twins[table], ",")
	for i, c := range columns {
		columns[i] = fmt.Sprintf("value->>%d AS %s", i, c)
	}
	return fmt.Sprintf("(SELECT %s FROM page, json_each(CAST(data AS TEXT),'$.%s') WHERE page.id=%d)", strings.Join(columns, ","), table, twinOfTables)
}

// eachOf runs f on every row of a table that is stored twice. query names it as %s. If one
// copy is damaged, again is called and the other one is read.
func (r *reader) eachOf(table, query string, again func(), f func(scan func(...any) error) error) error {
	err := r.each(fmt.Sprintf(query, table), nil, f)
	if !damagedRow(err) {
		return err
	}
	again()
	if other := r.each(fmt.Sprintf(query, twinOf(table)), nil, f); other != nil {
		return err
	}
	return nil
}

// damagedRow reports whether what was read is not what was stored.
func damagedRow(err error) bool { return IsKind(wrap(context.Background(), "", err), Corrupt) }

// keep writes the second copy of the small tables in a transaction. It fails if a row of
// the first is damaged: the second is then all that is left of it.
func (r *reader) keep() error {
	for table, columns := range twins {
		var bad int
		sum := strings.TrimSuffix(columns, ",sum")
		if err := r.row(fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM %[1]s WHERE sum IS NOT crc32c('%[1]s',%[2]s))", table, sum), nil, &bad); err != nil {
			return err
		}
		if bad != 0 {
			return errSum
		}
	}
	return r.exec(keepTwins())
}
