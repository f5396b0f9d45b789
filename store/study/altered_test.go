package study

import (
	"slices"
	"testing"

	"biomcp/store/study/studytest"
)

// A request for one gene alone returns the same altered samples, and as many profiled samples of each group.
func TestEachAlteredGeneAgreesWithTheGeneAlone(t *testing.T) {
	dir, err := studytest.Small.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, dir, "")
	samples, err := s.Samples()
	if err != nil {
		t.Fatal(err)
	}
	group := make([]int, len(samples.IDs)) // the last third has no group
	for i := range group {
		group[i] = i%3 - 1
	}
	group[2] = -1
	check := func(p Profile, each func(fn func(*AlteredGene)) error, alone func(gene string) ([]bool, *ProfiledSamples)) {
		t.Helper()
		counts, err := s.ProfiledCounts(p, group, 2)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = each(func(g *AlteredGene) {
			n++
			altered, on := alone(g.Gene)
			got := make([]bool, len(altered))
			for _, i := range g.Samples {
				got[i] = true
			}
			if !slices.Equal(got, altered) || !g.Matches(g.Gene) {
				t.Errorf("%s, %s: got the samples %v", p.Data, g.Gene, g.Samples)
			}
			want := make([]int, 2)
			for i, in := range on.Included {
				if in && group[i] >= 0 {
					want[group[i]]++
				}
			}
			if of := counts.Of(g); !slices.Equal(of, want) || counts.Unlisted() {
				t.Errorf("%s, %s: got %v profiled, want %v", p.Data, g.Gene, of, want)
			}
		})
		if err != nil || n < 4 {
			t.Errorf("%s: got %d genes, %v", p.Data, n, err)
		}
	}
	mutations, _ := s.Profile(Mutations)
	check(mutations, func(fn func(*AlteredGene)) error {
		_, err := s.EachMutated(false, fn)
		return err
	}, func(gene string) ([]bool, *ProfiledSamples) {
		m, err := s.GeneMutations(gene, false)
		if err != nil {
			t.Fatal(err)
		}
		return m.Mutated, m.Profiled
	})
	variants, _ := s.Profile(StructuralVariants)
	check(variants, func(fn func(*AlteredGene)) error {
		_, err := s.EachRearranged(fn)
		return err
	}, func(gene string) ([]bool, *ProfiledSamples) {
		list, on, _, err := s.StructuralVariants(gene)
		if err != nil {
			t.Fatal(err)
		}
		altered := make([]bool, len(on.Included))
		for _, v := range list {
			altered[v.Sample] = true
		}
		return altered, on
	})
}

// Two rows of a gene in one sample are one altered sample; genes are one by Entrez ID; a variant within one
// gene is one event; samples that are not in the study are omitted.
func TestRearrangedGenes(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_sv.txt": "stable_id: structural_variants\ngenetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
		"sv.txt": "Sample_Id\tSite1_Hugo_Symbol\tSite1_Entrez_Gene_Id\tSite2_Hugo_Symbol\tSite2_Entrez_Gene_Id\n" +
			"P1-A\tEML4\t27436\tALK\t238\nP1-A\tALK\t238\tALK\t238\nP2-A\tNA\t\tALKK\t238\nP9-X\tALK\t238\t\t\n",
	})
	got := map[string][2]int{}
	omitted, err := s.EachRearranged(func(g *AlteredGene) { got[g.Gene] = [2]int{len(g.Samples), g.Events} })
	if want := [2]int{2, 3}; err != nil || got["ALK"] != want || got["EML4"] != [2]int{1, 1} || len(got) != 2 {
		t.Errorf("got %v, %v, want ALK in %v", got, err, want)
	}
	if omitted.UnknownSample != 1 || omitted.Unknown[0] != "P9-X" {
		t.Errorf("got %+v omitted, want P9-X", omitted)
	}
	p, _ := s.Profile(StructuralVariants)
	if n, err := s.ProfiledCounts(p, make([]int, 4), 1); err != nil || !n.Unlisted() {
		t.Errorf("got %+v, %v, want no list", n, err)
	}
	s = toy(t, map[string]string{
		"meta_sv.txt": "stable_id: structural_variants\ngenetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
		"sv.txt":      "Gene\nALK\n",
	})
	if _, err := s.EachRearranged(func(*AlteredGene) {}); !IsKind(err, Malformed) {
		t.Errorf("got %v, want an error for the missing column", err)
	}
	if _, err := toy(t, nil).EachRearranged(nil); !IsKind(err, NoData) {
		t.Errorf("got %v, want an error for the missing file", err)
	}
}
