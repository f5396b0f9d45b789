package sets_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/bulk"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A shelf stores data sets as `biomcp sync` does.
type shelf struct {
	tables *table.Tables
	dir    string
}

// store replaces a set by the texts of its files. It also returns the rows, except ClinVar's.
func (s shelf) store(t *testing.T, set *bulk.Set, texts map[string]string) (
	info table.Info, rows []*table.Row, report sets.Report, err error) {
	files := sets.Files{}
	for name, text := range texts {
		files[name] = strings.NewReader(text)
	}
	check := func(_, _ *table.Info) error { return nil }
	info = table.Info{Name: set.Name, StoredAt: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}
	switch set {
	case bulk.ClinVar:
		info, err = clinvartable.Replace(t.Context(), s.dir, info, set.Files[0].Layout(), files[set.Files[0].Name], &report, check)
	case bulk.ClinVarSubmissions:
		info, err = clinvartable.ReplaceSubmissions(t.Context(), s.dir, info, set.Files[0].Layout(), files[set.Files[0].Name], &report, check)
	default:
		info, err = s.tables.Replace(t.Context(), info, func(put func(*table.Row) error) error {
			return sets.Read(set.Name, set.Layouts(), files, func(r *table.Row) error {
				rows = append(rows, r)
				return put(r)
			}, &report)
		}, check)
	}
	return info, rows, report, err
}

// stored returns the version and the rows of a set.
func (s shelf) stored(t *testing.T, set *bulk.Set) string {
	info, err := s.tables.Info(t.Context(), set.Name)
	switch set {
	case bulk.ClinVar:
		var stored *clinvartable.Table
		if stored, err = clinvartable.Open(s.dir); err == nil {
			info, err = stored.Info, stored.Close()
		}
	case bulk.ClinVarSubmissions:
		var stored *clinvartable.Submissions
		if stored, err = clinvartable.OpenSubmissions(s.dir); err == nil {
			info, err = stored.Info, stored.Close()
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", set.Name, err)
	}
	return fmt.Sprint("version ", info.Version, ", rows ", info.Rows)
}

// badText names the fault that changes a text of a row.
const badText = "bad UTF-8"

// A fault is a change of one file. A harmful one must be an error, or a row that is reported, with a text of names.
type fault struct {
	name, text string
	harmful    bool
	mayFail    bool // such as a cut, which may fall between two rows
	names      []string
}

// faults draws faults of a file.
func faults(random *rand.Rand, f bulk.File, text string) []fault {
	all := []fault{
		{name: "CRLF", text: strings.ReplaceAll(text, "\n", "\r\n")},
		{name: "byte order mark", text: "\ufeff" + text},
		{name: "no last line end", text: strings.TrimRight(text, "\n")},
		{name: "empty lines", text: text + "\n\n"},
		{name: "empty", harmful: true},
		{name: "a web page", text: "<html><body>Maintenance</body></html>", harmful: true},
	}
	for range 6 {
		at := 1 + random.IntN(len(text)-2)
		all = append(all, fault{name: fmt.Sprint("cut at ", at), text: text[:at], mayFail: true})
	}
	if f.Columns == "" {
		return all
	}
	if !strings.Contains(text, "\xe9") {
		all = append(all, fault{name: badText, text: strings.Replace(text, "Synthetic", "S\xe9nthetic", 1)})
	}
	rows := parse(f, text)
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	edit := func(change func(row []string) []string) string {
		var out [][]string
		for _, r := range rows {
			if len(r) == width {
				r = change(slices.Clone(r))
			}
			out = append(out, r)
		}
		return format(f, out)
	}
	if f.NoHeader {
		return append(all, fault{name: "a new column", text: edit(func(r []string) []string { return append(r, "new") })})
	}
	first := slices.IndexFunc(rows, func(r []string) bool { // the column names
		return slices.ContainsFunc(strings.Split(f.Columns, "|"), func(c string) bool {
			return slices.ContainsFunc(r, func(n string) bool { return strings.EqualFold(strings.Trim(n, "# "), c) })
		})
	})
	names := slices.Clone(rows)
	names[first] = slices.Clone(rows[first])
	for i, n := range names[first] {
		names[first][i] = " " + strings.ToUpper(strings.TrimPrefix(n, "#")) + " "
	}
	all = append(all, fault{name: "upper case and spaces in the columns", text: format(f, names)})
	if !strings.HasSuffix(f.Name, ".csv") {
		names[first][0] = "#" + strings.TrimSpace(names[first][0])
		all = append(all, fault{name: "# before the columns", text: format(f, names)})
	}
	all = append(all, fault{"no rows", format(f, rows[:first+1]), true, false, []string{f.Name, "it has no rows"}})
	order, at := random.Perm(width), 1+random.IntN(width)
	all = append(all,
		fault{name: "another order", text: edit(func(r []string) (out []string) {
			if isRule(r) {
				return r
			}
			for _, i := range order {
				out = append(out, r[i])
			}
			return out
		})},
		fault{name: "a new column", text: edit(func(r []string) []string {
			if isRule(r) {
				return append(r, "+++")
			}
			return slices.Insert(r, at, "new")
		})})
	for _, c := range f.Layout().List() {
		without := edit(func(r []string) []string {
			for i, cell := range r {
				if slices.Contains(c.Names, strings.ToLower(strings.Trim(cell, "# "))) {
					r[i] = "other"
				}
			}
			return r
		})
		if without != format(f, rows) && !c.Optional {
			all = append(all, fault{"without " + c.Names[0], without, true, false, []string{f.Name, fmt.Sprintf("no column %q", c.Names[0])}})
		}
	}
	if strings.HasSuffix(f.Name, ".csv") {
		at := strings.LastIndex(text, "\n\"") + 1
		all = append(all, fault{"an open quotation mark", text[:at] + `"` + text[at:], true, false, []string{f.Name}})
	}
	short := text + strings.Repeat("x\n", 20+strings.Count(text, "\n"))
	return append(all, fault{"many short rows", short, true, false, []string{f.Name, fmt.Sprintf("row %d: 1 fields", len(rows)+1)}})
}

// isRule reports whether a row is a rule of plus signs, as ClinGen prints around the column names.
func isRule(r []string) bool { return r[0] != "" && strings.Trim(r[0], "+") == "" }

func parse(f bulk.File, text string) (rows [][]string) {
	if strings.HasSuffix(f.Name, ".csv") {
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		rows, _ = r.ReadAll()
		return rows
	}
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimRight(line, "\n"), separator(f)))
	}
	return rows
}

func format(f bulk.File, rows [][]string) string {
	var out bytes.Buffer
	if strings.HasSuffix(f.Name, ".csv") {
		_ = csv.NewWriter(&out).WriteAll(rows)
		return out.String()
	}
	for _, r := range rows {
		out.WriteString(strings.Join(r, separator(f)) + "\n")
	}
	return out.String()
}

func separator(f bulk.File) string {
	if f.NoHeader {
		return "|"
	}
	return "\t"
}

// Whatever happens to a file of any set, its table is replaced whole or not at all. A harmless change of the form loses no
// row, and an error names the file, and the column or the row.
func TestFaultsOfEverySet(t *testing.T) {
	dir := t.TempDir()
	tables, err := table.Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	s, random := shelf{tables, dir}, rand.New(rand.NewPCG(5, 4))
	for _, set := range bulk.Sets() {
		whole := map[string]string{}
		for _, f := range set.Files {
			whole[f.Name] = string(bulktest.New().Text(set, f.Name))
		}
		first, rows, _, err := s.store(t, set, whole)
		if err != nil {
			t.Fatalf("%s: %v", set.Name, err)
		}
		for _, f := range set.Files {
			for _, c := range faults(random, f, whole[f.Name]) {
				before, files := s.stored(t, set), map[string]string{}
				for name, text := range whole {
					files[name] = text
				}
				files[f.Name] = c.text
				info, got, report, err := s.store(t, set, files)
				context := fmt.Sprintf("%s, %s, %s", set.Name, f.Name, c.name)
				after, problem := s.stored(t, set), report.Problem
				if err != nil {
					problem = err.Error()
				}
				switch want := fmt.Sprint("version ", info.Version, ", rows ", info.Rows); {
				case err != nil && after != before:
					t.Errorf("%s: after the error %v the table has %s, want %s", context, err, after, before)
				case err == nil && after != want:
					t.Errorf("%s: the table has %s, want %s", context, after, want)
				}
				for _, name := range c.names {
					if !strings.Contains(problem, name) {
						t.Errorf("%s: got %q, want it to name %q", context, problem, name)
					}
				}
				isFile := func(f bulk.File) bool { return strings.Contains(problem, f.Name) }
				if err != nil && !slices.ContainsFunc(set.Files, isFile) {
					t.Errorf("%s: got %q, want it to name a file", context, problem)
				}
				switch isFormat := errors.As(err, new(*sets.FormatError)); {
				case err != nil && !isFormat && !errors.Is(err, io.ErrUnexpectedEOF):
					t.Errorf("%s: got the error %v, want a FormatError", context, err)
				case c.harmful && err == nil && report.Skipped == 0:
					t.Errorf("%s: got no error and no skipped row", context)
				case !c.harmful && !c.mayFail && (err != nil || info.Rows != first.Rows || report.Skipped > 0 ||
					c.name != badText && !reflect.DeepEqual(got, rows)):
					t.Errorf("%s: got %d rows, %d skipped (%s), %v; want the same %d rows", context, info.Rows, report.Skipped, report.Problem,
						err, first.Rows)
				}
			}
		}
	}
}
