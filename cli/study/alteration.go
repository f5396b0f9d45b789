package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
	"biomcp/store/study/oql"
	"biomcp/store/study/symbols"
)

// proteinChange matches the substitution of one amino acid, in upper case.
var proteinChange = pattern.Lazy(`^(?:P\.)?([A-Z][0-9]+[A-Z*])$`)

// splitChange splits GENE:CHANGE, such as TP53:R273H, into gene and change. The change is "" if text
// is a gene alone.
func splitChange(text string) (gene, change string) {
	gene, change, _ = strings.Cut(strings.ToUpper(text), ":")
	if m := proteinChange().FindStringSubmatch(strings.TrimSpace(change)); m != nil {
		return strings.TrimSpace(gene), m[1]
	}
	return strings.ToUpper(text), ""
}

// stateFlag returns the flag of study filter for a state in cBioPortal's query language, or "".
func stateFlag(state string) string {
	switch state {
	case "MUT", "MUTATED":
		return "mutated"
	case "AMP", "AMPLIFIED":
		return "amplified"
	case "HOMDEL":
		return "deleted"
	}
	return ""
}

// criteria translates lines of cBioPortal's query language, such as TP53: MUT=R273H, to flags of
// study filter and their values. It returns nil if text is anything else or a study filter cannot
// express it.
func criteria(text string) (pairs []string) {
	for line := range strings.SplitSeq(strings.ToUpper(strings.Trim(text, "; ")), ";") {
		gene, state, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found {
			gene, state, _ = strings.Cut(gene, " ")
		}
		gene, state = strings.TrimSpace(gene), strings.TrimSpace(state)
		change := proteinChange().FindStringSubmatch(strings.TrimPrefix(state, "MUT="))
		switch {
		case !isSymbol(gene):
			return nil
		case stateFlag(state) != "":
			pairs = append(pairs, "--"+stateFlag(state), symbols.Spell(gene))
		case change != nil:
			pairs = append(pairs, "--mutated", symbols.Spell(gene)+":"+change[1])
		default:
			return nil
		}
	}
	return pairs
}

// expressionOf returns the canonical form of a text in cBioPortal's query language, with alterations or
// operators, or "" if it is anything else.
func expressionOf(in *command.Input, text string) string {
	x, err := parseExpr(in, text)
	hasOperator := slices.ContainsFunc(strings.Fields(strings.ToUpper(text)), oneOf("and or not"))
	if line, is := x.(*oql.Line); err != nil || is && line.Alterations == nil || !hasOperator && !isExpression(text) {
		return ""
	}
	return x.String()
}

// isExpression reports whether a text has a sign of an expression, which is in no gene and no list of genes.
func isExpression(text string) bool { return strings.ContainsAny(text, ":=<>&|!;([") }

// versus matches two genes to compare: TP53 vs PTEN.
var versus = pattern.Lazy(`(?i)^([^\s,]+)[\s,]+(?:vs\.?|versus)[\s,]+([^\s,]+)$`)

// checkGenes returns a Command.Check that requires a study and a flag with genes.
func checkGenes(flag string) func(in *command.Input) error {
	return func(in *command.Input) error {
		return cmp.Or(requireFlags("study", flag)(in), checkGeneWords(in, flag, in.String(flag)))
	}
}

// checkGeneWords returns an error if the value of a flag for genes names a change, a state or a
// comparison. The error suggests the command for it.
func checkGeneWords(in *command.Input, flag, text string) error {
	if text = strings.TrimSpace(text); in.String("study") == "" || isSymbol(strings.ToUpper(text)) {
		return nil
	}
	if m := versus().FindStringSubmatch(text); m != nil && isSymbol(strings.ToUpper(m[1])) {
		return compareTwo(in, flag, m[1], m[2])
	}
	if list := words(text); len(list) == 2 && symbols.Names(list[1]) == nil {
		text = strings.Join(list, " ") // TP53,R273H
	}
	pairs := criteria(text)
	if expression := expressionOf(in, text); pairs == nil && expression != "" {
		message := fmt.Sprintf("--%s takes a gene alone, not %q; --group takes an expression", flag, command.Clip(text))
		try := lineOf(in, "filter", "--group", expression)
		if slices.Contains([]string{"survival", "compare"}, in.Path()[len(in.Path())-1]) && flag != "target" {
			try = in.LineWith("--"+flag, "", "--by", "", "--group", expression)
		}
		return anotherCommand(message, try)
	}
	if len(pairs) != 2 {
		return nil
	}
	message := fmt.Sprintf("--%s takes a gene alone, not %q; study filter finds the samples with one change or state",
		flag, command.Clip(text))
	refusal := anotherCommand(message, lineOf(in, "filter", pairs...))
	refusal.OnlyChoice = pairs[1]
	return refusal
}

// compareTwo returns the error for two genes in a command that divides patients by one gene. It suggests
// survival by the first gene, or co-occurrence of both.
func compareTwo(in *command.Input, flag, a, b string) error {
	switch path := in.Path(); path[len(path)-1] {
	case "coexpression":
		return result.Invalid("--gene takes two genes with a comma", in.LineWith("--"+flag, a+","+b)...)
	case "survival":
		return result.Invalid(fmt.Sprintf("--gene takes one gene, which divides the patients; ask for %s and for %s",
			command.Clip(a), command.Clip(b)), in.LineWith("--"+flag, a)...)
	}
	return anotherCommand("study co-occurrence compares the samples in which one or the other gene is mutated",
		lineOf(in, "co-occurrence", "--genes", a+","+b))
}

// anotherCommand returns the error for words that ask for another command.
func anotherCommand(message string, try result.Argv) *command.Refusal {
	return &command.Refusal{Reason: command.OtherCommand, Failure: result.Invalid(message, try...)}
}

// lineOf returns another command with flags for the same study.
func lineOf(in *command.Input, name string, flags ...string) result.Argv {
	var line result.Argv = command.Line([]string{"study", name}, nil, append([]string{"--study", in.String("study")}, flags...))
	if in.Bool("json") {
		line = append(line, "--json")
	}
	return line
}
