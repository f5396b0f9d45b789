package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// oddPhrases match constructions that a reader stumbles over, each with what to write instead.
var oddPhrases = []struct {
	find  *regexp.Regexp
	words []string // every match contains one of them; looking for them first is much faster
	write string
}{
	{regexp.MustCompile(`(?i)(?:\bnil|\bnull|\bnone|\bfalse|\bempty|"") where\b`), []string{" where"}, "if, when or unless"},
	{regexp.MustCompile(`(?i)[,;] where (?:it|there|that|they|none|nobody|no|the|an?)\b[^.|]*\b(?:has|have|is|are) (?:no|none|not)\b`), []string{" where"}, "if, when or unless"},
	{regexp.MustCompile(`// \w+ (?:is|are) what [a-z]+ (?:is|are|has|have|does)\b`), []string{" what "}, "a verb: holds, returns, lists"},
	{regexp.MustCompile(`(?i)\S\s+// of (?:the|an?|what|which|those|it|each|all|every|one|some|its|their) `), []string{"// of "}, "the noun itself first"},
	{regexp.MustCompile(`(?i)\bin the place of\b`), []string{"in the place of"}, "replaces, or instead of"},
	{regexp.MustCompile(`(?i)\bnil is none\b`), []string{"nil is none"}, "nil if there is none"},
	{regexp.MustCompile(`(?i)\bnobody (?:asks|asked|has|says|said|types)\b|\b(?:by|what|to|for) who (?:asks|types)\b`), []string{"nobody ", " who "}, "the caller or the user"},
	{regexp.MustCompile(`(?i)\b(?:is|are|was) (?:said|told)[.;:]`), []string{" said", " told"}, "reports or prints"},
	{regexp.MustCompile(`(?i)\b(?:at most|after) so many\b|, also (?:where|if|when) `), []string{" so many", ", also "}, "at most n, or a sentence of its own"},
	{regexp.MustCompile(`(?i)\bis no more[.;,]|\bis of none\b`), []string{"is no more", "is of none"}, "was deleted, or matches none"},
	{regexp.MustCompile(`(?i)\b(?:are|is) (?:those|that) (?:of|that)\b|\bthat there (?:is|are) not\b|\bthose that there are\b|\bbe it that\b`), []string{"is th", "are th", "that there ", "those that there are", "be it that"}, "the noun itself"},
}

// oddLimit is the number of odd phrases in the program, its tests and its documents. It only
// falls: lower it with every phrase that goes.
const oddLimit = 0

func TestTheProgramIsInPlainEnglish(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every file, in one goroutine")
	}
	found := 0
	for _, ending := range []string{".go", ".md", ".yaml", ".txtar"} {
		for _, file := range tracked(t, ending) {
			if file == "cli/plain_test.go" {
				continue
			}
			for n, line := range strings.Split(string(read(t, file)), "\n") {
				lower := strings.ToLower(line)
				for _, odd := range oddPhrases {
					if !slices.ContainsFunc(odd.words, func(w string) bool { return strings.Contains(lower, w) }) {
						continue
					}
					if phrase := odd.find.FindString(line); phrase != "" {
						found++
						t.Logf("%s:%d: %q; write %s", file, n+1, phrase, odd.write)
					}
				}
			}
		}
	}
	if found > oddLimit {
		t.Errorf("got %d odd phrases, want at most %d", found, oddLimit)
	}
	if found < oddLimit {
		t.Errorf("got %d odd phrases; lower oddLimit from %d to it", found, oddLimit)
	}
}
