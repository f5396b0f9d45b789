package study

import (
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// exportTable returns the matrix for another program: a cell without an alteration is "none", one that was
// not profiled is empty.
func (a *oncoAnswer) exportTable() table {
	t := table{names: []string{"patient_id"}}
	if a.Unit == "samples" {
		t.names = []string{"sample_id", "patient_id"}
	}
	if a.SampleGroups != nil {
		t.names = append(t.names, "group")
	}
	t.names = append(t.names, a.clinical...)
	for _, track := range a.Tracks {
		name := track.Name
		for slices.Contains(t.names, name) {
			name = track.Query
			if slices.Contains(t.names, name) {
				name += " again"
			}
		}
		t.names = append(t.names, name)
	}
	for _, r := range a.Rows {
		row := []any{r.Patient}
		if a.Unit == "samples" {
			row = []any{r.Sample, r.Patient}
		}
		if a.SampleGroups != nil {
			row = append(row, r.Group)
		}
		row = append(row, r.Clinical...)
		for _, cell := range r.Cells {
			switch {
			case cell == nil:
				row = append(row, nil)
			case *cell == "":
				row = append(row, "none")
			default:
				row = append(row, *cell)
			}
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// writeRows writes the matrix to the file of --rows.
func (a *oncoAnswer) writeRows(in *command.Input, r *result.Result) error {
	if !wantsRows(in) {
		return nil
	}
	return a.exportTable().write(in, r, "rows")
}

func (a *oncoAnswer) Doc() result.Doc {
	columns := []string{"Track", ">Altered", ">Profiled", ">Share"}
	kinds := []struct {
		name string
		of   func(oncoTrack) int
	}{
		{">Mutation", func(t oncoTrack) int { return t.Mutated }},
		{">Copy Number", func(t oncoTrack) int { return t.Copies }},
		{">Structural Variant", func(t oncoTrack) int { return t.Fused }},
		{">Expression", func(t oncoTrack) int { return t.Expression }},
		{">Protein", func(t oncoTrack) int { return t.Protein }},
	}
	kinds = slices.DeleteFunc(kinds, func(k struct {
		name string
		of   func(oncoTrack) int
	}) bool {
		return !slices.ContainsFunc(a.Tracks, func(t oncoTrack) bool { return k.of(t) > 0 })
	})
	for _, k := range kinds {
		columns = append(columns, k.name)
	}
	for _, g := range a.SampleGroups {
		columns = append(columns, ">"+g.Name)
	}
	t := result.Table{Columns: result.Columns(columns...), Main: true}
	for _, track := range a.Tracks {
		name := track.Name
		if track.Query != name {
			name = track.Query
		}
		row := []string{name, count(track.Altered), count(track.Profiled), percent(track.Share)}
		for _, k := range kinds {
			row = append(row, count(k.of(track)))
		}
		for _, g := range track.Groups {
			row = append(row, fmt.Sprintf("%d of %d (%s)", g.Altered, g.Profiled, percent(g.Share)))
		}
		t.Rows = append(t.Rows, row)
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Oncoprint: " + a.Study},
		result.Para{Text: fmt.Sprintf("Altered in a track: %d of %d profiled %s; shown %s",
			a.Altered, a.Profiled, a.Unit, a.shown())},
		t,
	}
	return a.add(a.Excluded.add(addGroups(doc, a.SampleGroups), a.Unit))
}

// shown returns the number of samples or patients shown, and of columns if one has several.
func (a *oncoAnswer) shown() string {
	text := fmt.Sprintf("%d of %d", a.distinct, a.Total)
	if a.Shown != a.distinct {
		text += fmt.Sprintf(" in %d columns", a.Shown)
	}
	return text
}
