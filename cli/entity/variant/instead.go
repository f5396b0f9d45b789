package variant

import (
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/datasets"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variantname"
)

// placeForm matches a position in a gene: V600, codon 600, exon 15.
var placeForm = pattern.Lazy(`^(?i:p\.)?[A-Z][a-z]{0,2}[0-9]{1,5}$|^(?i)(?:codon|exon|intron|residue|domain) ?[0-9]{1,5}\b`)

// explainInvalid explains why text does not name a variant and suggests a command. It never
// suggests a variant that text may not mean. For a valid variant that neither ClinVar
// nor dbSNP has, it suggests other variants of the gene, or articles that mention it.
func explainInvalid(text string) (reason string, try result.Argv) {
	switch n := variantname.Parse(text, assembly.GRCh38); n.Kind {
	case variantname.None:
	case variantname.GeneChange:
		return "", result.Argv{"search", "variant", "-g", n.Gene}
	case variantname.RS:
		return "", result.Argv{"search", "article", "--variant", text}
	case variantname.Sequence:
		return eutils.Explain("variant", text)
	default:
		return "", nil
	}
	if reason, try = eutils.Explain("variant", text); reason != "" {
		return reason, try
	}
	word := command.Clip(text)
	if assembly.IsRegion(text) {
		reason = " is a position without a change, and there may be many variants: search for those there, on "
		return word + reason + assembly.GRCh38, result.Argv{"search", "variant", "--region", text}
	}
	q, n, ok := variantname.FindAmbiguity(text)
	if !ok {
		if gene, place, _ := strings.Cut(text, " "); datasets.IsSymbol(gene) && placeForm().MatchString(place) {
			reason = " is a position, and a gene may have many variants there: search for those of the gene"
			return word + reason, result.Argv{"search", "variant", "-g", gene}
		}
		return "", nil
	}
	switch q {
	case variantname.StarAllele:
		reason = word + " is a star allele, a haplotype that can be many variants: " +
			"for its effect on drugs, see pharmacogenetics"
		return reason, result.Argv{"get", "gene", n.Gene, "pgx"}
	case variantname.BaseOrResidue:
		reason = fmt.Sprintf("%s may be a change of the transcript or of the protein: "+
			"write %s %s or %[2]s p.%[4]s; older papers also number from another base", word, n.Gene, n.Change, n.Short)
		return reason, result.Argv{"search", "variant", "-g", n.Gene, "--hgvsc", n.Change}
	case variantname.OldNumbering:
		reason = fmt.Sprintf("%s is not numbered as in HGVS, like all changes of %s without c.: "+
			"write it with c., by today's numbering", word, n.Gene)
		return reason, result.Argv{"search", "article", word}
	}
	reason = fmt.Sprintf("%s does not name its gene: write GENE %[1]s, "+
		"or search variant -g GENE for all variants of a gene", word)
	return reason, result.Argv{"search", "variant", shortChange(text)}
}

// shortChange strips the prefix from a protein change, p.V600E to V600E, as ClinVar writes it.
// It returns any other text unchanged.
func shortChange(text string) string {
	if _, change, ok := variantname.Protein(text); ok && text == "p."+change {
		return change
	}
	return text
}
