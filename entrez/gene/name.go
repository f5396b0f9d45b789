package gene

import (
	"context"
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/datasets"
	"biomcp/entrez/resolve"
)

// nicknames are common names of genes that are not the symbol of any gene, as [resolve.Fold] returns
// them. A missing one costs only a request, since NCBI Datasets decides.
var nicknames = sync.OnceValue(func() []string {
	return strings.Fields(`abl akt alk1 bcma bcrp braf1 brg1 cd117 cd20 cd30 cd340 ckit cmet cmyc craf cx26 dj1 erk1 erk2 glut1
		hdm2 her2 her3 her4 herg ini1 kras2 lkb1 mdr1 mek1 mek2 mll mll2 mll3 nav1.5 nav1.7 nmyc nrf2 oatp1b1 p14arf p16 p16ink4a p21 p27 p53
		park2 pd1 pdl1 pdl2 ptch rb snf5 tau tdp43 trka trkb trkc vegf vegfr1 vegfr2 vegfr3 waf1`)
})

// IsNickname reports whether word is known not to be the symbol of a gene, so that sources that
// know genes only by symbol need not be queried.
func IsNickname(word string) bool { return slices.Contains(nicknames(), resolve.Fold(word)) }

// A Name is a name of human genes that is not the symbol of any. Its zero value is the name of no gene.
type Name struct {
	Genes    []resolve.Candidate // the genes with this name; ID is the GeneID
	Previous bool                // it was the symbol of the first gene, and may be an alias of the others
	Source   string              // label of the source that has the name
}

// Symbols returns the symbols of the genes.
func (n Name) Symbols() (symbols []string) {
	for _, g := range n.Genes {
		symbols = append(symbols, g.Symbol)
	}
	return symbols
}

// has reports whether symbol is one of the symbols.
func (n Name) has(symbol string) bool {
	return slices.ContainsFunc(n.Genes, func(g resolve.Candidate) bool { return g.Symbol == symbol })
}

// Kind returns "an alias" or "a previous symbol", or both if several genes have the name.
func (n Name) Kind() string {
	switch {
	case n.Previous && len(n.Genes) > 1:
		return "a previous symbol or an alias"
	case n.Previous:
		return "a previous symbol"
	}
	return "an alias"
}

// A NameTable returns the human genes that have word as another name, without a request. known is false
// if the table is absent or does not have the word; a symbol is known, as the name of no gene.
type NameTable func(ctx context.Context, word string) (name Name, known bool)

// listed looks word up in the table, if there is one.
func (c *Client) listed(ctx context.Context, word string) (name Name, known bool) {
	if c.Table == nil {
		return Name{}, false
	}
	return c.Table(ctx, word)
}

// LookupName returns the human genes that have word as another name. It returns none if word is a
// symbol itself, or is unknown. The table answers without a request. If it is absent or does not have
// the word, NCBI Datasets is queried.
func (c *Client) LookupName(ctx context.Context, word string) (name Name, err error) {
	if !datasets.IsSymbol(word) {
		return name, nil
	}
	if name, known := c.listed(ctx, word); known {
		return name, nil
	}
	genes, err := datasets.New(c.network).BySymbol(ctx, Spellings(word), datasets.Human)
	for _, g := range genes {
		names := slices.Concat(g.Synonyms, g.Query, []string{g.Symbol})
		switch {
		case strings.EqualFold(g.Symbol, word):
			return Name{}, nil
		case !name.has(g.Symbol) && resolve.ContainsFolded(names, word):
			name.Source = datasets.Source.Label
			name.Genes = append(name.Genes, resolve.Candidate{Symbol: g.Symbol, Name: g.Name, ID: g.ID})
		}
	}
	return name, err
}

// IsOtherName reports whether word is known, without a request, to be a name of a gene but not the
// symbol of any.
func (c *Client) IsOtherName(ctx context.Context, word string) bool {
	name, known := c.listed(ctx, word)
	return len(name.Genes) > 0 || !known && IsNickname(word)
}

// Spellings returns word and, if different, word without hyphens, in capitals.
func Spellings(word string) []string {
	if folded := strings.ToUpper(resolve.Fold(word)); !strings.EqualFold(folded, word) {
		return []string{word, folded}
	}
	return []string{word}
}

// SimilarSymbol returns the symbol of the only gene that word matches after two neighbouring letters are
// swapped or, failing that, after one letter is removed; otherwise "". Swaps come first, so EFGR
// matches EGFR, not FGR.
func (c *Client) SimilarSymbol(ctx context.Context, word string) string {
	var swapped, shorter []string
	for i, w := 1, strings.ToUpper(word); datasets.IsSymbol(word) && i < len(w); i++ {
		swapped, shorter = append(swapped, w[:i-1]+w[i:i+1]+w[i-1:i]+w[i+1:]), append(shorter, w[:i]+w[i+1:])
	}
	like := slices.Concat(swapped, shorter)
	slices.Sort(like)
	genes, err := datasets.New(c.network).BySymbol(ctx, slices.Compact(like), c.taxon())
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
