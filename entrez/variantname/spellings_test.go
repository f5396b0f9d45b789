package variantname

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/assembly"
)

// spellings holds one spelling of a variant per line, and the name that it is parsed as.
//
//go:embed testdata/spellings.tsv
var spellings string

func TestVariantsAsPeopleWriteThem(t *testing.T) {
	for line := range strings.Lines(spellings) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		text, want, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%q", line)
		}
		t.Run(text, func(t *testing.T) {
			if got := summary(Parse(text, assembly.GRCh38)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if want != "" && isPlainWord(text) {
				t.Error("IsUnambiguous does not parse it")
			}
			// as separate words of a command line, without quotes
			if got := Join(strings.Fields(text)); len(got) != 1 || summary(Parse(got[0], assembly.GRCh38)) != want {
				t.Errorf("words: %q", got)
			}
		})
	}
}

// summary formats the meaning of a name on one line.
func summary(n Name) string {
	switch n.Kind {
	case VariationID:
		return "VCV " + n.ID
	case RS:
		return "rs" + n.ID
	case GeneChange:
		return n.Gene + " " + n.Change
	case Sequence:
		if n.HGVS != "" {
			return n.HGVS
		}
		return n.SPDI.String()
	case EnsemblHGVS, Unversioned:
		return "? " + n.HGVS
	case ClinVarTerm:
		return "ClinVar " + strings.TrimPrefix(n.Accession+":"+n.Change, ":")
	}
	return ""
}

func TestChangesOfBasesAreNeverAminoAcids(t *testing.T) {
	for text, want := range map[string]struct {
		q    Ambiguity
		name string // the gene and change
	}{
		"ABCB1 C3435T": {BaseOrResidue, "ABCB1 c.3435C>T"}, "abcb1 c3435t": {BaseOrResidue, "ABCB1 c.3435C>T"}, "ABCB1:G2677T": {BaseOrResidue, "ABCB1 c.2677G>T"},
		"CYP2C19*2": {StarAllele, "CYP2C19 *2"}, "CYP2D6 *4": {StarAllele, "CYP2D6 *4"}, "CYP2C19 *1/*2": {StarAllele, "CYP2C19 *1"}, "HLA-B*57:01": {StarAllele, "HLA-B *57:01"}, "CYP2D6*2x2": {StarAllele, "CYP2D6 *2x2"}, "UGT1A1*28": {StarAllele, "UGT1A1 *28"},
		"BRCA1 4184delTCAA": {OldNumbering, "BRCA1 4184delTCAA"}, "CFTR 2183AA>G": {OldNumbering, "CFTR 2183AA>G"},
		"V600E": {MissingGene, " V600E"}, "35delG": {MissingGene, " 35delG"}, "c.35del": {MissingGene, " c.35del"},
	} {
		t.Run(text, func(t *testing.T) {
			if n := Parse(text, assembly.GRCh38); n.Kind != None {
				t.Errorf("read as %+v", n)
			}
			q, n, ok := FindAmbiguity(text)
			if got := n.Gene + " " + n.Change; !ok || q != want.q || got != want.name {
				t.Errorf("%v, %d, %q", ok, q, got)
			}
		})
	}
	for _, text := range []string{"BRAF", "BRCA1", "CDKN2A", "KRT6A", "TNFRSF10A", "HLA-B27", "NKX2-5", "MIR21", "hello", "clinvar", "CD3E", "FAM83H", "7 140753336 A", "chr99:1A>T", ""} {
		t.Run(text, func(t *testing.T) {
			if n := Parse(text, assembly.GRCh38); n.Kind != None {
				t.Errorf("%q is read as %+v", text, n)
			}
		})
	}
	for _, text := range []string{"KRAS G12C", "KRAS G12A", "TP53 C176G", "KRAS A146T"} {
		t.Run(text, func(t *testing.T) {
			if n := Parse(text, assembly.GRCh38); n.Kind != GeneChange || n.Short == "" {
				t.Errorf("%s is a change of a protein: %+v", text, n)
			}
		})
	}
}

func TestArticlesWriteWhatWasTyped(t *testing.T) {
	for text, want := range map[string][]string{
		"MTHFR C677T": {"MTHFR", "C677T", "c.665C>T"}, "TERT C228T": {"TERT", "C228T", "c.-124C>T"}, "ABCB1 C3435T": {"ABCB1", "C3435T", "3435C>T"},
		"BRAFV600E": {"BRAF", "V600E", "Val600Glu"}, "rs113488022": {"", "rs113488022"}, "V600E": {"", "V600E", "Val600Glu"},
	} {
		t.Run(text, func(t *testing.T) {
			if gene, got := Spellings(text); !slices.Equal(append([]string{gene}, got...), want) {
				t.Errorf("%s: %s %q", text, gene, got)
			}
		})
	}
}
