package study

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	cnaMeta = "stable_id: gistic\ngenetic_alteration_type: COPY_NUMBER_ALTERATION\ndatatype: " +
		"DISCRETE\ndata_filename: cna.txt\n"
	cna = "Hugo_Symbol\tEntrez_Gene_Id\tCytoband\tP1-A\tP2-A\tghost\tP3-A\nTP53\t7157\t17p13\t-2\tNA\t1\t0\nEGFR\t1956\t7p11\t2\t1\t1\tInf\nTP53\t7157\t17p13\t2\t2\t2\t2\n\t99\t\t1\t1\t1\t1\n"
)

func row(t *testing.T, s *Study, gene string) string {
	t.Helper()
	p, ok := s.Profile(CopyNumber)
	if !ok {
		t.Fatal("no profile")
	}
	v, err := s.GeneValues(p, gene)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v.Values, v.Profiled.N, v.MissingValues)
}

func TestMatrixRows(t *testing.T) {
	for what, changes := range map[string]map[string]string{
		"text":   {"cna.txt": cna},
		"packed": {"cna.txt.gz": cna},
		"CR LF":  {"cna.txt": strings.ReplaceAll(cna, "\n", "\r\n")},
	} {
		t.Run(what, func(t *testing.T) {
			changes["meta_cna.txt"] = cnaMeta
			for _, cache := range []string{"", t.TempDir()} {
				dir := folder(t, changes)
				for range 2 {
					s := opened(t, dir, cache)
					equal(t, "TP53", row(t, s, "tp53"), "[-2 NaN NaN 0] 2 1") // P1-B is not in the matrix
					equal(t, "gene without a symbol", row(t, s, "99"), "[1 NaN 1 1] 3 0")
					p, _ := s.Profile(CopyNumber)
					m, err := s.Matrix(p)
					noError(t, err)
					checkColumns(t, m)
					all, err := rows(m)
					noError(t, err)
					equal(t, "rows", all, "99[1 NaN 1 1] EGFR[2 NaN 1 NaN] TP53[-2 NaN NaN 0]")
					_, err = s.GeneValues(p, "KRAS")
					errorOfKind(t, "gene without a row", err, NotFound)
				}
			}
		})
	}
}

// checkColumns checks the columns of cna and of its long form: four samples, one of them unknown, and
// one duplicate row.
func checkColumns(t *testing.T, m *Matrix) {
	t.Helper()
	equal(t, "samples of the index", len(m.index.Samples), 4)
	equal(t, "numbered columns", len(m.number), 4)
	equal(t, "unknown sample", slices.Contains(m.number, -1), true)
	equal(t, "genes with duplicate rows", len(m.index.Again), 1)
}

// rows formats all rows of a matrix, sorted by gene.
func rows(m *Matrix) (string, error) {
	var one sync.Mutex
	var all []string
	err := m.Rows(func(gene string, values []float64) error {
		one.Lock()
		defer one.Unlock()
		all = append(all, fmt.Sprint(gene, values))
		return nil
	})
	slices.Sort(all)
	return strings.Join(all, " "), err
}

func TestMatrixRespectsTheCaseList(t *testing.T) {
	s := toy(t, map[string]string{"meta_cna.txt": cnaMeta, "cna.txt": cna, "case_lists/cna.txt": "stable_id: toy_cna\ncase_list_ids: P1-A P2-A\n"})
	equal(t, "TP53", row(t, s, "TP53"), "[-2 NaN NaN NaN] 1 1")
	p, _ := s.Profile(CopyNumber)
	m, err := s.Matrix(p)
	noError(t, err)
	all, err := rows(m)
	noError(t, err)
	equal(t, "rows", all, "99[1 NaN 1 NaN] EGFR[2 NaN 1 NaN] TP53[-2 NaN NaN NaN]")
}

// In a file with one row per gene and sample, a combination without a row is missing, not 0.
func TestLongMatrix(t *testing.T) {
	long := "Hugo_Symbol\tEntrez_Gene_Id\tSample_Id\tValue\tcbp_driver\n" +
		"TP53\t7157\tP1-A\t-2\tPutative_Driver\nEGFR\t1956\tP1-A\t2\ntp53\t7157\tP3-A\t0\n\t99\tP2-A\t-1.5\nTP53\t7157\tOTHER\t1\nTP53\t7157\tP1-A\t1\nEGFR\t1956\tP2-A\tNA\n"
	meta := strings.Replace(cnaMeta, "DISCRETE", "DISCRETE_LONG", 1)
	for what, changes := range map[string]map[string]string{
		"text": {"meta_cna.txt": meta, "cna.txt": long}, "gzip": {"meta_cna.txt": meta, "cna.txt.gz": long},
		"windows": {"meta_cna.txt": meta, "cna.txt": strings.ReplaceAll(long, "\n", "\r\n")},
	} {
		t.Run(what, func(t *testing.T) {
			dir, cache := folder(t, changes), t.TempDir()
			for range 2 {
				s := opened(t, dir, cache)
				equal(t, "TP53", row(t, s, "TP53"), "[-2 NaN NaN 0] 2 1")
				p, ok := s.Profile(CopyNumber, "DISCRETE", "DISCRETE_LONG")
				equal(t, "has a discrete profile", ok, true)
				m, err := s.Matrix(p)
				noError(t, err)
				checkColumns(t, m)
				all, err := rows(m)
				noError(t, err)
				equal(t, "rows", all, "99[NaN NaN -1.5 NaN] EGFR[2 NaN NaN NaN] TP53[-2 NaN NaN 0]")
			}
		})
	}
	s := toy(t, map[string]string{"meta_cna.txt": meta, "cna.txt": strings.Replace(long, "-1.5", "lost", 1)})
	p, _ := s.Profile(CopyNumber)
	_, err := s.GeneValues(p, "TP53")
	errorText(t, "value that is not a number", err, `cna.txt, line 5, column Value: "lost" is not a number`)
}

func TestMalformedMatrix(t *testing.T) {
	for what, c := range map[string]struct{ table, want string }{
		"not a number": {strings.Replace(cna, "-2", "lost", 1), `cna.txt, line 2, column P1-A: "lost" is not a number`},
		"short row":    {cna + "KRAS\t1\t1\t1\n", "cna.txt, line 6, column 5: the row has 4 fields, the header 7"},
		"long row": {
			cna + "KRAS\t1\t1\t1\t1\t1\t1\t1\n", "cna.txt, line 6, column 8: the row has 8 fields, the header 7",
		},
		"no gene": {"Gene\tP1-A\n", "cna.txt, line 1: no column HUGO_SYMBOL"},
	} {
		t.Run(what, func(t *testing.T) {
			s := toy(t, map[string]string{"meta_cna.txt": cnaMeta, "cna.txt": c.table})
			p, _ := s.Profile(CopyNumber)
			_, err := s.GeneValues(p, "TP53")
			errorOfKind(t, "copy number", err, Malformed)
			errorText(t, "copy number", err, c.want)
			ids, _ := mutated(t, s, "TP53")
			equal(t, "mutated samples", ids, "P1-A")
		})
	}
}

func TestProfileIsChosenByDatatype(t *testing.T) {
	expression := func(stable, datatype, file string) string {
		return "stable_id: " + stable + "\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: " + datatype +
			"\ndata_filename: " + file + "\n"
	}
	s := toy(t, map[string]string{
		"meta_a.txt": expression("mrna", "CONTINUOUS", "a.txt"), "a.txt": "x",
		"meta_b.txt": expression("mrna_median_Zscores", "Z-SCORE", "b.txt"), "b.txt": "x",
		"meta_c.txt": expression("mrna_median_all_sample_Zscores", "Z-SCORE", "c.txt"), "c.txt": "x",
		"meta_d.txt": expression("log", "LOG2-VALUE", "absent.txt"),
		"meta_e.txt": "genetic_alteration_type: METHYLATION\ndatatype: CONTINUOUS\ndata_filename: m.txt\n",
		"meta_t.txt": "genetic_alteration_type: CLINICAL\ndatatype: TIMELINE\ndata_filename: t.txt\n", "t.txt": "x",
	})
	for _, c := range []struct{ prefer, want string }{
		{"Z-SCORE", "c.txt"}, {"CONTINUOUS", "a.txt"}, {"LOG2-VALUE", "c.txt"},
	} {
		t.Run(c.prefer, func(t *testing.T) {
			p, ok := s.Profile(Expression, c.prefer)
			equal(t, "has a profile", ok, true)
			equal(t, "file", p.File, c.want)
		})
	}
	listed := map[Data]int{}
	for _, p := range s.Profiles() {
		listed[p.Data]++
	}
	equal(t, "expression files", listed[Expression], 4)
	equal(t, "other files", listed[Other], 1)
	equal(t, "timelines", listed[Timeline], 1)
	s = toy(t, map[string]string{
		"meta_a.txt": expression("mrna_median_all_sample_Zscores", "Z-SCORE", "a.txt"),
		"a.txt":      "Hugo_Symbol\tP1-A\nTP53\t1\n",
		"meta_s.txt": expression("rna_seq_v2_mrna_median_Zscores", "Z-SCORE", "s.txt"),
		"s.txt":      "Hugo_Symbol\tP1-A\tP2-A\nTP53\t1\tNA\nTP53\t2\t2\n",
		"meta_i.txt": expression("mirna_seq_all_sample_Zscores", "Z-SCORE", "i.txt"), "i.txt": "x",
		// This list is for the array profile, which is not read.
		"case_lists/mrna.txt": "stable_id: toy_mrna\ncase_list_ids: P1-A\n",
	})
	p, _ := s.Profile(Expression, "Z-SCORE")
	v, err := s.GeneValues(p, "TP53")
	noError(t, err)
	equal(t, "preferred file", p.File, "s.txt")
	equalSlices(t, "files of another method", s.ComplementaryFiles(p), []string{"a.txt"})
	equal(t, "duplicate rows", v.DuplicateRows, 1)
	equal(t, "samples with a value", v.Profiled.N, 1)
	equal(t, "samples without a value", v.MissingValues, 1)
	equal(t, "basis", v.Profiled.Basis, "samples of s.txt")
}

// A gene without a row in one file is read from another file with the same kind of data.
// MicroRNA does not count as gene expression. Files with other samples are listed.
func TestSeveralFilesOfASort(t *testing.T) {
	expression := func(stable, file string) string {
		return "stable_id: " + stable +
			"\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: Z-SCORE\ndata_filename: " + file + "\n"
	}
	s := toy(t, map[string]string{
		"meta_a.txt": expression("mirna_median_Zscores", "a.txt"), "a.txt": "Hugo_Symbol\tP1-A\nMIR21\t1\n",
		"meta_b.txt": expression("mrna_seq_polya_Zscores", "b.txt"), "b.txt": "Hugo_Symbol\tP1-A\tP1-B\nTP53\t1\t2\n",
		"meta_c.txt": expression("mrna_seq_capture_Zscores", "c.txt"),
		"c.txt":      "Hugo_Symbol\tEntrez_Gene_Id\tP2-A\tP1-B\nTP53\t7157\t3\t5\nEGFR\t1956\t4\t4\n",
		"meta_d.txt": expression("mrna_seq_polya_all_Zscores", "d.txt"),
		"d.txt":      "Hugo_Symbol\tEntrez_Gene_Id\tP1-B\tP1-A\nTP53\t7157\t3\t3\n",
		"meta_germline.txt": "stable_id: mutations_germline\ngenetic_alteration_type: " +
			"MUTATION_EXTENDED\ndatatype: MAF\ndata_filename: germline.maf\n",
		"germline.maf": "Hugo_Symbol\tTumor_Sample_Barcode\nBRCA1\tP2-A\nTP53\tP2-A\n",
	})
	p, _ := s.Profile(Expression)
	equal(t, "preferred file", p.File, "b.txt")
	equalSlices(t, "files with other samples", s.ComplementaryFiles(p), []string{"c.txt"})
	v, err := s.GeneValues(p, "EGFR")
	noError(t, err)
	equal(t, "file of EGFR", v.Profile.File, "c.txt")
	equal(t, "file without EGFR", v.PreferredFile, "b.txt")
	equal(t, "samples profiled for EGFR", v.Profiled.N, 2)
	equal(t, "basis of EGFR", v.Profiled.Basis, "samples of c.txt")
	v, err = s.GeneValues(p, "TP53")
	noError(t, err)
	equal(t, "file of TP53", v.Profile.File, "b.txt")
	equal(t, "file without TP53", v.PreferredFile, "")
	_, err = s.GeneValues(p, "MIR21")
	errorOfKind(t, "MIR21", err, NotFound)
	for gene, file := range map[string]string{
		"BRCA1": "germline.maf", "TP53": "mutations.maf", "MIR21": "mutations.maf",
	} {
		g, err := s.GeneMutations(gene, false)
		noError(t, err)
		equal(t, "mutation file of "+gene, g.File, file)
		equal(t, "another file was preferred for "+gene, g.PreferredFile != "", gene == "BRCA1")
		equal(t, "rows of "+gene, g.HasRows, gene != "MIR21")
	}
}

// The sequenced samples are those named in the file with the gene's rows, not in another
// mutation file.
func TestSequencedSamplesOfASecondFile(t *testing.T) {
	s := toy(t, map[string]string{
		"case_lists/sequenced.txt": "",
		"meta_second.txt": "stable_id: second\ngenetic_alteration_type: MUTATION_EXTENDED\ndatatype: " +
			"MAF\ndata_filename: second.maf\n",
		"second.maf": "#sequenced_samples: P2-A P1-B\nHugo_Symbol\tTumor_Sample_Barcode\nBRCA1\tP2-A\n",
	})
	g, err := s.GeneMutations("BRCA1", false)
	noError(t, err)
	equal(t, "file", g.File, "second.maf")
	equal(t, "profiled samples", g.Profiled.N, 2)
	equal(t, "basis", g.Profiled.Basis, "sequenced_samples of second.maf")
	equal(t, "mutated samples", g.MutatedSamples, 1)
}

func TestPatientMeans(t *testing.T) {
	samples, err := toy(t, nil).Samples()
	if err != nil {
		t.Fatal(err)
	}
	means := samples.patientMeans([]float64{1, 4, math.NaN(), 7})
	equal(t, "mean of two samples", means[0], 2.5)
	equal(t, "mean of no value is NaN", math.IsNaN(means[1]), true)
	equal(t, "mean of one sample", means[2], 7)
}

func TestDivisionByCuts(t *testing.T) {
	names, groups := Cut([]float64{1, 2, 3}, 2)
	equal(t, "a cut", fmt.Sprint(names, groups), "[≤ 2 > 2] [0 0 1]")
	names, groups = Quantiles([]float64{1, 2, 3, 4, 5, 6}, 3)
	equal(t, "thirds", fmt.Sprint(names, groups), "[≤ 2.667 > 2.667 to 4.333 > 4.333] [0 0 1 1 2 2]")
	names, groups = Quantiles([]float64{0, 0, 0, 0, 9}, 4)
	equal(t, "quarters of tied values", fmt.Sprint(names, groups), "[≤ 0 > 0] [0 0 0 0 1]")
	names, _ = Quantiles([]float64{3, 3}, 2)
	equal(t, "groups of equal values", len(names), 1)
}
