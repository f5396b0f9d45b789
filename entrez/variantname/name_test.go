package variantname

import (
	"slices"
	"strings"
	"testing"
)

func TestProteinChanges(t *testing.T) {
	for text, want := range map[string][2]string{
		"V600E": {"p.Val600Glu", "V600E"}, "p.Val600Glu": {"p.Val600Glu", "V600E"}, "p.(Val600Glu)": {"p.Val600Glu", "V600E"}, "Val600Glu": {"p.Val600Glu", "V600E"},
		"R97*": {"p.Arg97Ter", "R97*"}, "R97X": {"p.Arg97Ter", "R97*"}, "p.Arg97Ter": {"p.Arg97Ter", "R97*"}, "p.Arg97*": {"p.Arg97Ter", "R97*"},
		"F620fs": {"p.Phe620fs", "F620fs"}, "p.Phe620fs": {"p.Phe620fs", "F620fs"}, "p.Phe620LeufsTer5": {"p.Phe620fs", "F620fs"}, "p.Phe620Serfs*10": {"p.Phe620fs", "F620fs"}, "F620Sfs*10": {"p.Phe620fs", "F620fs"}, "p.Phe620fsTer5": {"p.Phe620fs", "F620fs"},
		"p.Glu746_Ala750del": {"p.Glu746_Ala750del", "E746_A750del"}, "E746_A750del": {"p.Glu746_Ala750del", "E746_A750del"}, "L747_P753delinsS": {"p.Leu747_Pro753delinsSer", "L747_P753delinsS"},
		"p.Asp770_Asn771insSerValAsp": {"p.Asp770_Asn771insSerValAsp", "D770_N771insSVD"}, "p.Ala767_Val769dup": {"p.Ala767_Val769dup", "A767_V769dup"}, "p.Gln18[23]": {"p.Gln18[23]", "Q18[23]"},
		"p.Met1?": {"p.Met1?", "M1?"}, "p.Ter394ArgextTer?": {"p.Ter394ArgextTer?", "*394Rext*?"}, "p.Gly25_Glu26=": {"p.Gly25_Glu26=", "G25_E26="}, "E746_A750K": {"", ""}, "p.[Arg3Ser;Lys4Gln]": {"", ""},
		"K3del": {"p.Lys3del", "K3del"}, "p.Leu5=": {"p.Leu5=", "L5="}, "": {"", ""}, "hello": {"", ""}, "BRAF": {"", ""}, "p.Xyz6Glu": {"", ""},
	} {
		t.Run(text, func(t *testing.T) {
			long, short, ok := Protein(text)
			if long != want[0] || short != want[1] || ok != (want[0] != "") {
				t.Errorf("%s: %q, %q, %v", text, long, short, ok)
			}
		})
	}
}

func TestGeneAndChangeAreOneWord(t *testing.T) {
	for _, c := range []struct{ words, want []string }{
		{[]string{"BRAF", "V600E", "articles"}, []string{"BRAF V600E", "articles"}},
		{[]string{"BRAF", "V600E", "rs1", "TP53", "c.215C>G"}, []string{"BRAF V600E", "rs1", "TP53 c.215C>G"}},
		{[]string{"rs1", "V600E"}, []string{"rs1", "V600E"}},
		{[]string{"V600E"}, []string{"V600E"}},
		{[]string{"EGFR", "E746_A750del", "HTT", "c.54GCA[23]", "clinvar"}, []string{"EGFR E746_A750del", "HTT c.54GCA[23]", "clinvar"}},
	} {
		t.Run(strings.Join(c.words, " "), func(t *testing.T) {
			if got := Join(c.words); !slices.Equal(got, c.want) {
				t.Errorf("%q: %q", c.words, got)
			}
		})
	}
}

// An ID of NCBI has at most ten digits. NCBI rejects a longer one, and all others in the same
// request.
func TestNumberOfDBSNP(t *testing.T) {
	for text, want := range map[string]Kind{"rs1": RS, "RS4294967295": RS, "rs9999999999": RS, "rs12345678901": None, "rs0": None, "rs01": None} {
		t.Run(text, func(t *testing.T) {
			if n := Parse(text, "GRCh38"); n.Kind != want {
				t.Errorf("%s: %+v", text, n)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"rs1", "VCV000013961.2", "chr7:140753336A>T", "NC_000007.14:1:A:T", "BRAF V600E", "NP_1:p.X", "p.Val600Glu", "NM_004333.6(BRAF):c.1799T>A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := Parse(text, "GRCh37")
		if n.Kind == VariationID && n.ID == "" || n.Kind == GeneChange && (n.Gene == "" || n.Change == "") {
			t.Errorf("%q: %+v", text, n)
		}
		Join([]string{text, text})
	})
}
