// Package variant finds variants by any of their names: rs numbers, accessions of ClinVar and ClinGen, HGVS,
// SPDI, coordinates, and a gene with a change, such as BRAF V600E. A record is merged from ClinVar,
// which has the classifications, and dbSNP, which has the frequencies.
//
// A name can be that of several variants. A valid change that neither source has is a variant too,
// whose record has its SPDI alone.
package variant

import (
	"biomcp/entrez/clinvar"
	"biomcp/entrez/record"
)

// Max is the maximum number of words of one [Client.FindAll].
const Max = 200

// A Variant is a variant found in ClinVar, dbSNP or both.
type Variant struct {
	ID           string             `json:"id"` // VCV accession, else rs number, else SPDI; Find accepts each of them
	VCV          string             `json:"vcv"`
	RSID         string             `json:"rsid"`
	MergedFrom   []string           `json:"merged_from,omitzero"` // the rs numbers asked for that were merged into this one
	CAID         string             `json:"caid"`
	GnomAD       string             `json:"gnomad_id"`   // GRCh38 coordinates
	Gene         string             `json:"gene"`        // the one that the title names, or the only one; "" if there are several or it is unknown
	Genes        record.Known       `json:"genes"`       // may be cut
	GenesTotal   *int               `json:"genes_total"` // null if unknown
	Title        string             `json:"title"`
	HGVS         HGVS               `json:"hgvs"`
	SPDI         string             `json:"spdi"` // canonical, counted from 0
	Locations    []clinvar.Location `json:"locations"`
	Type         string             `json:"type"`
	Consequences record.Known       `json:"consequences"`
	clinvar.Classifications
	Submissions *int `json:"submissions"` // null if the variant is not in ClinVar or the number is unknown
	// Impacts lists what the clinical impact submissions are evidence for; the same tier
	// can stand for resistance or for response. It and the next three are nil if the whole record was not read, and
	// not nil if it was.
	Impacts     []string                     `json:"impacts,omitzero"`
	Split       []clinvar.Conflict           `json:"split,omitzero"`   // number of conflicting submissions by classification
	Earlier     []clinvar.PastClassification `json:"earlier,omitzero"` // earlier classifications, newest first
	Functional  []FunctionalEvidence         `json:"functional_evidence,omitzero"`
	Frequencies []Frequency                  `json:"frequencies,omitzero"` // nil unless dbSNP was asked and answered
	PMIDs       *int                         `json:"pmids_count"`          // number of articles in LitVar2; nil until the caller sets it
	URL         string                       `json:"url"`
	// Release is the release of ClinVar's table that has the record; "" if ClinVar or dbSNP was asked.
	Release string `json:"release,omitzero"`
	// Reclassified lists the classifications that changed between two releases, if a search asked for them.
	Reclassified []Reclassification `json:"reclassified,omitzero"`

	VariationID  string       `json:"-"` // id in ClinVar: 13961; "" if ClinVar does not have the variant
	Whole        *clinvar.VCV `json:"-"` // ClinVar's whole record; nil if it was not requested or could not be read
	WholeErr     error        `json:"-"` // error from reading the whole record
	ClinVarErr   error        `json:"-"` // error that left it unknown whether ClinVar has the variant
	FrequencyErr error        `json:"-"` // error that left the frequency unknown
}

// A Reclassification is a classification that changed between two releases of ClinVar. From or To is null if the
// variant had no classification of the kind.
type Reclassification struct {
	Kind   string `json:"kind"` // germline, clinical impact, oncogenicity
	From   string `json:"from"`
	To     string `json:"to"`
	Before string `json:"before"` // the last stored release with From
	Since  string `json:"since"`  // the first stored release with To
}

// HGVS holds the change on the chromosome, the transcript and the protein. MANE is
// null if it is unknown whether Transcript is the MANE Select transcript.
type HGVS struct {
	G          string `json:"g"`
	C          string `json:"c"`
	P          string `json:"p"`
	Transcript string `json:"transcript"`
	MANE       *bool  `json:"mane"`
}

// FunctionalEvidence is the result of an assay together with its submission.
type FunctionalEvidence struct {
	Accession string `json:"scv"`
	Submitter string `json:"submitter"`
	clinvar.FunctionalEvidence
}

// Frequency is how often one study saw an allele, which may be the reference allele.
// Count is the number of alleles, not of people.
type Frequency struct {
	Study     string   `json:"study"`
	Allele    string   `json:"allele"`
	Frequency *float64 `json:"frequency"`
	Count     *int     `json:"allele_count"`
}
