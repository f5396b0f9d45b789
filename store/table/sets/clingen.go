package sets

import (
	"cmp"
	"slices"
	"strings"

	"biomcp/store/table"
)

// Validity is a classification of the evidence that a gene causes a disease. It is a curation of ClinGen or a
// submission to GenCC.
type Validity struct {
	ID             string   `json:"id"` // GenCC's sgc_id; "" for a curation of ClinGen
	Gene           string   `json:"gene"`
	HGNC           string   `json:"hgnc_id"`
	Disease        string   `json:"disease"`
	DiseaseID      string   `json:"disease_id"` // "MONDO:0010726"
	Classification string   `json:"classification"`
	Inheritance    string   `json:"inheritance"`
	Submitter      string   `json:"submitter"`      // ClinGen's expert panel, or the submitter to GenCC
	Date           string   `json:"date"`           // YYYY-MM-DD
	PMIDs          []string `json:"pmids,omitzero"` // nil if the source does not list them, as ClinGen's file
	URL            string   `json:"url"`
}

// Dosage is ClinGen's judgement on the effect of a missing and of an additional copy of a gene.
type Dosage struct {
	Gene              string `json:"gene"`
	HGNC              string `json:"hgnc_id"`
	Haplo             string `json:"haploinsufficiency"`
	HaploScore        *int   `json:"haploinsufficiency_score"` // null if the words have no score
	Triplosensitivity string `json:"triplosensitivity"`
	TriploScore       *int   `json:"triplosensitivity_score"`
	Date              string `json:"date"` // YYYY-MM-DD
	URL               string `json:"url"`
}

// Kinds of ClinGen's rows.
const ValidityKind, DosageKind = "validity", "dosage"

// Filter fields of curations.
const (
	HGNCID    = "hgnc"
	DiseaseID = "disease_id"
)

// ReadClinGen reads the curations of gene-disease validity and of dosage sensitivity. Both files have a title
// and rules of plus signs (https://search.clinicalgenome.org/kb/downloads). Of rows with the same gene, disease
// and inheritance, the newest counts.
func ReadClinGen(files Files, put PutRow, report *Report) error {
	validity := newestRows{}
	curations := sheet{file: "gene-validity.csv", comma: ',', titled: true, filled: true, required: []string{"gene symbol",
		"gene id (hgnc)", "disease label", "disease id (mondo)", "moi", "classification", "online report",
		"classification date"}}
	err := curations.each(files, report, func(r record) error {
		v := Validity{Gene: r.get("gene symbol"), HGNC: r.get("gene id (hgnc)"), Disease: r.get("disease label"),
			DiseaseID: r.get("disease id (mondo)"), Classification: r.get("classification"),
			Inheritance: inheritance(r.get("moi")), Submitter: r.get("gcep"),
			Date: dayOf(r.get("classification date")), URL: r.get("online report")}
		if v.Gene == "" || v.Classification == "" {
			report.skip("%s: %.40q has no gene or no classification", curations.file, v.Gene+v.Disease)
			return nil
		}
		row := v.row(strings.Join([]string{ValidityKind, v.HGNC, v.Gene, v.DiseaseID, v.Disease, v.Inheritance}, " "))
		validity.add(row, r.get("classification date"))
		return nil
	})
	if err != nil {
		return err
	}
	dosage := newestRows{}
	judgements := sheet{file: "gene-dosage.csv", comma: ',', titled: true, filled: true, required: []string{"gene symbol",
		"hgnc id", "haploinsufficiency", "triplosensitivity", "online report", "date"}}
	err = judgements.each(files, report, func(r record) error {
		d := Dosage{Gene: r.get("gene symbol"), HGNC: r.get("hgnc id"), Haplo: r.get("haploinsufficiency"),
			Triplosensitivity: r.get("triplosensitivity"), Date: dayOf(r.get("date")), URL: r.get("online report")}
		if d.Gene == "" || d.Haplo+d.Triplosensitivity == "" {
			report.skip("%s: %.40q has no gene or no judgement", judgements.file, d.Gene)
			return nil
		}
		d.HaploScore, d.TriploScore = dosageScore(d.Haplo), dosageScore(d.Triplosensitivity)
		row := &table.Row{ID: DosageKind + " " + d.HGNC + " " + d.Gene, Kind: DosageKind, Name: d.Gene, Body: d}
		row.Add(Gene, d.Gene)
		row.Add(HGNCID, d.HGNC)
		dosage.add(row, r.get("date"))
		return nil
	})
	if err != nil {
		return err
	}
	return putAll(put, slices.Concat(validity.rows, dosage.rows))
}

func putAll(put PutRow, rows []*table.Row) error {
	for _, r := range rows {
		if err := put(r); err != nil {
			return err
		}
	}
	return nil
}

// row returns the row of a classification.
func (v Validity) row(id string) *table.Row {
	row := &table.Row{ID: id, Kind: ValidityKind, Name: v.Gene + " " + v.Disease, Body: v}
	row.Add(Gene, v.Gene)
	row.Add(HGNCID, v.HGNC)
	row.Add(ConditionField, v.Disease)
	row.Add(DiseaseID, v.DiseaseID)
	return row
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
