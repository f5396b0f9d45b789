package eutils

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/variantname"
)

// Explain explains which genomic entity text names by its form, if it is not one record, and suggests
// the command that finds it. name is the entity that was asked for, such as gene. Explain returns
// "", nil for any other text.
func Explain(name, text string) (reason string, try result.Argv) {
	e, ok := variantname.ReadEntity(text)
	if !ok {
		return "", nil
	}
	word := command.Clip(text)
	switch e.Kind {
	case variantname.Fusion:
		pair := strings.Join(e.Genes, "-")
		reason = word + " has the form of a fusion of the genes " + strings.Join(e.Genes, " and ") + " (" + e.Name +
			"), not of one record: search for articles, or for trials with search trial " + pair
		return reason, result.Argv{"search", "article", pair}
	case variantname.Expansion:
		reason = word + " has the form of a repeat in the gene " + e.Genes[0] + ", whose length differs between " +
			"people: search for articles, or for variants of the gene with search variant -g " + e.Genes[0]
		return reason, result.Argv{"search", "article", e.Name + " repeat"}
	case variantname.Band:
		if name != "variant" {
			name = "gene"
		}
		reason = word + " is a band of a chromosome (" + e.Name + ") with many genes and variants: " +
			"search for those there"
		return reason, result.Argv{"search", name, e.Name}
	case variantname.BandChange:
		reason = word + " is a change of a band of a chromosome (" + e.Name + "), not one variant: " +
			"search for the disease that is named after it"
		return reason, result.Argv{"search", "disease", e.Name}
	case variantname.Haplotype:
		reason = word + " is an allele of two positions (" + e.Name + ": " + strings.Join(e.Alleles, ", ") +
			"): read the variants of both"
		try = result.Argv{"get", "variant"}
		for _, a := range e.Alleles {
			rs, _, _ := strings.Cut(a, " ")
			try = append(try, rs)
		}
		return reason, try
	}
	reason = word + " is a change between two positions (" + e.Name + " on " + e.Assembly + "), whose ends may " +
		"differ between records: search for the variants there"
	try = result.Argv{"search", "variant", "--region", e.Name}
	if e.Assembly != assembly.GRCh38 {
		try = append(try, "--assembly", e.Assembly)
	}
	return reason, try
}

// SuggestSearch returns a function that suggests another search if the query of a search of name is the
// form of a genomic entity.
func SuggestSearch(name string) func(context.Context, *command.Input, *entity.Query) ([]result.Argv, string) {
	return func(_ context.Context, _ *command.Input, q *entity.Query) ([]result.Argv, string) {
		_, try := Explain("", q.Text)
		if isSame := len(try) == 3 && try[0] == "search" && try[1] == name; try == nil || isSame {
			return nil, ""
		}
		return []result.Argv{try}, ""
	}
}
