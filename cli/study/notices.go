package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/symbols"
)

// noteMutations adds notices about excluded mutations of a gene, its name in the file, and the
// profiled samples.
func noteMutations(r *result.Result, s *study.Study, g *study.GeneMutations) {
	noteRows(r, s, " of "+g.Gene, g.ExcludedRows)
	noteInstead(r, g.PreferredFile, g.Gene, g.File)
	if !slices.Equal(g.Names, []string{g.Gene}) && g.HasRows {
		r.Notice("the mutation file has " + g.Gene + " as " + strings.Join(g.Names, " and ") +
			": the same gene under another name")
	}
	if !g.HasRows {
		r.Notice("the mutation file has no row of " + g.Gene +
			": no sample is mutated, or the file uses another symbol" + didYouMean(nearestMutated(s, g.Gene)))
	}
	addNotices(r, s, g.Profiled.Notices)
}

// otherGenes returns next, the suggestions after an answer about a gene. If the mutation file
// has no row of the gene, it suggests top-mutated instead.
func otherGenes(s *study.Study, g *study.GeneMutations, next ...result.Argv) []result.Argv {
	if g.HasRows {
		return next
	}
	return []result.Argv{{"study", "top-mutated", "--study", s.ID}}
}

// survivalOf suggests the survival analysis by a gene. It returns nil if the study has no
// endpoints.
func survivalOf(s *study.Study, gene string, by ...string) []result.Argv {
	if all, err := s.Endpoints(); err != nil || len(all) == 0 {
		return nil
	}
	return []result.Argv{append(result.Argv{"study", "survival", "--study", s.ID, "--gene", gene}, by...)}
}

// nearestMutated returns the mutated gene with the most similar symbol, preferring the most often
// mutated one.
func nearestMutated(s *study.Study, symbol string) string {
	counts, _, err := s.MutatedGenes(true)
	if err != nil {
		return ""
	}
	names := result.Map(counts, func(c study.GeneCount) string { return c.Gene })
	return symbols.Spell(command.Nearest(symbol, names))
}

// moreThan returns " and n more" for a list cut after max, or "".
func moreThan(n, max int) string {
	if n <= max {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-max)
}

// noteRows adds notices with the numbers of omitted rows. geneSuffix is " of TP53", or "" for
// all genes.
func noteRows(r *result.Result, s *study.Study, geneSuffix string, omitted study.ExcludedRows) {
	if classes := s.UnknownClasses(); classes != nil {
		addNotices(r, s, []string{"unknown variant classes count as changing the protein: " +
			strings.Join(classes[:min(10, len(classes))], ", ") + moreThan(len(classes), 10)})
	}
	note := func(n int, singular, plural, rest string) {
		if n > 0 {
			r.Notice(english.Plural(n, "variant"+geneSuffix+singular+" is", "variants"+geneSuffix+plural+" are") +
				" not counted" + rest)
		}
	}
	note(omitted.Silent, " that does not change the protein", " that do not change the protein",
		"; --include-silent counts "+english.PluralWord(omitted.Silent, "it", "them"))
	such := ""
	if omitted.UnknownSample > 0 {
		such = " (such as " + strings.TrimRight(strings.Join(omitted.Unknown[:], ", "), ", ") + ")"
	}
	note(omitted.UnknownSample, " in a sample that is not in the study"+such,
		" in samples that are not in the study"+such, "")
	note(omitted.NotProfiled, " in a sample that was not profiled for the gene",
		" in samples that were not profiled for the gene", "")
}

// addNotices adds notices that are not there yet, and the problems of the study's files.
func addNotices(r *result.Result, s *study.Study, list ...[]string) {
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
	for _, merged := range s.MergedValues() {
		add(merged)
	}
	for _, problem := range slices.Concat(s.Problems, s.ClinicalFaults()) {
		add(problem.Error())
	}
}

// noteValues adds notices about missing values of a gene, its name in the file and duplicate
// rows.
func noteValues(r *result.Result, s *study.Study, v *study.GeneValues) {
	if v.MissingValues > 0 {
		r.Notice(english.Plural(v.MissingValues, "profiled sample", "") + " without a value of " + v.Gene + " not counted")
	}
	noteRow(r, s, v)
}

// noteInstead adds the notice that a gene was read from another file because the preferred one
// lacks it.
func noteInstead(r *result.Result, preferredFile, gene, file string) {
	if preferredFile != "" {
		r.Notice(preferredFile + " has no row of " + gene + ", which is read from " + file)
	}
}

func noteRow(r *result.Result, s *study.Study, v *study.GeneValues) {
	noteInstead(r, v.PreferredFile, v.Gene, v.Profile.File)
	if v.Row != v.Gene {
		r.Notice(v.Profile.File + " has " + v.Gene + " as " + v.Row + ": the same gene under another name")
	}
	var more []string
	if v.DuplicateRows > 0 {
		more = append(more, fmt.Sprintf("%s has %s for %s, whose values may differ: the first row is used",
			v.Profile.File, english.Plural(v.DuplicateRows, "further row", ""), v.Row))
	}
	if files := s.ComplementaryFiles(v.Profile); len(files) > 0 {
		more = append(more, "expression is read from "+v.Profile.File+
			"; the study also has it measured by another method, or in other samples: "+strings.Join(files, ", "))
	}
	addNotices(r, s, v.Profiled.Notices, more)
}
