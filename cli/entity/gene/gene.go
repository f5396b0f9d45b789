// Package gene defines the gene entity: names, location and function of a gene, and its
// records in other sources.
package gene

import (
	"cmp"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/gene"
	"biomcp/entrez/pattern"
)

// A Gene is a gene with the sections that were requested.
type Gene struct {
	*gene.Gene
	entity.Parts
}

const source = gene.Source

var (
	pathForm = pattern.Lazy(`(?i)^R-[A-Z]{3}-[0-9]+$`) // pathway id
	idForm   = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._@/:-]{0,39}$`)
)

// joinedFields lists the lists of a gene that are one column of a table.
var joinedFields = []string{"other_locations assembly accession chromosome start end strand"}

// Entity returns the definition of the gene entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Gene]{
		Name: "gene", Synonyms: []string{"symbol", "protein", "target"}, Plural: "genes",
		IDs: entity.IDs{
			Placeholder: "<symbol|GeneID|HGNC:n|ENSG…>...", Max: gene.Max,
			Listed:         true,
			Match:          func(w string) bool { return idForm().MatchString(w) && !pathForm().MatchString(w) },
			MatchExclusive: func(w string) bool { return gene.IsRegistryID(w) },
			Explain:        func(word string) (string, result.Argv) { return eutils.Explain("gene", word) },
			Fuzzy:          similarSymbol,
		},
		Identity: []string{"symbol", "name", "entrez_id", "url"},
		Label:    "Genes", Sources: []string{source, "NCBI Datasets"},
		Search: search(), Rows: entity.Rows[Gene]{Fields: joinedFields},
		Get: command.Command{
			Short: "Read genes: names, ids, place, function",
			Help: command.Help{
				Purpose: "A gene by its symbol (of human genes, or of --organism), GeneID, HGNC or Ensembl id, " +
					"with places on GRCh38 and GRCh37, from 1. " +
					"An alias is not a symbol: the answer names the symbol to ask for, or each gene that has it.",
				Input: "Symbols in any letter case, GeneIDs, HGNC:1097, ENSG00000157764.",
				Surprises: "RAD1 is the gene RAD1, although ERCC4 has the alias RAD1 too. Exit status 1 for an " +
					"alias. For Trp53, written as a gene of the mouse, the answer suggests --organism mouse.",
			},
			Examples: []command.Example{
				{Line: "biomcp get gene BRAF", Explanation: "BRAF with its location and function"},
				{Line: "biomcp get gene TP53 variants articles", Explanation: "its variants in ClinVar, and articles"},
			},
			Flags: func(f *command.Flags) {
				f.Limit(10, 50, "how many rows a section shows")
				f.Offset()
				f.String("organism", "human",
					"whose genes the symbols name: human, mouse, rat, zebrafish, fly, worm, yeast or a taxid")
				f.Bool("rif", false, "articles: only those with a statement of function (GeneRIF)")
				f.Rare("rif", "organism")
			},
		},
		Fetch:    fetch,
		Card:     card,
		Sections: entity.WithPrecondition(append(sections(), externalSections()...), humanOnly, notHuman),
		ID:       symbolOf,
		Next:     next,
	})
}

func next(g *Gene) (lines []result.Argv) {
	if g.ReplacedBy != "" {
		return []result.Argv{{"get", "gene", g.ReplacedBy}}
	}
	if !g.IsHuman() { // the symbol would name a human gene
		if g.IsRequested("articles") {
			return nil
		}
		return []result.Argv{{"get", "gene", g.ID, "articles", "orthologs"}}
	}
	if !g.IsRequested("variants") {
		lines = append(lines, result.Argv{"get", "gene", g.Symbol, "variants", "articles"})
	}
	return append(lines, result.Argv{"search", "article", "--gene", g.Symbol})
}

func card(g *Gene, sectionNames entity.Sections) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: strings.TrimSuffix(g.Symbol+": "+g.Name, ": ")}}
	if !sectionNames.Whole(len(sections()) + len(externalSections())) {
		return doc
	}
	authority, _, _ := strings.Cut(cmp.Or(g.HGNC, "HGNC"), ":") // MGI for a mouse
	doc = append(doc, result.Fields{
		{Name: "GeneID", Value: g.ID}, {Name: authority, Value: g.HGNC},
		{Name: "Ensembl", Value: command.Abbreviate(g.Ensembl)}, {Name: "UniProt", Value: command.Abbreviate(g.UniProt)},
		{Name: "OMIM", Value: command.Abbreviate(g.OMIM)},
		{Name: "Type", Value: g.Type}, {Name: "Organism", Value: g.Organism.Name},
		{Name: "Aliases", Value: entity.EtAl(g.Aliases, 8)}, {Name: "Other names", Value: entity.EtAl(g.OtherNames, 3)},
		{Name: "Cytoband", Value: g.Cytoband}, {Name: "Place", Value: g.Location.String()},
		{Name: "Place, earlier", Value: g.Location37.String()},
	})
	for i := range g.OtherLocations {
		doc = append(doc, result.Fields{{Name: "Also at", Value: g.OtherLocations[i].String()}})
	}
	if g.Summary != "" {
		doc = append(doc, result.PassageOf(entity.Truncate(g.Summary, 600))...)
	}
	return append(doc, result.Fields{{Name: "Page", Value: g.URL}})
}
