package study

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// survivalPatients holds the analyzed patients of study survival with their groups and adjustments.
type survivalPatients struct {
	*study.Cohort
	division   *division
	covariates []study.Covariate
	strata     *study.Grouping // nil without --strata
	strataID   string          // attribute of --strata
}

// readPatients divides the patients with follow-up into groups and joins the adjustments.
func readPatients(
	in *command.Input, s *study.Study, r *result.Result, f *study.FollowUp,
) (p survivalPatients, err error) {
	d, err := divide(in, s, r)
	if err != nil {
		return p, err
	}
	if d.mutations == nil {
		if err := in.RejectUnused("requires --by mutation", "include-silent"); err != nil {
			return p, err
		}
	}
	cov, strata, err := adjustments(in, s, r)
	if err != nil {
		return p, err
	}
	join := func() *study.Cohort { return study.Join(f, d.groups, cov, strata) }
	c := join()
	if err := d.cutGroups(in, c, r, join); err != nil {
		return p, err
	}
	if err := d.setReference(in); err != nil {
		return p, err
	}
	if in.Bool("trend") && !d.ordered {
		return p, result.Invalid("--trend requires groups that have an order: use --quantiles or --cut",
			in.LineWith("--trend", "")...)
	}
	return survivalPatients{c, d, cov, strata, strings.TrimSpace(in.String("strata"))}, nil
}

// adjusted names the attributes without whose values a patient is excluded, to follow the basis of the analysis. It
// returns "" without --adjust and --strata.
func (p *survivalPatients) adjusted() string {
	ids := result.Map(p.covariates, func(c study.Covariate) string { return c.Attribute.ID })
	if p.strata != nil {
		ids = append(ids, p.strataID)
	}
	if len(ids) == 0 {
		return ""
	}
	return "; with values of " + english.OxfordWordSeries(ids, "and")
}

// adjustments returns the covariates of --adjust and the strata of --strata.
func adjustments(
	in *command.Input, s *study.Study, r *result.Result,
) (cov []study.Covariate, strata *study.Grouping, err error) {
	for _, id := range words(in.String("adjust")) {
		a, err := attributeOf(in, s, "adjust", id)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.Covariate(a)
		if err != nil {
			return nil, nil, err
		}
		if len(c.Names) > 21 {
			message := fmt.Sprintf("%s has %d categories: too many to adjust for", a.ID, len(c.Names))
			return nil, nil, result.Invalid(message, "study", "summary", "--study", s.ID)
		}
		noteNumbers(r, a.ID, c.Source)
		cov = append(cov, c)
	}
	if id := strings.TrimSpace(in.String("strata")); id != "" {
		a, err := attributeOf(in, s, "strata", id)
		if err != nil {
			return nil, nil, err
		}
		g, err := s.GroupByAttribute(a)
		if err != nil {
			return nil, nil, err
		}
		strata = &g
	}
	return cov, strata, nil
}

// displayNames returns the display names of the covariates and of the attribute of the strata, by ID.
func displayNames(s *study.Study, cov []study.Covariate, strata string) map[string]string {
	names := map[string]string{}
	for _, v := range cov {
		names[v.Attribute.ID] = v.Attribute.Name
	}
	if v, err := s.Attribute(strata); err == nil {
		names[v.ID] = v.Name
	}
	return names
}
