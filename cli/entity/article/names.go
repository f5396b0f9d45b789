package article

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/variantname"
)

// drugNames is the substance of a brand or a salt in RxNorm: two requests, one where
// RxNorm does not have the name.
func drugNames(ctx context.Context, in *command.Input, name string) (none entity.OtherNames, err error) {
	network := in.App.Network()
	ids, err := rxnav.New(network).Find(ctx, name)
	if err != nil || len(ids) == 0 {
		return none, err
	}
	related, err := rxnav.New(network).Related(ctx, ids[0])
	if err != nil {
		return none, err
	}
	var substances []string
	for _, c := range related {
		if c.TTY == "IN" && c.RxCUI == ids[0] {
			return none, nil
		} else if c.TTY == "IN" {
			substances = append(substances, c.Name)
		}
	}
	switch len(substances) {
	case 0:
		return none, nil
	case 1:
		return entity.OtherNames{Names: substances, What: "another name of " + substances[0]}, nil
	}
	return entity.OtherNames{What: "of several substances (" + entity.Some(substances) + ")"}, nil
}

// variantTerm asks for a variant in title or abstract, as it was typed.
func variantTerm(text string) (string, bool) {
	gene, spellings := variantname.InText(text)
	return inAbstract([]string{gene}, spellings[:min(1, len(spellings))]), len(spellings) > 0
}

// inAbstract asks for a gene by any of its names, where there is one, and any of some
// spellings. A spelling that PubMed drops leaves the others and never the gene alone.
func inAbstract(genes, spellings []string) string {
	const tag = `[Title/Abstract]`
	terms := result.Map(spellings, func(s string) string { return `"` + s + `"` + tag })
	term := "(" + strings.Join(terms, " OR ") + ")"
	if genes[0] != "" {
		gene := strings.Join(genes, tag+" OR ") + tag
		if len(genes) > 1 {
			gene = "(" + gene + ")"
		}
		term = "(" + gene + " AND " + term + ")"
	}
	return term
}

// variantNames are the other spellings of a variant, and the symbol of its gene where the
// local table of HGNC has another.
func variantNames(ctx context.Context, in *command.Input, text string) (entity.OtherNames, error) {
	gene, spellings := variantname.InText(text)
	symbol, err := eutils.ListedNames(ctx, in, gene)
	other := entity.OtherNames{
		Names: slices.Concat(spellings[1:], symbol.Names), Term: inAbstract(append([]string{gene}, symbol.Names...), spellings), Typed: spellings[0],
	}
	switch {
	case strings.HasPrefix(spellings[0], "rs"):
		other.What = "an rs number, which few abstracts have (biomcp get variant " + spellings[0] + " articles lists those that LitVar2 knows)"
	case len(other.Names) > 0:
		other.What = "also written " + strings.Join(other.Names, ", ")
	}
	return other, err
}
