package entity

import (
	"encoding/csv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// textAnswer is an answer whose text is for another program. Its JSON is that
// of the answer.
type textAnswer struct {
	result.Payload
	text string
}

func (a textAnswer) Doc() result.Doc { return result.Doc{result.Verbatim{Text: a.text}} }

// MarshalJSON is the answer's.
func (a textAnswer) MarshalJSON() ([]byte, error) { return result.JSON(a.Payload) }

// checkForm refuses more than one form of an answer.
func (s *SearchSpec[H]) checkForm(in *command.Input) error {
	forms := append([]string{"json"}, s.Forms...)
	if s.Columns != nil {
		forms = append(forms, "csv", "tsv")
	}
	var given []string
	for _, f := range forms {
		if in.Bool(f) {
			given = append(given, "--"+f)
		}
	}
	if len(given) > 1 {
		return result.Invalid("an answer has one form: give one of "+strings.Join(given, ", "), in.Again(given[1], "")...)
	}
	return nil
}

// asValues makes the text of an answer its main table as --csv or --tsv, where
// one was asked for: a line of column names, then the rows.
func asValues(in *command.Input, columns []string, res *result.Result) error {
	if !in.Bool("csv") && !in.Bool("tsv") {
		return nil
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	if in.Bool("tsv") {
		w.Comma = '\t'
	}
	var names []string
	for _, c := range result.Columns(columns...) {
		names = append(names, c.Name)
	}
	rows := [][]string{names}
	for _, b := range res.Payload.Doc() {
		if t, ok := b.(result.Table); ok && t.Main {
			rows = append(rows, t.Rows...)
		}
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	res.Payload = textAnswer{res.Payload, text.String()}
	return nil
}
