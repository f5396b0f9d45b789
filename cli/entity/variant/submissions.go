package variant

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/variantname"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
)

// storedSubmissions answers the section clinvar of a variant of the local table from the table of submissions. If there
// is no such table, it fails with the error of the whole record.
func storedSubmissions(ask *entity.LinkRequest, v *Variant) (answer *entity.Answer[clinvar.Submission], err error) {
	t, err := local.Submissions(ask.App)
	if table.IsAbsent(err) {
		return nil, v.WholeErr
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	all, err := t.Find(v.VariationID)
	if err != nil {
		return nil, err
	}
	answer = &entity.Answer[clinvar.Submission]{
		Sources: []string{"ClinVar (local table of submissions, release " + t.Release + ")"},
		Notices: []string{fmt.Sprintf("submissions from the local table of ClinVar's submissions, release %s; %s; it "+
			"has no functional data, citations, drugs or reasons of flags; --live asks ClinVar",
			t.Release, bulk.ClinVarSubmissions.Licence)},
	}
	if old := local.StaleNotice(ask.App, bulk.ClinVarSubmissions, t.Info); old != "" {
		answer.Notices = append(answer.Notices, ask.OwnerNotice(old))
	}
	for _, s := range all {
		answer.Rows = append(answer.Rows, submissionRows(s, v.VariationID)...)
	}
	return answer, nil
}

// submissionRows converts a stored submission. It returns one row per kind of classification, normally one.
func submissionRows(s *clinvartable.Submission, id string) (rows []clinvar.Submission) {
	accession, _, _ := strings.Cut(s.SCV, ".")
	row := clinvar.Submission{
		Accession: accession, Submitter: s.Submitter, ReviewStatus: s.Review, Stars: clinvar.Stars(s.Review),
		Evaluated: s.Evaluated, Condition: s.Condition, Comment: strings.TrimSpace(s.Comment + " " + s.Explanation),
		URL: clinvar.Page(id), CollectionMethod: s.Method,
	}
	for i, class := range []string{s.Germline, s.Oncogenicity, s.Impact} { // in the order of Kinds
		if class != "" {
			row.Kind, row.Description = clinvar.Kinds[i], class
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		row.Kind = clinvar.Kinds[3]
		rows = append(rows, row)
	}
	return rows
}

// lackOf returns why ClinVar must be asked for sections, or "" if local tables have them.
func lackOf(in *command.Input, sectionNames entity.Sections) string {
	if sectionNames.Has("clinvar") {
		if lack := submissionsLack(in); lack != "" {
			return lack
		}
	}
	if sectionNames.Has("population") {
		return "its local table has no frequencies"
	}
	return ""
}

// submissionsLack returns why ClinVar must be asked for submissions, or "" if the local table has them.
func submissionsLack(in *command.Input) string {
	t, err := local.Submissions(in.App)
	if table.IsAbsent(err) {
		return "its local table has no submissions; " + in.OwnerNotice(local.SubmissionsLine+" stores them")
	}
	if err == nil {
		err = t.Close()
	}
	if err != nil {
		return "the local table of its submissions cannot be read: " + err.Error()
	}
	return ""
}

// submittedIDs returns a notice of the names that are VariationIDs and that the table of submissions has, though the
// table of variants does not. It returns nil if there are none or the table cannot be read.
func submittedIDs(in *command.Input, names []string) (notices []string) {
	t, err := local.Submissions(in.App)
	if err != nil {
		return nil
	}
	defer t.Close()
	var known []string
	for _, w := range names {
		name := variantname.Parse(w, "")
		if name.Kind != variantname.VariationID {
			continue
		}
		if all, err := t.Find(name.ID); err == nil && len(all) > 0 {
			known = append(known, w+" ("+english.Plural(len(all), "submission", "")+")")
		}
	}
	if known == nil {
		return nil
	}
	return []string{fmt.Sprintf("ClinVar has submissions, release %s, for %s: a haplotype or genotype, or newer "+
		"than the table of variants", t.Release, command.Abbreviate(known))}
}
