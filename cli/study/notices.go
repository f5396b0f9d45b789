package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// noteMutations says what was left out of the mutations of a gene, and of which
// samples.
func noteMutations(r *result.Result, s *study.Study, g *study.GeneMutations) {
	noteRows(r, " of "+g.Gene, g.LeftOut)
	noteInstead(r, g.Instead, g.Gene, g.File)
	if !slices.Equal(g.Names, []string{g.Gene}) && g.Seen {
		r.Notice("the mutation file has " + g.Gene + " as " + strings.Join(g.Names, " and ") + ": one gene under another name")
	}
	if !g.Seen {
		r.Notice("the mutation file has no row of " + g.Gene + ": no sample is mutated, or the symbol is another one" + orNear(nearMutated(s, g.Gene)))
	}
	notes(r, s, g.On.Notices)
}

// otherGenes are the lines after an answer on a gene, or where the mutation file has no row
// of it, and nothing more can be asked of it, the genes that it has.
func otherGenes(s *study.Study, g *study.GeneMutations, next ...result.Argv) []result.Argv {
	if g.Seen {
		return next
	}
	return []result.Argv{{"study", "top-mutated", "--study", s.ID}}
}

// survivalOf is the line for the survival by a gene; none in a study without endpoints.
func survivalOf(s *study.Study, gene string, by ...string) []result.Argv {
	if all, err := s.Endpoints(); err != nil || len(all) == 0 {
		return nil
	}
	return []result.Argv{append(result.Argv{"study", "survival", "--study", s.ID, "--gene", gene}, by...)}
}

// nearMutated is the gene that is near to a symbol, of several the one that is mutated
// most often.
func nearMutated(s *study.Study, symbol string) string {
	counts, _, err := s.MutatedGenes(true)
	if err != nil {
		return ""
	}
	names := result.Map(counts, func(c study.GeneCount) string { return c.Gene })
	return strings.ToUpper(command.Nearest(symbol, names))
}

// noteRows says how many rows of a gene were left out; whose is " of TP53", "" for all genes.
func noteRows(r *result.Result, whose string, left study.LeftOut) {
	not := func(n int, one, more, rest string) {
		if n > 0 {
			r.Notice(english.Plural(n, "variant"+whose+one+" is", "variants"+whose+more+" are") + " not counted" + rest)
		}
	}
	not(left.Silent, " that changes no protein", " that change no protein", "; --include-silent counts "+english.PluralWord(left.Silent, "it", "them"))
	not(left.Unknown, " in a sample that is none of the study", " in samples that match no sample of the study", "")
	not(left.Outside, " in a sample that was not profiled for the gene", " in samples that were not profiled for the gene", "")
}

// notes adds notices that several parts of an answer may have, once each, and what is
// wrong with the study's files.
func notes(r *result.Result, s *study.Study, list ...[]string) {
	seen := map[string]bool{}
	for _, n := range r.Notices {
		seen[n] = true
	}
	add := func(n string) {
		if !seen[n] {
			seen[n] = true
			r.Notice(n)
		}
	}
	for _, l := range list {
		for _, n := range l {
			add(n)
		}
	}
	for _, problem := range s.Problems {
		add(problem.Error())
	}
}

// noteValues says what was left out of the values of a gene, and how its row is named.
func noteValues(r *result.Result, s *study.Study, v *study.GeneValues) {
	if v.Blank > 0 {
		r.Notice(english.Plural(v.Blank, "profiled sample", "") + " without a value of " + v.Gene + " not counted")
	}
	noteRow(r, s, v)
}

// noteInstead says that a gene was read from another file than the one that is asked first.
func noteInstead(r *result.Result, instead, gene, file string) {
	if instead != "" {
		r.Notice(instead + " has no row of " + gene + ", which is read from " + file)
	}
}

func noteRow(r *result.Result, s *study.Study, v *study.GeneValues) {
	noteInstead(r, v.Instead, v.Gene, v.Profile.File)
	if v.Row != v.Gene {
		r.Notice(v.Profile.File + " has " + v.Gene + " as " + v.Row + ": one gene under another name")
	}
	var more []string
	if v.Again > 0 {
		more = append(more, fmt.Sprintf("%s has %s more of %s, with other values perhaps: the first is used", v.Profile.File, english.Plural(v.Again, "row", ""), v.Row))
	}
	if files := s.ByOtherMethod(v.Profile); len(files) > 0 {
		more = append(more, "expression is read from "+v.Profile.File+"; the study has it by another method, or of other samples, too: "+strings.Join(files, ", "))
	}
	notes(r, s, v.On.Notices, more)
}
