package pgx

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/pattern"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A Genotype describes a gene of a patient: a diplotype, or a phenotype, an activity score or the status of an
// allele. Results has more than one member if activity scores share the phenotype.
type Genotype struct {
	Gene      string            `json:"gene"`
	Diplotype *string           `json:"diplotype"`
	Results   []sets.CPICResult `json:"results"`
}

// has reports whether a value of a recommendation's key is a result of the genotype.
func (g *Genotype) has(lookup string) bool {
	return slices.ContainsFunc(g.Results, func(r sets.CPICResult) bool { return r.Lookup == lookup })
}

// describe returns the results for a person: "Intermediate Metabolizer, activity score 1.0".
func (g *Genotype) describe() string {
	all := []string{}
	for _, r := range g.Results {
		text := r.Phenotype
		if r.ActivityScore != "" {
			text += ", activity score " + r.ActivityScore
		}
		all = append(all, text)
	}
	return strings.Join(all, "; or ")
}

// Flag is the flag of genotypes.
const Flag = "genotype"

// GenotypeFlag defines --genotype.
func GenotypeFlag(f *command.Flags) {
	f.Strings(Flag, `pgx: CPIC's recommendations for a genotype, such as "CYP2C19 *2/*17"; several: repeat it, or ;`)
	f.AddSynonyms(Flag, "diplotype", "phenotype", "genotypes")
	f.Group(command.SubjectFlags, Flag)
	f.Excludes(Flag, "whose rows are pairs", "csv", "tsv")
}

// Genotypes reads --genotype. It returns a *result.Failure if the local table is absent, or for a gene, an allele, a
// diplotype or a phenotype that the table does not have.
func Genotypes(ctx context.Context, in *command.Input) (all []Genotype, err error) {
	var typed []string
	for _, value := range in.Strings(Flag) {
		value = strings.ReplaceAll(value, `\*`, "*") // pasted from markdown
		for one := range strings.SplitSeq(nextGene().ReplaceAllString(value, "; $1"), ";") {
			if one = strings.TrimSpace(one); one != "" {
				typed = append(typed, one)
			}
		}
	}
	if len(typed) == 0 && in.Given(Flag) {
		return nil, result.Invalid(`--genotype is empty: write a gene and its diplotype, such as "CYP2C19 *2/*17"`,
			in.LineWith("--"+Flag, "")...)
	}
	for i, text := range typed {
		r := reader{ctx: ctx, in: in, typed: typed, index: i}
		g, err := r.read(text)
		if table.IsAbsent(err) {
			return nil, local.AbsentFailure("genotypes", bulk.CPIC)
		}
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(o Genotype) bool { return o.Gene == g.Gene }) {
			return nil, result.Invalid("--genotype has "+g.Gene+" twice", r.without()...)
		}
		all = append(all, *g)
	}
	return all, nil
}

// nextGene matches a comma, "and" or a plus sign before the next gene: ", CYP2C19 *1/*2". Alleles of G6PD
// contain commas.
var nextGene = pattern.Lazy(`\s*(?:,|&|\+|\band\b)\s*([A-Z][A-Z0-9-]{2,}[ :=*])`)

// A reader reads one of the genotypes of a line.
type reader struct {
	ctx   context.Context
	in    *command.Input
	typed []string
	index int
}

// corrected returns the line with another text for the genotype.
func (r *reader) corrected(text string) result.Argv {
	all := slices.Clone(r.typed)
	all[r.index] = text
	return r.in.LineWith("--"+Flag, strings.Join(all, "; "))
}

// without returns the line without this genotype. It is suggested unless the text only writes a known genotype in
// another form: advice for a similar gene or allele would mislead.
func (r *reader) without() result.Argv {
	return r.in.LineWith("--"+Flag, strings.Join(slices.Delete(slices.Clone(r.typed), r.index, r.index+1), "; "))
}

// read reads a gene and its genotype: "CYP2C19 *2/*17", "CYP2D6 poor metabolizer".
func (r *reader) read(text string) (*Genotype, error) {
	symbol, value := text, ""
	if i := strings.IndexAny(text, " \t:=*"); i > 0 {
		symbol, value = text[:i], strings.Trim(text[i:], " \t:=")
	}
	gene, err := get[sets.CPICGene](r.ctx, r.in.App, sets.CPICID(sets.CPICGeneKind, symbol))
	if err == nil && gene == nil { // 2C19 is CYP2C19
		gene, err = get[sets.CPICGene](r.ctx, r.in.App, sets.CPICID(sets.CPICGeneKind, "CYP"+symbol))
	}
	switch {
	case err != nil:
		return nil, err
	case gene == nil:
		return nil, r.unknownGene(symbol)
	case len(gene.Results) == 0:
		return nil, result.Invalid("CPIC's table has no genotypes of "+gene.Symbol+", only pairs with drugs",
			r.without()...)
	case value == "":
		return nil, result.Invalid("--genotype "+strconv.Quote(text)+" has no diplotype or phenotype of "+gene.Symbol,
			r.without()...)
	}
	typedFirst, typedSecond := sets.SplitDiplotype(value)
	first, second := alleleOf(gene, typedFirst), alleleOf(gene, typedSecond)
	if first != typedFirst || second != typedSecond {
		value = first
		if second != "" {
			value += "/" + second
		}
	}
	allele, err := get[sets.CPICAllele](r.ctx, r.in.App, sets.CPICID(sets.CPICAlleleKind, gene.Symbol, first))
	if err != nil {
		return nil, err
	}
	if allele != nil {
		for other, i := range allele.Partners {
			if table.EqualText(other, second) && i < len(gene.Results) {
				return &Genotype{gene.Symbol, new(value), gene.Results[i : i+1]}, nil
			}
		}
	}
	if found := matching(gene.Results, value); len(found) > 0 {
		return &Genotype{gene.Symbol, nil, found}, nil
	}
	return nil, r.unknownValue(gene, value, first, second)
}

// alleleOf returns CPIC's name of an allele that was typed: *4x≥3 for *4x4 and *4x>=3, and *2x2 for *2×2. It returns
// any other text unchanged.
func alleleOf(gene *sets.CPICGene, typed string) string {
	isKnown := isAlleleOf(gene)
	name := strings.NewReplacer("×", "x", ">=", "≥", " ", "").Replace(typed)
	m := copies().FindStringSubmatch(name)
	switch {
	case isKnown(typed) || m == nil:
		return typed
	case isKnown(name):
		return name
	}
	if n, err := strconv.Atoi(m[2]); err == nil && n >= 3 && isKnown(m[1]+"x≥3") {
		return m[1] + "x≥3"
	}
	return typed
}

// isAlleleOf returns a function that reports whether a name is an allele of the gene.
func isAlleleOf(gene *sets.CPICGene) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(gene.Alleles, func(a string) bool { return table.EqualText(a, name) })
	}
}

// copies matches a star allele and its number of copies.
var copies = pattern.Lazy(`^(\*.+?)[xX]≥?([0-9]+)$`)

// matching returns the results with a phenotype, its initials or an activity score.
func matching(all []sets.CPICResult, value string) (found []sets.CPICResult) {
	value = strings.ReplaceAll(strings.ToLower(value), "metaboliser", "metabolizer")
	score := strings.ReplaceAll(value, ">=", "≥")
	for _, word := range []string{"activity score", "as "} {
		score = strings.TrimSpace(strings.TrimPrefix(score, word))
	}
	for _, r := range all {
		if table.EqualText(r.Phenotype, value) || table.EqualText(r.Lookup, value) ||
			strings.EqualFold(initials(r.Phenotype), value) || equalScore(r.ActivityScore, score) {
			found = append(found, r)
		}
	}
	return found
}

// initials returns the first letters of the words of a phenotype: "PM".
func initials(phenotype string) (letters string) {
	for word := range strings.FieldsSeq(phenotype) {
		letters += strings.ToUpper(word[:1])
	}
	return letters
}

// equalScore reports whether a score that was typed is one of CPIC's, which may be an open range: "≥3.0".
func equalScore(score, typed string) bool {
	least, open := strings.CutPrefix(score, "≥")
	value, typedOpen := strings.CutPrefix(typed, "≥")
	a, err := strconv.ParseFloat(strings.TrimSpace(least), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(value), 64)
	switch {
	case err != nil || err2 != nil:
		return false
	case open && !typedOpen:
		return b >= a
	}
	return open == typedOpen && a == b
}

// unknownGene returns the failure for a gene that the table does not have.
func (r *reader) unknownGene(symbol string) error {
	genes, err := findAll[sets.CPICGene](r.ctx, r.in.App, table.Query{Kinds: []string{sets.CPICGeneKind}})
	if err != nil {
		return err
	}
	names := result.Map(genes, func(g sets.CPICGene) string { return g.Symbol })
	return result.Invalid(fmt.Sprintf("CPIC's table has no gene %s%s", command.Clip(symbol),
		command.DidYouMean(strings.ToUpper(symbol), names)), r.without()...)
}

// unknownValue returns the failure for a diplotype or phenotype that the gene does not have.
func (r *reader) unknownValue(gene *sets.CPICGene, value, first, second string) error {
	known := isAlleleOf(gene)
	switch {
	case second != "" && known(first) && known(second):
		return result.Invalid(fmt.Sprintf("CPIC's table has both alleles and no diplotype %s of %s", command.Clip(value),
			gene.Symbol), r.without()...)
	case second != "":
		return r.unknownAllele(gene, []string{first, second}, known)
	case known(first):
		return result.Invalid(fmt.Sprintf("%s is one allele of %s: write both, separated by /", command.Clip(value),
			gene.Symbol), r.without()...)
	}
	phenotypes := entity.Unique(result.Map(gene.Results, func(c sets.CPICResult) string { return c.Phenotype }))
	return result.Invalid(fmt.Sprintf("CPIC's table has no diplotype, phenotype or activity score %s of %s; "+
		"its phenotypes: %s", command.Clip(value), gene.Symbol, entity.EtAl(phenotypes, 8)), r.without()...)
}

// unknownAllele returns the failure for a diplotype with alleles that the gene does not have.
func (r *reader) unknownAllele(gene *sets.CPICGene, alleles []string, known func(string) bool) error {
	if len(gene.Alleles) == 0 {
		all := result.Map(gene.Results, func(c sets.CPICResult) string { return c.Phenotype })
		return result.Invalid(fmt.Sprintf("CPIC's table has no diplotypes of %s; give one of: %s", gene.Symbol,
			entity.EtAl(all, 8)), r.without()...)
	}
	var unknown []string
	isOtherForm := true
	for i, a := range alleles {
		if known(a) {
			continue
		}
		unknown = append(unknown, command.Clip(a))
		at := slices.IndexFunc(gene.Alleles, func(k string) bool { return table.EqualText(k, "*"+a) })
		if isOtherForm = isOtherForm && at >= 0; at >= 0 {
			alleles[i] = gene.Alleles[at]
		}
	}
	message := fmt.Sprintf("CPIC's table has no allele %s of %s", strings.Join(unknown, " and "), gene.Symbol)
	if near := strings.Join(alleles, "/"); isOtherForm {
		return result.Invalid(message+"; did you mean "+near+"?", r.corrected(gene.Symbol+" "+near)...)
	}
	return result.Invalid(message+"; it has "+entity.EtAl(gene.Alleles, 8), r.without()...)
}
