package correct

import (
	"slices"
	"strings"

	"biomcp/cli/result"
)

// answerQuestion inserts the command that answers a question: discover for "what is" and a short
// name, otherwise suggest.
func answerQuestion(l *Line) []result.Argv {
	words := l.Words[max(0, l.faultIndex()):]
	if len(words) == 1 { // a quoted question
		words = strings.Fields(words[0])
	}
	if !l.atTopLevel() || len(words) < 3 || slices.ContainsFunc(words, isFlag) {
		return nil
	}
	first, second := strings.ToLower(words[0]), strings.ToLower(words[1])
	if first == "what" && (second == "is" || second == "are") && len(words) < 6 {
		name := words[2:]
		for len(name) > 1 && (slices.Contains([]string{"the", "a", "an"}, name[0]) || l.isEntity(name[0])) {
			name = name[1:]
		}
		return asList(result.Argv{"discover", strings.TrimRight(strings.Join(name, " "), "?")})
	}
	if slices.Contains([]string{"for", "that", "which", "about"}, second) && l.isEntity(first) {
		return asList(result.Argv{"suggest", strings.Join(words, " ")})
	}
	if slices.Contains(questionWords, first) {
		return asList(result.Argv{"suggest", strings.Join(words, " ")})
	}
	return nil
}

// questionWords lists words that begin a question.
var questionWords = strings.Fields("what whats what's which who how why when where is are does do can should")

// sentenceWords lists words that are common within a sentence and rare within a name.
const sentenceWords = " on about since by from for that "

// suggestSentence proposes suggest for a sentence, and then the proposals of nameOrText: reviews on
// asthma, abstract of PMID 32051057. A sentence has three words or more, and one after the first is
// in sentenceWords or is "of". After search only the second word counts, and "of" does not.
func suggestSentence(l *Line) []result.Argv {
	i := l.faultIndex()
	words := beforeFlags(l.Words[max(0, i):])
	text := strings.Join(words, " ")
	fields, markers := strings.Fields(text), sentenceWords
	if i < 0 || len(fields) < 3 || !l.atTopLevel() && l.Cmd != l.group("search") {
		return nil
	}
	candidates := fields[1:2]
	if l.atTopLevel() {
		markers, candidates = markers+"of ", fields[1:]
	}
	isMarker := func(w string) bool { return strings.Contains(markers, " "+strings.ToLower(w)+" ") }
	if !slices.ContainsFunc(candidates, isMarker) {
		return nil
	}
	line := slices.Concat(l.Words[:l.groupIndex()], []string{"suggest", text}, l.Words[i+len(words):])
	return append(asList(line), nameOrText(l)...)
}
