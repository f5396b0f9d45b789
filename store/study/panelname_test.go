package study

import "testing"

// The rate of a gene that the mutations have under a previous symbol counts the samples of a panel that
// lists its approved symbol, with and without Entrez IDs.
func TestMutatedGenesFindRenamedGenesOnPanels(t *testing.T) {
	const rows = "FAM123B\t139285\tP1-A\tMissense_Mutation\nKRAS\t3845\tP2-A\tMissense_Mutation\n"
	s := opened(t, folder(t, map[string]string{
		"mutations.maf":           "Hugo_Symbol\tEntrez_Gene_Id\tTumor_Sample_Barcode\tVariant_Classification\n" + rows,
		"meta_panel.txt":          "genetic_alteration_type: GENE_PANEL_MATRIX\ndatatype: GENE_PANEL_MATRIX\ndata_filename: panel_matrix.txt\n",
		"panel_matrix.txt":        "SAMPLE_ID\tmutations\nP1-A\tONE\nP1-B\tONE\nP2-A\tONE\n",
		"data_gene_panel_ONE.txt": "stable_id: ONE\ndescription: x\ngene_list: AMER1\tKRAS\n",
	}), "")
	genes, _, err := s.MutatedGenes(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range genes {
		one, err := s.GeneMutations(g.Gene, false)
		if err != nil {
			t.Fatal(err)
		}
		if g.Profiled != 3 || one.Profiled.N != 3 {
			t.Errorf("%s: want 3 profiled samples, got %d, alone %d", g.Gene, g.Profiled, one.Profiled.N)
		}
	}
	if len(genes) != 2 {
		t.Errorf("want 2 genes, got %v", genes)
	}
}
