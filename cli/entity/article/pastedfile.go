package article

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/cite/refparse"
	"biomcp/entrez/record"
)

// readReferences parses the references of the words and of the file of --from.
func readReferences(in *command.Input, words string) (refparse.File, error) {
	from := in.String("from")
	if words == "-" {
		words, from = "", cmp.Or(from, "-")
	}
	typed, err := parseReferences(words)
	if err != nil || from == "" {
		return typed, err
	}
	text, err := entity.ReadText(in, "references", "from", from, citationHelp...)
	if err != nil {
		return typed, err
	}
	file, err := parseReferences(text)
	file.References = slices.Concat(typed.References, file.References)
	return file, err
}

func parseReferences(text string) (refparse.File, error) {
	file, err := refparse.Read(strings.ToValidUTF8(text, ""))
	if bad, ok := errors.AsType[*refparse.FormatError](err); ok {
		return file, result.Invalid(bad.Error()+"; accepted: BibTeX, RIS, nbib, EndNote, PubMed XML, CSL-JSON, CSV, or "+
			"one reference per line", citationHelp...)
	}
	return file, err
}

// skippedLines returns a notice about the lines of a file that belong to no record.
func skippedLines(file refparse.File) []string {
	if len(file.Skipped) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("skipped in the %s file, outside of its records: %s, such as %q", file.Format,
		english.Plural(len(file.Skipped), "line", ""), command.Clip(file.Skipped[0]))}
}

// cite replaces the records of an answer by the citations of the articles found, if --output names a
// file of citations.
func (f *finder) cite(ctx context.Context, p *entity.Page[citationMatch]) error {
	style := entity.FileStyle(f.in)
	if style == "" {
		return nil
	}
	var pmids []string
	lacking, differing := 0, 0
	for _, r := range f.all {
		switch {
		case r.Match == nil:
			lacking++
		case !slices.Contains(pmids, r.Match.PMID):
			pmids = append(pmids, r.Match.PMID)
		}
		if r.Outcome == "disagrees" {
			differing++
		}
	}
	records, notices, err := citeRecords(ctx, f.client, pmids, style)
	if err != nil {
		return err
	}
	p.Records, p.Notices = records, append(p.Notices, notices...)
	if lacking > 0 {
		p.Notices = append(p.Notices, fmt.Sprintf("%d of %d references have no article and are not in the file",
			lacking, len(f.all)))
	}
	if differing > 0 {
		p.Notices = append(p.Notices, fmt.Sprintf("%d of %d references differ from their article; without "+
			"--output the answer names the differences", differing, len(f.all)))
	}
	return nil
}

// retractedPMIDs returns the PMIDs of the retracted articles among the matches and the candidates, each once.
func (a *pastedAnswer) retractedPMIDs() (pmids []string) {
	for _, r := range a.References {
		pmids = append(pmids, r.retracted...)
		if r.Match != nil && r.Match.isRetracted() {
			pmids = append(pmids, r.Match.PMID)
		}
	}
	return entity.Unique(pmids)
}

// label returns the PMID of a candidate, marked if the article has been retracted.
func (r *pastedReference) label(pmid string) string {
	return record.Label(slices.Contains(r.retracted, pmid), pmid)
}
