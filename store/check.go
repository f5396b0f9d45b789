package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/disk"
	"biomcp/store/rows"
	"biomcp/store/salvage"
	"biomcp/store/wordindex"
)

// CheckOptions limits and configures a Check.
type CheckOptions struct {
	TimeLimit time.Duration       // time limit; 0 means none
	Deep      bool                // also check the order of keys, and that documents, words, vectors and counts agree
	Slice     int                 // number of the slice to check, of StoredSlices: a share of the rows of each table
	Slices    int                 // 0 means all rows
	Progress  func(parts, of int) // called after each part; may be nil
}

// CheckProgress is the progress of a check: the parts that were checked and the total.
type CheckProgress struct{ Parts, Total int }

// Coverage describes how much of the file was checked. It never overstates it.
func (c CheckProgress) Coverage() string {
	if c.Parts >= c.Total {
		return "the whole file"
	}
	if percent := 100 * c.Parts / c.Total; percent > 0 {
		return strconv.Itoa(percent) + " % of the file"
	}
	return "less than 1 % of the file"
}

// sums maps each table to the SQL condition that the checksums of a row are right, as the first
// migration script defines them.
var sums = sync.OnceValue(func() map[string]string {
	conditions := map[string]string{}
	column := regexp.MustCompile(`(\w+) INTEGER AS \((crc32c\('(\w+)',[^)]*\)[^)]*)\)`)
	for _, m := range column.FindAllStringSubmatch(layouts()[0], -1) {
		if conditions[m[3]] != "" {
			conditions[m[3]] += " AND "
		}
		conditions[m[3]] += m[1] + " IS " + m[2]
	}
	return conditions
})

// intact returns the SQL condition that the row of a table, under the same name or alias, is
// undamaged. Reading another row is an error. The query must not find rows by an SQL index on text,
// as a damaged key would hide them; the tables are small. It compares a column as +column, because
// SQLite would otherwise compute the checksum of every row with the value that it looks for.
func intact(table string) string { return "intact(" + sums()[table] + ")" }

// Check looks for damage: it verifies the checksums of rows, the structure of the file, its journal
// and every document. Health reports it and Repair begins with it. A check with a time limit visits
// parts spread over the whole file, so that a partial result is representative. The error is of
// kind Corrupt if there is damage.
func (s *Store) Check(ctx context.Context, o CheckOptions) (CheckProgress, error) {
	c, _, err := s.check(ctx, o)
	return c, err
}

// check is like Check and also returns the findings that Repair needs.
func (s *Store) check(ctx context.Context, o CheckOptions) (c CheckProgress, k *check, err error) {
	const op = "check corpus"
	k = &check{s: s, o: o, badDocuments: map[record.PMID]bool{}, badVectors: map[record.PMID]bool{}}
	err = s.db.Read(ctx, op, func(r *rows.Conn) error {
		k.r = r
		// From this statement on the reader holds a snapshot, so no process moves pages from the
		// journal to the file.
		_, err := s.words.Load(r)
		if err := k.recordIfFault("the word index", err); err != nil {
			return err
		}
		n, err := salvage.CountUnreadPages(s.path, rows.PageSize)
		if err != nil {
			return err
		}
		if n > 0 {
			k.addUnrepairable("%d pages of the journal are damaged", n)
		}
		if err := k.checkCommits(); err != nil {
			return err
		}
		if err := k.recordIfFault("the file", k.openPages()); err != nil {
			return err
		}
		c, err = k.run(ctx)
		if err = errors.Join(err, k.closePages()); err != nil {
			return err
		}
		if k.countPages(); k.faults > 0 {
			return disk.NewError(Corrupt, op, "the file is damaged: %d faults were found, first: %s", k.faults,
				k.firstFault)
		}
		return nil
	})
	return c, k, err
}

// check is one run of Check.
type check struct {
	s          *Store
	r          *rows.Conn
	o          CheckOptions
	faults     int
	firstFault string

	damagedParts []salvage.Table      // damagedParts with damaged rows
	badDocuments map[record.PMID]bool // documents that cannot be read or do not match the word index
	badVectors   map[record.PMID]bool // documents whose vectors do not match their chunks
	unreadable   bool                 // the file has damage that changing rows cannot repair
	pages        pagesChecked
	commits      lostCommits
	documents    []salvage.Table // parts of the table document that crossCheck has to verify
	text         []byte          // decompressed body of a document, reused

	lostDocuments int64 // documents and deletions that the stored counts have and the tables lack
}

// addUnrepairable records a fault that changing rows cannot repair.
func (k *check) addUnrepairable(format string, args ...any) {
	k.unreadable = true
	k.addFault(format, args...)
}

// addDocumentFault records a fault of a document and adds its PMID to pmids.
func (k *check) addDocumentFault(pmids map[record.PMID]bool, pmid record.PMID, format string, args ...any) {
	pmids[pmid] = true
	k.addFault("pmid:%d "+format, append([]any{pmid}, args...)...)
}

// addFault records a fault.
func (k *check) addFault(format string, args ...any) {
	if k.faults++; k.faults == 1 {
		k.firstFault = fmt.Sprintf(format, args...)
	}
}

// recordIfFault records err if it is a fault and returns it otherwise.
func (k *check) recordIfFault(subject string, err error) error {
	if err != nil && rows.IsDamaged(err) {
		k.addFault("%s cannot be read", subject)
		return nil
	}
	return err
}

// recordPart is like note, for an error in reading a part of the file.
func (k *check) recordPart(subject string, err error) error {
	k.unreadable = k.unreadable || err != nil && rows.IsDamaged(err)
	return k.recordIfFault(subject, err)
}

func (k *check) run(ctx context.Context) (c CheckProgress, err error) {
	if asked := ctx; k.o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(asked, k.o.TimeLimit)
		defer cancel()
		defer func() {
			if errors.Is(err, context.DeadlineExceeded) && asked.Err() == nil {
				err = nil
			}
		}()
	}
	c.Total = 1 // planning may already exceed the time limit
	parts, err := k.plan(ctx)
	if err != nil {
		return c, err
	}
	steps := k.pageSteps(ctx)
	for i := range parts {
		part := parts[i*spread(len(parts))%len(parts)]
		steps = append(steps, func() error { return k.checkRows(ctx, part) })
	}
	if k.o.Slices == 0 {
		steps = append([]func() error{
			func() error { return k.checkStructure(ctx) }, func() error { return k.checkIndexes(ctx) },
		}, steps...)
	}
	c.Total = len(steps)
	if k.o.Deep { // comparing ten million documents takes ten times as long as checking all rows
		c.Total += 10*len(parts) + 1
	}
	setProgress := func(parts int) {
		if c.Parts = parts; k.o.Progress != nil {
			k.o.Progress(parts, c.Total)
		}
	}
	for i, step := range steps {
		if err := step(); err != nil {
			return c, err
		}
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		setProgress(i + 1)
	}
	if !k.o.Deep {
		return c, nil
	}
	err = k.crossCheck(ctx, func(share float64) { setProgress(len(steps) + int(share*float64(c.Total-1-len(steps)))) })
	for _, t := range k.documents {
		if err == nil {
			err = k.countDamaged(t)
		}
	}
	if err == nil {
		err = k.checkCounts()
	}
	if err == nil {
		setProgress(c.Total)
	}
	return c, err
}

// checkStructure checks the B-trees of the file. With a time limit it uses at most a third of it.
func (k *check) checkStructure(ctx context.Context) error {
	pragma := "integrity_check(100)"
	if k.o.TimeLimit > 0 {
		short, cancel := context.WithTimeout(ctx, k.o.TimeLimit/3)
		defer cancel()
		ctx, pragma = short, "quick_check(100)"
	}
	n, err := salvage.CountFindings(ctx, k.r.SQL, pragma)
	if n > 0 && err == nil {
		k.addUnrepairable("%d faults in the structure of the file", n)
	}
	if k.o.TimeLimit > 0 && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return err
}

// plan divides the tables into parts of a few megabytes.
func (k *check) plan(ctx context.Context) (parts []salvage.Table, err error) {
	var pages int64
	if err := k.r.Row("PRAGMA page_count", nil, &pages); err != nil {
		return nil, err
	}
	n := min(4096, 1+pages/1000)
	for _, t := range checkedTables() {
		var first, last sql.NullInt64
		err := k.r.Row(boundsOf(t), nil, &first, &last)
		if err := k.recordPart("the table "+t.Name, err); err != nil {
			return nil, err
		}
		width, of := (last.Int64-first.Int64)/n+1, len(parts)
		for at := first.Int64; first.Valid && at <= last.Int64; at += width {
			t.First, t.Last = at, at+width-1
			parts = append(parts, t)
		}
		if k.o.Slices > 0 { // a share of each table, as documents take longer than other rows
			mine := parts[of:]
			parts = append(parts[:of], mine[len(mine)*k.o.Slice/k.o.Slices:len(mine)*(k.o.Slice+1)/k.o.Slices]...)
		}
	}
	return parts, ctx.Err()
}

// boundsOf returns the query for the smallest and the greatest key of a table. A single SELECT of
// both would read the whole table (https://sqlite.org/optoverview.html#minmax).
func boundsOf(t salvage.Table) string {
	return fmt.Sprintf("SELECT (SELECT min(%[1]s) FROM %[2]s), (SELECT max(%[1]s) FROM %[2]s)", t.Key, t.Name)
}

// checkedTables returns all tables, each with a numeric key by which it is read in parts.
var checkedTables = sync.OnceValue(func() (list []salvage.Table) {
	list = []salvage.Table{
		{Name: "document", Key: "pmid"}, {Name: "page", Key: "id"}, {Name: "provenance", Key: "pmid"},
		{Name: "deletion", Key: "pmid"}, {Name: "source", Key: "id"}, {Name: "code", Key: "id"},
		{Name: "vector", Key: "id"}, {Name: "vector_code", Key: "id"}, {Name: "vector_partition", Key: "model"},
		{Name: "model", Key: "id"}, {Name: "model_row", Key: "model"}, {Name: "listed", Key: "id"},
		{Name: "meta", Key: "rowid"}, {Name: "checkpoint", Key: "rowid"}, {Name: "audit", Key: "id"},
		{Name: "job", Key: "rowid"}, {Name: "file", Key: "rowid"}, {Name: "segment", Key: "id"},
		{Name: "dead", Key: "rowid"}, {Name: "job_slice", Key: "0"}, {Name: "lease", Key: "0"},
		{Name: "kept", Key: "source"},
	}
	slices.SortStableFunc(list, func(a, b salvage.Table) int { return len(a.Name) - len(b.Name) })
	return list
})

// checkRows verifies the checksums of the rows of a part. If it is a part of the table document, it also
// decodes the documents, unless crossCheck does both.
func (k *check) checkRows(ctx context.Context, t salvage.Table) error {
	if t.Name != documentTable.Name || t.First < 1 || t.Last > maxPMID {
		return k.countDamaged(t)
	}
	if k.o.Deep {
		k.documents = append(k.documents, t)
		return nil
	}
	_, err := k.readDocuments(ctx, t.First, t.Last)
	return err
}

// countDamaged counts the rows of a part whose checksums are wrong.
func (k *check) countDamaged(t salvage.Table) error {
	bad := 0
	err := k.r.Row("SELECT count(*)"+damagedRows(t), []any{t.First, t.Last}, &bad)
	if err := k.recordPart("a part of the table "+t.Name, err); err != nil {
		return err
	}
	if bad > 0 {
		k.damagedParts = append(k.damagedParts, t)
		k.addFault("%d rows of the table %s are damaged", bad, t.Name)
	}
	return nil
}

// readDocuments verifies the rows of the table document from first to last, decodes the documents and
// returns the number of chunks of each.
func (k *check) readDocuments(ctx context.Context, first, last int64) (chunks map[record.PMID]int, err error) {
	chunks = map[record.PMID]int{}
	bad := false
	query := "SELECT " + documentTable.Columns + " FROM document WHERE pmid BETWEEN ? AND ?"
	err = k.r.Each(query, []any{first, last}, func(scan func(...any) error) error {
		row, n, err := k.s.skimDocument(k.r, scan, &k.text)
		switch {
		case err == nil && !row.state.Deleted:
			chunks[row.pmid] = n
		case row.pmid > 0 && rows.IsDamaged(err):
			bad = true
			if !row.state.Deleted {
				k.addDocumentFault(k.badDocuments, row.pmid, "cannot be read")
			}
			err = nil
		}
		return errors.Join(err, ctx.Err())
	})
	if err = k.recordPart("a part of the table document", err); err == nil && bad {
		part := documentTable
		part.First, part.Last = first, last
		err = k.countDamaged(part)
	}
	return chunks, err
}

// crossCheck checks that the word index and each model have exactly the chunks of all documents.
func (k *check) crossCheck(ctx context.Context, progress func(share float64)) error {
	var last int64
	if err := k.r.Row("SELECT coalesce(max(pmid),0) FROM document", nil, &last); err != nil {
		return k.recordIfFault("the table document", err)
	}
	ix, err := k.s.words.Load(k.r)
	var models []Model
	if err == nil {
		models, err = k.s.models(k.r)
	}
	if err != nil {
		return k.recordIfFault("the word index", err)
	}
	doneChunks := map[int64]int64{}
	for after := record.PMID(0); after < math.MaxUint32; {
		keys, until, err := ix.Keys(k.s.words.Source(k.r), after)
		if err != nil {
			return k.recordIfFault("the word index", err)
		}
		chunks, err := k.readDocuments(ctx, int64(after)+1, int64(until))
		if err != nil {
			return err
		}
		have, indexed := map[wordindex.Key]bool{}, map[record.PMID]int{}
		for _, key := range keys {
			have[key] = true
			indexed[key.PMID]++
		}
		for pmid, n := range chunks {
			if indexed[pmid] != n {
				k.addDocumentFault(k.badDocuments, pmid, "has %d chunks, but the word index has %d", n, indexed[pmid])
			}
			delete(indexed, pmid)
		}
		for pmid := range indexed {
			k.addDocumentFault(k.badDocuments, pmid, "is in the word index but not in the corpus")
		}
		for _, m := range models {
			under, err := keysOf(k.r, m.ID, after, until)
			if err != nil {
				return k.recordIfFault("codes of vectors", err)
			}
			doneChunks[m.ID] += int64(len(under))
			vectors := map[wordindex.Key]bool{}
			p := k.s.vectorCodec(m)
			const selectVector = "SELECT id, data FROM vector WHERE id BETWEEN ? AND ?"
			bounds := []any{m.rowID(after) + 1, m.rowID(until)}
			err = k.r.Each(selectVector, bounds, func(scan func(...any) error) error {
				var id int64
				var row sql.RawBytes
				err := scan(&id, &row)
				for ordinal := range p.each(row) {
					vectors[wordindex.Key{PMID: record.PMID(uint32(id)), Ordinal: ordinal}] = true
				}
				return err
			})
			if err := k.recordIfFault("vectors", err); err != nil {
				return err
			}
			for key := range under {
				if !have[key] {
					k.addDocumentFault(k.badVectors, key.PMID, "has a vector for a chunk that does not exist")
				}
			}
			for key := range vectors {
				if !under[key] {
					k.addDocumentFault(k.badVectors, key.PMID, "has a vector that searches cannot find")
				}
			}
		}
		after = until
		progress(float64(min(int64(after), last)) / float64(max(1, last)))
	}
	k.documents = nil
	for _, m := range models {
		if doneChunks[m.ID] != m.Vectors {
			k.addFault("the model %s has vectors for %d chunks, but counts %d", m.Name, doneChunks[m.ID], m.Vectors)
		}
	}
	return nil
}

// spread returns a step, coprime to n, that visits all n parts with consecutive ones far apart.
func spread(n int) int {
	step := max(1, n*618/1000)
	for a, b := step, n; b > 0; {
		if a, b = b, a%b; b == 0 && a > 1 {
			step++
			a, b = step, n
		}
	}
	return step
}
