// Package related has the sections that several entities have: trials, drugs and
// pharmacogenetics. An entity adds its rows, and what to ask for.
package related

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
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
// Query answers with a notice instead where a record cannot be asked for. Of l, ID,
// Rows and Total are read.
func Trials[R any](l entity.Linked[R, Trial], query func(*R) (q ctgov.Query, notice string)) entity.Section[R] {
	l.Name, l.Label, l.Short, l.Source = "trials", "Trials", "trials of it, updated last", "ClinicalTrials.gov"
	l.Columns, l.Row = []string{"NCT", "Title", "Status"}, func(t *Trial) []string { return []string{t.NCTID, t.Title, t.Status} }
	l.Find = func(ctx context.Context, in *command.Input, r *R) (*entity.Answer[Trial], error) {
		q, notice := query(r)
		if notice != "" {
			return &entity.Answer[Trial]{State: result.Inapplicable, Notices: []string{notice}}, nil
		}
		limit, _, err := in.Limit()
		if err != nil {
			return nil, err
		}
		network, err := in.App.Network()
		if err != nil {
			return nil, err
		}
		q.Sort, q.Fields = "LastUpdatePostDate:desc", []string{"NCTId", "BriefTitle", "OverallStatus"}
		page, err := ctgov.New(network).Search(ctx, q, "", limit)
		if err != nil {
			return nil, err
		}
		out := &entity.Answer[Trial]{Total: page.Total}
		for _, s := range page.Studies {
			p := s.Get("protocolSection")
			out.Rows = append(out.Rows, Trial{s.ID(), p.Get("identificationModule.briefTitle").String(), p.Get("statusModule.overallStatus").String(), "https://clinicaltrials.gov/study/" + s.ID()})
		}
		return out, nil
	}
	return l.Section()
}
