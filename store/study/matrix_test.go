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
	cnaMeta = "stable_id: gistic\ngenetic_alteration_type: COPY_NUMBER_ALTERATION\ndatatype: DISCRETE\ndata_filename: cna.txt\n"
	cna     = "Hugo_Symbol\tEntrez_Gene_Id\tCytoband\tP1-A\tP2-A\tghost\tP3-A\nTP53\t7157\t17p13\t-2\tNA\t1\t0\nEGFR\t1956\t7p11\t2\t1\t1\tInf\nTP53\t7157\t17p13\t2\t2\t2\t2\n\t99\t\t1\t1\t1\t1\n"
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
	return fmt.Sprint(v.Values, v.On.N, v.Blank)
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
					if got := row(t, s, "tp53"); got != "[-2 NaN NaN 0] 2 1" { // P1-B is not in the matrix
						t.Errorf("%s: TP53 %s", what, got)
					}
					if got := row(t, s, "99"); got != "[1 NaN 1 1] 3 0" {
						t.Errorf("%s: a gene without symbol %s", what, got)
					}
					p, _ := s.Profile(CopyNumber)
					m, err := s.Matrix(p)
					if err != nil || len(m.index.Samples) != 4 || len(m.number) != 4 || slices.Index(m.number, -1) < 0 || len(m.index.Again) != 1 {
						t.Errorf("%s: %+v, %v", what, m, err)
					}
					if all, err := rows(m); err != nil || all != "99[1 NaN 1 1] EGFR[2 NaN 1 NaN] TP53[-2 NaN NaN 0]" {
						t.Errorf("%s: %s, %v", what, all, err)
					}
					if _, err := s.GeneValues(p, "KRAS"); !IsKind(err, NotFound) {
						t.Error(err)
					}
				}
			}
		})
	}
}

// rows are all rows of a matrix, by gene.
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
	if got := row(t, s, "TP53"); got != "[-2 NaN NaN NaN] 1 1" {
		t.Error(got)
	}
	p, _ := s.Profile(CopyNumber)
	m, err := s.Matrix(p)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := rows(m); err != nil || all != "99[1 NaN 1 NaN] EGFR[2 NaN 1 NaN] TP53[-2 NaN NaN NaN]" {
		t.Error(all, err)
	}
}

// A file with a row for each gene and sample; a value that has no row is missing, not 0.
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
				if got := row(t, s, "TP53"); got != "[-2 NaN NaN 0] 2 1" {
					t.Errorf("%s: TP53 %s", what, got)
				}
				p, ok := s.Profile(CopyNumber, "DISCRETE", "DISCRETE_LONG")
				m, err := s.Matrix(p)
				if !ok || err != nil || len(m.index.Samples) != 4 || len(m.number) != 4 || slices.Index(m.number, -1) < 0 || len(m.index.Again) != 1 {
					t.Fatalf("%s: %+v, %v", what, m, err)
				}
				if all, err := rows(m); err != nil || all != "99[NaN NaN -1.5 NaN] EGFR[2 NaN NaN NaN] TP53[-2 NaN NaN 0]" {
					t.Errorf("%s: %s, %v", what, all, err)
				}
			}
		})
	}
	s := toy(t, map[string]string{"meta_cna.txt": meta, "cna.txt": strings.Replace(long, "-1.5", "lost", 1)})
	p, _ := s.Profile(CopyNumber)
	if _, err := s.GeneValues(p, "TP53"); err == nil || err.Error() != `cna.txt, line 5, column Value: "lost" is not a number` {
		t.Error(err)
	}
}

func TestMalformedMatrix(t *testing.T) {
	for what, c := range map[string]struct{ table, want string }{
		"not a number": {strings.Replace(cna, "-2", "lost", 1), `cna.txt, line 2, column P1-A: "lost" is not a number`},
		"short row":    {cna + "KRAS\t1\t1\t1\n", "cna.txt, line 6, column 5: the row has 4 fields, the header 7"},
		"long row":     {cna + "KRAS\t1\t1\t1\t1\t1\t1\t1\n", "cna.txt, line 6, column 8: the row has 8 fields, the header 7"},
		"no gene":      {"Gene\tP1-A\n", "cna.txt, line 1: no column HUGO_SYMBOL"},
	} {
		t.Run(what, func(t *testing.T) {
			s := toy(t, map[string]string{"meta_cna.txt": cnaMeta, "cna.txt": c.table})
			p, _ := s.Profile(CopyNumber)
			if _, err := s.GeneValues(p, "TP53"); !IsKind(err, Malformed) || err.Error() != c.want {
				t.Errorf("%s: %v", what, err)
			}
			if ids, _ := mutated(t, s, "TP53"); ids != "P1-A" {
				t.Errorf("%s: mutations %s", what, ids)
			}
		})
	}
}

func TestProfileIsChosenByDatatype(t *testing.T) {
	expression := func(stable, datatype, file string) string {
		return "stable_id: " + stable + "\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: " + datatype + "\ndata_filename: " + file + "\n"
	}
	s := toy(t, map[string]string{
		"meta_a.txt": expression("mrna", "CONTINUOUS", "a.txt"), "a.txt": "x",
		"meta_b.txt": expression("mrna_median_Zscores", "Z-SCORE", "b.txt"), "b.txt": "x",
		"meta_c.txt": expression("mrna_median_all_sample_Zscores", "Z-SCORE", "c.txt"), "c.txt": "x",
		"meta_d.txt": expression("log", "LOG2-VALUE", "absent.txt"),
		"meta_e.txt": "genetic_alteration_type: METHYLATION\ndatatype: CONTINUOUS\ndata_filename: m.txt\n",
		"meta_t.txt": "genetic_alteration_type: CLINICAL\ndatatype: TIMELINE\ndata_filename: t.txt\n", "t.txt": "x",
	})
	for _, c := range []struct{ prefer, want string }{{"Z-SCORE", "c.txt"}, {"CONTINUOUS", "a.txt"}, {"LOG2-VALUE", "c.txt"}} {
		t.Run(c.prefer, func(t *testing.T) {
			if p, ok := s.Profile(Expression, c.prefer); !ok || p.File != c.want {
				t.Errorf("%s: %+v", c.prefer, p)
			}
		})
	}
	listed := map[Data]int{}
	for _, p := range s.Profiles() {
		listed[p.Data]++
	}
	if listed[Expression] != 4 || listed[Other] != 1 || listed[Timeline] != 1 {
		t.Errorf("%v", listed)
	}
	s = toy(t, map[string]string{
		"meta_a.txt": expression("mrna_median_all_sample_Zscores", "Z-SCORE", "a.txt"), "a.txt": "Hugo_Symbol\tP1-A\nTP53\t1\n",
		"meta_s.txt": expression("rna_seq_v2_mrna_median_Zscores", "Z-SCORE", "s.txt"), "s.txt": "Hugo_Symbol\tP1-A\tP2-A\nTP53\t1\tNA\nTP53\t2\t2\n",
		"meta_i.txt": expression("mirna_seq_all_sample_Zscores", "Z-SCORE", "i.txt"), "i.txt": "x",
		// of the array, which the study is not asked about
		"case_lists/mrna.txt": "stable_id: toy_mrna\ncase_list_ids: P1-A\n",
	})
	p, _ := s.Profile(Expression, "Z-SCORE")
	v, err := s.GeneValues(p, "TP53")
	if err != nil || p.File != "s.txt" || fmt.Sprint(s.ByOtherMethod(p)) != "[a.txt]" || v.Again != 1 || v.On.N != 1 || v.Blank != 1 || v.On.Basis != "samples of s.txt" {
		t.Errorf("%+v, %v: %+v", p, err, v)
	}
}

// What one file of a sort has no row of may be in another; microRNA is no expression of genes; files
// of other samples are named.
func TestSeveralFilesOfASort(t *testing.T) {
	expression := func(stable, file string) string {
		return "stable_id: " + stable + "\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: Z-SCORE\ndata_filename: " + file + "\n"
	}
	s := toy(t, map[string]string{
		"meta_a.txt": expression("mirna_median_Zscores", "a.txt"), "a.txt": "Hugo_Symbol\tP1-A\nMIR21\t1\n",
		"meta_b.txt": expression("mrna_seq_polya_Zscores", "b.txt"), "b.txt": "Hugo_Symbol\tP1-A\tP1-B\nTP53\t1\t2\n",
		"meta_c.txt": expression("mrna_seq_capture_Zscores", "c.txt"), "c.txt": "Hugo_Symbol\tEntrez_Gene_Id\tP2-A\tP1-B\nTP53\t7157\t3\t5\nEGFR\t1956\t4\t4\n",
		"meta_d.txt": expression("mrna_seq_polya_all_Zscores", "d.txt"), "d.txt": "Hugo_Symbol\tEntrez_Gene_Id\tP1-B\tP1-A\nTP53\t7157\t3\t3\n",
		"meta_germline.txt": "stable_id: mutations_germline\ngenetic_alteration_type: MUTATION_EXTENDED\ndatatype: MAF\ndata_filename: germline.maf\n",
		"germline.maf":      "Hugo_Symbol\tTumor_Sample_Barcode\nBRCA1\tP2-A\nTP53\tP2-A\n",
	})
	p, _ := s.Profile(Expression)
	if got := fmt.Sprint(s.ByOtherMethod(p)); p.File != "b.txt" || got != "[c.txt]" {
		t.Errorf("%s, %s", p.File, got)
	}
	if v, err := s.GeneValues(p, "EGFR"); err != nil || v.Profile.File != "c.txt" || v.Instead != "b.txt" || v.On.N != 2 || v.On.Basis != "samples of c.txt" {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := s.GeneValues(p, "TP53"); err != nil || v.Profile.File != "b.txt" || v.Instead != "" {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := s.GeneValues(p, "MIR21"); !IsKind(err, NotFound) {
		t.Error(err)
	}
	for gene, file := range map[string]string{"BRCA1": "germline.maf", "TP53": "mutations.maf", "MIR21": "mutations.maf"} {
		if g, err := s.GeneMutations(gene, false); err != nil || g.File != file || (g.Instead != "") != (gene == "BRCA1") || g.Seen != (gene != "MIR21") {
			t.Errorf("%s: %+v, %v", gene, g, err)
		}
	}
}

// The file of the rows names the samples sequenced, and no other file of its sort.
func TestSequencedSamplesOfASecondFile(t *testing.T) {
	s := toy(t, map[string]string{
		"case_lists/sequenced.txt": "", "meta_second.txt": "stable_id: second\ngenetic_alteration_type: MUTATION_EXTENDED\ndatatype: MAF\ndata_filename: second.maf\n",
		"second.maf": "#sequenced_samples: P2-A P1-B\nHugo_Symbol\tTumor_Sample_Barcode\nBRCA1\tP2-A\n",
	})
	if g, err := s.GeneMutations("BRCA1", false); err != nil || g.File != "second.maf" || g.On.N != 2 || g.On.Basis != "sequenced_samples of second.maf" || g.Samples != 1 {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestPatientMeans(t *testing.T) {
	samples, err := toy(t, nil).Samples()
	if err != nil {
		t.Fatal(err)
	}
	if means := samples.patientMeans([]float64{1, 4, math.NaN(), 7}); means[0] != 2.5 || !math.IsNaN(means[1]) || means[2] != 7 {
		t.Error(means)
	}
}

func TestDivisionByCuts(t *testing.T) {
	names, of := Cut([]float64{1, 2, 3}, 2)
	if fmt.Sprint(names, of) != "[≤ 2 > 2] [0 0 1]" {
		t.Error(names, of)
	}
	names, of = Quantiles([]float64{1, 2, 3, 4, 5, 6}, 3)
	if fmt.Sprint(names, of) != "[≤ 2.667 > 2.667 to 4.333 > 4.333] [0 0 1 1 2 2]" {
		t.Error(names, of)
	}
	if names, of = Quantiles([]float64{0, 0, 0, 0, 9}, 4); fmt.Sprint(names, of) != "[≤ 0 > 0] [0 0 0 0 1]" {
		t.Error(names, of)
	}
	if names, _ = Quantiles([]float64{3, 3}, 2); len(names) != 1 {
		t.Error(names)
	}
}
