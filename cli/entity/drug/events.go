package drug

import (
	"context"
	"fmt"

	"biomcp/cli/entity"
	"biomcp/entrez/openfda"
)

// events is the section of the reactions that most reports to FDA name: two requests.
func events() entity.Section[drug] {
	return entity.Linked[drug, openfda.Reaction]{
		Name: "adverse-events", Also: []string{"side-effects", "reactions", "faers", "safety", "adverse", "events"}, Label: "Adverse events", Short: "reactions that most reports to FDA name", Source: "openFDA", Members: []string{"reports_total"}, Bounded: true,
		Columns: []string{"Reaction", ">Reports"}, Row: func(r *openfda.Reaction) []string { return []string{r.Term, fmt.Sprint(r.Reports)} },
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, d *drug) (*entity.Answer[openfda.Reaction], error) {
			d.Reports.Asked = true
			got, err := openfda.Events(ctx, ask.Network, d.text(), ask.Through())
			if err != nil {
				return nil, err
			}
			d.Reports.Value = &got.Total
			from, to := ask.Window(len(got.Reactions))
			out := &entity.Answer[openfda.Reaction]{Rows: got.Reactions[from:to]}
			if got.Total > 0 {
				out.Notices = []string{fmt.Sprintf("%d reports to FDA name %s (openFDA, as of %s): they are reports, not patients; nobody knows how many took it, and a report does not say that it was the cause", got.Total, d.Name, got.AsOf)}
			}
			return out, nil
		}),
	}.Section()
}
