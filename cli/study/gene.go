package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/store/study"
)

func geneFlag(f *command.Flags, usage string) {
	f.StringP("gene", "g", "", usage)
	f.Also("gene", "symbol", "genes", "hugo", "target-gene")
}

// gene is a flag with one gene, in upper case, checked.
func gene(in *command.Input, flag string) (string, error) { return geneOf(in, flag, in.String(flag)) }

func geneOf(in *command.Input, flag, word string) (string, error) {
	g := strings.ToUpper(strings.TrimSpace(word))
	if g == "" {
		return "", result.Invalid("--"+flag+" is missing", append(in.Path(), "--help")...)
	}
	return g, checkGene(in, g)
}

func checkGene(in *command.Input, g string) error {
	odd := func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.@", r))
	}
	if len(g) > 40 || strings.ContainsFunc(g, odd) {
		return result.Invalid(fmt.Sprintf("%q is not a gene symbol", command.Clip(g)), append(in.Path(), "--help")...)
	}
	return nil
}

// genes is a flag with a list of genes, without doubles.
func genes(in *command.Input, flag string) ([]string, error) {
	var list []string
	for _, g := range words(in.String(flag)) {
		if g = strings.ToUpper(g); slices.Contains(list, g) {
			continue
		}
		if err := checkGene(in, g); err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, nil
}

// nearRow is the gene with a row in a profile's table that is near to a symbol.
func nearRow(s *study.Study, p study.Profile, symbol string) string {
	m, err := s.Matrix(p)
	if err != nil {
		return ""
	}
	return strings.ToUpper(command.Nearest(symbol, m.Genes()))
}

// orNear is "; did you mean TP53?", nothing where no gene is near.
func orNear(near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// geneValues reads the values of a gene that a flag names. The failure for a gene without
// a row names one that is near.
func geneValues(in *command.Input, s *study.Study, p study.Profile, flag, gene string) (*study.GeneValues, error) {
	v, err := s.GeneValues(p, gene)
	if !study.IsKind(err, study.NotFound) {
		return v, err
	}
	if no := notGene(in, s, flag, gene); no != nil {
		return nil, no
	}
	near := nearRow(s, p, gene)
	if near == "" {
		return nil, err
	}
	return nil, result.Missing("gene "+gene+" has no row in "+p.File+orNear(near), with(in, flag, gene, near)...)
}

// divided is Command.Check of what a gene or an attribute divides: an attribute is no gene.
func divided(in *command.Input) error {
	if err := given("study")(in); err != nil || !in.Given("gene") || in.Given("by") {
		return err
	}
	if s, err := open(in); err == nil { // else the command says it
		if no := notGene(in, s, "gene", in.String("gene")); no != nil {
			if known, _ := s.Knows(in.String("gene")); !known {
				return &command.Refusal{Failure: no}
			}
		}
	}
	return nil
}

// notGene refuses a clinical attribute in the place of a gene, nil if it is none.
func notGene(in *command.Input, s *study.Study, flag, word string) *result.Failure {
	a, err := s.Attribute(word)
	if err != nil {
		return nil
	}
	try := in.Again("--type", "clinical")
	if flag != "target" {
		if path := in.Path(); !slices.Contains([]string{"survival", "compare"}, path[len(path)-1]) { // which have --by
			return nil
		}
		try = in.Again("--"+flag, "", "--by", a.ID)
	}
	return result.Missing(a.ID+" is a clinical attribute of "+s.ID+", not a gene in its data", try...)
}

// with is the line in which a flag names another gene in the place of one.
func with(in *command.Input, flag, gene, near string) result.Argv {
	list := words(strings.ToUpper(in.String(flag)))
	for i := range list {
		if list[i] == gene {
			list[i] = near
		}
	}
	return in.Again("--"+flag, strings.Join(list, ","))
}

// mutationsOf reads the mutations of a gene that a flag names. One without mutations that no
// list of genes of the study has is refused: its rate is not known to be 0.
func mutationsOf(in *command.Input, s *study.Study, flag, gene string) (*study.GeneMutations, error) {
	m, err := s.GeneMutations(gene, in.Bool("include-silent"))
	if err != nil || m.Seen {
		return m, err
	}
	return m, isGene(in, s, flag, gene)
}

// isGene refuses a gene that is in no data and no list of genes, where there is one, or that is
// another name of one that is, or an attribute instead.
func isGene(in *command.Input, s *study.Study, flag, gene string) error {
	known, listed := s.Knows(gene)
	if known {
		return nil
	}
	if no := notGene(in, s, flag, gene); no != nil {
		return no
	}
	other, _ := eutils.Listed(context.Background(), in.App, gene) // without HGNC's table no other name is known
	for _, symbol := range other.Symbols {
		if known, _ := s.Knows(symbol); known {
			return result.Missing(gene+" is "+other.What()+", by which "+s.ID+" names it", with(in, flag, gene, symbol)...)
		}
	}
	if !listed {
		return nil
	}
	near, try := nearMutated(s, gene), result.Argv{"study", "top-mutated", "--study", s.ID}
	if near != "" {
		try = with(in, flag, gene, near)
	}
	return result.Missing(gene+" is in no data and no gene list of "+s.ID+orNear(near), try...)
}
