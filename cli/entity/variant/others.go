package variant

import (
	"biomcp/cli/entity"
	"biomcp/cli/entity/related"
	"biomcp/entrez/ctgov"
)

// elsewhere is what sources that are about no variant in particular say of one.
type elsewhere struct {
	Trials      entity.Part[[]related.Trial] `json:"trials,omitzero"`
	TrialsTotal entity.Part[*int]            `json:"trials_total,omitzero"`
}

func others() []entity.Section[Variant] {
	return []entity.Section[Variant]{
		related.Trials(entity.Linked[Variant, related.Trial]{
			ID: idOf, Rows: func(v *Variant) *entity.Part[[]related.Trial] { return &v.Trials }, Total: func(v *Variant) *entity.Part[*int] { return &v.TrialsTotal },
		}, trials),
	}
}

// trials asks for the gene and for the change of its protein as trials write it,
// V600E.
func trials(v *Variant) (q ctgov.Query, notice string) {
	m := titleForm().FindStringSubmatch(v.Title)
	if m == nil || v.Gene == "" {
		return q, "trials are searched by gene and change of the protein, which are not known of " + v.ID
	}
	_, short, ok := protein(m[3])
	if !ok {
		return q, v.ID + " has no change of a protein, by which trials name variants"
	}
	return ctgov.Query{Term: ctgov.Both(ctgov.Molecular(v.Gene), ctgov.Molecular(short))}, ""
}
