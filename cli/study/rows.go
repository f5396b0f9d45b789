package study

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/export"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// rowsFlag adds --rows, which writes the analyzed data so that another program can reproduce
// the numbers. suffix is appended to the usage.
func rowsFlag(f *command.Flags, suffix string) {
	fileFlag(f, "rows",
		"write a row for each sample or patient that was analysed to a file: .csv, .tsv, .jsonl or .xlsx"+suffix)
}

// rowsOf returns the value of --rows if it is a number.
func rowsOf(in *command.Input) (n int, is bool) {
	n, err := strconv.Atoi(in.String("rows"))
	return n, err == nil
}

// wantsRows reports whether --rows names a file.
func wantsRows(in *command.Input) bool {
	_, number := rowsOf(in)
	return in.Given("rows") && !number
}

// fileFlag adds a flag for a table file to write.
func fileFlag(f *command.Flags, name, usage string) {
	f.FileP(name, "", usage, export.Extensions()...)
	f.Rare(name)
}

// A table holds rows for another program. A cell is a string, a float64 written with full
// precision, or nil if missing.
type table struct {
	names []string
	rows  [][]any
}

// cell returns v, or nil if it is not finite.
func cell(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// A column provides a value for each sample.
type column struct {
	name  string
	value func(sample int) any
}

// flagOf returns a column with 1 or 0 for profiled samples and nil for others.
func flagOf(name string, is, on []bool) column {
	return column{name, func(i int) any {
		if !on[i] {
			return nil
		}
		return float64(b2i(is[i]))
	}}
}

func valueOf(name string, values []float64, on []bool) column {
	return column{name, func(i int) any {
		if !on[i] {
			return nil
		}
		return cell(values[i])
	}}
}

// writeSamples writes the file of --rows. It includes the samples with a value in every column
// if all is set, otherwise those with a value in any column.
func writeSamples(in *command.Input, r *result.Result, s *study.Study, all bool, columns ...column) error {
	if !wantsRows(in) {
		return nil
	}
	samples, err := s.Samples()
	if err != nil {
		return err
	}
	t := table{
		names: append([]string{"sample_id", "patient_id"},
			result.Map(columns, func(c column) string { return c.name })...),
	}
	for i, id := range samples.IDs {
		row, missing := []any{id, samples.Patients[samples.PatientOf[i]]}, 0
		for _, c := range columns {
			v := c.value(i)
			row, missing = append(row, v), missing+b2i(v == nil)
		}
		if missing == 0 || !all && missing < len(columns) {
			t.rows = append(t.rows, row)
		}
	}
	return t.write(in, r, "rows")
}

// groupOf returns a column with the group of each sample or patient.
func (c *comparison) groupOf(of []int) column {
	return column{"group", func(i int) any {
		if of[i] < 0 {
			return nil
		}
		return c.names[of[i]]
	}}
}

// writeValues writes the groups and values of the compared samples or patients to the file of
// --rows.
func (c *comparison) writeValues(unit string, columns ...column) error {
	if unit == "samples" {
		return writeSamples(c.in, c.r, c.s, true, append([]column{c.groupOf(c.sample)}, columns...)...)
	}
	if !wantsRows(c.in) {
		return nil
	}
	t := table{names: []string{"patient_id", "group", columns[0].name}}
	for i, id := range c.samples.Patients {
		if g, v := c.groupOf(c.patient).value(i), columns[0].value(i); g != nil && v != nil {
			t.rows = append(t.rows, []any{id, g, v})
		}
	}
	return t.write(c.in, c.r, "rows")
}

// write writes the table atomically to the file given by a flag.
func (t table) write(in *command.Input, r *result.Result, flag string) error {
	records, like, err := t.records()
	if err != nil {
		return err
	}
	file := in.String(flag)
	whole := export.New(records, like)
	if err := in.WriteFile(flag, func(w io.Writer) error { return whole.Write(w, export.Form(file)) }); err != nil {
		return notWritten(in, "table", flag, file, err)
	}
	r.Notice("Wrote " + english.Plural(len(t.rows), "row", "") + " to " + file)
	return nil
}

// records encodes the rows, and a row without values.
func (t table) records() (records []json.RawMessage, like json.RawMessage, err error) {
	if like, err = t.record(make([]any, len(t.names))); err != nil {
		return nil, nil, err
	}
	records = make([]json.RawMessage, len(t.rows))
	for i, row := range t.rows {
		if records[i], err = t.record(row); err != nil {
			return nil, nil, err
		}
	}
	return records, like, nil
}

// record encodes a row as a JSON object with the columns in order.
func (t table) record(row []any) (json.RawMessage, error) {
	record := []byte("{")
	for k, name := range t.names {
		pair, err := json.Marshal(map[string]any{name: row[k]})
		if err != nil {
			return nil, err
		}
		record = append(append(record, pair[1:len(pair)-1]...), ',')
	}
	return append(record[:len(record)-1], '}'), nil
}

// notWritten returns the error for a file that could not be written.
func notWritten(in *command.Input, content, flag, file string, err error) error {
	if exists := (*result.Failure)(nil); errors.As(err, &exists) {
		return exists
	}
	reason := "the file cannot be written"
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		reason = path.Err.Error()
	}
	return &result.Failure{
		Code: result.Store, Message: "the " + content + " was not written to " + command.Clip(file) + ": " + reason,
		Try: in.LineWith("--"+flag, ""),
	}
}

// writeRows writes the analyzed patients to the file of --rows: group, follow-up in months,
// status with 1 for an event, the grouping value, covariates and stratum.
func (a *survivalAnswer) writeRows(
	in *command.Input, r *result.Result, s *study.Study, c *study.Cohort, d *division,
	cov []study.Covariate, strata *study.Grouping,
) error {
	if !wantsRows(in) {
		return nil
	}
	samples, err := s.Samples()
	if err != nil {
		return err
	}
	t := table{names: []string{"patient_id", "group", "time", "status"}}
	if d.values != nil {
		t.names = append(t.names, d.groupBy)
	}
	for _, v := range cov {
		t.names = append(t.names, v.Attribute.ID)
	}
	if strata != nil {
		t.names = append(t.names, strings.ToUpper(a.Strata))
	}
	for i, patient := range c.Patients {
		row := []any{samples.Patients[patient], d.names[c.Group[i]], c.Obs[i].Time, float64(b2i(c.Obs[i].Event))}
		if b, bound := d.bounds[patient]; bound {
			row = append(row, b.Text)
		} else if d.values != nil {
			row = append(row, cell(d.values[patient]))
		}
		for _, v := range cov {
			if v.Numbers != nil {
				row = append(row, cell(v.Numbers[patient]))
			} else {
				row = append(row, v.Names[v.Category[patient]])
			}
		}
		if strata != nil {
			row = append(row, strata.Names[strata.Group[patient]])
		}
		t.rows = append(t.rows, row)
	}
	return t.write(in, r, "rows")
}

// writeCurves writes the steps of the Kaplan-Meier curves to the file of --curve.
func (a *survivalAnswer) writeCurves(in *command.Input, r *result.Result) error {
	if !in.Given("curve") {
		return nil
	}
	t := table{names: []string{"group", "time", "at_risk", "events", "censored", "survival", "low", "high"}}
	for g, c := range a.curves {
		if c == nil {
			continue
		}
		for _, p := range c.Points {
			t.rows = append(t.rows, []any{
				a.Groups[g].Name, p.Time, float64(p.AtRisk), float64(p.Events), float64(p.Censored),
				p.Survival, cell(p.Low), cell(p.High),
			})
		}
	}
	return t.write(in, r, "curve")
}
