package eutils

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/entrez/gene"
	"biomcp/entrez/resolve"
	"biomcp/store/table/sets"
)

// Genes returns a client that finds human genes, and has the local table of HGNC for their other names.
func Genes(app *command.App) *gene.Client {
	c := gene.New(app.Network())
	c.Table = func(ctx context.Context, word string) (gene.Name, bool) { return LookupInTable(ctx, app, word) }
	return c
}

// DescribeName describes a name of genes, for the end of a sentence: "an alias of ERBB2".
func DescribeName(n gene.Name) string {
	if symbols := n.Symbols(); len(symbols) != 1 {
		return n.Kind() + " of several genes (" + command.Abbreviate(symbols) + ")"
	}
	return n.Kind() + " of " + n.Genes[0].Symbol
}

// LookupInTable returns the genes that have word as another name in the local table of HGNC, without a
// request. known is false if the table is absent or does not have the word. Genes with word as a
// previous symbol come before those with word as an alias.
func LookupInTable(ctx context.Context, app *command.App, word string) (name gene.Name, known bool) {
	name.Source = bulk.HGNC.Label
	words := gene.Spellings(word)
	for _, field := range []string{sets.Symbol, sets.PreviousSymbol, sets.AliasSymbol} {
		found, err := local.FindByField(ctx, app, bulk.HGNC, field, words)
		if err != nil {
			return gene.Name{}, false
		}
		for _, w := range words {
			for _, r := range found[w] {
				g, err := local.Read[sets.GeneNames](r)
				switch {
				case err != nil:
					return gene.Name{}, false
				case field == sets.Symbol && strings.EqualFold(g.Symbol, word):
					return gene.Name{}, true
				case !slices.Contains(name.Symbols(), g.Symbol):
					name.Genes = append(name.Genes, resolve.Candidate{Symbol: g.Symbol, Name: g.Name, ID: g.Entrez})
				}
			}
		}
		name.Previous = name.Previous || field == sets.PreviousSymbol && len(name.Genes) > 0
	}
	return name, len(name.Genes) > 0
}

// GeneNames returns the symbols of the genes that have word as another name, for a filter.
func GeneNames(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	name, err := Genes(in.App).LookupName(ctx, word)
	return otherNames(name), err
}

// NamesInText returns the names to search for in texts, where authors use any name of a gene: those
// of GeneNames and, from the local table of HGNC, previous symbols and aliases.
func NamesInText(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	names, err := GeneNames(ctx, in, word)
	if err != nil || len(names.Names) == 0 && names.Description != "" { // the word names several genes
		return names, err
	}
	symbol := strings.ToUpper(append(slices.Clone(names.Names), word)[0])
	listed, err := local.Symbols(ctx, in.App, symbol)
	more := slices.DeleteFunc(slices.Clone(listed[symbol]),
		func(n string) bool { return strings.EqualFold(n, word) || strings.EqualFold(n, symbol) })
	if more = more[:min(8, len(more))]; err == nil && len(more) > 0 { // each makes the URL 200 characters longer
		names.Description = strings.TrimPrefix(names.Description+", also called "+strings.Join(more, ", "), ", ")
		names.Names = append(names.Names, more...)
	}
	return names, nil
}

// ListedNames does the same as GeneNames, but only with the local table of HGNC, so it sends no
// request.
func ListedNames(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	name, _ := LookupInTable(ctx, in.App, word)
	return otherNames(name), nil
}

// otherNames returns the symbol to search for. It has no names if several genes have the name.
func otherNames(n gene.Name) entity.OtherNames {
	switch len(n.Genes) {
	case 0:
		return entity.OtherNames{}
	case 1:
		return entity.OtherNames{Names: n.Symbols(), Description: DescribeName(n)}
	}
	return entity.OtherNames{Description: DescribeName(n)}
}

// SpellSymbol returns the symbol of the human gene that a query of one word is similar to, or "" if there
// is none. The query must not be a symbol itself.
func SpellSymbol(ctx context.Context, in *command.Input, query string) string {
	return Genes(in.App).SimilarSymbol(ctx, query)
}
