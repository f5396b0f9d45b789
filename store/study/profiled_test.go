package study

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const panelMatrixMeta = "genetic_alteration_type: GENE_PANEL_MATRIX\ndatatype: GENE_PANEL_MATRIX\ndata_filename: matrix.txt\n"

func TestDenominator(t *testing.T) {
	small := "stable_id: SMALL\ngene_list: TP53\tEGFR\n"
	for what, c := range map[string]struct {
		changes   map[string]string
		gene      string
		n         int
		basis     string
		mentioned string // in a notice
	}{
		"case list": {nil, "KRAS", 3, "case list toy_sequenced", ""},
		"case list by category": {map[string]string{
			"case_lists/sequenced.txt": "stable_id: other\ncase_list_category: all_cases_with_mutation_data\ncase_list_ids: P2-A\n",
		}, "KRAS", 1, "case list other", ""},
		"no list": {
			map[string]string{"case_lists/sequenced.txt": ""}, "KRAS", 4, "all samples of samples.txt", "has no list",
		},
		"list of the study's name before": {map[string]string{
			"case_lists/a.txt": "stable_id: toy_women_sequenced\ncancer_study_identifier: toy\ncase_list_ids: P1-A\n",
			"case_lists/sequenced.txt": "cancer_study_identifier: Toy\nstable_id: " +
				"old_Sequenced\ncase_list_ids: P1-A\tP2-A\n",
		},
			"KRAS", 2, "case list old_Sequenced", ""},
		"list of another study": {
			map[string]string{
				"case_lists/sequenced.txt": "cancer_study_identifier: old\nstable_id: " +
					"old_sequenced\ncase_list_ids: P1-A\n",
			},
			"KRAS", 4, "all samples of samples.txt", "has no list",
		},
		"ids with blanks": {map[string]string{
			"samples.txt":              "PATIENT_ID\tSAMPLE_ID\nP\tP1 A\nP\tP2\nP\tP1\n",
			"mutations.maf":            "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tP1 A\n",
			"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1 A\t P2 \t\n",
		},
			"KRAS", 2, "case list toy_sequenced", ""},
		"no list, samples in the file": {map[string]string{
			"case_lists/sequenced.txt": "",
			"mutations.maf":            "#version 2.4\n#Sequenced_Samples: P1-A  P2-A\tP1-B\t\t\n" + base["mutations.maf"],
		},
			"KRAS", 3, "sequenced_samples of mutations.maf", ""},
		"list, samples in the file": {
			map[string]string{"mutations.maf": "#sequenced_samples: P1-A\n" + base["mutations.maf"]}, "KRAS", 3,
			"case list toy_sequenced", "",
		},
		"unknown sample": {
			map[string]string{"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1-A ghost\n"},
			"KRAS", 1, "case list toy_sequenced", "1 sample with mutation data excluded: not in samples.txt (such as ghost).",
		},
		"matrix, gene on the panel": {map[string]string{
			"meta_matrix.txt":       panelMatrixMeta,
			"matrix.txt":            "SAMPLE_ID\tmutations\nP1-A\tSMALL\nP1-B\tWXS/WGS\nP2-A\tNA\n",
			"gene_panels/small.txt": small,
		},
			"tp53", 2, "case list toy_sequenced and gene panel matrix",
			"1 sample excluded as not profiled: the gene panel matrix has NA for the mutation data."},
		"matrix, gene not on it": {map[string]string{
			"meta_matrix.txt":           panelMatrixMeta,
			"matrix.txt":                "SAMPLE_ID\tmutations\nP1-A\tSMALL\nP1-B\tWGS\nP2-A\tsmall\n",
			"data_gene_panel_small.txt": small,
		},
			"KRAS", 1, "case list toy_sequenced and gene panel matrix", ""},
		"the study's name before the profile's": {map[string]string{
			"meta_matrix.txt":           panelMatrixMeta,
			"matrix.txt":                "SAMPLE_ID\ttoy_mutations\nP1-A\tSMALL\nP1-B\tWGS\nP2-A\tsmall\n",
			"data_gene_panel_small.txt": small,
		},
			"KRAS", 1, "case list toy_sequenced and gene panel matrix", ""},
		"matrix without list": {map[string]string{
			"case_lists/sequenced.txt": "", "meta_matrix.txt": panelMatrixMeta,
			"matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tSMALL\nP1-B\tWXS\n", "../gene_panels/small.txt": small,
		},
			"TP53", 2, "gene panel matrix", ""},
		"not in the matrix": {map[string]string{
			"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tSMALL\n",
			"gene_panels/small.txt": small,
		},
			"KRAS", 2, "case list toy_sequenced and gene panel matrix", ""},
		"matrix, all genes": {map[string]string{
			"meta_matrix.txt": panelMatrixMeta,
			"matrix.txt":      "SAMPLE_ID\tmutations\nP1-A\tWES\nP1-B\tWES+WGS\nP2-A\tWhole Exome\n",
		},
			"KRAS", 3, "case list toy_sequenced and gene panel matrix", ""},
		"panel in the meta file": {map[string]string{
			"meta_mutations.txt": base["meta_mutations.txt"] + "gene_panel: SMALL\n", "gene_panels/small.txt": small,
		},
			"KRAS", 0, "case list toy_sequenced and gene panel SMALL", ""},
	} {
		t.Run(what, func(t *testing.T) {
			s := toy(t, c.changes)
			g, err := s.GeneMutations(c.gene, false)
			if err != nil {
				t.Fatal(err)
			}
			notices := strings.Join(g.Profiled.Notices, " ")
			equal(t, "profiled samples", g.Profiled.N, c.n)
			equal(t, "basis", g.Profiled.Basis, c.basis)
			if c.mentioned == "" {
				equal(t, "notices", notices, "")
			} else {
				contains(t, "notices", notices, c.mentioned)
			}
			genes, _, err := s.MutatedGenes(true)
			noError(t, err)
			for _, one := range genes {
				if one.Gene == strings.ToUpper(c.gene) {
					equal(t, "profiled samples among all genes", one.Profiled, c.n)
				}
			}
		})
	}
}

// A panel with unknown genes is an error for a request about a gene; the text says how to get
// the panel. The number of assayed samples is available without the genes.
func TestUnknownPanelIsAnError(t *testing.T) {
	changes := map[string]string{
		"meta_matrix.txt": panelMatrixMeta,
		"matrix.txt":      "SAMPLE_ID\tmutations\tcna\tother\nP1-A\tLOST\tLOST\t\nP1-B\tWXS\tWXS\nP2-A\tGONE\tNA\tLOST\n",
		"meta_cna.txt":    cnaMeta, "cna.txt": "Hugo_Symbol\tP1-A\nTP53\t2\n",
	}
	s := toy(t, changes)
	const want = "the genes of the panels GONE, LOST (2 samples) are unknown: " +
		"study download toy fetches them from cBioPortal, study panels add FILE reads them from a file"
	_, err := s.GeneMutations("TP53", false)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("mutations: got error %v, want an *Error", err)
	}
	equal(t, "kind", e.Kind, NoPanel)
	equal(t, "study", e.Study, "toy")
	errorText(t, "mutations", err, want)
	_, _, err = s.MutatedGenes(false)
	errorOfKind(t, "all genes", err, NoPanel)
	cna, _ := s.Profile(CopyNumber)
	_, err = s.GeneValues(cna, "TP53")
	errorOfKind(t, "copy number", err, NoPanel)
	contains(t, "copy number", fmt.Sprint(err), "the panel LOST (1 sample) are unknown")
	m, err := s.Matrix(cna)
	noError(t, err)
	err = m.Rows(func(string, []float64) error { return nil })
	errorOfKind(t, "rows", err, NoPanel)
	mutations, _ := s.Profile(Mutations)
	on, err := s.ProfiledSamples(mutations, "")
	noError(t, err)
	equal(t, "samples assayed for any gene", on.N, 3)
	panels, err := s.Panels()
	noError(t, err)
	equal(t, "panels", fmt.Sprint(panels), "[{GONE 1 0 false false} {LOST 2 0 false false} {WXS 1 0 true true}]")
	names, err := s.MissingPanels()
	noError(t, err)
	equalSlices(t, "missing panels", names, []string{"GONE", "LOST"})
	// Add the panels to the folder that all studies share.
	for _, text := range []string{
		"stable_id: LOST\ngene_list: TP53\tKRAS\n",
		`[{"genePanelId":"gone","genes":[{"entrezGeneId":3845,"hugoGeneSymbol":"KRAS"}]}]`,
	} {
		t.Run(text, func(t *testing.T) {
			list, err := ParsePanels("panel", strings.NewReader(text))
			noError(t, err)
			noError(t, Library{Dir: filepath.Dir(s.Folder())}.AddPanel(list[0]))
		})
	}
	s = opened(t, s.Folder(), "")
	for gene, n := range map[string]int{"TP53": 2, "KRAS": 3, "EGFR": 1} {
		t.Run(gene, func(t *testing.T) {
			_, got := mutated(t, s, gene)
			equal(t, "profiled samples", got, n)
		})
	}
	panels, err = s.Panels()
	noError(t, err)
	equal(t, "panels when known", fmt.Sprint(panels),
		"[{GONE 1 1 false true} {LOST 2 2 false true} {WXS 1 0 true true}]")
}

// PARK2 is now PRKN, Entrez ID 5071. The file, the panel and the request may each use either
// name.
func TestRenamedGene(t *testing.T) {
	names := func([]string) map[string][]string {
		return map[string][]string{"PARK2": {"PRKN", "PARK2"}, "PRKN": {"PRKN", "PARK2"}}
	}
	portal := `{"genePanelId":"P","genes":[{"entrezGeneId":5071,"hugoGeneSymbol":"PRKN"},{"entrezGeneId":7157,"hugoGeneSymbol":"TP53"}]}`
	for what, c := range map[string]struct {
		file, panel string
		names       func([]string) map[string][]string
		gene        string
		mutated     string
		name        string // the name shown for both rows
	}{
		"id in both":          {"PARK2\t5071\tP1-A\nPRKN\t5071\tP1-B\n", portal, nil, "PARK2", "P1-A P1-B", "PRKN"},
		"the newer name":      {"PARK2\t5071\tP1-A\nPRKN\t5071\tP1-B\n", portal, nil, "prkn", "P1-A P1-B", "PRKN"},
		"asked as in neither": {"PARK2\t5071\tP1-A\n", portal, nil, "PRKN", "P1-A", ""},
		"ids on the panel": {
			"PARK2\t5071\tP1-A\n", "stable_id: P\ngene_list: 5071\t7157\n", nil, "PARK2", "P1-A", "",
		},
		"no ids, names known": {
			"PARK2\t\tP1-A\n", "stable_id: P\ngene_list: PRKN TP53\n", names, "PARK2", "P1-A", "",
		},
		"no ids, names known, new": {
			"PARK2\t0\tP1-A\n", "stable_id: P\ngene_list: PRKN TP53\n", names, "PRKN", "P1-A", "",
		},
		"no ids, names of HGNC":      {"PARK2\t\tP1-A\n", "stable_id: P\ngene_list: PRKN TP53\n", nil, "PARK2", "P1-A", ""},
		"no ids, names of HGNC, new": {"PARK2\t\tP1-A\n", "stable_id: P\ngene_list: PRKN TP53\n", nil, "PRKN", "P1-A", ""},
		"both names without an id":   {"PARK2\t\tP1-A\nPRKN\t\tP1-B\n", "stable_id: P\ngene_list: PRKN TP53\n", nil, "PRKN", "P1-A P1-B", "PARK2"},
		"one name with an id":        {"PARK2\t\tP1-A\nPRKN\t5071\tP1-B\n", portal, nil, "PARK2", "P1-A P1-B", "PARK2"},
		"no ids, names not known":    {"NOT1\t\tP1-A\n", "stable_id: P\ngene_list: NOT2 TP53\n", nil, "NOT1", "", ""},
		"rows dispute the id": {
			"PARK2\t5071\tP1-A\nPARK2\t7157\tP1-B\nTP53\t7157\tP2-A\n", portal, nil, "TP53", "P2-A", "",
		},
		"a symbol that is a number": {"\t5071\tP1-A\n", portal, nil, "PARK2", "P1-A", ""},
		"a number that no name has": {"\t999999\tP1-A\n", portal, nil, "PARK2", "", ""},
	} {
		t.Run(what, func(t *testing.T) {
			dir := folder(t, map[string]string{
				"mutations.maf":   "Hugo_Symbol\tEntrez_Gene_Id\tTumor_Sample_Barcode\n" + c.file,
				"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tP\nP1-B\tP\nP2-A\tP\n",
				"../gene_panels/p": c.panel,
			})
			s, err := Library{Dir: filepath.Dir(dir), LookupNames: c.names}.Study("toy")
			noError(t, err)
			ids, n := mutated(t, s, c.gene)
			equal(t, "mutated samples", ids, c.mutated)
			equal(t, "all samples are profiled", n == 3, ids != "" || what == "a number that no name has")
			genes, left, err := s.MutatedGenes(false)
			noError(t, err)
			if what != "a number that no name has" && what != "rows dispute the id" {
				equal(t, "no row is outside the panel", left.NotProfiled == 0, c.mutated != "")
			}
			if strings.Contains(c.mutated, " ") {
				if len(genes) != 1 {
					t.Fatalf("two names of a gene count as %d genes, want 1: %+v", len(genes), genes)
				}
				equal(t, "name of the gene", genes[0].Gene, c.name)
				equal(t, "samples of both names", genes[0].Samples, 2)
			}
		})
	}
}

// The rows of a matrix are found by Entrez ID too.
func TestRenamedGeneInAMatrix(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_cna.txt": cnaMeta, "cna.txt": "Hugo_Symbol\tEntrez_Gene_Id\tP1-A\nPRKN\t5071\t2\nTP53\t7157\t-2\n",
		"mutations.maf": "Hugo_Symbol\tEntrez_Gene_Id\tTumor_Sample_Barcode\nPARK2\t5071\tP1-A\n",
	})
	for _, gene := range []string{"PARK2", "prkn"} {
		t.Run(gene, func(t *testing.T) {
			if got := row(t, s, gene); !strings.HasPrefix(got, "[2 ") {
				t.Errorf("%s: %s", gene, got)
			}
		})
	}
}

// Rows with an Entrez ID and no symbol belong to the gene that Library.LookupNames gives for the ID.
func TestGeneByItsEntrezIdAlone(t *testing.T) {
	dir := folder(t, map[string]string{
		"meta_cna.txt": cnaMeta, "cna.txt": "Entrez_Gene_Id\tP1-A\n7157\t-2\n",
		"mutations.maf": "Hugo_Symbol\tEntrez_Gene_Id\tTumor_Sample_Barcode\n\t7157\tP1-A\nTP53\t7157\tP2-A\nKRAS\t3845\tP1-B\n",
	})
	names := func([]string) map[string][]string { return map[string][]string{"TP53": {"TP53", "7157", ""}} }
	s, err := Library{Dir: filepath.Dir(dir), LookupNames: names}.Study("toy")
	noError(t, err)
	ids, _ := mutated(t, s, "tp53")
	equal(t, "mutated samples", ids, "P1-A P2-A")
	if got := row(t, s, "TP53"); !strings.HasPrefix(got, "[-2 ") {
		t.Errorf("row of TP53: got %s, want it to begin with [-2", got)
	}
}

// As in cBioPortal, variants in the promoter of TERT count, but those of other genes do not.
func TestPromoterOfTERTCounts(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\tHGVSp_Short\n" +
		"TERT\tP1-A\t5'Flank\tp.*124*\nTERT\tP1-B\tIntron\t\nTERT\tP2-A\t5'flank\t\nKRAS\tP1-A\t5'Flank\t\n"})
	g, err := s.GeneMutations("TERT", false)
	noError(t, err)
	equal(t, "samples with TERT mutated", g.MutatedSamples, 2)
	equal(t, "silent rows of TERT", g.Silent, 1)
	equal(t, "first variant", g.Variants[0], Variant{Class: "5'Flank", Change: "Promoter"})
	genes, left, err := s.MutatedGenes(false)
	noError(t, err)
	if len(genes) != 1 {
		t.Fatalf("got %d mutated genes, want 1: %+v", len(genes), genes)
	}
	equal(t, "mutated gene", genes[0].Gene, "TERT")
	equal(t, "its samples", genes[0].Samples, 2)
	equal(t, "silent rows of all genes", left.Silent, 2)
}

func TestFilesThatAreNoPanel(t *testing.T) {
	for _, text := range []string{
		"", "{}", "[]", "[", "stable_id: X\n", `{"genePanelId":"X","genes":[]}`,
		`{"message":"Gene panel not found: X"}`, "gene_list: TP53\n",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := ParsePanels("x.txt", strings.NewReader(text))
			errorOfKind(t, "panel", err, Malformed)
			contains(t, "panel", fmt.Sprint(err), "this is not a gene panel")
		})
	}
}

func TestSecondSampleMakesThePatientMutant(t *testing.T) {
	s := toy(t, nil)
	g, err := s.GeneMutations("TP53", false)
	noError(t, err)
	// P1 has a mutated and a silent sample, P2 is sequenced, P3 is not.
	equalSlices(t, "groups", g.GroupByMutation().Group, []int{0, 1, -1})
	equal(t, "profiled patients", g.Profiled.Patients, 2)
}

func TestSamplesWithoutAClinicalFile(t *testing.T) {
	s := toy(t, map[string]string{"meta_clinical_sample.txt": "", "meta_clinical_patient.txt": ""})
	p, err := s.Samples()
	noError(t, err)
	equalSlices(t, "samples of the mutations", p.IDs, []string{"P1-A", "P1-B", "P2-A"})
	equal(t, "basis", p.Basis, "samples of mutations.maf")
	s = toy(t, map[string]string{
		"meta_clinical_sample.txt": "", "case_lists/all.txt": "stable_id: toy_all\ncase_list_ids: P9 P8\n",
	})
	p, err = s.Samples()
	noError(t, err)
	equalSlices(t, "samples of the case list", p.IDs, []string{"P9", "P8"})
	s = toy(t, map[string]string{"meta_clinical_sample.txt": "", "meta_mutations.txt": ""})
	_, err = s.Samples()
	errorOfKind(t, "samples without any source", err, NoData)
}

func TestAliquotBarcodesOfTCGA(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":              "PATIENT_ID\tSAMPLE_ID\nTCGA-AB-2802\tTCGA-AB-2802-03\n",
		"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: TCGA-AB-2802-03\n",
		"mutations.maf":            "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tTCGA-AB-2802-03A-01W-0728-08\n",
	})
	ids, n := mutated(t, s, "TP53")
	equal(t, "mutated samples", ids, "TCGA-AB-2802-03")
	equal(t, "profiled samples", n, 1)
}

// All barcodes of a sample refer to the same sample. Of several rows or columns for one sample
// the first counts, and a notice reports the others.
func TestBarcodesOfTCGA(t *testing.T) {
	for id, want := range map[string]string{
		"TCGA-AB-2802": "TCGA-AB-2802-01", "TCGA-AB-2802-03A-01W-0728-08": "TCGA-AB-2802-03",
		"TCGA-AB-2802-Tumor":  "TCGA-AB-2802-01",
		"TCGA-AB-2802-Normal": "TCGA-AB-2802-11", "TCGA-X-1-01A": "TCGA-X-1-01A", "TCGAX": "TCGAX",
		"P-0001-T01": "P-0001-T01",
	} {
		equal(t, "ID of "+id, sampleID(id), want)
	}
	const a, b = "TCGA-AB-2802", "TCGA-AB-2803"
	s := toy(t, map[string]string{
		"samples.txt": "PATIENT_ID\tSAMPLE_ID\tX\n" + a + "\t" + a + "-01A\tone\n" + a + "\t" + a +
			"-01B\ttwo\n" + b + "\t" + b + "\tthree\n",
		"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: " + a + "\t" + b + "-01\n",
		"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\t" + a + "-01A-11D\nTP53\t" + b +
			"-01\nTP53\t" + b + "-06\n",
		"meta_cna.txt": cnaMeta,
		"cna.txt":      "Hugo_Symbol\t" + a + "-01\t" + a + "-01B\t" + b + "-01A\nTP53\t2\t-2\t1\n",
	})
	g, err := s.GeneMutations("TP53", false)
	noError(t, err)
	equal(t, "mutated samples", g.MutatedSamples, 2)
	equal(t, "excluded rows", g.ExcludedRows, ExcludedRows{UnknownSample: 1, Unknown: [3]string{b + "-06"}})
	contains(t, "notices", strings.Join(g.Profiled.Notices, " "), "1 row of samples.txt excluded")
	p, _ := s.Profile(CopyNumber)
	v, err := s.GeneValues(p, "TP53")
	noError(t, err)
	equalSlices(t, "copy number", v.Values, []float64{2, 1})
	contains(t, "notices", strings.Join(v.Profiled.Notices, " "), "1 column of cna.txt excluded")
	x, err := s.Attribute("X")
	noError(t, err)
	values, err := s.Values(x)
	noError(t, err)
	equalSlices(t, "X", values[0].Sample, []string{"one", "three"})
}

// A sample counts for a fusion partner only if it was profiled for that gene.
func TestPartnersOnAndOffThePanel(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_sv.txt":     "genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
		"sv.txt":          "Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\nP1-A\tEML4\tALK\nP1-B\tALK\tEML4\nP2-A\tEML4\tALK\nP3-A\tEML4\tALK\n",
		"meta_matrix.txt": panelMatrixMeta,
		"matrix.txt":      "SAMPLE_ID\tstructural_variants\nP1-A\tP\nP1-B\tP\nP2-A\tWES\nP3-A\tNA\n",
		"gene_panels/p":   "stable_id: P\ngene_list: ALK\n",
	})
	for gene, want := range map[string][3]int{"ALK": {3, 3, 1}, "EML4": {1, 1, 3}} {
		found, on, left, err := s.StructuralVariants(gene)
		noError(t, err)
		equal(t, gene+": variants, profiled samples and excluded rows", [3]int{len(found), on.N, left.NotProfiled}, want)
	}
}

func TestStructuralVariants(t *testing.T) {
	list := map[string]string{"case_lists/sv.txt": "stable_id: toy_sv\ncase_list_ids: P1-A P2-A\n"}
	for what, c := range map[string]struct{ meta, table, site1 string }{
		"structural variants": {"genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
			"Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\tSite2_Effect_On_Frame\nP1-A\tEML4\tALK\tin frame\nP3-A\tEML4\tALK\nP2-A\tCD74\tROS1\n",
			"EML4"},
		"fusions": {"genetic_alteration_type: FUSION\ndatatype: FUSION\ndata_filename: sv.txt\n",
			"Hugo_Symbol\tTumor_Sample_Barcode\tFusion\tFrame\nALK\tP1-A\tEML4-ALK\tin frame\nALK\tP3-A\tEML4-ALK\n",
			"ALK"},
	} {
		t.Run(what, func(t *testing.T) {
			changes := map[string]string{"meta_sv.txt": c.meta, "sv.txt": c.table}
			for k, v := range list {
				changes[k] = v
			}
			found, on, left, err := toy(t, changes).StructuralVariants("alk")
			noError(t, err)
			if len(found) != 1 {
				t.Fatalf("got %d variants, want 1: %+v", len(found), found)
			}
			equal(t, "first partner", found[0].Site1, c.site1)
			equal(t, "frame", found[0].Frame, "in frame")
			equal(t, "profiled samples", on.N, 2)
			equal(t, "excluded rows", left, ExcludedRows{NotProfiled: 1})
		})
	}
}
