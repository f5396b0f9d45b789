package correct

import (
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// PlainRequest returns the line that a rejected request in plain words asks for, and the kind of its words. ID means
// that the line explains each word of the request. A request to look up a name gets discover and Question. For any
// other request it returns suggest and Request: compare TP53 and KRAS. If the words are not a sentence, it returns nil
// and NoKind.
func PlainRequest(l *Line, read Parser) (result.Argv, Kind) {
	words, flags, ok := l.requestWords()
	if !ok || !l.mayBeRequest(words) {
		return nil, NoKind
	}
	ids, _, _ := l.splitIDs(l.group("get"), words)
	isQuoted := len(beforeFlags(l.Words)) == 1
	isSentence := len(words) > 2 && slices.ContainsFunc(words[1:], connects)
	isVerb := isOneOf(requestVerbs+otherVerbs, words[0]) && l.Tree.Member(l.Tree.Root, words[0]) == nil
	if isQuoted || isSentence || isVerb && len(ids) > 0 {
		for _, line := range request(l) {
			if next := read(line); next.Fault == nil && next.def().Effect == command.Reads {
				return line, ID
			}
		}
	}
	line, kind := result.Argv(nil), Request
	switch name := l.lookedUp(words); {
	case len(storeRequest(l)) > 0:
		return nil, NoKind
	case len(name) > 0 && len(name) <= maxNameWords && !slices.ContainsFunc(name, connects):
		line, kind = result.Argv{"discover", strings.Join(name, " ")}, Question
	case isQuoted || !l.beginsSentence(words) || !isSentence && (!isVerb || len(ids) == 0):
		return nil, NoKind
	case len(sectionFirst(l)) > 0: // get diseases for gene BRAF
		return nil, NoKind
	default:
		question := l.phrases()
		if isOneOf(" search look find ", words[0]) {
			question = afterVerbs(question)
		}
		if len(question) == 0 { // find us me
			return nil, NoKind
		}
		line = result.Argv{"suggest", strings.Join(question, " ")}
	}
	if line = slices.Concat(line, flags); read(line).Fault != nil {
		return nil, NoKind
	}
	return line, kind
}

// maxNameWords is the maximum number of words of a name to look up.
const maxNameWords = 4

// mayBeRequest reports whether a line was rejected for a word that is not a command, or for words after a command
// that takes fewer: list papers about CRISPR, update me on CRISPR. A quoted command is not a request.
func (l *Line) mayBeRequest(words []string) bool {
	isCommand := l.Tree.Member(l.Tree.Root, words[0]) != nil
	switch {
	case l.group("get") == nil:
		return false
	case l.Fault.Reason == command.UnknownMember:
		group := l.Tree.Member(l.Tree.Root, words[0])
		return !l.atTopLevel() || group == nil || l.Tree.Member(group, words[1]) == nil
	case l.Fault.Reason == command.TooManyWords:
		return isCommand && l.Cmd.Parent() == l.Tree.Root
	}
	return isCommand && l.Policy != command.Person && isOneOf(" me us ", words[1])
}

// lookedUp returns the name after the beginning of a request for what it is. It returns nil if there is none, or if
// the kind of a record precedes the name.
func (l *Line) lookedUp(words []string) []string {
	for n := min(4, len(words)-1); n > 0; n-- {
		if strings.Contains(lookups, ","+strings.ToLower(strings.Join(words[:n], " "))+",") && !l.isEntity(words[n]) {
			return words[n:]
		}
	}
	return nil
}

// connects reports whether word joins the parts of a sentence.
func connects(word string) bool {
	return isOneOf(sentenceWords+topicPrepositions+conditions+"me us and you between with to as ", word)
}

// beginsSentence reports whether words begin with the verb of a request. After the name of a command only words of
// a sentence or the kind of a record make it one: search for, get me.
func (l *Line) beginsSentence(words []string) bool {
	if !isOneOf(requestVerbs+otherVerbs, words[0]) {
		return false
	}
	isCommand := l.Tree.Member(l.Tree.Root, words[0]) != nil
	if isOneOf(" search ", words[0]) && slices.ContainsFunc(words[2:], l.isEntity) { // search melatonin papers from 2023
		return true
	}
	return !isCommand || isOneOf(" me us for the a an some any ", words[1]) || l.isEntity(words[1])
}

// hasPhrase reports whether one of several words before the flags is a quoted phrase.
func (l *Line) hasPhrase() bool {
	typed := beforeFlags(l.Words)
	return len(typed) > 1 && slices.ContainsFunc(typed, isPhrase)
}

// isPhrase reports whether word is a quoted phrase of several words.
func isPhrase(word string) bool { return len(strings.Fields(word)) > 1 }

// phrases returns the words before the flags, with the quotation marks of phrases.
func (l *Line) phrases() (words []string) {
	for _, w := range beforeFlags(l.Words) {
		if isPhrase(w) && l.hasPhrase() && !strings.Contains(w, `"`) {
			w = `"` + w + `"`
		}
		words = append(words, strings.Fields(w)...)
	}
	return words
}
