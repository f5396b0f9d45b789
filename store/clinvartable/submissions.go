package clinvartable

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/layout"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Names of the submissions.
const (
	SubmissionsName     = "clinvar-submissions"       // the data set
	SubmissionsFileName = "submission_summary.txt.gz" // the table, which is compressed with gzip
)

func submissionForm() *form {
	return &form{SubmissionsName, "submissions.bin", []string{"variationid"}}
}

// A Submission is the classification of a variant by one submitter. Texts are "" if absent.
type Submission struct {
	SCV, Submitter                  string
	Germline, Impact, Oncogenicity  string // classes
	Review, Evaluated, Method       string // Evaluated is a date such as 2026-02-13
	Condition, Comment, Explanation string // several conditions are joined by "; "
}

// texts returns the fields in the order in which they are stored.
func (s *Submission) texts() []*string {
	return []*string{&s.SCV, &s.Submitter, &s.Germline, &s.Impact, &s.Oncogenicity, &s.Review, &s.Evaluated, &s.Method,
		&s.Condition, &s.Comment, &s.Explanation}
}

// submission returns the submission of the row.
func (r *lineReader) submission() *Submission {
	return &Submission{
		SCV: r.text("scv"), Submitter: r.text("submitter"), Germline: r.text("clinicalsignificance"),
		Impact: r.text("somaticclinicalimpact"), Oncogenicity: r.text("oncogenicity"),
		Review: r.text("reviewstatus"), Evaluated: r.date("datelastevaluated"), Method: r.text("collectionmethod"),
		Condition: cmp.Or(conditionNames(r.text("reportedphenotypeinfo")), r.text("submittedphenotypeinfo")),
		Comment:   r.text("description"), Explanation: r.text("explanationofinterpretation"),
	}
}

// conditionNames returns the names in a text such as "C0085390:Li-Fraumeni syndrome;na:Other". A name may have a
// semicolon or a colon.
func conditionNames(text string) string {
	isID := func(id string) bool {
		digits, ok := strings.CutPrefix(id, "C")
		digits = strings.TrimPrefix(digits, "N")
		return id == "na" || ok && digits != "" && strings.Trim(digits, "0123456789") == ""
	}
	var names []string
	for part := range strings.SplitSeq(text, ";") {
		id, name, ok := strings.Cut(strings.TrimSpace(part), ":")
		switch {
		case ok && isID(id):
			names = append(names, strings.TrimSpace(name))
		case len(names) > 0:
			names[len(names)-1] += ";" + part
		default:
			names = append(names, strings.TrimSpace(part))
		}
	}
	return strings.Join(slices.DeleteFunc(names, func(n string) bool { return n == "" || n == "-" }), "; ")
}

// Submissions is an open table of submissions.
type Submissions struct {
	Info    table.Info
	Release string // date of this version, from the source
	table   *Table
}

// OpenSubmissions opens the table in a folder. The error is a *table.AbsentError if there is none.
func OpenSubmissions(dir string) (*Submissions, error) {
	t, err := openForm(dir, submissionForm())
	if err != nil {
		return nil, err
	}
	return &Submissions{t.Info, t.Release, t}, nil
}

// Close closes the file.
func (s *Submissions) Close() error { return s.table.Close() }

// MarkSubmissionsChecked records that the source still has the stored version.
func MarkSubmissionsChecked(dir string, at time.Time) (table.Info, error) {
	return markChecked(dir, submissionForm(), at)
}

// Find returns the submissions for a VariationID, which may be a haplotype or genotype: those with most stars first,
// then the newest.
func (s *Submissions) Find(variationID string) (all []*Submission, err error) {
	rows, err := s.table.rows(IDKey(variationID))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		body, err := s.table.pack.block(recordBlock, row/recordsPerBlock)
		if err != nil {
			return nil, err
		}
		block := decode{body: body}
		for range row % recordsPerBlock {
			block.bytes(block.number())
		}
		group := decode{body: block.bytes(block.number())}
		if isOther := strconv.FormatUint(group.number(), 10) != variationID; isOther && block.err() == nil {
			continue
		}
		for len(group.body) > 0 {
			one := &Submission{}
			for _, text := range one.texts() {
				*text = group.text()
			}
			all = append(all, one)
		}
		if err := errors.Join(block.err(), group.err()); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b *Submission) int {
		return cmp.Or(Stars(b.Review)-Stars(a.Review), strings.Compare(b.Evaluated, a.Evaluated),
			strings.Compare(a.SCV, b.SCV))
	})
	return all, nil
}

// ReplaceSubmissions replaces the table of submissions, as Replace does for variants.
func ReplaceSubmissions(ctx context.Context, dir string, info table.Info, file layout.File, in io.Reader, report *sets.Report,
	check func(old, new *table.Info) error) (table.Info, error) {
	return replaceForm(ctx, dir, submissionForm(), info, file, in, report, check, fillSubmissions)
}

// fillSubmissions writes the submissions. A record holds those of one variant that are adjacent in the file.
func fillSubmissions(w *writer, r *lineReader, _ *Table, _ *header) (rows int, err error) {
	var group []byte
	for {
		err := r.next()
		atEnd := errors.Is(err, io.EOF)
		if err != nil && !atEnd {
			return 0, err
		}
		if last := len(w.ids) - 1; len(group) > 0 && (atEnd || r.ids[0] != int(w.ids[last])) {
			w.index.add(IDKey(strconv.Itoa(int(w.ids[last]))), last)
			w.block = appendText(w.block, string(group))
			group = group[:0]
			if err := w.flush(atEnd); err != nil {
				return 0, err
			}
		}
		if atEnd {
			return rows, w.index.finish(w.pack)
		}
		if len(group) == 0 {
			w.ids, group = append(w.ids, uint32(r.ids[0])), binary.AppendUvarint(group, uint64(r.ids[0]))
		}
		for _, text := range r.submission().texts() {
			group = appendText(group, *text)
		}
		rows++
	}
}
