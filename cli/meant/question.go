package meant

import (
	"slices"
	"strings"

	"biomcp/cli/result"
)

// question inserts the command that answers a question: discover for "what is" and a short
// name, otherwise suggest.
func question(l *Line) []result.Argv {
	words := l.Words[max(0, l.at()):]
	if len(words) == 1 { // a quoted question
		words = strings.Fields(words[0])
	}
	if !l.top() || len(words) < 3 || slices.ContainsFunc(words, isFlag) {
		return nil
	}
	first, second := strings.ToLower(words[0]), strings.ToLower(words[1])
	if first == "what" && (second == "is" || second == "are") && len(words) < 6 {
		name := words[2:]
		for len(name) > 1 && (slices.Contains([]string{"the", "a", "an"}, name[0]) || l.isEntity(name[0])) {
			name = name[1:]
		}
		return one(result.Argv{"discover", strings.TrimRight(strings.Join(name, " "), "?")})
	}
	if slices.Contains([]string{"for", "that", "which", "about"}, second) && l.isEntity(first) {
		return one(result.Argv{"suggest", strings.Join(words, " ")})
	}
	if slices.Contains([]string{"what", "whats", "what's", "which", "who", "how", "why", "when", "where", "is", "are", "does", "do", "can", "should"}, first) {
		return one(result.Argv{"suggest", strings.Join(words, " ")})
	}
	return nil
}

// joining lists words that are common within a sentence and rare within a name.
const joining = " on about since by from for that "

// sentence proposes suggest for a sentence, and then the proposals of nameOrText: reviews on
// asthma, abstract of PMID 32051057. A sentence has three words or more, and one after the first is
// in joining or is "of". After search only the second word counts, and "of" does not.
func sentence(l *Line) []result.Argv {
	i := l.at()
	words := beforeFlags(l.Words[max(0, i):])
	text := strings.Join(words, " ")
	said, joins := strings.Fields(text), joining
	if i < 0 || len(said) < 3 || !l.top() && l.Cmd != l.group("search") {
		return nil
	}
	among := said[1:2]
	if l.top() {
		joins, among = joins+"of ", said[1:]
	}
	if !slices.ContainsFunc(among, func(w string) bool { return strings.Contains(joins, " "+strings.ToLower(w)+" ") }) {
		return nil
	}
	return append(one(slices.Concat(l.Words[:l.start()], []string{"suggest", text}, l.Words[i+len(words):])), nameOrText(l)...)
}
