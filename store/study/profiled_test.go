package study

import (
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
		"case list by category": {map[string]string{"case_lists/sequenced.txt": "stable_id: other\ncase_list_category: all_cases_with_mutation_data\ncase_list_ids: P2-A\n"},
			"KRAS", 1, "case list other", ""},
		"no list":        {map[string]string{"case_lists/sequenced.txt": ""}, "KRAS", 4, "all samples of samples.txt", "has no list"},
		"unknown sample": {map[string]string{"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1-A ghost\n"}, "KRAS", 1, "case list toy_sequenced", "1 samples that have mutation data are not in samples.txt"},
		"matrix, gene on the panel": {map[string]string{"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tSMALL\nP1-B\tWXS/WGS\nP2-A\tNA\n", "gene_panels/small.txt": small},
			"tp53", 2, "case list toy_sequenced and gene panel matrix", ""},
		"matrix, gene not on it": {map[string]string{"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tSMALL\nP1-B\tWGS\nP2-A\tsmall\n", "data_gene_panel_small.txt": small},
			"KRAS", 1, "case list toy_sequenced and gene panel matrix", ""},
		"matrix without list": {map[string]string{"case_lists/sequenced.txt": "", "meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tSMALL\nP1-B\tWXS\n", "../gene_panels/small.txt": small},
			"TP53", 2, "gene panel matrix", ""},
		"panel unknown": {map[string]string{"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tLOST\nP1-B\tWXS\nP2-A\tLOST\n"},
			"TP53", 1, "case list toy_sequenced and gene panel matrix", "The genes of panel LOST are not known, so its 2 samples"},
		"not in the matrix": {map[string]string{"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tSMALL\n", "gene_panels/small.txt": small},
			"KRAS", 2, "case list toy_sequenced and gene panel matrix", ""},
		"panel in the meta file": {map[string]string{"meta_mutations.txt": base["meta_mutations.txt"] + "gene_panel: SMALL\n", "gene_panels/small.txt": small},
			"KRAS", 0, "case list toy_sequenced and gene panel SMALL", ""},
	} {
		t.Run(what, func(t *testing.T) {
			s := toy(t, c.changes)
			g, err := s.GeneMutations(c.gene, false)
			if err != nil {
				t.Fatal(err)
			}
			notices := strings.Join(g.On.Notices, " ")
			if g.On.N != c.n || g.On.Basis != c.basis || !strings.Contains(notices, c.mentioned) || c.mentioned == "" && notices != "" {
				t.Errorf("%d, %s, %q", g.On.N, g.On.Basis, notices)
			}
			genes, _, _, err := s.MutatedGenes(true)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range genes {
				if one.Gene == strings.ToUpper(c.gene) && one.Profiled != c.n {
					t.Errorf("among all genes the denominator is %d", one.Profiled)
				}
			}
		})
	}
}

func TestSecondSampleMakesThePatientMutant(t *testing.T) {
	s := toy(t, nil)
	g, err := s.GeneMutations("TP53", false)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Cohort(g)
	if err != nil {
		t.Fatal(err)
	}
	// P1 has a mutated and a silent sample, P2 is sequenced, P3 is not.
	if len(c.Of) != 3 || c.Of[0] != 0 || c.Of[1] != 1 || c.Of[2] != -1 || g.On.Patients != 2 {
		t.Errorf("%+v, %d patients", c, g.On.Patients)
	}
}

func TestSamplesWithoutAClinicalFile(t *testing.T) {
	s := toy(t, map[string]string{"meta_clinical_sample.txt": "", "meta_clinical_patient.txt": ""})
	p, err := s.Samples()
	if err != nil || strings.Join(p.IDs, " ") != "P1-A P1-B P2-A" || p.Basis != "samples of mutations.maf" {
		t.Errorf("%+v, %v", p, err)
	}
	s = toy(t, map[string]string{"meta_clinical_sample.txt": "", "case_lists/all.txt": "stable_id: toy_all\ncase_list_ids: P9 P8\n"})
	if p, err = s.Samples(); err != nil || strings.Join(p.IDs, " ") != "P9 P8" {
		t.Errorf("%+v, %v", p, err)
	}
	s = toy(t, map[string]string{"meta_clinical_sample.txt": "", "meta_mutations.txt": ""})
	if _, err = s.Samples(); !IsKind(err, NoData) {
		t.Error(err)
	}
}

func TestAliquotBarcodesOfTCGA(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":              "PATIENT_ID\tSAMPLE_ID\nTCGA-AB-2802\tTCGA-AB-2802-03\n",
		"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: TCGA-AB-2802-03\n",
		"mutations.maf":            "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tTCGA-AB-2802-03A-01W-0728-08\n",
	})
	if ids, n := mutated(t, s, "TP53"); ids != "TCGA-AB-2802-03" || n != 1 {
		t.Errorf("%s of %d", ids, n)
	}
}

func TestStructuralVariants(t *testing.T) {
	list := map[string]string{"case_lists/sv.txt": "stable_id: toy_sv\ncase_list_ids: P1-A P2-A\n"}
	for what, c := range map[string]struct{ meta, table, site1 string }{
		"structural variants": {"genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
			"Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\tSite2_Effect_On_Frame\nP1-A\tEML4\tALK\tin frame\nP3-A\tEML4\tALK\nP2-A\tCD74\tROS1\n", "EML4"},
		"fusions": {"genetic_alteration_type: FUSION\ndatatype: FUSION\ndata_filename: sv.txt\n",
			"Hugo_Symbol\tTumor_Sample_Barcode\tFusion\tFrame\nALK\tP1-A\tEML4-ALK\tin frame\nALK\tP3-A\tEML4-ALK\n", "ALK"},
	} {
		changes := map[string]string{"meta_sv.txt": c.meta, "sv.txt": c.table}
		for k, v := range list {
			changes[k] = v
		}
		found, on, outside, err := toy(t, changes).StructuralVariants("alk")
		if err != nil || len(found) != 1 || found[0].Site1 != c.site1 || found[0].Frame != "in frame" || on.N != 2 || outside != 1 {
			t.Errorf("%s: %+v of %+v, %d outside, %v", what, found, on, outside, err)
		}
	}
}
