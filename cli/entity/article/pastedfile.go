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

// isSeparate reports whether a word of a command line is a reference by itself: one that was in quotes, because
// it has a space, or an identifier. A short number may be a year or a page.
func isSeparate(word string) bool {
	return len(strings.Fields(word)) > 1 || owns(word) || IsID(word) && len(word) > len("2018")
}

// readReferences parses the references of the arguments and of the file of --from.
func readReferences(in *command.Input) (file refparse.File, err error) {
	from := in.String("from")
	texts := in.Args
	if slices.Equal(texts, []string{"-"}) {
		texts, from = nil, cmp.Or(from, "-")
	}
	if from != "" {
		text, err := entity.ReadText(in, "references", "from", from, citationHelp...)
		if err != nil {
			return file, err
		}
		texts = append(slices.Clone(texts), text)
	}
	for _, text := range texts {
		last, err := parseReferences(text)
		if err != nil {
			return file, err
		}
		last.References = slices.Concat(file.References, last.References)
		last.Skipped = slices.Concat(file.Skipped, last.Skipped)
		file = last
	}
	return file, nil
}

func parseReferences(text string) (refparse.File, error) {
	file, err := refparse.Read(strings.ToValidUTF8(text, ""))
	if bad, ok := errors.AsType[*refparse.FormatError](err); ok {
		return file, result.Invalid(bad.Error()+"; accepted: BibTeX, RIS, nbib, EndNote, PubMed XML, CSL-JSON, CSV, or "+
			"one reference per line", citationHelp...)
	}
	return file, err
}

// skippedLines returns a notice that names the first lines of a file that belong to no record or cannot be read.
func skippedLines(file refparse.File) []string {
	n := len(file.Skipped)
	if n == 0 {
		return nil
	}
	named := result.Map(file.Skipped[:min(n, 5)], func(line string) string { return "“" + command.Clip(line) + "”" })
	if n > len(named) {
		named = append(named, "and others")
	}
	return []string{fmt.Sprintf("skipped in the %s file: %s: %s", file.Format, english.Plural(n, "line", ""),
		strings.Join(named, ", "))}
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
