package related

import (
	"context"

	"biomcp/cli/entity"
	"biomcp/entrez/ctgov"
)

// Trial is a clinical trial that has to do with a record.
type Trial struct {
	NCTID  string `json:"nct_id"`
	Title  string `json:"title"`
	Status string `json:"status"`
	URL    string `json:"url"`
}

// Trials is the section of the trials that a query finds, updated last: one request.
// Query answers with a notice, and with no term, condition or intervention where a
// record cannot be asked for.
func Trials[R any](query func(*R) (q ctgov.Query, notice string)) entity.Section[R] {
	return entity.Linked[R, Trial]{
		Name: "trials", Also: []string{"clinical-trials", "studies"}, Label: "Trials", Short: "trials of it, updated last", Source: "ClinicalTrials.gov", Counted: true,
		Columns: []string{"NCT", "Title", "Status"}, Row: func(t *Trial) []string { return []string{t.NCTID, t.Title, t.Status} },
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Trial], error) {
			q, notice := query(r)
			if q.Term+q.Condition+q.Intervention == "" {
				return nil, entity.Inapplicable(notice)
			}
			q.Sort, q.Fields = "LastUpdatePostDate:desc", []string{"NCTId", "BriefTitle", "OverallStatus"}
			page, err := ctgov.Search(ctx, ask.Network, q, "", ask.Through())
			if err != nil {
				return nil, err
			}
			out := &entity.Answer[Trial]{Total: page.Total}
			if notice != "" {
				out.Notices = []string{notice}
			}
			from, to := ask.Window(len(page.Studies))
			for _, s := range page.Studies[from:to] {
				out.Rows = append(out.Rows, Trial{s.ID(), s.Title(), s.Status(), s.URL()})
			}
			return out, nil
		}),
	}.Section()
}
