package eutils

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/entrez/datasets"
	"biomcp/entrez/resolve"
	"biomcp/store/table/sets"
)

// nicknames are common names of genes that are not the symbol of any gene, as Fold returns them. A
// missing one costs only a request, since NCBI Datasets decides.
var nicknames = strings.Fields(`abl akt alk1 bcma bcrp braf1 brg1 cd117 cd20 cd30 cd340 ckit cmet cmyc craf cx26 dj1 erk1 erk2 glut1
	hdm2 her2 her3 her4 herg ini1 kras2 lkb1 mdr1 mek1 mek2 mll mll2 mll3 nav1.5 nav1.7 nmyc nrf2 oatp1b1 p14arf p16 p16ink4a p21 p27 p53
	park2 pd1 pdl1 pdl2 ptch rb snf5 tau tdp43 trka trkb trkc vegf vegfr1 vegfr2 vegfr3 waf1`)

// IsNickname reports whether word is known not to be the symbol of a gene, so that sources that
// know genes only by symbol need not be queried.
func IsNickname(word string) bool { return slices.Contains(nicknames, resolve.Fold(word)) }

// A GeneName is the meaning of a word that is a name of human genes but not the symbol of any.
type GeneName struct {
	Symbols  []string         // symbols of the genes with this name
	Previous bool             // it was the symbol of the first gene, and may be an alias of the others
	Genes    []sets.GeneNames // these genes, if the local table was searched
}

// Kind returns "an alias" or "a previous symbol", or both if several genes have the name.
func (n GeneName) Kind() string {
	switch {
	case n.Previous && len(n.Symbols) > 1:
		return "a previous symbol or an alias"
	case n.Previous:
		return "a previous symbol"
	}
	return "an alias"
}

// Description describes the name, for the end of a sentence: "an alias of ERBB2".
func (n GeneName) Description() string {
	if len(n.Symbols) == 1 {
		return n.Kind() + " of " + n.Symbols[0]
	}
	return n.Kind() + " of several genes (" + command.Abbreviate(n.Symbols) + ")"
}

// LookupGeneName returns the genes that have word as another name. It returns no symbols if word is a
// symbol itself, or is unknown. The local table of HGNC answers without a request. If it is absent
// or does not have the word, NCBI Datasets is queried.
func LookupGeneName(ctx context.Context, in *command.Input, word string) (name GeneName, err error) {
	if !datasets.IsSymbol(word) {
		return name, nil
	}
	if name, known := LookupInTable(ctx, in.App, word); known {
		return name, nil
	}
	genes, err := datasets.New(in.App.Network()).BySymbol(ctx, spellings(word), datasets.Human)
	for _, g := range genes {
		names := slices.Concat(g.Synonyms, g.Query, []string{g.Symbol})
		switch {
		case strings.EqualFold(g.Symbol, word):
			return GeneName{}, nil
		case !slices.Contains(name.Symbols, g.Symbol) && resolve.ContainsFolded(names, word):
			name.Symbols = append(name.Symbols, g.Symbol)
		}
	}
	return name, err
}

// spellings returns word and, if different, word without hyphens.
func spellings(word string) []string {
	if folded := strings.ToUpper(resolve.Fold(word)); !strings.EqualFold(folded, word) {
		return []string{word, folded}
	}
	return []string{word}
}

// LookupInTable returns the genes that have word as another name in the local table of HGNC, without a
// request. known is false if the table is absent or does not have the word. Genes with word as a
// previous symbol come before those with word as an alias.
func LookupInTable(ctx context.Context, app *command.App, word string) (name GeneName, known bool) {
	words := spellings(word)
	for _, field := range []string{sets.Symbol, sets.PreviousSymbol, sets.AliasSymbol} {
		found, err := local.FindByField(ctx, app, bulk.HGNC, field, words)
		if err != nil {
			return GeneName{}, false
		}
		for _, w := range words {
			for _, r := range found[w] {
				g, err := local.Read[sets.GeneNames](r)
				switch {
				case err != nil:
					return GeneName{}, false
				case field == sets.Symbol && strings.EqualFold(g.Symbol, word):
					return GeneName{}, true
				case !slices.Contains(name.Symbols, g.Symbol):
					name.Symbols, name.Genes = append(name.Symbols, g.Symbol), append(name.Genes, *g)
				}
			}
		}
		name.Previous = name.Previous || field == sets.PreviousSymbol && len(name.Symbols) > 0
	}
	return name, len(name.Symbols) > 0
}

// IsOtherName reports whether word is known, without a request, to be a name of a gene but not the
// symbol of any.
func IsOtherName(ctx context.Context, app *command.App, word string) bool {
	name, known := LookupInTable(ctx, app, word)
	return len(name.Symbols) > 0 || !known && IsNickname(word)
}

// GeneNames returns the symbols of the genes that have word as another name, for a filter.
func GeneNames(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	name, err := LookupGeneName(ctx, in, word)
	return name.otherNames(), err
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
	return name.otherNames(), nil
}

// otherNames returns the symbol to search for. It has no names if several genes have the name.
func (n GeneName) otherNames() entity.OtherNames {
	switch len(n.Symbols) {
	case 0:
		return entity.OtherNames{}
	case 1:
		return entity.OtherNames{Names: n.Symbols, Description: n.Description()}
	}
	return entity.OtherNames{Description: n.Description()}
}

// SimilarSymbol returns the symbol of the only gene that word matches after two neighbouring letters are
// swapped or, failing that, after one letter is removed; otherwise "". Swaps come first, so EFGR
// matches EGFR, not FGR.
func SimilarSymbol(ctx context.Context, app *command.App, word, taxon string) string {
	var swapped, shorter []string
	for i, w := 1, strings.ToUpper(word); datasets.IsSymbol(word) && i < len(w); i++ {
		swapped, shorter = append(swapped, w[:i-1]+w[i:i+1]+w[i-1:i]+w[i+1:]), append(shorter, w[:i]+w[i+1:])
	}
	like := slices.Concat(swapped, shorter)
	slices.Sort(like)
	genes, err := datasets.New(app.Network()).BySymbol(ctx, slices.Compact(like), taxon)
	for _, some := range [][]string{swapped, shorter} {
		var found []string
		for _, g := range genes {
			if slices.Contains(some, strings.ToUpper(g.Symbol)) {
				found = append(found, g.Symbol)
			}
		}
		if err == nil && len(found) == 1 {
			return found[0]
		}
	}
	return ""
}

// SpellSymbol returns the symbol of the human gene that a query of one word is similar to, or "" if there
// is none. The query must not be a symbol itself.
func SpellSymbol(ctx context.Context, in *command.Input, query string) string {
	return SimilarSymbol(ctx, in.App, query, datasets.Human)
}
