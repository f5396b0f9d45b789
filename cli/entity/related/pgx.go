package related

import (
	"context"

	"biomcp/cli/entity"
	"biomcp/entrez/cpic"
	"biomcp/entrez/polite"
)

// PGx is the section of the gene-drug pairs of CPIC, of the highest level first: one
// request. Find asks by the record's id.
func PGx[R any](id func(*R) string, find func(ctx context.Context, network *polite.Client, id string) ([]cpic.Pair, error)) entity.Section[R] {
	return entity.Linked[R, cpic.Pair]{
		Name: "pgx", Also: []string{"pharmacogenetics", "pharmacogenomics", "cpic"}, Label: "Pharmacogenetics", Short: "gene-drug pairs, A to D by what a test should change", Source: "CPIC", Counted: true,
		Columns: []string{"Gene", "Drug", "CPIC level", "Label", "Guideline"},
		Row: func(p *cpic.Pair) []string {
			level := p.Level
			if p.Provisional {
				level += " (provisional)"
			}
			return []string{p.Gene, p.Drug, level, entity.Text(p.Testing), entity.Text(p.Guideline)}
		},
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[cpic.Pair], error) {
			pairs, err := find(ctx, ask.Network, id(r))
			return entity.First(ask, pairs), err
		}),
	}.Section()
}
