package disease

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/medgen"
)

const (
	mostFeatures   = 6   // on the card
	mostDefinition = 600 // bytes of a definition on the card, which fits a screen
)

func card(d *Disease, asked entity.Asked) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: d.Name}}
	if len(asked) > 0 {
		return doc
	}
	var genes, features []string
	for _, g := range d.Genes {
		genes = append(genes, strings.TrimSuffix(g.Symbol+" ("+g.Cytoband+")", " ()"))
	}
	for _, f := range d.Phenotypes {
		features = append(features, f.Name)
	}
	x := d.XRefs
	return append(doc,
		result.Fields{
			{Name: "Ids", Value: strings.Join(slices.Concat([]string{d.CUI}, x.MONDO, x.OMIM, x.MeSH, x.Orphanet, x.HPO, x.NCIt), ", ")},
			{Name: "Type", Value: d.SemanticType},
			{Name: "Also called", Value: entity.EtAl(d.Synonyms, 5)},
			{Name: "Inheritance", Value: strings.Join(d.Inheritance, ", ")},
			{Name: "Genes", Value: entity.Some(genes)},
			{Name: "Features", Value: entity.Some(features)},
		},
		result.Para{Text: definition(d.Definition)},
		result.Fields{{Name: "Page", Value: d.URL}},
	)
}

// definition is the text with whose it is, or where it can be read.
func definition(d medgen.Definition) string {
	text := d.Text
	if len(text) > mostDefinition {
		text = strings.ToValidUTF8(text[:mostDefinition], "")
		text = text[:strings.LastIndex(text, " ")+1] + "…"
	}
	switch {
	case d.Source == "":
		return ""
	case text != "":
		return text + " (Definition: " + d.Source + ")"
	case d.URL != "":
		return "Definition: by " + d.Source + ", at " + d.URL
	}
	return "Definition: by " + d.Source + ", which does not let it be passed on; it is on the page."
}

func sections() []entity.Section[Disease] {
	return []entity.Section[Disease]{
		{
			Name: "genes", Also: []string{"gene"}, Label: "Genes", Short: "genes that MedGen associates with it", Source: source, Table: true,
			Lists: func(d *Disease) []any { return []any{&d.Genes} },
			Has:   func(d *Disease) bool { return len(d.Genes) > 0 },
			Doc: func(d *Disease) result.Doc {
				row := func(g *medgen.Gene) []string { return []string{g.Symbol, g.ID, g.Cytoband} }
				return result.Doc{entity.Table([]string{"Gene", "GeneID", "Cytoband"}, d.Genes, row)}
			},
		},
		{
			Name: "phenotypes", Also: []string{"symptom", "feature", "signs", "hpo", "clinical-features", "phenotype"}, Label: "Clinical features", Short: "its clinical features, with HPO ids", Source: source, Table: true,
			Lists: func(d *Disease) []any { return []any{&d.Phenotypes} },
			Has:   func(d *Disease) bool { return len(d.Phenotypes) > 0 },
			Doc: func(d *Disease) result.Doc {
				row := func(f *medgen.Feature) []string { return []string{f.HPO, f.Name} }
				return result.Doc{entity.Table([]string{"HPO", "Feature"}, d.Phenotypes, row)}
			},
		},
		eutils.Articles("articles that MedGen links to it", "PubMed ELink", findArticles),
	}
}

func findArticles(ctx context.Context, ask *entity.Ask, d *Disease) (*entity.Answer[eutils.Article], error) {
	return eutils.Linked(ctx, ask, d.UID, "medgen_pubmed", source)
}
