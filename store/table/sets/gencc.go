package sets

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// ReadGenCC reads the submissions to the Gene Curation Coalition, in quoted CSV whose notes have line ends
// (https://thegencc.org/download). Of several versions of a submission, the newest counts. The form
// of the file before 2025 has no versions.
func ReadGenCC(files Files, put PutRow, report *Report) error {
	submissions := newestRows{}
	s := sheet{file: "gencc-submissions.csv", comma: ',', required: []string{"sgc_id|uuid", "gene_curie",
		"gene_symbol", "disease_curie", "disease_title", "classification_title", "moi_title", "submitter_title",
		"submitted_as_date", "submitted_as_public_report_url", "submitted_as_pmids"}}
	err := s.each(files, report, func(r record) error {
		v := Validity{ID: cmp.Or(r.get("sgc_id"), r.get("uuid")), Gene: r.get("gene_symbol"), HGNC: r.get("gene_curie"),
			Disease: r.get("disease_title"), DiseaseID: r.get("disease_curie"),
			Classification: r.get("classification_title"), Inheritance: r.get("moi_title"),
			Submitter: r.get("submitter_title"), Date: dayOf(r.get("submitted_as_date")),
			PMIDs: numbers(r.get("submitted_as_pmids")), URL: r.get("submitted_as_public_report_url")}
		if v.ID == "" || v.Gene == "" || v.Classification == "" {
			report.skip("%s: %.40q has no gene or no classification", s.file, v.ID)
			return nil
		}
		version, _ := strconv.Atoi(r.get("version_number"))
		submissions.add(v.row(v.ID), fmt.Sprintf("%09d", version))
		return nil
	})
	if err != nil {
		return err
	}
	return putAll(put, submissions.rows)
}

// numbers returns the numbers of a list in any notation: "PMID: 123, 456".
func numbers(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' })
}
