package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/symbols"
)

func geneFlag(f *command.Flags, usage string) {
	f.StringP("gene", "g", "", usage)
	f.AddSynonyms("gene", "symbol", "genes", "hugo", "target-gene")
}

// gene returns the gene given by a flag, in HGNC's letter case, after checking its form.
func gene(in *command.Input, flag string) (string, error) { return geneOf(in, flag, in.String(flag)) }

func geneOf(in *command.Input, flag, word string) (string, error) {
	g := symbols.Spell(strings.TrimSpace(word))
	if g == "" {
		return "", result.Invalid("--"+flag+" is missing", append(in.Path(), "--help")...)
	}
	if flag != "target" {
		if err := checkGeneWords(in, flag, word); err != nil {
			return "", err
		}
	}
	return g, checkGene(in, g)
}

func checkGene(in *command.Input, g string) error {
	if !isSymbol(strings.ToUpper(g)) {
		return result.Invalid(fmt.Sprintf("%q is not a gene symbol", command.Clip(g)), append(in.Path(), "--help")...)
	}
	return nil
}

// isSymbol reports whether g has the form of a gene symbol in upper case.
func isSymbol(g string) bool {
	odd := func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.@", r))
	}
	return g != "" && len(g) <= 40 && !strings.ContainsFunc(g, odd)
}

// genes returns the list of genes given by a flag, without duplicates.
func genes(in *command.Input, flag string) ([]string, error) {
	if err := checkGeneWords(in, flag, in.String(flag)); err != nil {
		return nil, err
	}
	var list []string
	for _, g := range words(in.String(flag)) {
		if g = symbols.Spell(g); slices.Contains(list, g) {
			continue
		}
		if err := checkGene(in, g); err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, nil
}

// nearestRow returns the gene of a profile's table with the most similar symbol, or "" if none is
// similar.
func nearestRow(s *study.Study, p study.Profile, symbol string) string {
	m, err := s.Matrix(p)
	if err != nil {
		return ""
	}
	return symbols.Spell(command.Nearest(symbol, m.Genes()))
}

// didYouMean returns "; did you mean TP53?", or "" if symbol is empty.
func didYouMean(symbol string) string {
	if symbol == "" {
		return ""
	}
	return "; did you mean " + symbol + "?"
}

// geneValues reads the values of a gene given by a flag. The error for a gene without a row
// suggests a similar one.
func geneValues(in *command.Input, s *study.Study, p study.Profile, flag, gene string) (*study.GeneValues, error) {
	v, err := s.GeneValues(p, gene)
	if !study.IsKind(err, study.NotFound) {
		return v, err
	}
	if no := attributeInstead(in, s, flag, gene); no != nil {
		return nil, no
	}
	near := nearestRow(s, p, gene)
	if near == "" {
		return nil, err
	}
	return nil, result.Missing("gene "+gene+" has no row in "+p.File+didYouMean(near),
		replaceGene(in, flag, gene, near)...)
}

// checkGrouping implements Command.Check for commands with --gene and --by. It returns an error if
// --gene names an attribute.
func checkGrouping(in *command.Input) error {
	if err := requireFlags("study")(in); err != nil {
		return err
	}
	if hasGroups(in) {
		return checkGroups(in)
	}
	if !in.Given("gene") {
		return nil
	}
	if err := checkGeneWords(in, "gene", in.String("gene")); err != nil || in.Given("by") {
		return err
	}
	if s, err := open(in); err == nil { // otherwise the command reports the error
		if no := attributeInstead(in, s, "gene", in.String("gene")); no != nil {
			if known, _ := s.KnowsGene(in.String("gene")); !known {
				return &command.Refusal{Failure: no}
			}
		}
	}
	return nil
}

// attributeInstead returns an error that suggests --by or --type clinical if word is a clinical
// attribute. Otherwise it returns nil.
func attributeInstead(in *command.Input, s *study.Study, flag, word string) *result.Failure {
	a, err := s.Attribute(word)
	if err != nil {
		return nil
	}
	try := in.LineWith("--type", "clinical")
	if flag != "target" {
		// only these have --by
		if path := in.Path(); !slices.Contains([]string{"survival", "compare"}, path[len(path)-1]) {
			return nil
		}
		try = in.LineWith("--"+flag, "", "--by", a.ID)
	}
	return result.Missing(a.ID+" is a clinical attribute of "+s.ID+", not a gene in its data", try...)
}

// replaceGene returns the command line with one gene of a flag's list replaced.
func replaceGene(in *command.Input, flag, gene, replacement string) result.Argv {
	list := words(in.String(flag))
	for i := range list {
		if list[i] = symbols.Spell(list[i]); list[i] == gene {
			list[i] = replacement
		}
	}
	return in.LineWith("--"+flag, strings.Join(list, ","))
}

// skipGene reports whether an error concerns one gene of several that does not exist. It then
// adds the error as a notice, so that the answer has the other genes.
func skipGene(r *result.Result, list []string, err error) bool {
	var failure *result.Failure
	unknown := study.IsKind(err, study.NotFound) || errors.As(err, &failure) && failure.Code == result.NotFound
	if len(list) > 1 && unknown {
		r.Notice(err.Error())
		return true
	}
	return false
}

// mutationsOf reads the mutations of a gene given by a flag. It returns an error for a gene
// without mutations that is in no gene list of the study, because its rate may not be 0.
func mutationsOf(in *command.Input, s *study.Study, flag, gene string) (*study.GeneMutations, error) {
	m, err := s.GeneMutations(gene, in.Bool("include-silent"))
	if err != nil || m.HasRows {
		return m, err
	}
	return m, checkGeneKnown(in, s, flag, gene)
}

// checkGeneKnown returns an error if neither the study nor HGNC's table has the gene, because its
// rate is then unknown and not 0. If the symbol is an alias or the name of an attribute, the error
// suggests that gene or attribute, and otherwise a similar symbol.
func checkGeneKnown(in *command.Input, s *study.Study, flag, gene string) error {
	known, listed := s.KnowsGene(gene)
	if known {
		return nil
	}
	if no := attributeInstead(in, s, flag, gene); no != nil {
		return no
	}
	other, _ := eutils.LookupInTable(context.Background(), in.App, gene) // without HGNC's table there are no aliases
	for _, symbol := range other.Symbols() {
		if known, _ := s.KnowsGene(symbol); known {
			return result.Missing(gene+" is "+eutils.DescribeName(other)+", the name that "+s.ID+" uses",
				replaceGene(in, flag, gene, symbol)...)
		}
	}
	near, try := nearestMutated(s, gene), result.Argv{"study", "top-mutated", "--study", s.ID}
	if !listed {
		try = result.Argv{"sync", "hgnc"}
	}
	if near != "" {
		try = replaceGene(in, flag, gene, near)
	}
	if !listed {
		return result.Missing("the rate of "+gene+" in "+s.ID+" is unknown: no file of the study has the symbol, "+
			"and neither has the "+symbols.Version()+"; the table of sync hgnc has aliases and newer symbols"+
			didYouMean(near), try...)
	}
	return result.Missing(gene+" is in no data and no gene list of "+s.ID+didYouMean(near), try...)
}
