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
	f := result.Fields{{Name: "NCT number", Value: t.NCTID}, {Name: "Former numbers", Value: strings.Join(t.Former, ", ")}, {Name: "Status", Value: t.Status}}
	if isWhole(asked) {
		var treatments []string
		for _, v := range t.Interventions {
			treatments = append(treatments, v.Name+" ("+strings.ToLower(strings.ReplaceAll(v.Type, "_", " "))+")")
		}
		e := t.Eligibility
		count := fmt.Sprintf("%d include, %d exclude", len(e.Inclusion), len(e.Exclusion))
		if len(e.Other) > 0 {
			count += fmt.Sprintf(", %d not divided", len(e.Other))
		}
		f = append(f, result.Fields{
			{Name: "Why stopped", Value: entity.Text(t.WhyStopped)}, {Name: "Phase", Value: strings.Join(t.Phases, "/")}, {Name: "Type", Value: entity.Text(t.StudyType)},
			{Name: "Conditions", Value: entity.EtAl(t.Conditions, 8)}, {Name: "Interventions", Value: entity.EtAl(treatments, 8)}, {Name: "Sponsor", Value: entity.Text(t.Sponsor)},
			{Name: "People", Value: entity.Number(t.Enrollment)}, {Name: "Dates", Value: cmp.Or(entity.Text(t.Start), "?") + " to " + cmp.Or(entity.Text(t.Completion), "?")},
			{Name: "Ages", Value: e.ages()}, {Name: "Sex", Value: entity.Text(e.Sex)}, {Name: "Criteria", Value: count + ": section eligibility"},
			{Name: "Results", Value: map[bool]string{true: "posted: section results", false: "none posted"}[t.HasResults]},
		}...)
	}
	updated := "record of " + cmp.Or(entity.Text(t.LastUpdate), "?")
	if t.AsOf != nil {
		updated += ", registry of " + *t.AsOf
	}
	doc := result.Doc{result.Heading{Level: 1, Text: t.Title}, append(f, result.Fields{{Name: "Updated", Value: updated}, {Name: "Link", Value: t.URL}}...)}
	if isWhole(asked) && t.Summary != "" {
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
