package trial

import (
	"cmp"
	"fmt"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// card is the head of a record and, where no section is asked for, what fits one
// screen: a long summary is cut, and the criteria are counted.
func card(t *trial, asked entity.Asked) result.Doc {
	f := result.Fields{{Name: "NCT number", Value: t.NCTID}, {Name: "Former numbers", Value: strings.Join(t.Former, ", ")}}
	if !isWhole(asked) { // which it is, for the sections that follow
		return result.Doc{result.Heading{Level: 1, Text: t.Title}, f}
	}
	var treatments []string
	for _, v := range t.Interventions {
		treatments = append(treatments, v.Name+" ("+strings.ToLower(strings.ReplaceAll(v.Type, "_", " "))+")")
	}
	e := t.Eligibility
	eligible := fmt.Sprintf("%s, sex %s; criteria: %d include, %d exclude", e.ages(), cmp.Or(entity.Text(e.Sex), "?"), len(e.Inclusion), len(e.Exclusion))
	if len(e.Other) > 0 {
		eligible += fmt.Sprintf(", %d not divided", len(e.Other))
	}
	updated := "record of " + cmp.Or(entity.Text(t.LastUpdate), "?")
	if t.AsOf != nil {
		updated += ", registry of " + *t.AsOf
	}
	f = append(f, result.Fields{
		{Name: "Status", Value: t.Status}, {Name: "Why stopped", Value: entity.Text(t.WhyStopped)}, {Name: "Phase", Value: strings.Join(t.Phases, "/")}, {Name: "Type", Value: entity.Text(t.StudyType)},
		{Name: "Conditions", Value: entity.EtAl(t.Conditions, 8)}, {Name: "Interventions", Value: entity.EtAl(treatments, 8)}, {Name: "Sponsor", Value: entity.Text(t.Sponsor)},
		{Name: "People", Value: entity.Number(t.Enrollment)}, {Name: "Dates", Value: cmp.Or(entity.Text(t.Start), "?") + " to " + cmp.Or(entity.Text(t.Completion), "?")},
		{Name: "Eligible", Value: eligible + ": section eligibility"},
		{Name: "Results", Value: map[bool]string{true: "posted: section results", false: "none posted"}[t.HasResults]},
		{Name: "Updated", Value: updated}, {Name: "Link", Value: t.URL},
	}...)
	doc := result.Doc{result.Heading{Level: 1, Text: t.Title}, f}
	if t.Summary != "" {
		doc = append(doc, result.Heading{Level: 2, Text: "Summary"}, result.Para{Text: entity.Cut(t.Summary, 600)})
	}
	return doc
}

func (e eligibility) ages() string {
	if e.MinimumAge == nil && e.MaximumAge == nil {
		return "no limits"
	}
	return cmp.Or(entity.Text(e.MinimumAge), "no limit") + " to " + cmp.Or(entity.Text(e.MaximumAge), "no limit")
}
