package clinvartable

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"biomcp/store/table/sets"
)

// FileName is the name of the table, which is compressed with gzip.
const FileName = "variant_summary.txt.gz"

// Indexes of the columns that are read.
const (
	alleleID = iota
	variantType
	name
	geneSymbol
	significance
	evaluated
	rs
	rcv
	phenotypeIDs
	phenotypeList
	origin
	assembly
	chromosome
	start
	stop
	review
	submitters
	variationID
	vcfPosition
	vcfRef
	vcfAlt
	impact
	impactEvaluated
	impactReview
	oncogenicity
	oncogenicityEvaluated
	oncogenicityReview
	required    // number of columns that the file must have
	cytogenetic = iota - 1
	dbVar
	otherIDs
	columns
)

// maxLine is the maximum length of a row in bytes. Rows have less than 1 MB.
const maxLine = 16 << 20

// columnNames returns the names of the columns in lower case.
func columnNames() []string {
	return []string{
		"alleleid", "type", "name", "genesymbol", "clinicalsignificance", "lastevaluated", "rs# (dbsnp)",
		"rcvaccession", "phenotypeids", "phenotypelist", "originsimple", "assembly", "chromosome", "start", "stop",
		"reviewstatus", "numbersubmitters", "variationid", "positionvcf", "referenceallelevcf", "alternateallelevcf",
		"somaticclinicalimpact", "somaticclinicalimpactlastevaluated", "reviewstatusclinicalimpact", "oncogenicity",
		"oncogenicitylastevaluated", "reviewstatusoncogenicity", "cytogenetic", "nsv/esv (dbvar)", "otherids",
	}
}

// A lineReader reads the lines of the table as fields.
type lineReader struct {
	in      *bufio.Reader
	form    *form
	long    []byte   // a line that does not fit into the buffer
	at      []int    // index of each column in the file, -1 if absent
	names   int      // number of columns of the file
	all     [][]byte // fields of the line
	report  *sets.Report
	newline bool // whether the last line had an end
}

func (r *lineReader) errorf(format string, args ...any) error {
	return &sets.FormatError{File: r.form.source, Message: fmt.Sprintf(format, args...)}
}

// newLineReader reads the header, which is the last of the first lines with "#", or else the first line. Columns may
// stand in any order, and unknown ones are ignored.
func newLineReader(in io.Reader, f *form, report *sets.Report) (*lineReader, error) {
	r := &lineReader{in: bufio.NewReaderSize(in, 1<<18), form: f, report: report}
	var line string
	for isComment := true; isComment; {
		text, err := r.line()
		if errors.Is(err, io.EOF) {
			return nil, r.errorf("it is empty")
		}
		if err != nil {
			return nil, err
		}
		line = strings.TrimPrefix(string(text), "\ufeff")
		next, _ := r.in.Peek(1) // the next read returns the error
		isComment = strings.HasPrefix(line, "#") && string(next) == "#"
	}
	header := strings.Split(line, "\t")
	for i := range header {
		header[i] = strings.ToLower(strings.Trim(header[i], "# "))
	}
	for i, column := range f.columns() {
		at := slices.Index(header, column)
		if at < 0 && i < f.required {
			return nil, r.errorf("it has no column %q", column)
		}
		r.at = append(r.at, at)
	}
	r.names = len(header)
	return r, nil
}

// line returns the next line without its end. It is valid until the next call.
func (r *lineReader) line() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(r.long) > maxLine {
				return nil, r.errorf("a row is longer than %d MB", maxLine>>20)
			}
			line, err = r.in.ReadSlice('\n')
			r.long = append(r.long, line...)
		}
		line = r.long
	}
	if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
		return nil, err
	}
	r.newline = err == nil
	return bytes.TrimRight(line, "\r\n"), nil
}

// next reads the next row. It skips lines that cannot be read and returns io.EOF at the end, or an error if
// the file is cut off or has too many such lines.
func (r *lineReader) next() error {
	for {
		line, err := r.line()
		if errors.Is(err, io.EOF) {
			if bad, all := r.report.Skipped, r.report.Read+r.report.Skipped; bad > 10 && bad*20 > all {
				return r.errorf("%d of %d rows cannot be read (%s)", bad, all, r.report.Problem)
			}
			return io.EOF
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		r.all = r.all[:0]
		for {
			i := bytes.IndexByte(line, '\t')
			if i < 0 {
				r.all = append(r.all, line)
				break
			}
			r.all, line = append(r.all, line[:i]), line[i+1:]
		}
		isID := func(column int) bool { n := r.number(column); return n > 0 && n < maxID }
		if len(r.all) >= r.names && !slices.ContainsFunc(r.form.ids, func(column int) bool { return !isID(column) }) {
			r.report.Read++
			return nil
		}
		if !r.newline && len(r.all) < r.names {
			return r.errorf("it is cut off in its last row")
		}
		r.skip()
	}
}

// skip counts the row as unreadable.
func (r *lineReader) skip() {
	if r.report.Skipped++; r.report.Problem == "" {
		r.report.Problem = fmt.Sprintf("%s, row %d: %d fields", r.form.source, r.report.Read+r.report.Skipped, len(r.all))
		for i, column := range r.form.ids {
			r.report.Problem += fmt.Sprintf(", %s %.20q", [...]string{"VariationID", "AlleleID"}[i], r.text(column))
		}
	}
}

// raw returns a field, nil if it is empty, "-" or "na".
func (r *lineReader) raw(column int) []byte {
	if i := r.at[column]; i >= 0 && i < len(r.all) {
		if f := bytes.TrimSpace(r.all[i]); string(f) != "-" && string(f) != "na" {
			return f
		}
	}
	return nil
}

func (r *lineReader) text(column int) string {
	f := r.raw(column)
	if !utf8.Valid(f) {
		f, _ = charmap.Windows1252.NewDecoder().Bytes(f)
	}
	return string(f)
}

// number returns a number of a column, 0 if it is not a positive one.
func (r *lineReader) number(column int) int {
	n, err := strconv.Atoi(string(r.raw(column)))
	if err != nil || n < 0 || n >= 1<<32 {
		return 0
	}
	return n
}

// variant returns the variant of the row, without its place.
func (r *lineReader) variant() *Variant {
	v := &Variant{
		VariationID: r.number(variationID), AlleleID: r.number(alleleID), Name: r.text(name), Type: r.text(variantType),
		GeneText: r.text(geneSymbol), RS: r.number(rs), DBVar: r.text(dbVar),
		Germline:     r.classification(significance, review, evaluated),
		Impact:       r.classification(impact, impactReview, impactEvaluated),
		Oncogenicity: r.classification(oncogenicity, oncogenicityReview, oncogenicityEvaluated),
		Origin:       r.text(origin), Cytogenetic: r.text(cytogenetic), Submitters: r.number(submitters),
		Conditions: readConditions(r.text(phenotypeList), r.text(phenotypeIDs)),
	}
	if accessions := r.text(rcv); accessions != "" {
		for a := range strings.SplitSeq(accessions, "|") {
			if digits, ok := strings.CutPrefix(a, "RCV"); ok && strings.Trim(digits, "0123456789") == "" {
				v.RCVs = append(v.RCVs, a)
			}
		}
	}
	if _, id, ok := strings.Cut(r.text(otherIDs), "ClinGen:CA"); ok {
		id, _, _ = strings.Cut(id, ",")
		if n, err := strconv.Atoi(id); err == nil {
			v.CAID = caid(n)
		}
	}
	return v
}

func (r *lineReader) classification(class, review, evaluated int) Classification {
	c := Classification{Class: r.text(class)}
	if c.Class != "" {
		c.Review, c.Evaluated = r.text(review), r.date(evaluated)
	}
	return c
}

// date returns a date of a column, such as 2026-02-13, or "" if there is none.
func (r *lineReader) date(column int) string {
	if t, err := time.Parse("Jan 02, 2006", r.text(column)); err == nil && t.After(firstDay) {
		return t.Format(time.DateOnly)
	}
	return ""
}

// readConditions reads the names and ids of conditions. The file doubles prefixes: MONDO:MONDO:0013342.
func readConditions(names, ids string) (all []Condition) {
	if names == "" {
		return nil
	}
	list, idLists := strings.Split(names, "|"), strings.Split(ids, "|")
	for i, name := range list {
		c := Condition{Name: strings.Join(strings.Fields(name), " ")}
		if len(idLists) == len(list) { // a list that was cut, "7 conditions", has no ids
			for id := range strings.FieldsFuncSeq(idLists[i], func(r rune) bool { return r == ',' || r == ';' }) {
				if _, rest, _ := strings.Cut(id, ":"); strings.Contains(rest, ":") {
					id = rest
				}
				c.IDs = append(c.IDs, strings.TrimSpace(id))
			}
		}
		if c.Name != "" {
			all = append(all, c)
		}
	}
	return all
}

// place returns the place of the row.
func (r *lineReader) place() Place {
	p := Place{Assembly: r.text(assembly), Chromosome: r.text(chromosome), Start: r.number(start), End: r.number(stop)}
	if p.VCFStart = r.number(vcfPosition); p.VCFStart > 0 {
		p.Ref, p.Alt = r.text(vcfRef), r.text(vcfAlt)
	}
	if p.Ref == "" || p.Alt == "" {
		p.VCFStart, p.Ref, p.Alt = 0, "", ""
	}
	return p
}
