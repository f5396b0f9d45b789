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

// drugNames returns the substance of a brand or a salt by RxNorm. It makes two requests, or
// one if RxNorm does not know the name.
func drugNames(ctx context.Context, in *command.Input, name string) (other entity.OtherNames, err error) {
	network := in.App.Network()
	ids, err := rxnav.New(network).Find(ctx, name)
	if err != nil || len(ids) == 0 {
		return other, err
	}
	related, err := rxnav.New(network).RelatedConcepts(ctx, ids[0])
	if err != nil {
		return other, err
	}
	var substances []string
	for _, c := range related {
		if c.TTY == "IN" && c.RxCUI == ids[0] {
			return other, nil
		} else if c.TTY == "IN" {
			substances = append(substances, c.Name)
		}
	}
	switch len(substances) {
	case 0:
		return other, nil
	case 1:
		return entity.OtherNames{Names: substances, Description: "another name of " + substances[0]}, nil
	}
	return entity.OtherNames{Description: "of several substances (" + command.Abbreviate(substances) + ")"}, nil
}

// variantTerm returns a query for a variant in title or abstract, as it was typed.
func variantTerm(text string) (string, bool) {
	gene, spellings := variantname.Spellings(text)
	return inAbstract([]string{gene}, spellings[:min(1, len(spellings))]), len(spellings) > 0
}

// inAbstract returns a query for any of the spellings and, if genes[0] is not empty, any of
// the genes. If PubMed drops a spelling, the query never falls back to the gene alone.
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

// variantNames returns the other spellings of a variant, and the official symbol of its
// gene if the local HGNC table has one.
func variantNames(ctx context.Context, in *command.Input, text string) (entity.OtherNames, error) {
	gene, spellings := variantname.Spellings(text)
	symbol, err := eutils.ListedNames(ctx, in, gene)
	other := entity.OtherNames{
		Names: slices.Concat(spellings[1:], symbol.Names),
		Term:  inAbstract(append([]string{gene}, symbol.Names...), spellings), ValuePart: spellings[0],
	}
	switch {
	case strings.HasPrefix(spellings[0], "rs"):
		other.Description = "an rs number, which few abstracts have (biomcp get variant " + spellings[0] +
			" articles lists those that LitVar2 knows)"
	case len(other.Names) > 0:
		other.Description = "also written " + strings.Join(other.Names, ", ")
	}
	return other, err
}
