package gene

import (
	"biomcp/cli/entity"
	"biomcp/cli/entity/related"
	"biomcp/entrez/ctgov"
)

// elsewhere is what sources outside NCBI's databases of genes say of one.
type elsewhere struct {
	Trials      entity.Part[[]related.Trial] `json:"trials,omitzero"`
	TrialsTotal entity.Part[*int]            `json:"trials_total,omitzero"`
}

func others() []entity.Section[Gene] {
	return []entity.Section[Gene]{
		related.Trials(entity.Linked[Gene, related.Trial]{
			ID: symbolOf, Rows: func(g *Gene) *entity.Part[[]related.Trial] { return &g.Trials }, Total: func(g *Gene) *entity.Part[*int] { return &g.TrialsTotal },
		}, func(g *Gene) (ctgov.Query, string) { return ctgov.Query{Term: ctgov.Molecular(g.Symbol)}, "" }),
	}
}
