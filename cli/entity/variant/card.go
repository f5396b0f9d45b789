package variant

import (
	"cmp"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/variant"
)

func card(v *Variant, sectionNames entity.Sections) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: cmp.Or(v.Title, v.ID)}}
	if !sectionNames.Whole(len(sections()) + len(externalSections())) {
		if sectionNames.Has("clinvar") && v.VCV != "" {
			doc = append(doc, classification(v))
		}
		return doc
	}
	places := result.Map(v.Locations, place)
	doc = append(doc, result.Fields{
		{Name: "ClinVar", Value: v.VCV}, {Name: "dbSNP", Value: v.RSID},
		{Name: "Merged from", Value: strings.Join(v.MergedFrom, ", ")}, {Name: "ClinGen", Value: v.CAID},
		{Name: "gnomAD", Value: v.GnomAD},
		{Name: "Gene", Value: v.Gene}, {Name: "Genes", Value: v.describeGenes()}, {Name: "Type", Value: v.Type},
		{Name: "Consequence", Value: strings.Join(v.Consequences, ", ")},
		{Name: "Chromosome", Value: v.HGVS.G}, {Name: "Transcript", Value: v.HGVS.C + mane(v.HGVS.MANE)},
		{Name: "Protein", Value: v.HGVS.P},
		{Name: "SPDI, from 0", Value: v.SPDI}, {Name: "Places, from 1", Value: strings.Join(places, "; ")},
	})
	if v.VCV != "" {
		doc = append(doc, result.Heading{Level: 2, Text: "Classification (ClinVar)"}, classification(v))
	}
	if len(v.Frequencies) > 0 && !sectionNames.Has("population") {
		doc = append(doc, result.Heading{Level: 2, Text: "Frequency (dbSNP)"},
			entity.Table(frequencyColumns, v.Frequencies[:min(5, len(v.Frequencies))], frequencyRow))
	}
	return append(doc, result.Fields{{Name: "Page", Value: v.URL}})
}

// describeGenes returns the number and the names of several genes, or "" if there are not several.
func (v *Variant) describeGenes() string {
	switch {
	case v.Gene != "" || v.GenesTotal == nil:
		return ""
	case len(v.Genes) == 0:
		return fmt.Sprintf("%d, which ClinVar's table does not name", *v.GenesTotal)
	case len(v.Genes) < *v.GenesTotal:
		return fmt.Sprintf("%d, among them %s", *v.GenesTotal, command.Abbreviate(v.Genes))
	}
	return fmt.Sprintf("%d: %s", *v.GenesTotal, command.Abbreviate(v.Genes))
}

func mane(isMANE *bool) string {
	if isMANE == nil || !*isMANE {
		return ""
	}
	return " (MANE Select)"
}

// kindClassification is a classification together with its kind.
type kindClassification struct {
	kind  string
	value *clinvar.Classification
}

func (v *Variant) classifications() (all []kindClassification) {
	for i, c := range []*clinvar.Classification{v.Germline, v.Oncogenicity, v.ClinicalImpact} {
		if c != nil {
			all = append(all, kindClassification{clinvar.Kinds[i], c})
		}
	}
	return all
}

// classification returns the aggregate classification of each kind, how conflicting
// submissions divide, and earlier classifications.
func classification(v *Variant) result.Fields {
	impacts := ""
	if len(v.Impacts) > 0 {
		impacts = "; submitted as " + strings.Join(v.Impacts, " and ")
	}
	fields := result.Fields{
		{Name: "Germline", Value: v.describe(v.Germline)}, {Name: "Oncogenicity", Value: v.describe(v.Oncogenicity)},
		{Name: "Clinical impact", Value: v.describe(v.ClinicalImpact) + impacts},
		{Name: "Submissions", Value: entity.FormatNumber(v.Submissions)},
	}
	for _, s := range v.Split {
		fields = append(fields, result.Field{Name: "Split, " + s.Kind, Value: s.Text})
	}
	for i, e := range v.Functional {
		if i == maxEarlier {
			more := fmt.Sprintf("%d more in the section clinvar", len(v.Functional)-i)
			fields = append(fields, result.Field{Name: "Functional evidence", Value: more})
			break
		}
		text := evidenceText(e.FunctionalEvidence) + ", by " + e.Submitter
		fields = append(fields, result.Field{Name: "Functional evidence", Value: text})
	}
	var earlier []string
	for _, e := range v.Earlier {
		if text := e.Description + " until " + e.Until; e.Kind == clinvar.Kinds[0] {
			earlier = append(earlier, text)
		} else {
			earlier = append(earlier, e.Kind+": "+text)
		}
	}
	if more := len(earlier) - maxEarlier; more > 0 {
		earlier = append(earlier[:maxEarlier], fmt.Sprintf("%d before these", more))
	}
	return append(fields, result.Field{Name: "Earlier", Value: strings.Join(earlier, "; ")})
}

// maxEarlier is the number of earlier classifications, and of assays, on a card.
const maxEarlier = 4

func place(l clinvar.Location) string {
	text := fmt.Sprintf("%s %s:%d", l.Assembly, l.Chromosome, l.Start)
	if l.End != l.Start {
		text += fmt.Sprintf("-%d", l.End)
	}
	switch {
	case l.Ref != "" && l.Alt != "":
		text += " " + l.Ref + ">" + l.Alt
	case l.Ref != "":
		text += " del" + l.Ref
	case l.Alt != "":
		text += " ins" + l.Alt
	}
	return text
}

// sharesConditions reports whether it is unknown which of several classifications is for which condition, as in the local
// table.
func (v *Variant) sharesConditions() bool { return v.Release != "" && len(v.classifications()) > 1 }

// describe formats a classification with its stars, conditions and date.
func (v *Variant) describe(c *clinvar.Classification) string {
	if c == nil {
		return "no classification"
	}
	text := fmt.Sprintf("%s, %d of 4 stars (%s)", c.Description, c.Stars, c.ReviewStatus)
	names := result.Map(c.Conditions, func(t clinvar.Condition) string { return t.Name })
	if v.sharesConditions() && len(names) > 1 {
		text += ", for some of " + command.Abbreviate(names)
	} else if len(names) > 0 {
		text += ", for " + command.Abbreviate(names)
	}
	if c.Evaluated != "" {
		text += ", " + c.Evaluated
	}
	return text
}

var frequencyColumns = []string{"Study", "Allele", ">Frequency", ">Allele count"}

func frequencyRow(f *variant.Frequency) []string {
	return []string{f.Study, f.Allele, entity.FormatNumber(f.Frequency), entity.FormatNumber(f.Count)}
}
