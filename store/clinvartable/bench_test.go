package clinvartable_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"biomcp/entrez/bulk"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// BenchmarkImport_500k stores half a million lines, 250,000 variants, and reports the size of the file for each
// variant, the processor time and the greatest heap.
func BenchmarkImport_500k(b *testing.B) {
	path := filepath.Join(b.TempDir(), clinvartable.FileName)
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	packed := gzip.NewWriter(file)
	generate(packed, 250_000)
	if err := errors.Join(packed.Close(), file.Close()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		dir := b.TempDir()
		began := cpu()
		var info table.Info
		most := mostHeap(func() {
			packed, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			lines, err := gzip.NewReader(packed)
			if err != nil {
				b.Fatal(err)
			}
			info = replace(b, dir, lines)
			packed.Close()
		})
		b.ReportMetric((cpu() - began).Seconds(), "cpu-s/op")
		file, err := os.Stat(filepath.Join(dir, "variants.bin"))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(file.Size())/float64(info.Rows), "bytes/variant")
		b.ReportMetric(float64(most>>20), "heap-MB")
	}
}

// BenchmarkFind_250k opens the table and finds a variant, as a command does.
func BenchmarkFind_250k(b *testing.B) {
	dir := b.TempDir()
	in, out := io.Pipe()
	go func() { generate(out, 250_000); out.Close() }()
	replace(b, dir, in)
	keys := map[string]string{"id": clinvartable.IDKey("200020"), "name": clinvartable.NameKey("NM_003800.1:c.1300A>G"), "nothing": "rs1"}
	for name, key := range keys {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				t := open(b, dir)
				if _, err := t.Find(context.Background(), key); err != nil {
					b.Fatal(err)
				}
				t.Close()
			}
		})
	}
	isGene := func(text string) bool { return text == "GENE77" }
	for name, q := range map[string]clinvartable.Query{
		"search-all":  {},
		"search-gene": {Filters: []clinvartable.Filter{{Fields: []clinvartable.Field{clinvartable.GeneField}, Match: isGene}}},
		"search-filters": {MinStars: 2, Filters: []clinvartable.Filter{
			{Fields: []clinvartable.Field{clinvartable.ConditionField}, Match: func(t string) bool { return t[0] == 'H' }},
			{Fields: []clinvartable.Field{clinvartable.GermlineField}, Match: func(t string) bool { return t == "Pathogenic" }}}},
	} {
		q.Limit = 10
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				t := open(b, dir)
				if _, err := t.Search(context.Background(), q); err != nil {
					b.Fatal(err)
				}
				t.Close()
			}
		})
	}
}

func open(tb testing.TB, dir string) *clinvartable.Table {
	tb.Helper()
	t, err := clinvartable.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = t.Close() })
	return t
}

// replace stores a file and fails the test if it is rejected.
func replace(tb testing.TB, dir string, in io.Reader) table.Info {
	tb.Helper()
	info, err := tryReplace(tb.Context(), dir, "2026-11-22", in)
	if err != nil {
		tb.Fatal(err)
	}
	return info
}

func tryReplace(ctx context.Context, dir, release string, in io.Reader) (table.Info, error) {
	day, err := time.Parse(time.DateOnly, release)
	if err != nil {
		return table.Info{}, err
	}
	info := table.Info{Name: "clinvar", StoredAt: day.AddDate(0, 0, 2),
		Files: []table.File{{Name: clinvartable.FileName, Modified: day.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")}}}
	var report sets.Report
	return clinvartable.Replace(ctx, dir, info, bulk.ClinVar.Files[0].Layout(), in, &report, func(old, new *table.Info) error {
		new.Skipped, new.Problem = report.Skipped, report.Problem
		if new.Rows*2 < old.Rows {
			return fmt.Errorf("it has %d rows, and the stored version has %d", new.Rows, old.Rows)
		}
		return nil
	})
}
