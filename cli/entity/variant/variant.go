// Package variant defines the variant entity: the change itself, its location,
// classification and population frequency, and the articles that mention it.
package variant

import (
	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/curated"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/related"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/variant"
	"biomcp/entrez/variantname"
)

// A Variant is a variant with the sections that were requested.
type Variant struct {
	*variant.Variant
	entity.Parts
}

// germlineStars returns the stars of the germline classification, 0 if there is none.
func (v *Variant) germlineStars() int {
	if v.Germline == nil {
		return 0
	}
	return v.Germline.Stars
}

// joinedFields lists the lists of a variant that are one column of a table.
var joinedFields = []string{
	"locations assembly chromosome start end ref alt", "germline.conditions name cui", "oncogenicity.conditions name cui",
	"clinical_impact.conditions name cui", "split kind submissions", "earlier kind classification until",
	"frequencies study allele frequency allele_count",
}

// Entity returns the definition of the variant entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Variant]{
		Name: "variant", Synonyms: []string{"mutation", "snp", "snv", "rsid", "clinvar", "dbsnp", "alteration"},
		Plural: "variants",
		IDs: entity.IDs{
			Placeholder: "<rs|VCV|HGVS|SPDI|GENE change>...", Max: variant.Max,
			Join:           variantname.Join,
			Listed:         true,
			Match:          func(w string) bool { return variantname.Parse(w, assembly.GRCh38).Kind != variantname.None },
			MatchExclusive: variantname.IsUnambiguous,
			Explain:        explainInvalid,
		},
		Identity: []string{"id", "title", "vcv", "rsid", "url"},
		Label:    "Variants", Sources: liveSources(),
		Search: search(), Rows: entity.Rows[Variant]{Fields: joinedFields},
		Get: command.Command{
			Short: "Read variants: place, classification, frequency, articles",
			Help: command.Help{
				Purpose: "A variant of ClinVar or dbSNP by any of its names. The three kinds of classification " +
					"(germline, oncogenicity, clinical impact) are shown apart, with ClinVar's stars; " +
					"a missing classification is shown as such. Every place names its assembly.",
				Input: "An id: rs113488022, VCV000013961, 13961 (VariationID), RCV…, CA….\n" +
					"A gene and a change: BRAF V600E, BRAF(V600E), BRAF c.1799T>A, GJB2 35delG, TERT C228T; " +
					"m.3243A>G.\n" +
					"HGVS: NM_004333.6:c.1799T>A, NP_004324.2:p.Val600Glu, NC_000007.14:g.140753336A>T, " +
					"ENST00000646891.2:c.1799T>A, LRG_299t1:c.1799T>A.\n" +
					"A place: chr7:140753336A>T, 7-140753336-A-T, NC_000007.14:140753335:A:T (SPDI).",
				Surprises: "A place without a sequence is read on GRCh38, unless --assembly says GRCh37. SPDI counts " +
					"from 0, all else from 1.\n" +
					"A change of a protein is numbered by one transcript: if a paper used another, the answer " +
					"notes it. A transcript without a version is read on its newest.\n" +
					"A star allele such as CYP2C19*2 is not a variant: see get gene CYP2C19 pgx.\n" +
					"If the table of sync clinvar is here, it answers without a network, and the answer says " +
					"what it lacks; --live asks ClinVar.\n" +
					"Earlier classifications, functional evidence, MANE and the split of conflicting " +
					"submissions are shown for up to five variants at once, or with the section clinvar.",
			},
			Examples: []command.Example{
				{Line: "biomcp get variant rs113488022", Explanation: "a variant by its rs number"},
				{
					Line:        "biomcp get variant BRAF V600E clinvar articles",
					Explanation: "its classifications in ClinVar, and articles that mention it",
				},
				{
					Line:        "biomcp get variant 'chr10:87933119A>C' --assembly GRCh37",
					Explanation: "a coordinate on the earlier assembly",
				},
			},
			Flags: func(f *command.Flags) {
				f.Enum("assembly", assembly.GRCh38, "of a coordinate without a sequence", assembly.Names...)
				assemblyAlso(f)
				f.Rare("assembly") // a name nearly always has its sequence
				liveFlag(f)
				f.Limit(10, 50, "how many rows a section shows")
				f.Offset()
			},
		},
		Fetch: fetch,
		Card:  card,
		Sections: entity.WithPrecondition(append(sections(), externalSections()...), clinVarSections, func(v *Variant) error {
			return v.ClinVarErr
		}),
		ID: idOf,
		Next: func(v *Variant) (lines []result.Argv) {
			if !v.IsRequested("articles") && v.VCV != "" { // the card already shows the start of the clinvar section
				lines = append(lines, result.Argv{"get", "variant", v.ID, "articles"})
			}
			if v.Gene != "" {
				lines = append(lines, result.Argv{"get", "gene", v.Gene})
			}
			return lines
		},
	})
}

// externalSections returns the sections whose sources do not cover individual variants.
func externalSections() []entity.Section[Variant] {
	return []entity.Section[Variant]{
		related.Trials(trials),
		diagnostic.Section(idOf, tests),
		curated.ChangeSection(func(v *Variant) (curated.Change, error) {
			if v.Gene == "" && v.VariationID == "" && v.ClinVarErr != nil {
				return curated.Change{}, v.ClinVarErr
			}
			return curated.Change{Name: v.ID, Gene: v.Gene, VariationID: v.VariationID, Protein: v.ShortChange(),
				Type: v.Type}, nil
		}),
	}
}

// trials builds a query for the gene and its protein change in the short form that
// trials use, such as V600E.
func trials(v *Variant) (q ctgov.Query, notice string) {
	short := v.ShortChange()
	if short == "" {
		return q, v.ID + " has no known change of the protein of one gene, and trials name variants by it"
	}
	notice = "a trial may name " + short + " in order to exclude it: biomcp search trial --mutation " + short +
		" says which"
	return ctgov.Query{Term: ctgov.And(ctgov.Molecular(v.Gene), ctgov.Molecular(short))}, notice
}

// tests requests the tests of the variant's gene, because GTR does not name variants.
func tests(v *Variant) diagnostic.Query {
	if genes := v.describeGenes(); genes != "" {
		return diagnostic.Query{Notice: "GTR names genes, and " + v.ID + " has several genes: " + genes}
	}
	if v.Gene == "" {
		return diagnostic.Query{Notice: "GTR names genes, but the gene of " + v.ID + " is unknown"}
	}
	w := diagnostic.GeneQuery(v.Gene)
	w.Notice = "tests of the gene " + v.Gene + " of " + v.ID + ": GTR does not name variants"
	return w
}
