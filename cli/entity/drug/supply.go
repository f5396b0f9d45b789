package drug

import (
	"cmp"
	"context"
	"fmt"

	"biomcp/cli/entity"
	"biomcp/entrez/openfda"
)

// shortages returns the section of FDA's notices of shortage. It makes one request.
func shortages() entity.Section[Drug] {
	return entity.RelatedSection[Drug, openfda.Shortage]{
		Name: "shortages", Synonyms: []string{"shortage", "supply", "availability", "discontinued"},
		Label: "Shortages", Short: "notices of shortage to FDA", Source: "openFDA",
		Counted: true,
		Columns: []string{"Product", "Company", "Presentation", "Status", "Availability", "Reason", "Updated", "Match"},
		Row: func(s *openfda.Shortage) []string {
			status := s.Status
			if s.Discontinued != "" {
				status += " (discontinued " + s.Discontinued + ")"
			}
			presentation := s.Presentation
			if n := len(s.Packages); n > 1 {
				presentation += fmt.Sprintf(" (%d packages)", n)
			}
			return []string{
				cmp.Or(s.Brand, s.Generic), s.Company, presentation, status,
				s.Availability, s.Reason, s.Updated, string(s.Match),
			}
		},
		Find: entity.FromService(func(
			ctx context.Context, ask *entity.LinkRequest, d *Drug,
		) (*entity.Answer[openfda.Shortage], error) {
			found, err := openfda.Shortages(ctx, ask.Network, d.names())
			if err != nil {
				return nil, err
			}
			out := entity.FromList(ask, found.Items)
			out.Notices = []string{supplyNotice(found, "packages in notices of shortage", d) +
				"; a row is a presentation of a company, which may be available again: see status"}
			if found.Read < found.Total {
				out.Total, out.Degraded = nil, true
				out.Notices = append(out.Notices, fmt.Sprintf("only %d of them were read", found.Read))
			}
			return out, nil
		}),
	}.Section()
}

// recalls returns the section of FDA's enforcement reports. It makes one request.
func recalls() entity.Section[Drug] {
	return entity.RelatedSection[Drug, openfda.Recall]{
		Name: "recalls", Synonyms: []string{"recall", "recalled", "enforcement", "withdrawn"},
		Label: "Recalls", Short: "recalled products, the newest first", Source: "openFDA",
		Counted: true,
		Columns: []string{"Recall", "Class", "Status", "Firm", "Reason", "Product", "Started", "Reported", "Match"},
		Row: func(r *openfda.Recall) []string {
			return []string{
				r.Number, r.Class, r.Status, r.Firm, r.Reason, r.Product, r.Initiated, r.Reported, string(r.Match),
			}
		},
		Find: entity.FromService(func(
			ctx context.Context, ask *entity.LinkRequest, d *Drug,
		) (*entity.Answer[openfda.Recall], error) {
			found, err := openfda.Recalls(ctx, ask.Network, d.names(), ask.RowsToRequest())
			if err != nil {
				return nil, err
			}
			return &entity.Answer[openfda.Recall]{
				Rows: entity.Window(found.Items, ask.Offset, ask.Limit), Total: &found.Total,
				Notices: []string{supplyNotice(found, "recalled products", d)},
			}, nil
		}),
	}.Section()
}

// supplyNotice tells how many records there are, how the rows match, and whose data they are.
func supplyNotice[T any](found *openfda.Supply[T], noun string, d *Drug) string {
	if found.Total == 0 {
		return fmt.Sprintf("openFDA has no %s that name %s or describe it so; it lists only products reported to FDA. %s",
			noun, d.Name, openfda.Disclaimer)
	}
	return fmt.Sprintf("openFDA, as of %s, has %d %s that name %s (match openfda: FDA identified the product; name: its "+
		"description begins with %[4]s; mention: the text contains the name, and the product may be another). %s",
		found.AsOf, found.Total, noun, d.Name, openfda.Disclaimer)
}
