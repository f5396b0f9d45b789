package correct

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// requestVerbs lists the verbs that begin a request in plain words, and courtesies before them.
const requestVerbs = " please kindly can could would will you i we want need like i'd to help let let's us me " +
	"find get show give tell search look up list fetch read open view see print display retrieve pull lookup bring download grab "

// otherVerbs lists verbs of requests that change what is asked, so that only suggest may interpret them.
const otherVerbs = " compare explain describe summarize summarise plot draw update watch alert notify check cite " +
	"convert export save keep store bookmark verify translate visualize visualise about similar sync "

// lookups lists the beginnings of a request for what a name is.
const lookups = ",look up,lookup,tell me about,tell me what is,about,explain,describe,define,what about,"

// fillers lists words of a request that carry no meaning of their own.
const fillers = " a an the some any my me us of for from in as to with and by its this these style format please " +
	"number "

// topicPrepositions lists the prepositions between the kind of a record and a topic: papers about CRISPR.
const topicPrepositions = " about on for of in regarding concerning "

// negations lists words that negate a topic.
const negations = " not no without never except excluding nor neither "

// conditions lists words that make a topic more than words to search for: an alternative, or a time.
const conditions = " or and/or either published recent recently latest newest oldest "

// isOneOf reports whether list, which has a space on each side of each word, has word in any letter case.
func isOneOf(list, word string) bool {
	return strings.Contains(list, " "+strings.ToLower(word)+" ")
}

// requestWords returns the words of a rejected line before its flags, without the quotes around them, and the
// flags. ok is false if it begins with a flag.
func (l *Line) requestWords() (words, flags []string, ok bool) {
	typed := beforeFlags(l.Words)
	words = strings.Fields(strings.Join(typed, " "))
	ok = len(words) > 1 && !slices.ContainsFunc(words, isFlag) && !hasOperator(strings.Join(typed, " "))
	return words, l.Words[len(typed):], ok
}

// afterVerbs returns the words after the verb of a request and its courtesies.
func afterVerbs(words []string) []string {
	i := 0
	for i < len(words) && isOneOf(requestVerbs, words[i]) {
		i++
	}
	if i > 0 && i+1 < len(words) && isOneOf(" for at into ", words[i]) && isOneOf(" search look ", words[i-1]) {
		i++
	}
	for i > 0 && i < len(words) && isOneOf(" a an the some any ", words[i]) {
		i++
	}
	return words[i:]
}

// request replaces a request in plain words with the command that it asks for, if it explains each word: get me
// papers about CRISPR, cite PMID 90100001 in bibtex.
func request(l *Line) []result.Argv {
	words, flags, ok := l.requestWords()
	if !ok {
		return nil
	}
	for _, rule := range []func([]string) result.Argv{l.recordRequest, l.topicRequest, l.comparison} {
		if line := rule(words); line != nil {
			return asList(slices.Concat(line, flags))
		}
	}
	return nil
}

// topicRequest returns the search that a request for texts asks for, or the get command for a kind of record and
// its name: find trials for melanoma, find melanoma trials, show me the gene BRAF.
func (l *Line) topicRequest(words []string) result.Argv {
	search, rest := l.group("search"), afterVerbs(words)
	if search == nil || l.hasPhrase() {
		return nil
	}
	for n := 2; n > 0; n-- {
		if len(rest) <= n {
			continue
		}
		first, last := rest[:n], rest[len(rest)-n:]
		for _, c := range l.membersNamed(search, strings.Join(first, "-")) {
			if line := l.topicAfter(c, first, rest[n:], len(rest) < len(words)); line != nil {
				return line
			}
		}
		for _, c := range l.membersNamed(search, strings.Join(last, "-")) {
			isPlural := strings.HasSuffix(strings.ToLower(last[n-1]), "s")
			isAsked := len(rest) < len(words) && (l.group(words[0]) == nil || isOneOf(" me us for ", words[1]))
			topic := rest[:len(rest)-n]
			if isAsked && isPlural && l.searchesTopics(c) && l.isPlainTopic(c, topic) {
				return slices.Concat(command.Path(c), topic)
			}
		}
	}
	return nil
}

// topicAfter returns the line for a topic or a name that follows the words for the kind of a record. asked means that
// a verb precedes them.
func (l *Line) topicAfter(c *cobra.Command, kind, topic []string, asked bool) result.Argv {
	hasPreposition := isOneOf(topicPrepositions, topic[0])
	if !l.searchesTopics(c) {
		isName := asked && !hasPreposition && len(topic) == 1 && strings.EqualFold(kind[0], c.Name())
		if get := l.Tree.Member(l.group("get"), c.Name()); isName && get != nil {
			return slices.Concat(command.Path(get), topic)
		}
		return nil
	}
	if hasPreposition {
		topic = topic[1:]
	}
	if !asked && !hasPreposition || !l.isPlainTopic(c, topic) {
		return nil
	}
	return slices.Concat(command.Path(c), topic)
}

// comparison returns the get command for the records of one kind that a request compares: compare drugs fictinib
// and imatinib.
func (l *Line) comparison(words []string) result.Argv {
	get := l.group("get")
	if get == nil || len(words) < 4 || !isOneOf(" compare ", words[0]) {
		return nil
	}
	rest := words[1:]
	if isOneOf(" the ", rest[0]) {
		rest = rest[1:]
	}
	members := l.membersNamed(get, rest[0])
	if len(members) != 1 {
		return nil
	}
	isID := l.Tree.Command(members[0]).IsID
	var names []string
	joined := true // the next word is another name
	for _, w := range rest[1:] {
		name := strings.TrimRight(w, ",")
		switch {
		case isOneOf(" and with vs vs. versus to ", w):
			joined = true
			continue
		case !joined || isOneOf(sentenceWords+topicPrepositions, name) || isID != nil && !isID(name):
			return nil
		}
		names, joined = append(names, name), name != w
	}
	if len(names) < 2 || joined {
		return nil
	}
	return slices.Concat(command.Path(members[0]), names)
}

// searchesTopics reports whether any topic can be the query of a search: its records are texts on something,
// not names.
func (l *Line) searchesTopics(c *cobra.Command) bool {
	def, get := l.Tree.Command(c), l.group("get")
	if def == nil || !def.Args.FreeText || get == nil {
		return false
	}
	record := l.Tree.Member(get, c.Name())
	return record != nil && l.Tree.Command(record).IsID != nil && !l.Tree.Command(record).IsID("MELANOMA")
}

// isPlainTopic reports whether words are a topic and nothing else: no second condition, setting, ID, negation or
// Latin phrase that begins with a preposition.
func (l *Line) isPlainTopic(c *cobra.Command, words []string) bool {
	if len(words) == 0 || isOneOf(" vitro vivo silico situ utero ", words[0]) {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		isSetting := func() bool {
			for f := range l.flags(c) {
				if command.MatchesName(w, f.Name, nil) || f.Value.Type() == "bool" && command.IsFlag(f, w) {
					return true
				}
			}
			f, _ := l.valueFlag(c, w)
			return f != nil
		}
		joins := isOneOf(topicPrepositions+sentenceWords+"which who with where ", w)
		return joins || isOneOf(negations+conditions, w) || l.Tree.Owner(w) != "" || strings.ContainsAny(w, "?;") ||
			isSetting() || strings.ContainsFunc(w, unicode.IsDigit) && isNumber(w)
	})
}

// recordRequest returns the get command of a request that names records by their IDs, and nothing else but the
// kind of the record, sections and a format: cite PMID 90100001 in bibtex.
func (l *Line) recordRequest(words []string) result.Argv {
	get := l.group("get")
	if get == nil || isOneOf(" search ", words[0]) {
		return nil
	}
	ids, others, entity := l.splitIDs(get, words)
	if len(ids) == 0 || len(others) == 0 {
		return nil
	}
	var sections, values []string
	reads := entity // another command if it reads the same IDs: convert PMID 90100001 to DOI
	for i := 0; i < len(others); i++ {
		w := others[i].text
		section := l.sectionOf(entity, w)
		if section == "" && i+1 < len(others) && !others[i].labels { // side effects
			if section = l.sectionOf(entity, w+" "+others[i+1].text); section != "" {
				i++
			}
		}
		f, value := l.valueFlag(entity, w)
		other := l.readerOf(ids, w)
		switch {
		case other != nil && other != entity && (i == 0 || isOneOf(requestVerbs, others[i-1].text)):
			reads = other
		case section != "":
			if !slices.Contains(sections, section) {
				sections = append(sections, section)
			}
		case isOneOf(fillers+requestVerbs+"compare summarize summarise explain describe ", w):
		case l.isKindOf(entity, w):
			if isOneOf(" pmid pmcid doi ", w) && !others[i].labels {
				reads = cmp.Or(l.readerOf(ids, "convert"), reads)
			}
		case f != nil && len(values) == 0:
			values = l.flagWords(entity, f, value)
		default:
			return nil
		}
	}
	if reads != entity && len(sections)+len(values) > 0 {
		return nil
	}
	return slices.Concat(command.Path(reads), ids, sections, withoutSection(values, sections))
}

// withoutSection returns a flag and its value without the section before them, if that is one of sections.
func withoutSection(values, sections []string) []string {
	if len(values) == 3 && slices.Contains(sections, values[0]) {
		return values[1:]
	}
	return values
}

// readerOf returns the member of get that word names and that accepts ids of another entity, or nil.
func (l *Line) readerOf(ids []string, word string) *cobra.Command {
	for _, c := range l.membersNamed(l.group("get"), word) {
		def := l.Tree.Command(c)
		if !slices.ContainsFunc(ids, func(id string) bool { return def.IsID == nil || !def.IsID(id) }) {
			return c
		}
	}
	return nil
}

// sectionOf returns the section of a get command that word names, or "".
func (l *Line) sectionOf(c *cobra.Command, word string) string {
	if named := sectionsNamed(l.Tree.Command(c).Sections, word); len(named) == 1 {
		return named[0].Name
	}
	return ""
}

// isKindOf reports whether word names the entity of a get command or the kind of its IDs: paper, PMID.
func (l *Line) isKindOf(entity *cobra.Command, word string) bool {
	return command.MatchesName(strings.TrimSuffix(word, ":"), entity.Name(), l.Tree.Command(entity).Synonyms)
}

// A requestWord is a word of a request that is not part of an ID.
type requestWord struct {
	text   string
	labels bool // an ID follows it
}

// splitIDs splits the words of a request into the IDs of one entity and the other words. It returns no IDs if they
// belong to several entities.
func (l *Line) splitIDs(get *cobra.Command, words []string) (ids []string, others []requestWord, c *cobra.Command) {
	for i := 0; i < len(words); i++ {
		w := strings.TrimRight(words[i], ",;.?!")
		name := l.Tree.Owner(w)
		if next := i + 1; name == "" && next < len(words) {
			two := w + " " + strings.TrimRight(words[next], ",.?!")
			if owner := l.Tree.Owner(two); owner != "" && owner != l.ownerOf(words[next]) { // BRAF V600E, not PMID 31541003
				w, name, i = two, owner, next
			}
		}
		name = cmp.Or(name, l.ownerOf(w))
		member := l.Tree.Member(get, name)
		switch {
		case name == "" || member == nil:
			others = append(others, requestWord{text: w})
		case c != nil && c != member:
			return nil, nil, nil
		default:
			if n := len(others); n > 0 && i > 0 && strings.TrimRight(words[i-1], ",;.?!") == others[n-1].text {
				others[n-1].labels = true
			}
			ids, c = append(ids, strings.Fields(w)...), member
		}
	}
	return ids, others, c
}

// ownerOf returns the entity whose ID word is: the first entity of get for a long number. It returns "" if not found.
func (l *Line) ownerOf(word string) string {
	word = strings.TrimRight(word, ",;.?!")
	if len(word) >= minNumber && isNumber(word) && l.anyID([]string{word}) {
		return l.Tree.Commands(l.group("get"))[0].Name()
	}
	return l.Tree.Owner(word)
}

// minNumber is the minimum length of a number that a request takes for an ID without being told so.
const minNumber = 6

// otherRequest passes a request that changes what is asked to suggest: watch CRISPR.
func otherRequest(l *Line) []result.Argv {
	words, flags, ok := l.requestWords()
	if !ok || !l.atTopLevel() || !isOneOf(otherVerbs, words[0]) {
		return nil
	}
	return asList(slices.Concat(result.Argv{"suggest", strings.Join(words, " ")}, flags))
}

// storeRequest proposes the help of a command that stores what a request names by IDs, since the request does not
// say where: save PMID 90100001.
func storeRequest(l *Line) []result.Argv {
	words, flags, ok := l.requestWords()
	get := l.group("get")
	if !ok || len(flags) > 0 || l.isEntity(words[0]) || get == nil || !l.atTopLevel() {
		return nil
	}
	ids, others, entity := l.splitIDs(get, words[1:])
	isKind := func(w requestWord) bool { return isOneOf(fillers, w.text) || l.isKindOf(entity, w.text) }
	if len(ids) == 0 || slices.ContainsFunc(others, func(w requestWord) bool { return !isKind(w) }) {
		return nil
	}
	var found *cobra.Command
	for _, g := range l.Tree.Commands(l.Tree.Root) {
		for _, c := range l.membersNamed(g, words[0]) {
			stores := l.Tree.Command(c).Effect == command.Stores
			if stores && (found == nil || c.Name() == strings.ToLower(words[0])) {
				found = c
			}
		}
	}
	if found == nil {
		return nil
	}
	return asList(append(command.Path(found), "--help"))
}
