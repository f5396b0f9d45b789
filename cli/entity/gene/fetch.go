package gene

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/entrez/resolve"
)

// fetch finds the genes of words. An alias counts as not found, and its failure names the symbol.
func fetch(
	ctx context.Context, in *command.Input, words []string, sectionNames entity.Sections,
) (*entity.Found[Gene], error) {
	client := eutils.Genes(in.App)
	client.Taxon = taxonOf(in.String("organism"))
	if client.Taxon == "" {
		return nil, result.Invalid(fmt.Sprintf("--organism %q is not an organism: write human, mouse, rat, "+
			"zebrafish, fly, worm, yeast or a taxid",
			command.Clip(in.String("organism"))),
			in.LineWith("--organism", "mouse")...)
	}
	out := &entity.Found[Gene]{}
	isHuman := client.Taxon == datasets.Human
	isLocal := isHuman && entity.AreLocal(ctx, in.App, append(sections(), externalSections()...), sectionNames)
	if isLocal {
		var err error
		if words, err = addFromTables(ctx, in, words, out); err != nil || len(words) == 0 {
			return out, err
		}
	}
	missing := missingTable(sectionNames, isLocal)
	answer, err := client.FindAll(ctx, words...)
	hasStored := !isLocal && isHuman &&
		entity.AnyLocal(ctx, in.App, append(sections(), externalSections()...), sectionNames)
	if err != nil {
		return out, failWords(ctx, in, words, out, err, missing)
	}
	records, inTables := map[string]*Gene{}, len(out.Records) // words of one gene share its record
	for _, g := range out.Records {
		records[g.ID] = g
	}
	for i := range answer.Results {
		r := &answer.Results[i]
		if note := readAs(r, isHuman); note != "" {
			out.Notices = append(out.Notices, note)
		}
		switch {
		case r.Gene != nil:
			if records[r.Gene.ID] == nil {
				records[r.Gene.ID] = &Gene{Gene: r.Gene}
			}
			out.Add(r.Word, records[r.Gene.ID])
		case r.Miss.Kind == resolve.Unavailable:
			if hasStored {
				rest, err := addStored(ctx, in, []string{r.Word}, out, r.Miss.Err)
				if err != nil {
					return out, err
				} else if len(rest) == 0 {
					continue
				}
			}
			out.Failed(r.Word, suggestTable(ctx, in, r.Word, r.Miss.Err, missing))
		default:
			out.NotFound(r.Word, notFoundFailure(r, isHuman))
		}
	}
	addNotices(out, out.Records[inTables:], answer)
	return out, nil
}

// readAs returns the notice that a word was read as a symbol written otherwise, "" if it was not.
func readAs(r *gene.Result, isHuman bool) string {
	switch {
	case r.Symbol == "":
		return ""
	case gene.IsMouseStyle(r.Word) && isHuman:
		return fmt.Sprintf("%s, as genes of mouse and rat are written, is read as the "+
			"human gene %s; --organism mouse reads that of the mouse",
			r.Word, r.Symbol)
	case strings.EqualFold(r.Word, r.Symbol):
		return ""
	}
	return r.Word + " is read as the symbol " + r.Symbol
}

// addNotices adds notices of the parts of genes that are missing, and of those that are no longer current.
func addNotices(out *entity.Found[Gene], genes []*Gene, answer *gene.Answer) {
	if answer.LocationsErr != nil {
		out.Notices = append(out.Notices, "places are missing: "+answer.LocationsErr.Error())
	}
	if answer.PartErr != nil && len(genes) > 0 {
		out.Notices = append(out.Notices, "a part of the card is missing: "+answer.PartErr.Error())
		out.Problem = answer.PartErr
	}
	if note := unreported(genes); answer.PartErr == nil && note != "" {
		out.Notices = append(out.Notices, note)
	}
	for _, g := range genes {
		if g.ReplacedBy != "" {
			out.Notices = append(out.Notices, g.ID+" was replaced by "+g.ReplacedBy)
		} else if g.Status == gene.Discontinued {
			out.Notices = append(out.Notices, g.ID+" was discontinued")
		}
	}
}

// unreported returns a notice about live genes that NCBI Datasets has no report of, "" if there are
// none. Datasets sends the same empty reply for an unknown gene and when it is out of order.
func unreported(genes []*Gene) string {
	var symbols []string
	for _, g := range genes {
		if g.Report == nil && g.Status == gene.Live {
			symbols = append(symbols, g.Symbol)
		}
	}
	if len(symbols) == 0 {
		return ""
	}
	return "a part of the card is missing: NCBI Datasets sent no report of " + command.Abbreviate(symbols) +
		", so its HGNC, Ensembl and UniProt ids are not known"
}

// notFoundFailure returns the failure for a word that is not a symbol, or that is a GeneID whose record
// was replaced and could not be read. For a word capitalized like a mouse gene it suggests
// --organism mouse, because the human gene with that alias may not be the intended one.
func notFoundFailure(r *gene.Result, isHuman bool) *result.Failure {
	if m := r.Miss; m.Kind == resolve.Replaced {
		g := m.Candidates[0]
		return &result.Failure{Code: result.NotFound, Try: result.Argv{"get", "gene", g.ID},
			Message: fmt.Sprintf("%s was replaced by %s (GeneID %s)", r.Word, g.Symbol, g.ID)}
	}
	f := entity.AliasFailure(r.Miss, describeAlias(r))
	if !isHuman || !gene.IsMouseStyle(r.Word) {
		return f
	}
	line := result.Argv{"get", "gene", r.Word, "--organism", "mouse"}
	if f == nil {
		return &result.Failure{
			Code:    result.NotFound,
			Message: r.Word + " is not the symbol of a human gene; it is written like one of mouse or rat",
			Try:     line,
		}
	}
	f.Message += "; it is written as genes of mouse and rat are"
	f.Next, f.Try = append([]result.Argv{line}, f.Next...), line
	return f
}

// describeAlias says what an alias is, for the end of a sentence.
func describeAlias(r *gene.Result) string {
	switch {
	case r.Listed == nil:
		return "an alias, not a symbol"
	case len(r.Listed.Genes) == 1:
		return eutils.DescribeName(*r.Listed)
	}
	return r.Listed.Kind()
}

// similarSymbol returns a similar symbol of a gene of the requested organism.
func similarSymbol(ctx context.Context, in *command.Input, word string) string {
	client := eutils.Genes(in.App)
	client.Taxon = taxonOf(in.String("organism"))
	return client.SimilarSymbol(ctx, word)
}
