// Package curated defines sections of genes, diseases and variants that answer from local tables of experts'
// judgements, without a request: validity and dosage (ClinGen, GenCC), and evidence (CIViC). Each answer names the
// tables, their dates and licences. If a table has no row for a subject, that is all that the answer claims.
package curated

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A Subject is a gene, disease or variant to find in the tables. Its rows meet Condition.
type Subject struct {
	Name      string // name in messages
	Condition table.Condition
	Notice    string // how the rows are found, if that may surprise
}

// GeneSubject returns the subject of a human gene: rows with its symbol, its HGNC id, which may be "", or one of its
// previous symbols according to the local table of HGNC, if there is one.
func GeneSubject(ctx context.Context, app *command.App, symbol, hgnc string) (*Subject, error) {
	others, err := previousSymbols(ctx, app, symbol)
	if err != nil {
		return nil, err
	}
	s := &Subject{Name: symbol}
	if len(others) > 0 {
		s.Notice = "rows with a previous symbol of " + symbol + " are included: " + strings.Join(others, ", ")
	}
	if hgnc != "" {
		others = append(others, hgnc)
	}
	s.Condition = table.Condition{
		Fields: []string{sets.Gene, sets.HGNCID}, Text: symbol, Alternatives: others, Exact: true,
	}
	return s, nil
}

// previousSymbols returns the previous symbols of a gene that no other gene has or had, from the local table of
// HGNC; nil if the table is absent.
func previousSymbols(ctx context.Context, app *command.App, symbol string) (previous []string, err error) {
	genes, err := local.FindByField(ctx, app, bulk.HGNC, sets.Symbol, []string{symbol})
	if table.IsAbsent(err) {
		return nil, nil
	}
	for _, r := range genes[symbol] {
		g, err := local.Read[sets.GeneNames](r)
		if err != nil {
			return nil, err
		}
		previous = g.Previous
	}
	if err != nil || len(previous) == 0 {
		return nil, err
	}
	approved, err := local.FindByField(ctx, app, bulk.HGNC, sets.Symbol, previous)
	if err != nil {
		return nil, err
	}
	holders, err := local.FindByField(ctx, app, bulk.HGNC, sets.PreviousSymbol, previous)
	return slices.DeleteFunc(previous, func(p string) bool { return approved[p] != nil || len(holders[p]) > 1 }), err
}

// A Finder returns the subject of a record.
type Finder[R any] = func(context.Context, *command.Input, *R) (*Subject, error)

// rowsOn returns the rows that find returns on the subject of a record.
func rowsOn[R, H any](subject Finder[R], find func(context.Context, *entity.LinkRequest, *Subject) (*entity.Answer[H], error),
) func(context.Context, *command.Input, *R) (*entity.Answer[H], error) {
	return entity.FromService(func(ctx context.Context, ask *entity.LinkRequest, r *R) (*entity.Answer[H], error) {
		s, err := subject(ctx, ask.Input, r)
		if err != nil {
			return nil, err
		}
		return find(ctx, ask, s)
	})
}

// answerOf returns the answer of a section from the rows of parts on a subject. noun names the rows in notices. It
// returns an error if all tables are absent.
func answerOf[H any](ctx context.Context, in *command.Input, s *Subject, noun string, offset, limit int,
	parts ...local.Part[H]) (*entity.Answer[H], error) {
	for i := range parts {
		parts[i].Query.Conditions = append(parts[i].Query.Conditions, s.Condition)
	}
	a, err := local.FindInSets(ctx, in, offset, limit, parts...)
	if err != nil {
		return nil, err
	}
	if a.Asked == 0 {
		return nil, &result.Failure{Code: result.NotFound, Message: strings.Join(a.Notices, "; "),
			Try: local.SyncCommand(parts[0].Set.Name)}
	}
	out := &entity.Answer[H]{Rows: a.Hits, Total: a.Total, Degraded: a.Total == nil, Notices: a.Notices,
		Local: true}
	if s.Notice != "" {
		out.Notices = append(out.Notices, s.Notice)
	}
	for _, e := range a.Empty {
		out.Notices = append(out.Notices, e+" has no row on "+noun+" for "+s.Name)
	}
	counts := fmt.Sprintf("rows on %s for %s: %s", noun, s.Name, strings.Join(a.Counts, "; "))
	for i, p := range parts {
		if a.Sections[i].Outcome != result.Unavailable {
			counts += "; " + p.Set.Licence.String()
		}
	}
	out.Notices = append(out.Notices, counts)
	if len(parts) > 1 {
		out.Parts = a.Sections
	}
	return out, nil
}
