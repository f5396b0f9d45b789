package study

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/export"
	"biomcp/cli/result"
)

// tabular is an answer with a table for another program. exportRows returns its rows, a slice of structs.
type tabular interface{ exportRows() any }

func (a studies) exportRows() any             { return a.Studies }
func (a overview) exportRows() any            { return a.Attributes }
func (a topGenes) exportRows() any            { return a.Rows }
func (a *everyGene) exportRows() any          { return a.Rows }
func (a *everything) exportRows() any         { return a.Rows }
func (a *coexpression) exportRows() any       { return a.Rows }
func (a *topAlteredAnswer) exportRows() any   { return a.Rows }
func (a *coexpressionPair) exportRows() any   { return a.Groups }
func (a *contingency) exportRows() any        { return a.Groups }
func (a *numericComparison) exportRows() any  { return a.Groups }
func (a *coOccurrenceAnswer) exportRows() any { return a.Pairs }
func (a *survivalAnswer) exportRows() any     { return a.Groups }
func (a cohortSplit) exportRows() any         { return []cohortSplit{a} }

func (a *answerOf[T]) exportRows() any {
	if a.Result != nil {
		return []T{*a.Result}
	}
	return a.Results
}

// A matchedSample is a row of the table of study filter.
type matchedSample struct {
	ID string `json:"sample_id"`
}

func (a filterAnswer) exportRows() any {
	return result.Map(a.Samples, func(id string) matchedSample { return matchedSample{id} })
}

// isTable reports whether the table of the answer is for another program.
func isTable(in *command.Input) bool {
	output := in.Changed("output") && slices.Contains(export.Extensions(), "."+export.Form(in.String("output")))
	return output || slices.ContainsFunc([]string{export.CSV, export.TSV, export.JSONL}, in.IsSet)
}

// limitOf returns --limit. In a table for another program it may be up to [entity.MaxRows], and is so by
// default.
func limitOf(in *command.Input) (limit int, lowered string, err error) {
	switch {
	case !isTable(in):
		return in.Limit()
	case in.Given("limit"):
		return in.LimitUpTo(entity.MaxRows)
	}
	return entity.DefaultRows(in), "", nil
}

// withTable adds the data formats to a command whose answers are tabular.
func withTable(c *command.Command) *command.Command {
	own, run, check := c.Flags, c.Run, c.Check
	c.Examples = command.WithBulk(c.Examples, c.Examples[0].Line+" --csv", "the table for a spreadsheet")
	c.Flags = func(f *command.Flags) {
		if own != nil {
			own(f)
		}
		if f.Has("output") {
			entity.TableFlags(f)
		} else {
			entity.ValueFlags(f, entity.TableRows)
		}
	}
	c.Check = func(in *command.Input) error {
		if check != nil {
			if err := check(in); err != nil {
				return err
			}
		}
		return checkTable(in)
	}
	c.Run = func(ctx context.Context, in *command.Input) (*result.Result, error) {
		if err := checkTable(in); err != nil {
			return nil, err
		}
		r, err := run(ctx, in)
		if err == nil && isTable(in) {
			err = writeTable(in, r)
		}
		return r, err
	}
	return c
}

// checkTable returns an error for more than one form of the answer.
func checkTable(in *command.Input) error {
	if !isTable(in) {
		if in.Changed("fields") {
			try := in.LineWith("--csv", "true")
			if in.Bool("json") { // it cannot be used with --csv
				try = in.LineWith("--fields", "")
			}
			return result.Invalid("--fields requires --csv, --tsv, --jsonl or --output with such a file",
				try...)
		}
		return nil
	}
	return entity.CheckForms(in)
}

// writeTable writes the table of an answer in the requested format.
func writeTable(in *command.Input, r *result.Result) error {
	if matrix, is := r.Payload.(interface{ exportTable() table }); is {
		records, template, err := matrix.exportTable().records()
		if err != nil {
			return err
		}
		return entity.Export(in, records, template, r)
	}
	answer, is := r.Payload.(tabular)
	if !is {
		pairs := []string{"--fields", "", "--output", ""}
		for _, form := range []string{export.CSV, export.TSV, export.JSONL} {
			pairs = append(pairs, "--"+form, "")
		}
		return result.Invalid("this answer is not a table; --json has it", in.LineWith(append(pairs, "--json", "true")...)...)
	}
	rows := reflect.ValueOf(answer.exportRows())
	template, err := entity.TemplateOf(rows.Type().Elem())
	if err != nil {
		return err
	}
	records := make([]json.RawMessage, rows.Len())
	for i := range records {
		if records[i], err = result.JSON(rows.Index(i).Interface()); err != nil {
			return err
		}
	}
	return entity.Export(in, records, template, r)
}
