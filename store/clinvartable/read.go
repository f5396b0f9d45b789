package clinvartable

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/layout"
	"biomcp/store/table/sets"
)

// FileName is the name of the table, which is compressed with gzip.
const FileName = "variant_summary.txt.gz"

// A lineReader reads the rows of a table.
type lineReader struct {
	*sets.Sheet
	ctx  context.Context
	form *form
	rows int
	ids  [2]int // VariationID and, in the table of variants, AlleleID of the row
}

func newLineReader(ctx context.Context, file layout.File, in io.Reader, f *form, report *sets.Report) (*lineReader, error) {
	sheet, err := sets.OpenSheet(file, in, report)
	if err != nil {
		return nil, err
	}
	sheet.RequireAllFields()
	return &lineReader{Sheet: sheet, ctx: ctx, form: f}, nil
}

// next reads the next row with ids. It skips others.
func (r *lineReader) next() error {
	for {
		if r.rows%4096 == 0 && r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		r.rows++
		if err := r.Next(); err != nil {
			return err
		}
		valid := true
		for i, column := range r.form.ids {
			r.ids[i] = r.number(column)
			valid = valid && r.ids[i] > 0 && r.ids[i] < maxID
		}
		if valid {
			return nil
		}
		r.skip()
	}
}

// skip counts the row as unreadable.
func (r *lineReader) skip() {
	var ids []string
	for _, column := range r.form.ids {
		ids = append(ids, fmt.Sprintf("%s %.20q", column, r.Text(column)))
	}
	r.Skip("%s", strings.Join(ids, ", "))
}

// text returns a field, "" if it is "-" or "na".
func (r *lineReader) text(column string) string {
	if t := r.Text(column); t != "-" && t != "na" {
		return t
	}
	return ""
}

// number returns a number of a column, 0 if it is not a positive one.
func (r *lineReader) number(column string) int {
	n, err := strconv.Atoi(r.text(column))
	if err != nil || n < 0 || n >= 1<<32 {
		return 0
	}
	return n
}

// variant returns the variant of the row, without its place.
func (r *lineReader) variant() *Variant {
	v := &Variant{
		VariationID: r.ids[0], AlleleID: r.ids[1], Name: r.text("name"), Type: r.text("type"),
		GeneText: r.text("genesymbol"), RS: r.number("rs# (dbsnp)"), DBVar: r.text("nsv/esv (dbvar)"),
		Germline: r.classification("clinicalsignificance", "reviewstatus", "lastevaluated"),
		Impact: r.classification("somaticclinicalimpact", "reviewstatusclinicalimpact",
			"somaticclinicalimpactlastevaluated"),
		Oncogenicity: r.classification("oncogenicity", "reviewstatusoncogenicity", "oncogenicitylastevaluated"),
		Origin:       r.text("originsimple"), Cytogenetic: r.text("cytogenetic"), Submitters: r.number("numbersubmitters"),
		Conditions: readConditions(r.text("phenotypelist"), r.text("phenotypeids")),
	}
	for a := range strings.SplitSeq(r.text("rcvaccession"), "|") {
		if digits, ok := strings.CutPrefix(a, "RCV"); ok && strings.Trim(digits, "0123456789") == "" {
			v.RCVs = append(v.RCVs, a)
		}
	}
	if _, id, ok := strings.Cut(r.text("otherids"), "ClinGen:CA"); ok {
		id, _, _ = strings.Cut(id, ",")
		if n, err := strconv.Atoi(id); err == nil {
			v.CAID = caid(n)
		}
	}
	return v
}

func (r *lineReader) classification(class, review, evaluated string) Classification {
	c := Classification{Class: r.text(class)}
	if c.Class != "" {
		c.Review, c.Evaluated = r.text(review), r.date(evaluated)
	}
	return c
}

// date returns a date of a column, such as 2026-02-13, or "" if there is none.
func (r *lineReader) date(column string) string {
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
	p := Place{Assembly: r.text("assembly"), Chromosome: r.text("chromosome"), Start: r.number("start"),
		End: r.number("stop"), VCFStart: r.number("positionvcf")}
	if p.VCFStart > 0 {
		p.Ref, p.Alt = r.text("referenceallelevcf"), r.text("alternateallelevcf")
	}
	if p.Ref == "" || p.Alt == "" {
		p.VCFStart, p.Ref, p.Alt = 0, "", ""
	}
	return p
}
