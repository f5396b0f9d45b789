package gallery

import (
	"fmt"
	"math"
	"math/rand/v2"

	"biomcp/charts"
)

// oncoprint makes an oncoprint whose columns are grouped.
func oncoprint(s situation, r *rand.Rand) charts.Data {
	d := charts.Oncoprint{Labels: labels("Oncoprint"), Drivers: s.groups == 1}
	d.Count = "samples"
	for i := range s.groups {
		n := 1 + s.values/2
		d.Groups = append(d.Groups, charts.ColumnGroup{Name: s.label(i), N: n})
		for range n {
			d.Columns = append(d.Columns, fmt.Sprintf("S%04d", len(d.Columns)))
		}
	}
	if s.groups == 0 {
		return d
	}
	age, stage := charts.ClinicalTrack{Name: "Age"}, charts.ClinicalTrack{Name: "Stage"}
	for i := range s.groups {
		stage.Categories = append(stage.Categories, s.label(i))
	}
	for i := range d.Columns {
		age.Numbers = append(age.Numbers, 40+float64(r.IntN(50)))
		if i%9 == 4 {
			age.Numbers[i] = math.NaN()
		}
		stage.Category = append(stage.Category, r.IntN(s.groups+1)-1)
	}
	d.Clinical = []charts.ClinicalTrack{age, stage}
	for _, gene := range []string{"TP53", "KRAS", "EGFR: EXP > 2 PROT < -2", "RB pathway"} {
		t := charts.GeneTrack{Name: gene, Share: "37 %"}
		for range d.Columns {
			c := charts.GeneCell{Text: "event"}
			switch r.IntN(12) {
			case 0:
				c.Copies = []string{"AMP", "HOMDEL", "GAIN", "HETLOSS"}[r.IntN(4)]
			case 1, 2:
				c.Mutation = []string{"TRUNC", "SPLICE", "INFRAME", "PROMOTER", "MISSENSE", "OTHER"}[r.IntN(6)]
				c.Driver, c.Germline = r.IntN(2) == 0, r.IntN(4) == 0
			case 3:
				c.Copies, c.Mutation = "AMP", "MISSENSE"
			case 4:
				c.Fusion = true
			case 5:
				c.Expression, c.Protein = r.IntN(3)-1, r.IntN(3)-1
			case 6:
				c.NotProfiled = true
			}
			t.Cells = append(t.Cells, c)
		}
		d.Tracks = append(d.Tracks, t)
	}
	return d
}
