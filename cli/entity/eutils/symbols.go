package eutils

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez/datasets"
)

// nicknames are names, folded, by which genes are often called and which are the symbol of
// none. That one is missing costs a request and no more: NCBI Datasets decides.
var nicknames = strings.Fields(`abl akt alk1 bcma bcrp braf1 brg1 cd117 cd20 cd30 cd340 ckit cmet cmyc craf cx26 dj1 erk1 erk2 glut1
	hdm2 her2 her3 her4 herg ini1 kras2 lkb1 mdr1 mek1 mek2 mll mll2 mll3 nav1.5 nav1.7 nmyc nrf2 oatp1b1 p14arf p16 p16ink4a p21 p27 p53
	park2 pd1 pdl1 pdl2 ptch rb snf5 tau tdp43 trka trkb trkc vegf vegfr1 vegfr2 vegfr3 waf1`)

// IsNickname reports whether a word is known to be no symbol of a gene, so that a source
// that knows genes by their symbols is not asked for it.
func IsNickname(word string) bool { return slices.Contains(nicknames, entity.Fold(word)) }

// Symbols are those of the human genes that have a word as an alias, none where it is a
// symbol: one request.
func Symbols(ctx context.Context, in *command.Input, word string) (symbols []string, err error) {
	network, err := in.App.Network()
	if err != nil || !datasets.IsSymbol(word) {
		return nil, err
	}
	words := []string{word}
	if folded := strings.ToUpper(entity.Fold(word)); !strings.EqualFold(folded, word) {
		words = append(words, folded)
	}
	genes, err := datasets.New(network).BySymbol(ctx, words, datasets.Human)
	for _, g := range genes {
		switch {
		case strings.EqualFold(g.Symbol, word):
			return nil, nil
		case !slices.Contains(symbols, g.Symbol) && entity.Folded(slices.Concat(g.Synonyms, g.Asked, []string{g.Symbol}), word):
			symbols = append(symbols, g.Symbol)
		}
	}
	return symbols, err
}
