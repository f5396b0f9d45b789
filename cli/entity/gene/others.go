package gene

import (
	"context"

	"biomcp/cli/entity"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/related"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/polite"
	"biomcp/entrez/reactome"
)

// others are the sections of sources outside NCBI's databases of genes.
func others() []entity.Section[Gene] {
	return []entity.Section[Gene]{
		diagnostic.Section(symbolOf, func(g *Gene) diagnostic.Wanted { return diagnostic.OfGene(g.Symbol) }),
		related.Trials(func(g *Gene) (ctgov.Query, string) {
			return ctgov.Query{Term: ctgov.Molecular(g.Symbol)}, ctgov.Ambiguous(g.Symbol)
		}),
		related.Drugs(symbolOf, "negative_correlate", "to lessen",
			func(_ context.Context, _ *polite.Client, g *Gene) (string, error) { return "@GENE_" + g.Symbol, nil }),
		entity.Linked[Gene, reactome.Pathway]{
			Name: "pathways", Also: []string{"reactome", "kegg"}, Label: "Pathways", Short: "pathways that its protein takes part in", Source: "Reactome", Counted: true,
			Find: entity.Asking(findPathways), Columns: []string{"Id", "Pathway", "In disease"},
			Row: func(p *reactome.Pathway) []string {
				return []string{p.ID, p.Name, map[bool]string{true: "yes", false: "no"}[p.InDisease]}
			},
		}.Section(),
		related.PGx(symbolOf, cpic.OfGene),
	}
}

// findPathways asks by the protein in Swiss-Prot, of which a gene seldom has several:
// the first is asked for.
func findPathways(ctx context.Context, ask *entity.Ask, g *Gene) (*entity.Answer[reactome.Pathway], error) {
	if g.report == nil {
		return nil, errUnreported
	}
	if len(g.UniProt) == 0 {
		return nil, entity.Inapplicable(g.Symbol + " has no protein in Swiss-Prot, by which Reactome is asked")
	}
	all, err := reactome.Pathways(ctx, ask.Network, g.UniProt[0])
	return entity.First(ask, all), err
}
