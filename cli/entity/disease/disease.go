// Package disease defines the entity of diseases and findings in MedGen: names, ids in other
// vocabularies, inheritance, clinical features and genes.
package disease

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/disease"
	"biomcp/entrez/medgen"
)

// A Disease is a disease with the sections that were requested.
type Disease struct {
	*disease.Disease
	entity.Parts
}

const source = disease.Source

// joinNames splits the words of a command line into ids. Several single words without any id
// form one name.
func joinNames(words []string) []string {
	if slices.ContainsFunc(words, func(w string) bool { return disease.IsID(w) || strings.Contains(w, " ") }) {
		return words
	}
	return []string{strings.Join(words, " ")}
}

// joinedFields lists the lists of a disease that are one column of a table.
var joinedFields = []string{"genes symbol entrez_id cytoband", "phenotypes hpo name"}

// Entity returns the definition of the disease entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Disease]{
		Name: "disease", Synonyms: []string{"condition", "disorder", "cancer", "syndrome", "indication"},
		Plural: "diseases",
		IDs: entity.IDs{
			Placeholder: "<id|name>...", Max: disease.Max, Join: joinNames, Fuzzy: correctedName, MatchExclusive: disease.IsOwnID,
			Explain: func(word string) (string, result.Argv) { return eutils.Explain("disease", word) },
		},
		Identity: []string{"cui", "medgen_uid", "name", "url"},
		Label:    "Diseases", Sources: []string{source},
		Search: search(), Rows: entity.Rows[Disease]{Fields: joinedFields},
		Get: command.Command{
			Short: "Read diseases: names, ids, definition, inheritance, features, genes",
			Help: command.Help{
				Purpose: "A disease, syndrome or finding by MedGen, with the source of its definition. " +
					"Definitions that may not be redistributed (GeneReviews, OMIM) are linked.",
				Input: "A name, or an id: C0024796, 44287 (MedGen), MONDO:0007947, OMIM:154700, " +
					"MESH:D008382, D008382, ORPHA:558, DOID:14323, UMLS:C0024796.",
				Surprises: "A gene is not a disease: the answer names the gene to ask for, with exit status 1. " +
					"A number alone is MedGen's, not OMIM's.",
			},
			Examples: []command.Example{
				{Line: `biomcp get disease "Marfan syndrome"`, Explanation: "its names, inheritance and gene"},
				{Line: "biomcp get disease MONDO:0007947 phenotypes", Explanation: "its clinical features"},
			},
			Flags: func(f *command.Flags) {
				f.Limit(10, 50, "how many rows a section of another source shows")
				f.Offset()
			},
		},
		Fetch:    fetch,
		Card:     card,
		Sections: append(sections(), externalSections()...),
		ID:       idOf,
		Next:     next,
	})
}

func next(d *Disease) []result.Argv {
	lines := []result.Argv{{"search", "article", "--disease", d.Name}}
	if len(d.Phenotypes) > maxCardFeatures {
		lines = append([]result.Argv{{"get", "disease", d.CUI, "phenotypes"}}, lines...)
	}
	if len(d.Genes) > 0 {
		lines = append(lines, result.Argv{"search", "disease", "--gene", d.Genes[0].Symbol})
	}
	return lines
}

const (
	maxCardFeatures   = 6   // number of features on the card
	maxCardDefinition = 600 // bytes of a definition on the card
)

func card(d *Disease, sectionNames entity.Sections) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: d.Name}}
	if !sectionNames.Whole(len(sections()) + len(externalSections())) {
		return doc
	}
	genes := result.Map(d.Genes, func(g medgen.Gene) string {
		return strings.TrimSuffix(g.Symbol+" ("+g.Cytoband+")", " ()")
	})
	features := result.Map(d.Phenotypes, func(f medgen.Feature) string { return f.Name })
	x := d.XRefs
	doc = append(doc,
		result.Fields{
			{
				Name: "Ids",
				Value: strings.Join(slices.Concat([]string{d.CUI}, x.MONDO, x.OMIM, x.MeSH, x.Orphanet, x.HPO, x.NCIt),
					", "),
			},
			{Name: "Type", Value: d.SemanticType},
			{Name: "Also called", Value: entity.EtAl(d.Synonyms, 5)},
			{Name: "Inheritance", Value: strings.Join(d.Inheritance, ", ")},
			{Name: "Genes", Value: command.Abbreviate(genes)},
			{Name: "Features", Value: command.Abbreviate(features)},
		})
	return append(append(doc, definition(d.Definition)...), result.Fields{{Name: "Page", Value: d.URL}})
}

// definition returns the text with its source, or else the place to read it.
func definition(d medgen.Definition) result.Doc {
	text := d.Text
	if len(text) > maxCardDefinition {
		text = strings.ToValidUTF8(text[:maxCardDefinition], "")
		text = text[:strings.LastIndex(text, " ")+1] + "…"
	}
	switch {
	case d.Source == "":
		return nil
	case text != "":
		return result.PassageOf(text + " (Definition: " + d.Source + ")")
	case d.URL != "":
		return result.Doc{result.Para{Text: "Definition: by " + d.Source + ", at " + d.URL}}
	}
	return result.Doc{result.Para{Text: "Definition: by " + d.Source + ", which does not allow redistribution; see the page."}}
}

func sections() []entity.Section[Disease] {
	return []entity.Section[Disease]{
		{
			Name: "genes", Synonyms: []string{"gene"}, Label: "Genes", Short: "genes that MedGen associates with it",
			Source: source, Table: true,
			Lists: func(d *Disease) []any { return []any{&d.Genes} },
			Has:   func(d *Disease) bool { return len(d.Genes) > 0 },
			Doc: func(d *Disease) result.Doc {
				row := func(g *medgen.Gene) []string { return []string{g.Symbol, g.ID, g.Cytoband} }
				return result.Doc{entity.Table([]string{"Gene", "GeneID", "Cytoband"}, d.Genes, row)}
			},
		},
		{
			Name:     "phenotypes",
			Synonyms: []string{"symptom", "feature", "signs", "hpo", "clinical-features", "phenotype"},
			Label:    "Clinical features", Short: "its clinical features, with HPO ids", Source: source,
			Table: true,
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

func findArticles(ctx context.Context, ask *entity.LinkRequest, d *Disease) (*entity.Answer[eutils.Article], error) {
	return eutils.LinkedArticles(ctx, ask, d.UID, "medgen_pubmed", source)
}
