package variant

import (
	"slices"
	"testing"
)

func TestProteinChanges(t *testing.T) {
	for text, want := range map[string][2]string{
		"V600E": {"p.Val600Glu", "V600E"}, "p.Val600Glu": {"p.Val600Glu", "V600E"}, "p.(Val600Glu)": {"p.Val600Glu", "V600E"}, "Val600Glu": {"p.Val600Glu", "V600E"},
		"R97*": {"p.Arg97Ter", "R97*"}, "R97X": {"p.Arg97Ter", "R97*"}, "p.Arg97Ter": {"p.Arg97Ter", "R97*"}, "p.Arg97*": {"p.Arg97Ter", "R97*"},
		"F620fs": {"p.Phe620fs", "F620fs"}, "p.Phe620fs": {"p.Phe620fs", "F620fs"}, "p.Phe620LeufsTer5": {"", ""}, "p.Phe620fsTer5": {"p.Phe620fs", "F620fs"},
		"K3del": {"p.Lys3del", "K3del"}, "p.Leu5=": {"p.Leu5=", "L5="}, "": {"", ""}, "hello": {"", ""}, "BRAF": {"", ""}, "p.Xyz6Glu": {"", ""},
	} {
		long, short, ok := protein(text)
		if long != want[0] || short != want[1] || ok != (want[0] != "") {
			t.Errorf("%s: %q, %q, %v", text, long, short, ok)
		}
	}
}

func TestGeneAndChangeAreOneWord(t *testing.T) {
	for _, c := range []struct{ words, want []string }{
		{[]string{"BRAF", "V600E", "articles"}, []string{"BRAF V600E", "articles"}},
		{[]string{"BRAF", "V600E", "rs1", "TP53", "c.215C>G"}, []string{"BRAF V600E", "rs1", "TP53 c.215C>G"}},
		{[]string{"rs1", "V600E"}, []string{"rs1", "V600E"}},
		{[]string{"V600E"}, []string{"V600E"}},
	} {
		if got := join(c.words); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.words, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"rs1", "VCV000013961.2", "chr7:140753336A>T", "NC_000007.14:1:A:T", "BRAF V600E", "NP_1:p.X", "p.Val600Glu", "NM_004333.6(BRAF):c.1799T>A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := read(text, "GRCh37")
		if n.kind == variationID && n.id == "" || n.kind == changeOfGene && (n.gene == "" || n.change == "") {
			t.Errorf("%q: %+v", text, n)
		}
		join([]string{text, text})
	})
}
