package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"biomcp/store/disk"
	"biomcp/store/disk/pagesum"
	"biomcp/store/rows"
	"biomcp/store/salvage"
)

// pageSpan is the number of pages that one step of a check reads.
const pageSpan = 4096

// pagesChecked describes the file's pages for a check. It reads them outside SQLite, which takes a
// tenth of the time, and asks SQLite about the pages whose checksums are wrong: they may be written
// at that moment, be superseded by the journal, or not be in use.
type pagesChecked struct {
	file  *disk.RawFile // nil if the pages have no checksums
	pages int64
	bad   []int64 // pages in use whose checksums are wrong

	// Nil until a wrong page is found.
	free      map[int64]bool // pages that are not in use
	journaled map[int64]bool // pages whose newest image is in the journal
}

// openPages opens the file and counts its pages.
func (k *check) openPages() (err error) {
	if err := k.r.Row("PRAGMA page_count", nil, &k.pages.pages); err != nil {
		return err
	}
	f, err := disk.OpenRaw(k.s.path)
	if err != nil {
		return err
	}
	first := make([]byte, rows.PageSize)
	if _, err = io.ReadFull(io.NewSectionReader(f, 0, rows.PageSize), first); err != nil || !pagesum.Present(first) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil // SQLite reports it
		}
		return errors.Join(err, f.Close())
	}
	k.pages.file = f
	return nil
}

func (k *check) closePages() error {
	if k.pages.file == nil {
		return nil
	}
	return k.pages.file.Close()
}

// checkPages verifies the checksums of pageSpan pages from number from on.
func (k *check) checkPages(ctx context.Context, from int64) error {
	buffer := make([]byte, 128*rows.PageSize)
	for to := min(from+pageSpan, k.pages.pages+1); from < to && ctx.Err() == nil; {
		b := buffer[:min(to-from, 128)*rows.PageSize]
		n, err := k.pages.file.ReadAt(b, (from-1)*rows.PageSize)
		if err != nil && err != io.EOF {
			return err
		}
		clear(b[n:])
		for ; len(b) > 0; b = b[rows.PageSize:] {
			if !pagesum.Valid(b[:rows.PageSize], from) {
				if err := k.confirmPage(from); err != nil {
					return err
				}
			}
			from++
		}
	}
	return nil
}

// lockPage is the page that SQLite never uses: it holds the byte at which it locks the file.
const lockPage = 1<<30/rows.PageSize + 1

// confirmPage records a page whose checksum is wrong if SQLite reads it from the file.
func (k *check) confirmPage(number int64) error {
	if number == lockPage {
		return nil
	}
	if k.s.o.lenient { // no other process writes
		if k.pages.journaled == nil {
			var err error
			if k.pages.journaled, err = salvage.JournalPages(k.s.path, rows.PageSize); err != nil {
				return err
			}
		}
		if k.pages.journaled[number] {
			return nil
		}
	} else if _, err := k.page(number); err == nil || !rows.IsDamaged(err) {
		return err
	}
	if k.pages.free == nil {
		k.pages.free = map[int64]bool{}
		if err := k.recordIfFault("the list of unused pages", k.readFree()); err != nil {
			return err
		}
	}
	if k.pages.free[number] {
		return nil
	}
	k.pages.bad = append(k.pages.bad, number)
	if !k.s.o.lenient {
		k.addFault("page %d of %d is damaged", number, k.pages.pages)
	}
	return nil
}

// countPages counts the damaged pages as faults of a lenient check that found no others.
func (k *check) countPages() {
	if k.s.o.lenient && k.faults == 0 {
		for _, number := range k.pages.bad {
			k.addFault("page %d of %d is damaged", number, k.pages.pages)
		}
	}
}

// page returns a page as SQLite reads it.
func (k *check) page(number int64) (data []byte, err error) {
	found, err := k.r.RowFound("SELECT data FROM sqlite_dbpage WHERE pgno=?", []any{number}, (*rows.Blob)(&data))
	if err == nil && (!found || len(data) != rows.PageSize) {
		err = fmt.Errorf("page %d is missing: %w", number, rows.ErrDamaged)
	}
	return data, err
}

// readFree reads the list of unused pages (https://sqlite.org/fileformat2.html#the_freelist).
func (k *check) readFree() error {
	const firstAt, numbersAt = 32, 8
	first, err := k.page(1)
	if err != nil {
		return err
	}
	for number := int64(binary.BigEndian.Uint32(first[firstAt:])); number > 0; {
		page, err := k.page(number)
		if err != nil {
			return err
		}
		next, n := int64(binary.BigEndian.Uint32(page)), binary.BigEndian.Uint32(page[4:])
		if n > rows.PageSize/4-2 || k.pages.free[next] {
			return rows.ErrDamaged
		}
		for i := range n {
			k.pages.free[int64(binary.BigEndian.Uint32(page[numbersAt+4*i:]))] = true
		}
		number = next
	}
	return nil
}

// sealPages writes the right checksum into every page of a closed file whose checksum is wrong,
// after a repair has checked what the pages hold.
func sealPages(path string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	page := make([]byte, rows.PageSize)
	for number := int64(1); ; number++ {
		at := (number - 1) * rows.PageSize
		if _, err := f.ReadAt(page, at); err == io.EOF {
			return f.Sync()
		} else if err != nil {
			return err
		}
		if number == 1 && !pagesum.Present(page) {
			return nil
		}
		if !pagesum.Valid(page, number) {
			pagesum.Seal(page, number)
			if _, err := f.WriteAt(page, at); err != nil {
				return err
			}
		}
	}
}

// pageSteps returns the steps that verify the checksums of all pages, or of those of the slice, in
// an order that spreads them over the file.
func (k *check) pageSteps(ctx context.Context) (steps []func() error) {
	if k.pages.file == nil {
		return nil
	}
	spans := int((k.pages.pages + pageSpan - 1) / pageSpan)
	for i := range spans {
		span := i * spread(spans) % spans
		if k.o.Slices > 0 && span*k.o.Slices/spans != k.o.Slice {
			continue
		}
		steps = append(steps, func() error { return k.checkPages(ctx, 1+int64(span)*pageSpan) })
	}
	return steps
}

// checkIndexes compares the SQL indexes with their tables, of which none is large.
func (k *check) checkIndexes(ctx context.Context) error {
	const query = `SELECT (SELECT count(*) FROM vector_code AS t NOT INDEXED WHERE NOT EXISTS (
			SELECT 1 FROM vector_code AS i INDEXED BY vector_code_part WHERE i.model=t.model AND i.part=t.part
			AND i.lo=t.lo AND i.id=t.id AND i.gen=t.gen AND i.n=t.n)),
		(SELECT count(*) FROM vector_code INDEXED BY vector_code_part WHERE model IS NOT 0)
		- (SELECT count(*) FROM vector_code NOT INDEXED)`
	var missing, more int64
	if err := k.recordPart("the index of the codes", k.r.Row(query, nil, &missing, &more)); err != nil {
		return err
	}
	if missing != 0 || more != 0 {
		k.addUnrepairable("the index of the codes does not have the rows of its table")
	}
	for _, table := range []string{"meta", "source", "checkpoint", "job", "file", "dead"} {
		n, err := salvage.CountFindings(ctx, k.r.SQL, "integrity_check('"+table+"')")
		if err != nil {
			return err
		}
		if n > 0 {
			k.addUnrepairable("the table %s or its index is damaged", table)
		}
	}
	return nil
}
