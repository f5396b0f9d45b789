package disease

import (
	"biomcp/cli/entity"
	"biomcp/cli/entity/related"
	"biomcp/entrez/ctgov"
)

// elsewhere is what sources that are about no disease in particular say of one.
type elsewhere struct {
	Trials      entity.Part[[]related.Trial] `json:"trials,omitzero"`
	TrialsTotal entity.Part[*int]            `json:"trials_total,omitzero"`
}

func others() []entity.Section[Disease] {
	return []entity.Section[Disease]{
		related.Trials(entity.Linked[Disease, related.Trial]{
			ID: func(d *Disease) string { return d.CUI }, Rows: func(d *Disease) *entity.Part[[]related.Trial] { return &d.Trials }, Total: func(d *Disease) *entity.Part[*int] { return &d.TrialsTotal },
		}, func(d *Disease) (ctgov.Query, string) { return ctgov.Query{Condition: ctgov.Words(d.Name)}, "" }),
	}
}
