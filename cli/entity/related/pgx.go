package related

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez/cpic"
	"biomcp/entrez/polite"
)

// PGx is the section of the gene-drug pairs of CPIC, of the highest level first: one
// request. Of l, ID, Rows and Total are read.
func PGx[R any](l entity.Linked[R, cpic.Pair], find func(ctx context.Context, network *polite.Client, name string) ([]cpic.Pair, error), name func(*R) string) entity.Section[R] {
	l.Name, l.Label, l.Short, l.Source = "pgx", "Pharmacogenetics", "gene-drug pairs, A to D by what a test should change", "CPIC"
	l.Columns = []string{"Gene", "Drug", "CPIC level", "Label", "Guideline"}
	l.Row = func(p *cpic.Pair) []string {
		level := p.Level
		if p.Provisional {
			level += " (provisional)"
		}
		return []string{p.Gene, p.Drug, level, text(p.Testing), text(p.Guideline)}
	}
	l.Find = func(ctx context.Context, in *command.Input, r *R) (*entity.Answer[cpic.Pair], error) {
		limit, _, err := in.Limit()
		if err != nil {
			return nil, err
		}
		network, err := in.App.Network()
		if err != nil {
			return nil, err
		}
		all, err := find(ctx, network, name(r))
		if err != nil {
			return nil, err
		}
		return &entity.Answer[cpic.Pair]{Rows: all[:min(limit, len(all))], Total: new(len(all))}, nil
	}
	return l.Section()
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
