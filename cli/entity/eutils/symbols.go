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
	"biomcp/store/table/sets"
)

// nicknames are names, folded, by which genes are often called and which are the symbol of
// none. That one is missing costs a request and no more: NCBI Datasets decides.
var nicknames = strings.Fields(`abl akt alk1 bcma bcrp braf1 brg1 cd117 cd20 cd30 cd340 ckit cmet cmyc craf cx26 dj1 erk1 erk2 glut1
	hdm2 her2 her3 her4 herg ini1 kras2 lkb1 mdr1 mek1 mek2 mll mll2 mll3 nav1.5 nav1.7 nmyc nrf2 oatp1b1 p14arf p16 p16ink4a p21 p27 p53
	park2 pd1 pdl1 pdl2 ptch rb snf5 tau tdp43 trka trkb trkc vegf vegfr1 vegfr2 vegfr3 waf1`)

// IsNickname reports whether a word is known to be no symbol of a gene, so that a source
// that knows genes by their symbols is not asked for it.
func IsNickname(word string) bool { return slices.Contains(nicknames, entity.Fold(word)) }

// GeneName is what a word is that is a name of human genes and the symbol of none.
type GeneName struct {
	Symbols  []string         // of the genes that have it
	Previous bool             // it was the symbol of the first, and may be an alias of others
	Genes    []sets.GeneNames // these genes, where the local table was asked
}

// Kind is "an alias" or "a previous symbol", which of several genes may be either.
func (n GeneName) Kind() string {
	switch {
	case n.Previous && len(n.Symbols) > 1:
		return "a previous symbol or an alias"
	case n.Previous:
		return "a previous symbol"
	}
	return "an alias"
}

// What is what the word is, for the end of a sentence: "an alias of ERBB2".
func (n GeneName) What() string {
	if len(n.Symbols) == 1 {
		return n.Kind() + " of " + n.Symbols[0]
	}
	return n.Kind() + " of several genes (" + entity.Some(n.Symbols) + ")"
}

// NameOf is what a word is as the name of a human gene: no symbols where it is itself
// one, or none that is known. The local table of HGNC answers without a request; where it
// is not there, or does not have the word, NCBI Datasets is asked.
func NameOf(ctx context.Context, in *command.Input, word string) (name GeneName, err error) {
	if !datasets.IsSymbol(word) {
		return name, nil
	}
	if name, known := Listed(ctx, in.App, word); known {
		return name, nil
	}
	genes, err := datasets.New(in.App.Network()).BySymbol(ctx, spellings(word), datasets.Human)
	for _, g := range genes {
		switch {
		case strings.EqualFold(g.Symbol, word):
			return GeneName{}, nil
		case !slices.Contains(name.Symbols, g.Symbol) && entity.Folded(slices.Concat(g.Synonyms, g.Asked, []string{g.Symbol}), word):
			name.Symbols = append(name.Symbols, g.Symbol)
		}
	}
	return name, err
}

// spellings are a word, and without its hyphens.
func spellings(word string) []string {
	if folded := strings.ToUpper(entity.Fold(word)); !strings.EqualFold(folded, word) {
		return []string{word, folded}
	}
	return []string{word}
}

// Listed is what a word is by the local table of HGNC, without a request; known is false
// where the table is not there or does not have the word. Genes of which it was the symbol
// come before those of which it is an alias.
func Listed(ctx context.Context, app *command.App, word string) (name GeneName, known bool) {
	words := spellings(word)
	for _, field := range []string{sets.Symbol, sets.PreviousSymbol, sets.AliasSymbol} {
		found, err := local.Holders(ctx, app, bulk.HGNC, field, words)
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

// IsOther reports whether a word is known, without a request, to be another name of a gene
// and the symbol of none.
func IsOther(ctx context.Context, app *command.App, word string) bool {
	name, known := Listed(ctx, app, word)
	return len(name.Symbols) > 0 || !known && IsNickname(word)
}

// GeneNames are the symbols of the genes that have a word as another name, for a filter.
func GeneNames(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	name, err := NameOf(ctx, in, word)
	return name.others(), err
}

// NamesInText are GeneNames for a text in which people call a gene as they like: with the
// local table of HGNC also the other symbols that it had and its aliases.
func NamesInText(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	names, err := GeneNames(ctx, in, word)
	if err != nil || len(names.Names) == 0 && names.What != "" { // of several genes
		return names, err
	}
	symbol := strings.ToUpper(append(slices.Clone(names.Names), word)[0])
	listed, err := local.Symbols(ctx, in.App, symbol)
	more := slices.DeleteFunc(slices.Clone(listed[symbol]), func(n string) bool { return strings.EqualFold(n, word) || strings.EqualFold(n, symbol) })
	if more = more[:min(8, len(more))]; err == nil && len(more) > 0 { // each lengthens the address by 200 characters
		names.What = strings.TrimPrefix(names.What+", also called "+strings.Join(more, ", "), ", ")
		names.Names = append(names.Names, more...)
	}
	return names, nil
}

// ListedNames returns what GeneNames does of the names in the local table of HGNC, without a request.
func ListedNames(ctx context.Context, in *command.Input, word string) (entity.OtherNames, error) {
	name, _ := Listed(ctx, in.App, word)
	return name.others(), nil
}

func (n GeneName) others() entity.OtherNames {
	switch len(n.Symbols) {
	case 0:
		return entity.OtherNames{}
	case 1:
		return entity.OtherNames{Names: n.Symbols, What: n.What()}
	}
	return entity.OtherNames{What: n.What()}
}

// Near is the symbol of the one gene that a word is but for two letters that changed places,
// or else but for one too many: EFGR is EGFR, though there is an FGR.
func Near(ctx context.Context, app *command.App, word, taxon string) string {
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

// Spell is a query of one word, which no gene has as its symbol, as the symbol of the human gene
// that it is like; "" where there is none.
func Spell(ctx context.Context, in *command.Input, query string) string {
	return Near(ctx, in.App, query, datasets.Human)
}
