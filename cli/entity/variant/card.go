package variant

import (
	"cmp"
	"fmt"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/clinvar"
)

func card(v *Variant, asked entity.Asked) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: cmp.Or(v.Title, v.ID)}}
	if len(asked) > 0 {
		return doc
	}
	var places []string
	for _, l := range v.Locations {
		places = append(places, place(l))
	}
	doc = append(doc, result.Fields{
		{Name: "ClinVar", Value: v.VCV}, {Name: "dbSNP", Value: v.RSID}, {Name: "Merged from", Value: strings.Join(v.MergedFrom, ", ")}, {Name: "ClinGen", Value: v.CAID},
		{Name: "Gene", Value: v.Gene}, {Name: "Type", Value: v.Type}, {Name: "Consequence", Value: strings.Join(v.Consequences, ", ")},
		{Name: "Chromosome", Value: v.HGVS.G}, {Name: "Transcript", Value: v.HGVS.C}, {Name: "Protein", Value: v.HGVS.P},
		{Name: "SPDI, from 0", Value: v.SPDI}, {Name: "Places, from 1", Value: strings.Join(places, "; ")},
	})
	if v.VCV != "" {
		doc = append(doc, result.Heading{Level: 2, Text: "Classification (ClinVar)"}, result.Fields{
			{Name: "Germline", Value: described(v.Germline)}, {Name: "Oncogenicity", Value: described(v.Oncogenicity)}, {Name: "Clinical impact", Value: described(v.ClinicalImpact)},
			{Name: "Submissions", Value: entity.Number(v.Submissions)},
		})
	}
	if len(v.Frequencies) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Frequency (dbSNP)"}, entity.Table(frequencyColumns, v.Frequencies[:min(5, len(v.Frequencies))], (*frequency).row))
	}
	return append(doc, result.Fields{{Name: "Page", Value: v.URL}})
}

func place(l clinvar.Location) string {
	text := fmt.Sprintf("%s %s:%d", l.Assembly, l.Chromosome, l.Start)
	if l.End != l.Start {
		text += fmt.Sprintf("-%d", l.End)
	}
	if l.Ref+l.Alt != "" {
		text += " " + cmp.Or(l.Ref, "-") + ">" + cmp.Or(l.Alt, "-")
	}
	return text
}

// described is a classification with its stars, what it is for and when.
func described(c *clinvar.Classification) string {
	if c == nil {
		return "no classification"
	}
	text := fmt.Sprintf("%s, %d of 4 stars (%s)", c.Description, c.Stars, c.ReviewStatus)
	var names []string
	for _, t := range c.Conditions {
		names = append(names, t.Name)
	}
	if len(names) > 0 {
		text += ", for " + entity.Some(names)
	}
	if c.Evaluated != "" {
		text += ", " + c.Evaluated
	}
	return text
}

var frequencyColumns = []string{"Study", "Allele", ">Frequency", ">Alleles counted"}

func (f *frequency) row() []string {
	return []string{f.Study, f.Allele, entity.Number(f.Frequency), entity.Number(f.Count)}
}
