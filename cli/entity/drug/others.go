package drug

import (
	"biomcp/cli/entity"
	"biomcp/cli/entity/related"
	"biomcp/entrez/ctgov"
)

// elsewhere is what sources that are about no drug in particular say of one.
type elsewhere struct {
	Trials      entity.Part[[]related.Trial] `json:"trials,omitzero"`
	TrialsTotal entity.Part[*int]            `json:"trials_total,omitzero"`
}

func nameOf(d *drug) string { return d.Name }

func others() []entity.Section[drug] {
	return []entity.Section[drug]{
		related.Trials(entity.Linked[drug, related.Trial]{
			ID: nameOf, Rows: func(d *drug) *entity.Part[[]related.Trial] { return &d.Trials }, Total: func(d *drug) *entity.Part[*int] { return &d.TrialsTotal },
		}, func(d *drug) (ctgov.Query, string) { return ctgov.Query{Intervention: ctgov.Words(d.Name)}, "" }),
	}
}
