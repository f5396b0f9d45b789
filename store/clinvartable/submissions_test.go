package clinvartable_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/bulk"
	"biomcp/store/clinvartable"
	"biomcp/store/disk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// comments has the shape of the lines before the header.
const comments = "##Overview of classifications, phenotypes, observations, and methods reported in each submission\n" +
	"##Explanation of the columns in this report\n##VariationID:\tthe identifier assigned by ClinVar\n##\n"

var submissionColumns = strings.Split("#VariationID ClinicalSignificance DateLastEvaluated Description SubmittedPhenotypeInfo "+
	"ReportedPhenotypeInfo ReviewStatus CollectionMethod OriginCounts Submitter SCV SubmittedGeneSymbol ExplanationOfInterpretation "+
	"SomaticClinicalImpact Oncogenicity ContributesToAggregateClassification", " ")

// lab, panel, tumour and evidence are synthetic lines of the real shape.
var (
	lab = []string{"9", "Pathogenic", "Feb 13, 2026", "Seen in an invented family.", "HFE-related", "C3469186:Hemochromatosis type 1;na:Other; rare: kind",
		"criteria provided, single submitter", "clinical testing", "germline:na", "Invented Lab", "SCV900000001.2", "HFE", "-", "-", "-", "yes"}
	panel = []string{"9", "risk factor", "Jan 03, 2020", "-", "not provided", "C3661900:not provided",
		"reviewed by expert panel", "curation", "germline:1", "Invented Panel", "SCV900000002.1", "-", "low penetrance", "-", "-", "yes"}
	old = []string{"9", "other", "-", "-", "Named by the submitter", "-",
		"criteria provided, single submitter", "literature only", "unknown:na", "Older Lab", "SCV900000003.1", "HFE", "-", "-", "-", "no"}
	tumour = []string{"13961", "-", "Jul 16, 2024", "-", "Melanoma", "C0025202:Melanoma",
		"no assertion criteria provided", "clinical testing", "somatic:2", "Made-up Clinic", "SCV900000004.1", "BRAF", "-", "Tier I - Strong", "Oncogenic", "yes"}
)

// submissionFile returns the file with the first columns of the lines.
func submissionFile(columns int, lines ...[]string) string {
	out := comments
	for _, l := range append([][]string{submissionColumns}, lines...) {
		out += strings.Join(l[:columns], "\t") + "\n"
	}
	return out
}

func tryReplaceSubmissions(ctx context.Context, dir string, in io.Reader) (table.Info, sets.Report, error) {
	var report sets.Report
	day := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	info, err := clinvartable.ReplaceSubmissions(ctx, dir, table.Info{Name: clinvartable.SubmissionsName, StoredAt: day},
		bulk.ClinVarSubmissions.Files[0].Layout(), in, &report,
		func(old, new *table.Info) error { return nil })
	return info, report, err
}

func openSubmissions(tb testing.TB, dir string) *clinvartable.Submissions {
	tb.Helper()
	s, err := clinvartable.OpenSubmissions(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

func findSubmissions(tb testing.TB, dir, id string) []*clinvartable.Submission {
	tb.Helper()
	all, err := openSubmissions(tb, dir).Find(id)
	if err != nil {
		tb.Fatalf("%s: %v", id, err)
	}
	return all
}

// The file is read with 13, 15 and 16 columns, in other orders of columns and lines, and with a future column. A
// submission has the best review first, then the newest.
func TestSubmissions(t *testing.T) {
	want := []*clinvartable.Submission{
		{SCV: "SCV900000002.1", Submitter: "Invented Panel", Germline: "risk factor", Review: "reviewed by expert panel",
			Evaluated: "2020-01-03", Method: "curation", Condition: "not provided", Explanation: "low penetrance"},
		{SCV: "SCV900000001.2", Submitter: "Invented Lab", Germline: "Pathogenic", Review: "criteria provided, single submitter",
			Evaluated: "2026-02-13", Method: "clinical testing", Condition: "Hemochromatosis type 1; Other; rare: kind", Comment: "Seen in an invented family."},
		{SCV: "SCV900000003.1", Submitter: "Older Lab", Germline: "other", Review: "criteria provided, single submitter",
			Method: "literature only", Condition: "Named by the submitter"},
	}
	reversed := submissionFile(16, lab, panel, old, tumour)
	lines := strings.Split(strings.TrimPrefix(strings.TrimSuffix(reversed, "\n"), comments), "\n")
	for i, l := range lines {
		cells := strings.Split(strings.TrimPrefix(l, "#"), "\t")
		slices.Reverse(cells)
		lines[i] = strings.Join(cells, "\t")
	}
	for name, file := range map[string]string{
		"13 columns": submissionFile(13, lab, panel, old, tumour), "15 columns": submissionFile(15, lab, panel, old, tumour),
		"16 columns": submissionFile(16, lab, panel, old, tumour), "apart": submissionFile(16, lab, tumour, old, panel),
		"reversed": comments + "#" + strings.Join(lines, "\n") + "\n", "without comments": strings.Join(lines, "\r\n"),
		"future": strings.ReplaceAll(strings.ReplaceAll(submissionFile(16, lab, panel, old, tumour), "Classification\n", "Classification\tNew\n"), "yes\n", "yes\tnew\n"),
	} {
		if name == "future" {
			file = strings.ReplaceAll(file, "no\n", "no\tnew\n")
		}
		dir := t.TempDir()
		info, report, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(file))
		if err != nil || info.Rows != 4 || report.Skipped != 0 {
			t.Fatalf("%s: got %d rows, %d skipped (%s), %v; want 4", name, info.Rows, report.Skipped, report.Problem, err)
		}
		if got := findSubmissions(t, dir, "9"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v %+v %+v, want %+v", name, got[0], got[1], got[2], want)
		}
		got, tier := findSubmissions(t, dir, "13961"), "Tier I - Strong"
		if name == "13 columns" {
			tier = ""
		}
		if len(got) != 1 || got[0].Impact != tier || got[0].Germline != "" || got[0].Condition != "Melanoma" {
			t.Errorf("%s: got %+v, want one with impact %q", name, got, tier)
		}
		if got := findSubmissions(t, dir, "10"); len(got) != 0 {
			t.Errorf("%s: got %+v, want none", name, got)
		}
		if release := openSubmissions(t, dir).Release; release != "2026-11-22" {
			t.Errorf("release %q, want 2026-11-22", release)
		}
	}
}

// Variants of several blocks are found, however many there are.
func TestSubmissionsOfManyVariants(t *testing.T) {
	dir, file := t.TempDir(), &bytes.Buffer{}
	generateSubmissions(file, 3000)
	if _, _, err := tryReplaceSubmissions(t.Context(), dir, file); err != nil {
		t.Fatal(err)
	}
	number, s := 0, openSubmissions(t, dir)
	for i := range 3000 {
		all, err := s.Find(fmt.Sprint(20 + i))
		if number += len(all); err != nil {
			t.Fatal(err)
		}
	}
	if number != 3000 || s.Info.Rows != 3000 {
		t.Errorf("got %d of %d submissions, want 3000", number, s.Info.Rows)
	}
}

// A file without a column, without rows, or cut off is an error, and the old version stays. So it does if the import is
// killed.
func TestRejectedSubmissions(t *testing.T) {
	dir := t.TempDir()
	if _, err := clinvartable.OpenSubmissions(dir); !table.IsAbsent(err) {
		t.Errorf("got %v, want absent", err)
	}
	whole := submissionFile(16, lab, panel)
	if _, _, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for _, column := range submissionColumns[:13] {
		if column == "OriginCounts" || column == "SubmittedGeneSymbol" {
			continue // not read
		}
		name := strings.TrimPrefix(column, "#")
		file := strings.Replace(whole, "\t"+name+"\t", "\tX\t", 1)
		if column == "#VariationID" {
			file = strings.Replace(whole, "\n#VariationID\t", "\n#X\t", 1)
		}
		_, _, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(file))
		if want := fmt.Sprintf("it has no column %q", strings.ToLower(name)); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), clinvartable.SubmissionsFileName) {
			t.Errorf("%s: got %v, want %s", column, err, want)
		}
	}
	for name, file := range map[string]string{"empty": "", "comments": comments, "no rows": submissionFile(16), "cut off": whole[:len(whole)-40],
		"a page": "<html><body>Maintenance</body></html>"} {
		if _, _, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(file)); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if _, _, err := tryReplaceSubmissions(t.Context(), dir, failingReader{strings.NewReader(whole)}); !errors.Is(err, errCut) {
		t.Errorf("got %v, want %v", err, errCut)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := tryReplaceSubmissions(ctx, dir, strings.NewReader(whole)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if err := os.WriteFile(filepath.Join(dir, ".biomcp-killed"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := findSubmissions(t, dir, "9"); len(got) != 2 {
		t.Errorf("got %v, want the old version", got)
	}
	if info, _, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(whole)); err != nil || info.Version != 2 {
		t.Errorf("version %d, %v; want 2", info.Version, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v, want the table alone", files, err)
	}
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	if info, err := clinvartable.MarkSubmissionsChecked(dir, at); err != nil || info.CheckedAt != at {
		t.Errorf("got %v, %v; want %v", info.CheckedAt, err, at)
	}
}

// A damaged file is an error, never an empty answer, and can be replaced.
func TestDamagedSubmissions(t *testing.T) {
	dir := t.TempDir()
	file := submissionFile(16, lab, panel)
	if _, _, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "submissions.bin")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		broken := slices.Clone(whole)
		broken[at] ^= 0x20
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := clinvartable.OpenSubmissions(dir)
		if err == nil {
			var found []*clinvartable.Submission
			if found, err = s.Find("9"); err == nil && len(found) != 2 {
				t.Errorf("byte %d: got %v without an error", at, found)
			}
			s.Close()
		}
		if err != nil && !disk.IsKind(err, disk.Failed) {
			t.Errorf("byte %d: got %v, want an error of the store", at, err)
		}
	}
	if _, _, err := tryReplaceSubmissions(t.Context(), dir, strings.NewReader(file)); err != nil {
		t.Errorf("got %v, want the file replaced", err)
	}
}

// generateSubmissions writes synthetic lines of the real shape, some 420 bytes each, three for two variants. Half of
// them have a comment of several hundred bytes.
func generateSubmissions(w io.Writer, number int) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("This sequence change replaces a residue which is acidic and polar with another neutral one at codon of the protein " +
		"variant observed in individuals affected with condition population databases gnomAD frequency algorithms predict disruptive effect " +
		"literature reported PMID evidence available insufficient determine role disease therefore classified uncertain significance")
	fmt.Fprint(w, comments, strings.Join(submissionColumns, "\t"), "\n")
	for i := range number {
		comment := "-"
		if random.IntN(2) == 0 {
			var text []string
			for range 20 + random.IntN(100) {
				text = append(text, words[random.IntN(len(words))])
			}
			comment = fmt.Sprintf("%s %d.", strings.Join(text, " "), random.IntN(1e8))
		}
		condition := random.IntN(9000)
		fmt.Fprintf(w, "%d\t%s\tFeb %02d, 20%02d\t%s\tOMIM:%d\tC%07d:Synthetic disorder of kind %d\tcriteria provided, single submitter\tclinical testing\t"+
			"germline:na\tInvented Laboratory %d, Institute of Genetics\tSCV%09d.%d\tGENE%d\t-\t-\t-\tyes\n", 20+i*2/3,
			[]string{"Uncertain significance", "Likely benign", "Benign", "Pathogenic"}[random.IntN(4)], 1+random.IntN(28), 10+random.IntN(17), comment,
			100000+condition, condition*31, condition, random.IntN(2000), 1_000_000+i*3+random.IntN(3), 1+random.IntN(4), i/300)
	}
}

// BenchmarkImportSubmissions_500k stores half a million submissions, and reports the processor time, the size of the file
// for each submission and the greatest heap; then a look-up as a command does it.
func BenchmarkImportSubmissions_500k(b *testing.B) {
	var packed bytes.Buffer
	out := gzip.NewWriter(&packed)
	generateSubmissions(out, 500_000)
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	var dir string
	for b.Loop() {
		dir = b.TempDir()
		began := cpu()
		most := mostHeap(func() {
			lines, err := gzip.NewReader(bytes.NewReader(packed.Bytes()))
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := tryReplaceSubmissions(b.Context(), dir, lines); err != nil {
				b.Fatal(err)
			}
		})
		b.ReportMetric((cpu() - began).Seconds(), "cpu-s/op")
		b.ReportMetric(float64(most>>20), "heap-MB")
	}
	file, err := os.Stat(filepath.Join(dir, "submissions.bin"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(file.Size())/500_000, "bytes/submission")
	b.ReportMetric(float64(packed.Len())/500_000, "gzip-bytes/submission")
	began := time.Now()
	for i := range 100 {
		s, err := clinvartable.OpenSubmissions(dir)
		if err != nil {
			b.Fatal(err)
		}
		if all, err := s.Find(fmt.Sprint(20 + i*3001)); err != nil || len(all) == 0 {
			b.Fatal(len(all), err)
		}
		s.Close()
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/100_000, "find-ms")
}

// mostHeap returns by how many bytes the heap grew while do ran.
func mostHeap(do func()) (most uint64) {
	var before, memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for tick := time.Tick(50 * time.Millisecond); ; {
			select {
			case <-stop:
				return
			case <-tick:
				runtime.ReadMemStats(&memory)
				most = max(most, memory.HeapInuse-min(memory.HeapInuse, before.HeapInuse))
			}
		}
	}()
	do()
	close(stop)
	<-stopped
	return most
}
