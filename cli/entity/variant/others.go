package variant

import (
	"biomcp/cli/entity"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/related"
	"biomcp/entrez/ctgov"
)

// others are the sections of sources that are about no variant in particular.
func others() []entity.Section[Variant] {
	return []entity.Section[Variant]{
		related.Trials(trials),
		diagnostic.Section(idOf, tests),
	}
}

// trials asks for the gene and for the change of its protein as trials write it,
// V600E.
func trials(v *Variant) (q ctgov.Query, notice string) {
	short := v.short()
	if short == "" {
		return q, v.ID + " has no known change of the protein of one gene, by which trials name variants"
	}
	return ctgov.Query{Term: ctgov.Both(ctgov.Molecular(v.Gene), ctgov.Molecular(short))}, ""
}

// tests asks for those of the gene: GTR does not name variants.
func tests(v *Variant) diagnostic.Wanted {
	if v.Gene == "" {
		return diagnostic.Wanted{Notice: "GTR names genes, and that of " + v.ID + " is not known"}
	}
	w := diagnostic.OfGene(v.Gene)
	w.Notice = "tests of the gene " + v.Gene + " of " + v.ID + ": GTR does not name variants"
	return w
}
