package sets

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store/table"
)

// Validity is a classification of the evidence that a gene causes a disease. It is a curation of ClinGen or a
// submission to GenCC.
type Validity struct {
	ID             string       `json:"id" column:"sgc_id"` // GenCC's sgc_id; "" for a curation of ClinGen
	Gene           string       `json:"gene" column:"gene symbol|gene_symbol"`
	HGNC           string       `json:"hgnc_id" column:"gene id (hgnc)|gene_curie"`
	Disease        string       `json:"disease" column:"disease label|disease_title"`
	DiseaseID      string       `json:"disease_id" column:"disease id (mondo)|disease_curie"` // "MONDO:0010726"
	Classification string       `json:"classification" column:"classification|classification_title"`
	Inheritance    string       `json:"inheritance" column:"moi|moi_title"`
	Submitter      string       `json:"submitter" column:"gcep|submitter_title"`             // or an expert panel
	Date           string       `json:"date" column:"classification date|submitted_as_date"` // YYYY-MM-DD
	PMIDs          record.Known `json:"pmids"`                                               // null for ClinGen
	URL            string       `json:"url" column:"online report|submitted_as_public_report_url"`
}

// Dosage is ClinGen's judgement on the effect of a missing and of an additional copy of a gene.
type Dosage struct {
	Gene              string `json:"gene" column:"gene symbol"`
	HGNC              string `json:"hgnc_id" column:"hgnc id"`
	Haplo             string `json:"haploinsufficiency" column:"haploinsufficiency"`
	HaploScore        *int   `json:"haploinsufficiency_score"` // null if the words have no score
	Triplosensitivity string `json:"triplosensitivity" column:"triplosensitivity"`
	TriploScore       *int   `json:"triplosensitivity_score"`
	Date              string `json:"date" column:"date"` // YYYY-MM-DD
	URL               string `json:"url" column:"online report"`
}

// Kinds of ClinGen's rows.
const ValidityKind, DosageKind = "validity", "dosage"

// Filter fields of curations.
const (
	HGNCID    = "hgnc"
	DiseaseID = "disease_id"
)

// readClinGen reads the curations of gene-disease validity and of dosage sensitivity. Both files have a title
// and rules of plus signs (https://search.clinicalgenome.org/kb/downloads). Of rows with the same gene, disease
// and inheritance, the newest counts.
func readClinGen(r *reader) {
	rows := newestRows{}
	readSheet(r, "gene-validity.csv", func(_ *Sheet, v *Validity) error {
		v.Inheritance = inheritance(v.Inheritance)
		id := strings.Join([]string{ValidityKind, v.HGNC, v.Gene, v.DiseaseID, v.Disease, v.Inheritance}, " ")
		return rows.addValidity(v, id, v.Date)
	})
	readSheet(r, "gene-dosage.csv", func(_ *Sheet, d *Dosage) error {
		if d.Gene == "" || d.Haplo+d.Triplosensitivity == "" {
			return skip("%.40q has no gene or no judgement", d.Gene)
		}
		stamp := d.Date
		d.Date, d.HaploScore, d.TriploScore = dayOf(stamp), dosageScore(d.Haplo), dosageScore(d.Triplosensitivity)
		row := &table.Row{ID: DosageKind + " " + d.HGNC + " " + d.Gene, Kind: DosageKind, Name: d.Gene, Body: *d}
		row.Add(Gene, d.Gene)
		row.Add(HGNCID, d.HGNC)
		rows.add(row, stamp)
		return nil
	})
	r.putAll(rows.rows...)
}

// readGenCC reads the submissions to the Gene Curation Coalition, in quoted CSV whose notes have line ends
// (https://thegencc.org/download). Of several versions of a submission, the newest counts. The form
// of the file before 2025 has no versions.
func readGenCC(r *reader) {
	rows := newestRows{}
	readSheet(r, "gencc-submissions.csv", func(s *Sheet, v *Validity) error {
		v.PMIDs = numbers(s.Text("submitted_as_pmids"))
		version, _ := strconv.Atoi(s.Text("version_number"))
		return rows.addValidity(v, v.ID, fmt.Sprintf("%09d", version))
	})
	r.putAll(rows.rows...)
}

// addValidity adds a classification unless a newer one has its id.
func (n *newestRows) addValidity(v *Validity, id, stamp string) error {
	if id == "" || v.Gene == "" || v.Classification == "" {
		return skip("%.40q has no id, no gene or no classification", cmp.Or(v.ID, v.Gene+v.Disease))
	}
	v.Date = dayOf(v.Date)
	row := &table.Row{ID: id, Kind: ValidityKind, Name: v.Gene + " " + v.Disease, Body: *v}
	row.Add(Gene, v.Gene)
	row.Add(HGNCID, v.HGNC)
	row.Add(ConditionField, v.Disease)
	row.Add(DiseaseID, v.DiseaseID)
	n.add(row, stamp)
	return nil
}

// newestRows keeps the newest row of each id, in the order of first occurrence.
type newestRows struct {
	rows []*table.Row
	seen map[string]seenRow
}

type seenRow struct {
	index int
	stamp string
}

// add adds a row unless a newer one has its id. Stamps compare as texts.
func (n *newestRows) add(row *table.Row, stamp string) {
	if n.seen == nil {
		n.seen = map[string]seenRow{}
	}
	old, known := n.seen[row.ID]
	switch {
	case !known:
		n.seen[row.ID] = seenRow{len(n.rows), stamp}
		n.rows = append(n.rows, row)
	case stamp >= old.stamp:
		n.seen[row.ID] = seenRow{old.index, stamp}
		n.rows[old.index] = row
	}
}

// dayOf returns the day of a time such as "2024-07-01T10:00:00+00:00".
func dayOf(stamp string) string { return stamp[:min(len(stamp), len("2006-01-02"))] }

// inheritance writes out ClinGen's abbreviation of a mode of inheritance.
func inheritance(moi string) string {
	return cmp.Or(map[string]string{
		"AD": "Autosomal dominant", "AR": "Autosomal recessive", "XL": "X-linked", "SD": "Semidominant",
		"MT": "Mitochondrial", "UD": "Undetermined",
	}[moi], moi)
}

// dosageScore returns ClinGen's score of its words on dosage sensitivity, or nil if they have none
// (https://www.clinicalgenome.org/working-groups/dosage-sensitivity-curation/).
func dosageScore(words string) *int {
	words = strings.ToLower(words)
	for _, s := range []struct {
		begin string
		score int
	}{
		{"no evidence", 0}, {"little evidence", 1}, {"emerging evidence", 2}, {"some evidence", 2},
		{"sufficient evidence", 3}, {"gene associated with autosomal recessive", 30},
		{"dosage sensitivity unlikely", 40},
	} {
		if strings.HasPrefix(words, s.begin) {
			return new(s.score)
		}
	}
	return nil
}
