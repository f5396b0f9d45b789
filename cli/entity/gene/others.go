package gene

import (
	"context"
	"errors"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/related"
	"biomcp/cli/result"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/polite"
	"biomcp/entrez/reactome"
)

// elsewhere is what sources outside NCBI's databases of genes say of one.
type elsewhere struct {
	Trials        entity.Part[[]related.Trial]    `json:"trials,omitzero"`
	TrialsTotal   entity.Part[*int]               `json:"trials_total,omitzero"`
	Drugs         entity.Part[[]related.Drug]     `json:"drugs,omitzero"`
	DrugsTotal    entity.Part[*int]               `json:"drugs_total,omitzero"`
	Pathways      entity.Part[[]reactome.Pathway] `json:"pathways,omitzero"`
	PathwaysTotal entity.Part[*int]               `json:"pathways_total,omitzero"`
	PGx           entity.Part[[]cpic.Pair]        `json:"pgx,omitzero"`
	PGxTotal      entity.Part[*int]               `json:"pgx_total,omitzero"`
}

func others() []entity.Section[Gene] {
	return []entity.Section[Gene]{
		related.Trials(entity.Linked[Gene, related.Trial]{
			ID: symbolOf, Rows: func(g *Gene) *entity.Part[[]related.Trial] { return &g.Trials }, Total: func(g *Gene) *entity.Part[*int] { return &g.TrialsTotal },
		}, func(g *Gene) (ctgov.Query, string) { return ctgov.Query{Term: ctgov.Molecular(g.Symbol)}, "" }),
		related.Drugs(entity.Linked[Gene, related.Drug]{
			ID: symbolOf, Rows: func(g *Gene) *entity.Part[[]related.Drug] { return &g.Drugs }, Total: func(g *Gene) *entity.Part[*int] { return &g.DrugsTotal },
		}, "negative_correlate", "to lessen", func(_ context.Context, _ *polite.Client, g *Gene) (string, error) { return "@GENE_" + g.Symbol, nil }),
		entity.Linked[Gene, reactome.Pathway]{
			Name: "pathways", Label: "Pathways", Short: "pathways that its protein takes part in", Source: "Reactome", ID: symbolOf,
			Rows: func(g *Gene) *entity.Part[[]reactome.Pathway] { return &g.Pathways }, Total: func(g *Gene) *entity.Part[*int] { return &g.PathwaysTotal },
			Find: findPathways, Columns: []string{"Id", "Pathway", "In disease"},
			Row: func(p *reactome.Pathway) []string {
				return []string{p.ID, p.Name, map[bool]string{true: "yes", false: "no"}[p.InDisease]}
			},
		}.Section(),
		related.PGx(entity.Linked[Gene, cpic.Pair]{
			ID: symbolOf, Rows: func(g *Gene) *entity.Part[[]cpic.Pair] { return &g.PGx }, Total: func(g *Gene) *entity.Part[*int] { return &g.PGxTotal },
		}, cpic.OfGene, symbolOf),
	}
}

// findPathways asks by the protein in Swiss-Prot, of which a gene seldom has several:
// the first is asked for.
func findPathways(ctx context.Context, in *command.Input, g *Gene) (*entity.Answer[reactome.Pathway], error) {
	if g.report == nil {
		return nil, errors.New("NCBI Datasets did not answer about the gene")
	}
	if len(g.UniProt) == 0 {
		return &entity.Answer[reactome.Pathway]{State: result.Inapplicable, Notices: []string{g.Symbol + " has no protein in Swiss-Prot, by which Reactome is asked"}}, nil
	}
	limit, _, err := in.Limit()
	if err != nil {
		return nil, err
	}
	network, err := in.App.Network()
	if err != nil {
		return nil, err
	}
	all, err := reactome.Pathways(ctx, network, g.UniProt[0])
	if err != nil {
		return nil, err
	}
	return &entity.Answer[reactome.Pathway]{Rows: all[:min(limit, len(all))], Total: new(len(all))}, nil
}
