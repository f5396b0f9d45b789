// Package variant defines the variant entity: the change itself, its location,
// classification and population frequency, and the articles that mention it.
package variant

import (
	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/related"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/variantname"
)

// A Variant is a variant found in ClinVar, dbSNP or both.
type Variant struct {
	ID           string             `json:"id"` // VCV accession, else rs number, else SPDI; get accepts each of them
	VCV          string             `json:"vcv"`
	RSID         string             `json:"rsid"`
	MergedFrom   []string           `json:"merged_from"` // rs numbers merged into this one
	CAID         string             `json:"caid"`
	GnomAD       string             `json:"gnomad_id"` // GRCh38 coordinates
	Gene         string             `json:"gene"`
	Title        string             `json:"title"`
	HGVS         hgvs               `json:"hgvs"`
	SPDI         string             `json:"spdi"` // canonical, counted from 0
	Locations    []clinvar.Location `json:"locations"`
	Type         string             `json:"type"`
	Consequences []string           `json:"consequences"`
	clinvar.Classifications
	Submissions *int `json:"submissions"` // null if the variant is not in ClinVar or the number is unknown
	// Impacts lists what the clinical impact submissions are evidence for; the same tier
	// can stand for resistance or for response. Empty if the whole record was not read.
	Impacts []string                     `json:"impacts"`
	Split   []clinvar.Conflict           `json:"split"`   // number of conflicting submissions by classification
	Earlier []clinvar.PastClassification `json:"earlier"` // earlier classifications, newest first
	// Functional is absent if the whole record was not read.
	Functional  entity.Part[[]functionalEvidence] `json:"functional_evidence,omitzero"`
	Frequencies []frequency                       `json:"frequencies"`
	PMIDs       *int                              `json:"pmids_count"` // number of articles in LitVar2; set by the articles section
	URL         string                            `json:"url"`

	entity.Parts

	variationID  string
	whole        *clinvar.VCV // ClinVar's whole record; nil if it was not requested or could not be read
	wholeErr     error        // error from reading the whole record
	clinVarErr   error        // error that left it unknown whether ClinVar has the variant
	frequencyErr error        // error that left the frequency unknown
}

// hgvs holds the change on the chromosome, the transcript and the protein. MANE is
// null if it is unknown whether Transcript is the MANE Select transcript.
type hgvs struct {
	G          string `json:"g"`
	C          string `json:"c"`
	P          string `json:"p"`
	Transcript string `json:"transcript"`
	MANE       *bool  `json:"mane"`
}

// functionalEvidence is the result of an assay together with its submission.
type functionalEvidence struct {
	Accession string `json:"scv"`
	Submitter string `json:"submitter"`
	clinvar.FunctionalEvidence
}

// frequency is how often one study saw an allele, which may be the reference allele.
// Count is the number of alleles, not of people.
type frequency struct {
	Study     string   `json:"study"`
	Allele    string   `json:"allele"`
	Frequency *float64 `json:"frequency"`
	Count     *int     `json:"allele_count"`
}

const maxVariants = 200

// Entity returns the definition of the variant entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Variant]{
		Name: "variant", Synonyms: []string{"mutation", "snp", "snv", "rsid", "clinvar", "dbsnp", "alteration"},
		Plural: "variants",
		IDs: entity.IDs{
			Placeholder: "<rs|VCV|HGVS|SPDI|GENE change>...", Max: maxVariants,
			Join:           variantname.Join,
			Listed:         true,
			Match:          func(w string) bool { return variantname.Parse(w, assembly.GRCh38).Kind != variantname.None },
			MatchExclusive: variantname.IsUnambiguous,
			Explain:        explainInvalid,
		},
		Identity: []string{"id", "title", "vcv", "rsid", "url"},
		Label:    "Variants", Sources: []string{"ClinVar", "dbSNP"},
		Search: search(),
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
				f.Limit(10, 50, "how many rows a section shows")
				f.Offset()
			},
		},
		Fetch: fetch,
		Card:  card,
		Sections: entity.WithPrecondition(append(sections(), externalSections()...), clinVarSections, func(v *Variant) error {
			return v.clinVarErr
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
	}
}

// trials builds a query for the gene and its protein change in the short form that
// trials use, such as V600E.
func trials(v *Variant) (q ctgov.Query, notice string) {
	short := v.short()
	if short == "" {
		return q, v.ID + " has no known change of the protein of one gene, and trials name variants by it"
	}
	notice = "a trial may name " + short + " in order to exclude it: biomcp search trial --mutation " + short +
		" says which"
	return ctgov.Query{Term: ctgov.And(ctgov.Molecular(v.Gene), ctgov.Molecular(short))}, notice
}

// tests requests the tests of the variant's gene, because GTR does not name variants.
func tests(v *Variant) diagnostic.Query {
	if v.Gene == "" {
		return diagnostic.Query{Notice: "GTR names genes, but the gene of " + v.ID + " is unknown"}
	}
	w := diagnostic.GeneQuery(v.Gene)
	w.Notice = "tests of the gene " + v.Gene + " of " + v.ID + ": GTR does not name variants"
	return w
}
