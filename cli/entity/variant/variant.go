// Package variant is the entity of variants: what a change is, where, how it was
// classified, how frequent it is and where it was written about.
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

// Variant is a variant of ClinVar, of dbSNP or of both.
type Variant struct {
	ID           string             `json:"id"` // VCV, else rs, else SPDI: each is accepted again
	VCV          string             `json:"vcv"`
	RSID         string             `json:"rsid"`
	MergedFrom   []string           `json:"merged_from"` // rs numbers that became this one
	CAID         string             `json:"caid"`
	GnomAD       string             `json:"gnomad_id"` // on GRCh38
	Gene         string             `json:"gene"`
	Title        string             `json:"title"`
	HGVS         hgvs               `json:"hgvs"`
	SPDI         string             `json:"spdi"` // canonical, from 0
	Locations    []clinvar.Location `json:"locations"`
	Type         string             `json:"type"`
	Consequences []string           `json:"consequences"`
	clinvar.Classifications
	Submissions *int `json:"submissions"` // null: not in ClinVar, or not known
	// Impacts are what the submissions of a clinical impact are evidence of: a tier is as
	// strong for a resistance as for a response. Empty also if the whole record was not read.
	Impacts     []string         `json:"impacts"`
	Split       []clinvar.Split  `json:"split"`   // of conflicting submissions
	Earlier     []clinvar.Former `json:"earlier"` // classifications, the last one first
	Frequencies []frequency      `json:"frequencies"`
	PMIDs       *int             `json:"pmids_count"` // with the section articles
	URL         string           `json:"url"`

	entity.Parts

	variationID string
	whole       *clinvar.VCV // ClinVar's whole record, nil if it was not asked for or did not come
	unread      error        // why it did not come
	unasked     error        // why it is not known whether ClinVar has it
	uncounted   error        // why it is not known how frequent it is
}

// hgvs is the change on chromosome, transcript and protein. MANE is null if it is
// not known whether the transcript is the one of MANE Select.
type hgvs struct {
	G          string `json:"g"`
	C          string `json:"c"`
	P          string `json:"p"`
	Transcript string `json:"transcript"`
	MANE       *bool  `json:"mane"`
}

// frequency is how often an allele, which may be the reference's, was seen in one study. The
// count is of alleles, not of people.
type frequency struct {
	Study     string   `json:"study"`
	Allele    string   `json:"allele"`
	Frequency *float64 `json:"frequency"`
	Count     *int     `json:"allele_count"`
}

const maxVariants = 200

// Entity is variants.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Variant]{
		Name: "variant", Also: []string{"mutation", "snp", "snv", "rsid", "clinvar", "dbsnp", "alteration"}, Plural: "variants",
		IDs: entity.IDs{
			Words: "<rs|VCV|HGVS|SPDI|GENE change>...", Max: maxVariants,
			Join:   variantname.Join,
			Listed: true,
			Is:     func(w string) bool { return variantname.Read(w, assembly.GRCh38).Kind != variantname.None },
			Owns:   variantname.Owns,
			Meant:  meant,
		},
		Identity: []string{"id", "title", "vcv", "rsid", "url"},
		Label:    "Variants", Sources: []string{"ClinVar", "dbSNP"},
		Search: search(),
		Get: command.Command{
			Short: "Read variants: place, classification, frequency, articles",
			Help: command.Help{
				About: "A variant of ClinVar or dbSNP by any of its names. The three kinds of classification (germline, oncogenicity, clinical impact) are shown apart, with ClinVar's stars; " +
					"no classification is said to be none. Every place names its assembly.",
				Input: "rs113488022, VCV000013961, 13961 (VariationID), RCV…, CA…, NM_004333.6:c.1799T>A, NC_000007.14:g.140753336A>T, NP_004324.2:p.Val600Glu, " +
					"NC_000007.14:140753335:A:T (SPDI), chr7:140753336A>T, 7-140753336-A-T, ENST00000646891.2:c.1799T>A, LRG_299t1:c.1799T>A, m.3243A>G, BRAF V600E, BRAF(V600E), BRAF c.1799T>A, GJB2 35delG, TERT C228T.",
				Surprises: "A coordinate without a sequence is read on GRCh38, unless --assembly says GRCh37. SPDI counts from 0, all else from 1. A change of a protein is numbered by one transcript: where a paper used another, the answer says so. A transcript without a version is read on its newest. A star allele, CYP2C19*2, is no variant: see get gene CYP2C19 pgx. Earlier classifications, MANE and the split of conflicting submissions are shown for up to five variants at once, or with the section clinvar.",
			},
			Examples: []command.Example{
				{Line: "biomcp get variant rs113488022", Does: "a variant by its rs number"},
				{Line: "biomcp get variant BRAF V600E clinvar articles", Does: "who classified it, and where it was written about"},
				{Line: "biomcp get variant 'chr10:87933119A>C' --assembly GRCh37", Does: "a coordinate on the earlier assembly"},
			},
			Flags: func(f *command.Flags) {
				f.Enum("assembly", assembly.GRCh38, "of a coordinate without a sequence", assembly.Names...)
				assemblyAlso(f)
				f.Limit(10, 50, "how many rows a section shows")
				f.Offset()
			},
		},
		Fetch:    fetch,
		Card:     card,
		Sections: entity.Unless(append(sections(), others()...), ofClinVarAlone, func(v *Variant) error { return v.unasked }),
		ID:       idOf,
		Next: func(v *Variant) (lines []result.Argv) {
			if !v.Asked("articles") && v.VCV != "" { // the card has what clinvar begins with
				lines = append(lines, result.Argv{"get", "variant", v.ID, "articles"})
			}
			if v.Gene != "" {
				lines = append(lines, result.Argv{"get", "gene", v.Gene})
			}
			return lines
		},
	})
}

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
	notice = "a trial may name " + short + " in order to exclude it: biomcp search trial --mutation " + short + " says which"
	return ctgov.Query{Term: ctgov.Both(ctgov.Molecular(v.Gene), ctgov.Molecular(short))}, notice
}

// tests asks for the tests of the gene: GTR does not name variants.
func tests(v *Variant) diagnostic.Wanted {
	if v.Gene == "" {
		return diagnostic.Wanted{Notice: "GTR names genes, and that of " + v.ID + " is not known"}
	}
	w := diagnostic.OfGene(v.Gene)
	w.Notice = "tests of the gene " + v.Gene + " of " + v.ID + ": GTR does not name variants"
	return w
}
