package entity

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/cli/export"
	"biomcp/cli/result"
	"biomcp/entrez/cite"
)

// dataFlags are the flags that write records for another program.
var dataFlags = []string{export.CSV, export.TSV, export.JSONL, "output"}

// ValueFlags defines the flags that write records for another program. rows describes the records.
func ValueFlags(f *command.Flags, rows string) {
	formatFlags(f, rows)
	f.FileP("output", "o", "write them to a file: .csv, .tsv, .jsonl or .xlsx", export.Extensions()...)
	f.AddSynonyms("output", "out", "save", "file", "export")
	f.Rare("output")
	fieldsFlag(f)
}

// TableFlags defines the flags that write the table of an answer for another program, for a command that
// has its own --output.
func TableFlags(f *command.Flags) {
	formatFlags(f, TableRows)
	fieldsFlag(f)
}

// TableRows describes the rows that another command writes for another program.
const TableRows = "the rows"

// formatFlags defines the data formats.
func formatFlags(f *command.Flags, rows string) {
	f.Bool(export.CSV, false, rows+" as comma-separated values, with an apostrophe before formulas")
	f.Bool(export.TSV, false, "the same, separated by tabs, without apostrophes")
	f.Bool(export.JSONL, false, "the same as JSON, one record per line")
	f.Group(command.OutputFlags, export.CSV, export.TSV, export.JSONL)
}

func fieldsFlag(f *command.Flags) {
	f.String("fields", "", "only these fields, separated by commas; all: every field")
	f.AddSynonyms("fields", "field", "columns", "column")
	f.Rare(export.CSV, export.TSV, export.JSONL, "fields")
	f.Group(command.OutputFlags, "fields")
}

// citationFiles maps the extensions of citation files to the styles of citation.
var citationFiles = map[string]string{".bib": "bibtex", ".ris": "ris", ".nbib": "nbib"}

// CitationFiles allows citations in the file of --output.
func CitationFiles(f *command.Flags) {
	endings := slices.Sorted(maps.Keys(citationFiles))
	f.AddEndings("output", "; or their citations: "+strings.Join(endings, ", "), endings...)
}

// FileStyle returns the style of citation for the extension of the --output file, or "".
func FileStyle(in *command.Input) string {
	return citationFiles[strings.ToLower(filepath.Ext(in.String("output")))]
}

// IsTextFile reports whether the --output file has the extension .txt, for the ids of an answer as
// text.
func IsTextFile(in *command.Input) bool {
	return strings.EqualFold(filepath.Ext(in.String("output")), ".txt")
}

// IsData reports whether the records of an answer are for another program.
func IsData(in *command.Input) bool { return slices.ContainsFunc(dataFlags, in.IsSet) }

// CheckForms returns an error for more than one form of the answer, and for --fields without one
// that has fields. forms are the additional forms of the command. A flag that agrees with the
// extension of the --output file does not count.
func CheckForms(in *command.Input, forms ...string) error {
	var given, without []string
	extension := ""
	if in.IsSet("output") {
		extension = strings.ToLower(filepath.Ext(in.String("output")))
	}
	for _, f := range slices.Concat([]string{"json"}, forms, dataFlags) {
		if !in.IsSet(f) {
			continue
		}
		agrees := in.IsSet("output") && (extension == "."+f ||
			f == "style" && in.String(f) == FileStyle(in) ||
			f == "pmids" && IsTextFile(in))
		if !agrees {
			given = append(given, "--"+f)
			without = append(without, "--"+f, "")
		}
	}
	switch n := len(given); {
	case n > 1 && in.IsSet("output"): // keep it, because the user named its file
		return result.Invalid("an answer has one form: give one of "+strings.Join(given, ", "),
			in.LineWith(without[:2*n-2]...)...)
	case n > 1:
		return result.Invalid("an answer has one form: give one of "+strings.Join(given, ", "),
			in.LineWith(without[2:]...)...)
	case in.Changed("fields") && !IsData(in) && in.Bool("json"): // over MCP, --csv cannot replace it
		return result.Invalid("--fields requires --csv, --tsv, --jsonl or --output", in.LineWith("--fields", "")...)
	case in.Changed("fields") && !IsData(in):
		line := in.LineWith("--json", "")
		return result.Invalid("--fields requires --csv, --tsv, --jsonl or --output",
			slices.Insert(line, len(in.Path()), "--csv")...)
	case in.Changed("fields") && len(fieldNames(in)) == 0:
		return result.Invalid("--fields needs the name of a field", in.LineWith("--fields", "")...)
	}
	return nil
}

// Export sets the text of the answer to the records in the requested form, or writes them to the
// --output file. template, if not nil, is a record without values, which has the columns if there
// are no records.
func Export(in *command.Input, records []json.RawMessage, template json.RawMessage, res *result.Result) error {
	return ExportColumns(in, records, template, nil, res)
}

// ExportColumns is like [Export], but without --fields a table has only the given columns, if not nil,
// and a notice says so. The name of an object stands for all its members. If each of the columns joins the members
// of a list, the table has all other columns too. --fields with the name of such a list selects the joined column.
func ExportColumns(
	in *command.Input, records []json.RawMessage, template json.RawMessage, columns []string, res *result.Result,
) error {
	if FileStyle(in) != "" {
		noteRetracted(records, res)
		return writeCitations(in, records, res)
	}
	if IsTextFile(in) {
		noteRetracted(records, res)
		text, _ := res.Payload.Doc()[0].(result.Verbatim)
		return reportFile(in, res, writeText(in, strings.TrimLeft(text.Text+"\n", "\n")),
			fmt.Sprintf("records: %d", len(records)))
	}
	t := export.New(records, template)
	whole := len(t.Names)
	isTable := dataForm(in) != export.JSONL
	var joined []string
	for _, name := range columns {
		if _, members := export.JoinedColumn(name); members != nil && isTable {
			joined = append(joined, name)
		}
	}
	if columns != nil && isTable && !in.Changed("fields") {
		if export.AreJoined(columns) {
			columns = t.WithJoined(joined)
		}
		if err := t.Pick(columns); err != nil {
			return err
		}
		res.Notice(fmt.Sprintf("%d of %d fields; --fields %s writes all of them", len(t.Names), whole, allFields))
	}
	read := slices.Clone(records) // because pickFields cuts them
	if err := pickFields(in, t, joined); err != nil {
		return err
	}
	if !showsRetraction(t) {
		noteRetracted(read, res)
	}
	file := in.String("output")
	if file == "" {
		var text strings.Builder
		if err := t.Write(&text, dataForm(in)); err != nil {
			return err
		}
		res.Payload = result.Text{Value: res.Payload, Text: text.String()}
		return nil
	}
	return reportFile(in, res, writeTable(in, t), fmt.Sprintf("records: %d, fields: %d", len(t.Rows), len(t.Names)))
}

// dataForm returns the form in which the records are written.
func dataForm(in *command.Input) string {
	if file := in.String("output"); file != "" {
		return export.Form(file)
	}
	return dataFlags[slices.IndexFunc(dataFlags, in.IsSet)]
}

// writeCitations writes the citations of records to the --output file, in its style.
func writeCitations(in *command.Input, records []json.RawMessage, res *result.Result) error {
	style := FileStyle(in)
	var entries []string
	for _, r := range records {
		if entry := gjson.GetBytes(r, "citations."+style); entry.Exists() {
			entries = append(entries, entry.Str)
		}
	}
	if len(entries) < len(records) {
		others := slices.DeleteFunc(slices.Clone(in.Args), func(arg string) bool { return arg == "citation" })
		return result.Invalid("a "+style+" file requires the section citation",
			in.Line(append(others, "citation"), "--style", style)...)
	}
	text, err := cite.JoinEntries(style, entries)
	if err == nil {
		err = writeText(in, text)
	}
	return reportFile(in, res, err, fmt.Sprintf("records: %d", len(records)))
}

// writeTable writes a table to the --output file.
func writeTable(in *command.Input, t *export.Table) error {
	return in.WriteFile("output", func(w io.Writer) error { return t.Write(w, export.Form(in.String("output"))) })
}

// writeText writes text to the --output file.
func writeText(in *command.Input, text string) error {
	return in.WriteFile("output", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// reportFile sets the text of the answer to a message about the --output file, or returns a failure if
// err is not nil.
func reportFile(in *command.Input, res *result.Result, err error, summary string) error {
	file := in.String("output")
	var path *os.PathError
	var exists *result.Failure
	switch {
	case errors.As(err, &exists):
		return exists
	case errors.Is(err, export.ErrTooLarge):
		return result.Invalid(err.Error(), in.LineWith("--output", strings.TrimSuffix(file, filepath.Ext(file))+".csv")...)
	case errors.As(err, &path):
		err = path.Err
	}
	if err != nil {
		return &result.Failure{Code: result.Store,
			Message: "nothing was written to " + command.Clip(file) + ": " + err.Error(),
			Try:     in.LineWith("--output", "records"+filepath.Ext(file))}
	}
	res.Payload = result.Text{Value: res.Payload, Text: file + ": " + summary}
	return nil
}

// fieldNames returns the names in --fields.
func fieldNames(in *command.Input) []string {
	return strings.FieldsFunc(in.String("fields"), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// maxFieldNames is the maximum number of nested field names in an error message; beyond it, only
// top-level names are listed.
const maxFieldNames = 60

// allFields is the value of --fields for every field.
const allFields = "all"

// pickFields keeps only the columns of --fields. The name of a list that one of joined joins selects that column.
func pickFields(in *command.Input, t *export.Table, joined []string) error {
	names := fieldNames(in)
	if !in.Changed("fields") || len(names) == 1 && names[0] == allFields {
		return nil
	}
	for i, name := range names {
		for _, j := range joined {
			if column, _ := export.JoinedColumn(j); column == name {
				names[i] = j
			}
		}
	}
	var unknown *export.UnknownError
	if err := t.Pick(names); errors.As(err, &unknown) {
		near := command.SimilarNames(unknown.Name, unknown.Names, 3)
		id := func(name string) bool { return strings.HasSuffix(name, "id") }
		// such as doc_id, if pmid was typed
		if i := slices.IndexFunc(unknown.Names, id); i >= 0 && id(unknown.Name) && len(near) == 0 {
			near = unknown.Names[i : i+1]
		}
		all := unknown.Names
		if len(all) > maxFieldNames { // the name of an object stands for its members
			all = nil
			for _, name := range unknown.Names {
				all = append(all, strings.Split(name, ".")[0])
			}
			all = slices.Compact(all)
		}
		f := result.Invalid(fmt.Sprintf("--fields: %s; all: %s", err, strings.Join(all, ", ")),
			slices.Concat(in.Path(), []string{"--help"})...)
		if len(near) > 0 {
			f.Message += "; the nearest: " + strings.Join(near, ", ")
			names[slices.Index(names, unknown.Name)] = near[0]
			f.Try = in.LineWith("--fields", strings.Join(names, ","))
		}
		return f
	}
	return nil
}

// export writes the hits in the form for another program.
func (s *SearchOf[H]) export(in *command.Input, page *PageOf[H], res *result.Result) error {
	if page.Records != nil {
		body, err := result.JSON(page.Records)
		var list []json.RawMessage
		if err := errors.Join(err, json.Unmarshal(body, &list)); err != nil {
			return err // without touching the --output file
		}
		return Export(in, list, nil, res)
	}
	none := page.Template
	fill(reflect.ValueOf(&none).Elem(), templateDepth)
	list, err := members(append(slices.Clone(page.Hits), none), s.Members)
	if err != nil {
		return err
	}
	like := list[len(page.Hits)]
	if len(page.Hits) == 0 && s.Members == nil {
		like = addOptional(in, like, reflect.TypeFor[H]())
	}
	return ExportColumns(in, list[:len(page.Hits)], like, s.Rows.Fields, res)
}

// export writes the records in the form for another program. If the only requested section is a
// table, its rows are the records, each with the id of its record.
func (a *answer[R]) export(ctx context.Context, in *command.Input, res *result.Result) error {
	if !IsData(in) {
		return nil
	}
	if cited, err := a.exportCitations(ctx, in, res); cited || err != nil {
		return err
	}
	if sec, file := a.spec.tableOf(a.sections), in.String("output"); sec != nil && FileStyle(in) != "" {
		return result.Invalid("the section "+sec.Name+" is a table, which cannot be written as citations",
			in.LineWith("--output", strings.TrimSuffix(file, filepath.Ext(file))+".csv")...)
	}
	records, err := a.rows(a.found.Records)
	if a.found.Payload != nil {
		var whole json.RawMessage
		whole, err = result.JSON(a.found.Payload)
		records = []json.RawMessage{whole}
	}
	if err != nil {
		return err
	}
	if a.found.Payload != nil {
		return Export(in, records, nil, res)
	}
	like, err := a.template()
	if err != nil {
		return err
	}
	if sec := a.spec.tableOf(a.sections); sec != nil && sec.rowType != nil && len(records) == 0 {
		like = addOptional(in, like, sec.rowType)
	}
	if len(a.sections) > 0 {
		return Export(in, records, like, res)
	}
	return ExportColumns(in, records, like, a.spec.Rows.Fields, res)
}

// tableOf returns the only requested section if it is a table; otherwise nil.
func (s *SpecOf[R]) tableOf(sections Sections) *SectionOf[R] {
	for i := range s.Sections {
		if s.Sections[i].Table && sections.IsOnly(s.Sections[i].Name) {
			return &s.Sections[i]
		}
	}
	return nil
}

// rows returns the records for another program, or the rows of the only requested section if it is
// a table. It returns an error instead of no rows if the source did not answer.
func (a *answer[R]) rows(records []R) ([]json.RawMessage, error) {
	list, err := a.records(records)
	sec, rows := a.spec.tableOf(a.sections), []json.RawMessage{}
	if sec == nil || err != nil {
		return list, err
	}
	for i, r := range list {
		of, err := result.JSON(map[string]string{a.spec.Name: a.spec.ID(records[i])})
		if err != nil {
			return nil, err
		}
		names := []string{strings.ReplaceAll(sec.Name, "-", "_")}
		if sec.rowType == nil { // otherwise the additional members have rows of another type
			names = append(names, sec.Members...)
		}
		for _, name := range names {
			list := gjson.GetBytes(r, name)
			for _, row := range list.Array() {
				switch {
				case !list.IsArray() || !row.IsObject():
				case row.Get(a.spec.Name).Exists(): // the row already names its record
					rows = append(rows, json.RawMessage(row.Raw))
				default:
					rows = append(rows, slices.Concat(of[:len(of)-1], []byte(","), []byte(row.Raw[1:])))
				}
			}
		}
	}
	if l := a.loaded[sec.Name]; len(rows) == 0 && (l.State == result.Unavailable || l.Problem != nil) {
		why := cmp.Or(l.Problem, errors.New(sec.Source+" did not answer"))
		return nil, &result.Failure{Code: result.Upstream,
			Message: "no rows; it is unknown whether there are any: " + why.Error(), Try: result.Argv{"health"}}
	}
	return rows, nil
}

// table returns the records as one table.
func (a *answer[R]) table() result.Table {
	return result.Table{Columns: result.Columns(a.spec.Rows.Columns...),
		Rows: result.Map(a.found.Records, a.spec.Rows.Row), Main: true}
}
