package clinvartable_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/store/clinvartable"
	"biomcp/store/disk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

var names = strings.Split(strings.Trim(header, "#\n"), "\t")

// line returns a line of the file: fields by column, "-" if not given.
func line(fields ...string) string {
	cells := slices.Repeat([]string{"-"}, len(names))
	for i := 0; i < len(fields); i += 2 {
		at := slices.Index(names, fields[i])
		if at < 0 {
			panic(fields[i])
		}
		cells[at] = fields[i+1]
	}
	return strings.Join(cells, "\t") + "\n"
}

// both returns the two lines of a variant, which differ in their places.
func both(fields ...string) string {
	return line(append(slices.Clone(fields), "Assembly", "GRCh37", "Chromosome", "6", "Start", "26093141", "Stop", "26093141",
		"PositionVCF", "26093141")...) +
		line(append(slices.Clone(fields), "Assembly", "GRCh38", "Chromosome", "6", "Start", "26092913", "Stop", "26092913",
			"PositionVCF", "26092913")...)
}

// hfe has the shape of a real record with long lists, shortened; its numbers are made up.
var hfe = []string{"#AlleleID", "15048", "VariationID", "9", "Type", "single nucleotide variant",
	"Name", "NM_000410.4(HFE):c.845G>A (p.Cys282Tyr)", "GeneID", "3077", "GeneSymbol", "HFE",
	"ClinicalSignificance", "Pathogenic/Pathogenic, low penetrance; risk factor", "LastEvaluated", "Feb 13, 2026",
	"RS# (dbSNP)", "1800562", "RCVaccession", "RCV000000019|RCV000178096",
	"PhenotypeIDS", "MONDO:MONDO:0021001,MedGen:C3469186,OMIM:235200,Orphanet:465508||Human Phenotype Ontology:HP:0010473,MedGen:C1|MedGen:C2;MedGen:C3",
	"PhenotypeList", "Hemochromatosis type 1|not provided|Porphyrinuria|Trait one;Trait two",
	"OriginSimple", "germline", "Cytogenetic", "6p22.2", "ReviewStatus", "criteria provided, multiple submitters, no conflicts",
	"NumberSubmitters", "58", "OtherIDs", "UniProtKB:Q30201#VAR_004398,ClinGen:CA113795,OMIM:613609.0001",
	"ReferenceAlleleVCF", "G", "AlternateAlleleVCF", "A", "ReferenceAllele", "na", "AlternateAllele", "na",
	"Oncogenicity", "Benign", "OncogenicityLastEvaluated", "Mar 01, 2016", "ReviewStatusOncogenicity", "reviewed by expert panel"}

func init() { names[0] = "#AlleleID" }

// with returns fields with some replaced.
func with(base []string, fields ...string) []string { return append(slices.Clone(base), fields...) }

func store(t *testing.T, lines ...string) *clinvartable.Table {
	t.Helper()
	dir := t.TempDir()
	replace(t, dir, strings.NewReader(header+strings.Join(lines, "")))
	return open(t, dir)
}

func find(t *testing.T, tab *clinvartable.Table, key string) []*clinvartable.Variant {
	t.Helper()
	all, err := tab.Find(t.Context(), key)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return all
}

// The two lines of a variant become one record, in whatever order the lines and the columns stand.
func TestLinesOfAVariantAreJoined(t *testing.T) {
	other := both(with(hfe, "#AlleleID", "9", "VariationID", "10", "Name", "NM_000410.4(HFE):c.187C>G (p.His63Asp)", "RS# (dbSNP)", "1799945", "RCVaccession", "RCV000000020", "OtherIDs", "-", "ReferenceAlleleVCF", "C", "AlternateAlleleVCF", "G")...)
	a, b := strings.SplitAfter(both(hfe...), "\n"), strings.SplitAfter(other, "\n")
	want := &clinvartable.Variant{VariationID: 9, AlleleID: 15048, Name: "NM_000410.4(HFE):c.845G>A (p.Cys282Tyr)",
		Type: "single nucleotide variant", GeneText: "HFE", RS: 1800562, CAID: "CA113795",
		RCVs: []string{"RCV000000019", "RCV000178096"},
		Germline: clinvartable.Classification{Class: "Pathogenic/Pathogenic, low penetrance; risk factor",
			Review: "criteria provided, multiple submitters, no conflicts", Evaluated: "2026-02-13"},
		Oncogenicity: clinvartable.Classification{Class: "Benign", Review: "reviewed by expert panel", Evaluated: "2016-03-01"},
		Conditions: []clinvartable.Condition{
			{Name: "Hemochromatosis type 1", IDs: []string{"MONDO:0021001", "MedGen:C3469186", "OMIM:235200", "Orphanet:465508"}},
			{Name: "not provided"}, {Name: "Porphyrinuria", IDs: []string{"HP:0010473", "MedGen:C1"}},
			{Name: "Trait one;Trait two", IDs: []string{"MedGen:C2", "MedGen:C3"}}},
		Origin: "germline", Cytogenetic: "6p22.2", Submitters: 58,
		Places: []clinvartable.Place{
			{Assembly: "GRCh37", Chromosome: "6", Start: 26093141, End: 26093141, VCFStart: 26093141, Ref: "G", Alt: "A"},
			{Assembly: "GRCh38", Chromosome: "6", Start: 26092913, End: 26092913, VCFStart: 26092913, Ref: "G", Alt: "A"}}}
	for name, lines := range map[string][]string{
		"adjacent": {a[0], a[1], b[0], b[1]}, "between": {a[0], b[0], a[1], b[1]}, "by assembly": {b[0], a[0], b[1], a[1]},
		"twice": {a[0], a[1], b[0], b[1], a[0], a[1]},
	} {
		tab := store(t, lines...)
		for _, key := range []string{clinvartable.IDKey("9"), "rs1800562", "CA113795", "RCV000000019", "RCV000178096",
			want.Name, clinvartable.NameKey("NM_000410.3:c.845G>A"), clinvartable.NameKey("NM_000410:c.845G>A"),
			clinvartable.ChangeKey("HFE", "c.845G>A"), clinvartable.ChangeKey("HFE", "p.Cys282Tyr"), "p.Cys282Tyr",
			clinvartable.PlaceKey("GRCh38", "6", 26092913, "G", "A"), clinvartable.PlaceKey("GRCh37", "6", 26093141, "G", "A"),
			clinvartable.PlaceKey("GRCh37", "6", 26093140, "TG", "TA")} {
			if got := find(t, tab, key); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
				t.Errorf("%s, %s: got %+v, want %+v", name, key, got, want)
			}
		}
		for _, key := range []string{clinvartable.IDKey("15048"), "rs18005620", clinvartable.ChangeKey("HFE", "c.845G>C"),
			clinvartable.PlaceKey("GRCh38", "6", 26093141, "G", "A")} {
			if got := find(t, tab, key); len(got) != 0 {
				t.Errorf("%s, %s: got %+v, want none", name, key, got)
			}
		}
		if tab.Info.Rows != 2 || tab.Release != "2026-11-22" {
			t.Errorf("%s: %d rows of release %q, want 2 of 2026-11-22", name, tab.Info.Rows, tab.Release)
		}
		region := clinvartable.Query{Limit: 9, Region: &clinvartable.Region{Assembly: "GRCh38", Chromosome: "6", First: 26092900, Last: 26092913}}
		if page, err := tab.Search(t.Context(), region); err != nil || page.Total != 2 {
			t.Errorf("%s: %v, %v in the region, want 2", name, page, err)
		}
	}
}

// Rows without a number, a place or a list have none, and a copy number is found by its name.
func TestMissingValues(t *testing.T) {
	cnv := []string{"#AlleleID", "70", "VariationID", "71", "Type", "copy number loss", "Name", "GRCh38/hg38 2p16.3(chr2:47800000-48000000)x1",
		"GeneID", "-1", "GeneSymbol", "subset of 3 genes: FBXO11:MSH6:MSH2", "RS# (dbSNP)", "-1", "nsv/esv (dbVar)", "nsv531",
		"Assembly", "NCBI36", "Chromosome", "na", "Start", "-1", "Stop", "-1", "PositionVCF", "-1", "ReferenceAlleleVCF", "na", "AlternateAlleleVCF", "na",
		"ClinicalSignificance", "-", "PhenotypeIDS", "MedGen:C1|MedGen:C2", "PhenotypeList", "7 conditions", "LastEvaluated", "-"}
	tab := store(t, line(cnv...))
	want := &clinvartable.Variant{VariationID: 71, AlleleID: 70, Name: cnv[7], Type: "copy number loss", GeneText: cnv[11], DBVar: "nsv531",
		Conditions: []clinvartable.Condition{{Name: "7 conditions"}}, Places: []clinvartable.Place{{Assembly: "NCBI36"}}}
	for _, key := range []string{cnv[7], "nsv531"} {
		if got := find(t, tab, key); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: got %+v, want %+v", key, got, want)
		}
	}
	if got := find(t, tab, "rs-1"); len(got) != 0 {
		t.Errorf("rs-1: %v", got)
	}
}

func TestConsequences(t *testing.T) {
	for name, want := range map[string]clinvartable.Consequence{
		"NM_1.1(A):c.845G>A (p.Cys282Tyr)": clinvartable.Missense, "NM_1.1(A):c.1A>G (p.Met1Val)": clinvartable.Unknown,
		"NM_1.1(A):c.845G>A (p.Cys282Ter)": clinvartable.Nonsense, "NM_1.1(A):c.845G>A (p.Ter282Cys)": clinvartable.Unknown,
		"NM_1.1(A):c.68_69del (p.Glu23fs)": clinvartable.Frameshift, "NM_1.1(A):c.846C>T (p.Cys282=)": clinvartable.Synonymous,
		"NM_1.1(A):c.1905+1G>A": clinvartable.SpliceDonor, "NM_1.1(A):c.1906-2A>G": clinvartable.SpliceAcceptor,
		"NM_1.1(A):c.1906-25A>G": clinvartable.Intron, "NM_1.1(A):c.-25A>G": clinvartable.Unknown, "NM_1.1(A):c.*5A>G": clinvartable.Unknown,
		"NM_1.1(A):c.34_36del (p.Gly12del)": clinvartable.Unknown, "NC_000001.11:g.5A>G": clinvartable.Unknown, "A copy number": clinvartable.Unknown,
		"NM_1.1(A):c.100_200+1del": clinvartable.SpliceDonor, "NM_1.1(A):c.(100+1_101-1)_(200+1_201-1)del": clinvartable.Unknown,
		"NM_1.1(A):c.99_100+5del": clinvartable.SpliceDonor | clinvartable.Intron, "NM_1.1(A):c.101-5_103del": clinvartable.SpliceAcceptor | clinvartable.Intron,
		"NM_1.1(A):c.100+5_101-6del": clinvartable.Intron, "NM_1.1(A):c.-30_-5del": clinvartable.Unknown,
		"NM_1.1(A):c.(?_-30)_(100+1_101-1)del": clinvartable.Unknown, "NM_1.1(A):c.-30-?_105+?del": clinvartable.Unknown,
	} {
		if got := clinvartable.Consequences(name); got != want {
			t.Errorf("%s: got %b, want %b", name, got, want)
		}
	}
}

// A file that is cut off, lacks a column or has many unreadable rows is rejected, and the old version stays. New and
// reordered columns are no fault.
func TestFormOfTheFile(t *testing.T) {
	dir := t.TempDir()
	replace(t, dir, strings.NewReader(header+both(hfe...)))
	text := header + both(with(hfe, "VariationID", "11")...)
	future := strings.ReplaceAll(strings.ReplaceAll(text, "\tType\t", "\tNew column\tType\t"), "15048\t", "15048\tnew\t")
	reordered := ""
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Split(l, "\t")
		slices.Reverse(cells)
		reordered += strings.Join(cells, "\t") + "\r\n"
	}
	for name, good := range map[string]string{"future": future, "reordered": reordered, "marked": "\ufeff" + text, "no end": strings.TrimSuffix(text, "\n")} {
		replace(t, dir, strings.NewReader(good))
		if got := find(t, open(t, dir), clinvartable.IDKey("11")); len(got) != 1 || got[0].Germline.Class != hfe[13] || len(got[0].Places) != 2 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	broken := strings.Repeat("x\ty\n", 30)
	short, _, _ := strings.Cut(both(hfe...), "\n") // without the last column, which is not read
	short = short[:strings.LastIndexByte(short, '\t')] + "\n"
	bad := map[string]string{"": "it is empty", text[:len(text)-60]: "it is cut off in its last row",
		header + broken + both(hfe...): "30 of 32 rows cannot be read", header: "it has no rows",
		header + strings.Repeat(short, 30) + both(hfe...): "30 of 32 rows cannot be read"}
	for _, column := range []string{"VariationID", "Oncogenicity", "ReviewStatus", "Start", "PhenotypeIDS", "ClinicalSignificance"} {
		bad[strings.Replace(text, "\t"+column+"\t", "\tOther\t", 1)] = `it has no column "` + strings.ToLower(column) + `"`
	}
	for in, want := range bad {
		_, err := tryReplace(t.Context(), dir, "2026-11-29", strings.NewReader(in))
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(*sets.FormatError)) {
			t.Errorf("%.60q: got %v, want %s", in, err, want)
		}
	}
	if got := find(t, open(t, dir), clinvartable.IDKey("11")); len(got) != 1 {
		t.Errorf("after the rejected files: got %v, want the old version", got)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".biomcp-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// failingReader fails after its text.
type failingReader struct{ io.Reader }

var errCut = errors.New("cut off")

func (f failingReader) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errCut
	}
	return n, err
}

// A failed import leaves the old version, and the next one removes what a killed import left.
func TestFailedImport(t *testing.T) {
	dir := t.TempDir()
	replace(t, dir, strings.NewReader(header+both(hfe...)))
	in := header + both(with(hfe, "VariationID", "11")...)
	if _, err := tryReplace(t.Context(), dir, "2026-11-29", failingReader{strings.NewReader(in)}); !errors.Is(err, errCut) {
		t.Errorf("got %v, want %v", err, errCut)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tryReplace(ctx, dir, "2026-11-29", strings.NewReader(in)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if err := os.WriteFile(filepath.Join(dir, ".biomcp-killed"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := find(t, open(t, dir), clinvartable.IDKey("9")); len(got) != 1 {
		t.Errorf("got %v, want the old version", got)
	}
	if info := replace(t, dir, strings.NewReader(in)); info.Version != 2 {
		t.Errorf("version %d, want 2", info.Version)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v, want the table alone", files, err)
	}
}

// A damaged file is an error, never an empty answer, and can be replaced.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	replace(t, dir, strings.NewReader(header+both(hfe...)))
	path := filepath.Join(dir, "variants.bin")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 5 {
		broken := slices.Clone(whole)
		broken[at] ^= 0x20
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		tab, err := clinvartable.Open(dir)
		if err == nil {
			var found []*clinvartable.Variant
			if found, err = tab.Find(t.Context(), clinvartable.IDKey("9")); err == nil && len(found) != 1 {
				t.Errorf("byte %d: got %v without an error", at, found)
			}
			tab.Close()
		}
		if err != nil && !disk.IsKind(err, disk.Failed) {
			t.Errorf("byte %d: got %v, want an error of the store", at, err)
		}
		if at%25 > 0 {
			continue
		}
		if _, err := tryReplace(t.Context(), dir, "2026-11-29", strings.NewReader(header+both(hfe...))); err != nil {
			t.Errorf("byte %d: the damaged table cannot be replaced: %v", at, err)
		}
	}
	for _, cut := range []int{0, 10, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := clinvartable.Open(dir); !disk.IsKind(err, disk.Failed) {
			t.Errorf("%d bytes: got %v, want an error of the store", cut, err)
		}
	}
	if info := replace(t, dir, strings.NewReader(header+both(hfe...))); info.Rows != 1 {
		t.Errorf("got %+v, want 1 row", info)
	}
}

func TestAbsentAndChecked(t *testing.T) {
	dir := t.TempDir()
	if _, err := clinvartable.Open(dir); !table.IsAbsent(err) {
		t.Errorf("got %v, want absent", err)
	}
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	if _, err := clinvartable.MarkChecked(dir, at); !table.IsAbsent(err) {
		t.Errorf("got %v, want absent", err)
	}
	replace(t, dir, strings.NewReader(header+both(hfe...)))
	if info, err := clinvartable.MarkChecked(dir, at); err != nil || info.CheckedAt != at {
		t.Errorf("got %v, %v, want %v", info.CheckedAt, err, at)
	}
	if got := open(t, dir).Info.CheckedAt; got != at {
		t.Errorf("got %v, want %v", got, at)
	}
	replace(t, dir, strings.NewReader(header+both(hfe...)))
	if got := open(t, dir).Info.CheckedAt; got != time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC) {
		t.Errorf("after another version: got %v", got)
	}
}

// Filters apply together, totals are exact, and variants with more stars come first.
func TestSearch(t *testing.T) {
	var lines strings.Builder
	generate(&lines, 3000)
	dir := t.TempDir()
	replace(t, dir, strings.NewReader(lines.String()+
		line("#AlleleID", "1", "VariationID", "1", "Name", "NM_9.1(ZZ):c.5A>G (p.Val2Gly)", "GeneSymbol", "FBXO11;MSH6", "ClinicalSignificance", "Pathogenic",
			"Assembly", "GRCh38", "Chromosome", "X", "Start", "10", "Stop", "12", "ReviewStatus", "practice guideline", "PhenotypeList", "Rare thing", "PhenotypeIDS", "MONDO:MONDO:0000001")+
		line("#AlleleID", "1", "VariationID", "1", "Assembly", "GRCh38", "Chromosome", "Y", "Start", "20", "Stop", "22")))
	tab := open(t, dir)
	gene := func(symbol string) clinvartable.Filter {
		return clinvartable.Filter{Fields: []clinvartable.Field{clinvartable.GeneField},
			Match: func(text string) bool { return slices.Contains(clinvartable.SplitGenes(text), symbol) }}
	}
	pathogenic := clinvartable.Filter{Fields: []clinvartable.Field{clinvartable.GermlineField}, Match: func(text string) bool { return text == "Pathogenic" }}
	not := func(f clinvartable.Filter) clinvartable.Filter { f.Exclude = true; return f }
	region := func(chromosome string, first, last int) clinvartable.Query {
		return clinvartable.Query{Region: &clinvartable.Region{Assembly: "GRCh38", Chromosome: chromosome, First: first, Last: last}}
	}
	rare := clinvartable.Filter{Fields: []clinvartable.Field{clinvartable.ConditionField}, Match: func(text string) bool { return text == "Rare thing\tMONDO:0000001" }}
	count := func(keep func(f []string) bool) (n int) {
		for l := range strings.Lines(lines.String()) {
			if f := strings.Split(l, "\t"); f[16] == "GRCh38" && keep(f) {
				n++
			}
		}
		return n
	}
	hasGene3 := func(f []string) bool { return slices.Contains(clinvartable.SplitGenes(f[4]), "GENE3") }
	for name, c := range map[string]struct {
		query clinvartable.Query
		want  int
	}{
		"all":  {clinvartable.Query{}, 3001},
		"gene": {clinvartable.Query{Filters: []clinvartable.Filter{gene("GENE3")}}, count(hasGene3)},
		"both": {clinvartable.Query{Filters: []clinvartable.Filter{gene("GENE3"), pathogenic}, MinStars: 2},
			count(func(f []string) bool { return hasGene3(f) && f[6] == "Pathogenic" && clinvartable.Stars(f[24]) >= 2 })},
		"not": {clinvartable.Query{Filters: []clinvartable.Filter{gene("GENE3"), not(pathogenic)}},
			count(func(f []string) bool { return hasGene3(f) && f[6] != "Pathogenic" })},
		"in a list": {clinvartable.Query{Filters: []clinvartable.Filter{gene("MSH6")}}, 1},
		"condition": {clinvartable.Query{Filters: []clinvartable.Filter{rare}}, 1},
		"donor": {clinvartable.Query{Consequences: []clinvartable.Consequence{clinvartable.SpliceDonor}},
			count(func(f []string) bool { return isDonor(f[2]) })},
		"X": {region("X", 12, 30), 1}, "Y": {region("Y", 22, 30), 1}, "between": {region("X", 13, 30), 0}, "MT": {region("MT", 1, 30), 0},
		"key":      {clinvartable.Query{Keys: [][]string{{"p.Val2Gly", "rs1"}}}, 1},
		"keys":     {clinvartable.Query{Keys: [][]string{{"p.Val2Gly"}, {"c.5A>G"}}}, 1},
		"no key":   {clinvartable.Query{Keys: [][]string{{"p.Val2Gly"}, {"c.5A>T"}}}, 0},
		"ids":      {clinvartable.Query{IDs: map[int]bool{1: true, 20: true, 21: true}}, 2},
		"no stars": {clinvartable.Query{MinStars: 4}, 1},
	} {
		c.query.Limit = 50
		page, err := tab.Search(t.Context(), c.query)
		if err != nil || page.Total != c.want || len(page.Variants) != min(50, c.want) {
			t.Errorf("%s: got %+v, %v, want %d", name, page, err, c.want)
			continue
		}
		stars := func(v *clinvartable.Variant) int { return clinvartable.Stars(v.Germline.Review) }
		if !slices.IsSortedFunc(page.Variants, func(a, b *clinvartable.Variant) int { return stars(b) - stars(a) }) {
			t.Errorf("%s: not sorted by stars", name)
		}
	}
	all, err := tab.Search(t.Context(), clinvartable.Query{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := all.Classes["Pathogenic"], count(func(f []string) bool { return f[6] == "Pathogenic" })+1; got != want {
		t.Errorf("%d pathogenic variants, want %d", got, want)
	}
	second, err := tab.Search(t.Context(), clinvartable.Query{Limit: 20, Offset: 20})
	if err != nil || !reflect.DeepEqual(second.Variants, all.Variants[20:]) {
		t.Errorf("the second page is not the second half of the first two, %v", err)
	}
}

func isDonor(name string) bool { return clinvartable.Consequences(name)&clinvartable.SpliceDonor != 0 }

// A change of a class is listed, of each kind apart; another date, star or submitter is none. Changes are kept over
// several versions, and one that was taken back is none.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	put := func(release, germline, oncogenicity string, more ...string) {
		t.Helper()
		fields := with(hfe, "ClinicalSignificance", germline, "Oncogenicity", oncogenicity)
		newer := both(with(hfe, "VariationID", release[8:], "#AlleleID", release[8:])...)
		in := header + both(append(fields, more...)...) + newer
		if _, err := tryReplace(t.Context(), dir, release, strings.NewReader(in)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(since string, want ...clinvartable.Change) {
		t.Helper()
		got, err := open(t, dir).ChangedSince(since)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("since %s: got %+v, %v, want %+v", since, got, err, want)
		}
	}
	put("2026-11-01", "Conflicting interpretations of pathogenicity", "-")
	check("2026-01-01")
	put("2026-11-08", "Conflicting classifications of pathogenicity", "-", "LastEvaluated", "Oct 01, 2026", "NumberSubmitters", "99", "ReviewStatus", "practice guideline")
	check("2026-01-01")
	put("2026-11-15", "Pathogenic", "Benign")
	germline := clinvartable.Change{VariationID: 9, Kind: 0, Before: "2026-11-08", Since: "2026-11-15",
		From: "Conflicting classifications of pathogenicity", To: "Pathogenic"}
	oncogenicity := clinvartable.Change{VariationID: 9, Kind: 2, Before: "2026-11-08", Since: "2026-11-15", To: "Benign"}
	check("2026-11-10", germline, oncogenicity)
	check("2026-11-15")
	put("2026-11-22", "Likely pathogenic", "-")
	germline.To, germline.Since = "Likely pathogenic", "2026-11-22"
	check("2026-11-01", germline)
	germline.From, germline.Before = "Pathogenic", "2026-11-15"
	check("2026-11-15", germline, clinvartable.Change{VariationID: 9, Kind: 2, Before: "2026-11-15", Since: "2026-11-22", From: "Benign"})
	if tab := open(t, dir); tab.Oldest != "2026-11-01" || tab.Release != "2026-11-22" || tab.Info.Version != 4 {
		t.Errorf("got releases %s to %s, version %d", tab.Oldest, tab.Release, tab.Info.Version)
	}
}

// The real sample is read as ClinVar wrote it. It has the 40 columns of 2024.
func TestRealSample(t *testing.T) {
	in, err := os.Open("../../../shared/data/breadth/clinvar/somatic_variant_summary_sample.txt")
	if err != nil {
		t.Skip("no sample of ClinVar on this machine")
	}
	defer in.Close()
	dir := t.TempDir()
	if info := replace(t, dir, in); info.Rows != 2 || info.Skipped != 0 {
		t.Errorf("got %+v, want 2 rows", info)
	}
	got := find(t, open(t, dir), clinvartable.ChangeKey("EGFR", "p.Thr790Met"))
	if len(got) != 1 || got[0].Impact.Class != "Tier I - Strong" || got[0].Impact.Evaluated != "2016-05-13" || got[0].Germline.Class != "" ||
		got[0].Conditions[0].IDs[0] != "HP:0030358" {
		t.Errorf("got %+v", got)
	}
}
