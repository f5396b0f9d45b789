package skills

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"

	"biomcp/entrez/pattern"
	"biomcp/rag/analyze"
)

//go:embed words.yaml
var wordsFile []byte

// words parses words.yaml at the first call.
var words = sync.OnceValue(func() (w struct {
	Recognisers                              []recogniser
	Flags                                    map[string][][]string // by command
	Stop, Polite, Capitals, Countries, Towns string
	Compounds, Heads, Asking, Subjects       string
	TopicWords                               string `yaml:"kept"`
	Synonyms                                 string `yaml:"same"`
}) {
	if err := yaml.Unmarshal(wordsFile, &w); err != nil {
		panic(err) // the file is embedded in the program
	}
	for i := range w.Recognisers {
		if w.Recognisers[i].Kind == "compound" && w.Recognisers[i].Pattern == "" {
			w.Recognisers[i].pattern = compoundPattern(w.Compounds)
			continue
		}
		w.Recognisers[i].pattern = regexp.MustCompile(w.Recognisers[i].Pattern)
	}
	return w
})

// A recogniser finds names and settings of one kind in a question.
type recogniser struct {
	Kind, Pattern, Value string            // Kind and Value may refer to groups of the pattern
	OtherValues          map[string]string `yaml:"also"`   // templates of values of other kinds
	Hint                 bool              `yaml:"hint"`   // adds a feature but claims no text
	GroupOnly            bool              `yaml:"within"` // claims only the text of the first group
	EachNumber           bool              `yaml:"each"`   // each number in the value is a value
	pattern              *regexp.Regexp
}

// A span is a part of a question that a recogniser claimed.
type span struct {
	kind     string
	from, to int // byte offsets
}

// A question is a parsed question.
type question struct {
	text   string
	spans  []span              // in the order of the text
	hints  []string            // features from recognisers with Hint
	values map[string][]string // by kind
	heads  map[string]bool     // words that can end a compound of the topic
}

// readQuestion parses a question without a clock. isGene, if not nil, reports whether a symbol is a gene.
func readQuestion(text string, isGene func(string) bool) question {
	return readQuestionAt(text, isGene, time.Time{})
}

// readQuestionAt parses a question at a time, which a date without a year precedes.
func readQuestionAt(text string, isGene func(string) bool, now time.Time) question {
	dated := false
	q := question{text: text, values: map[string][]string{}}
	notGene := func(symbol string) bool { return nonGenes()[symbol] || isGene != nil && !isGene(symbol) }
	for _, r := range words().Recognisers {
		if r.Kind == "place" {
			q.claimPlaces()
		}
		if r.Kind == "from" && !dated {
			q.claimDates(now)
			dated = true
		}
		for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
			expand := func(template string) string { return string(r.pattern.ExpandString(nil, template, text, m)) }
			value := expand(r.Value)
			for g := 2; value == "" && g < len(m); g += 2 { // the first group that matched
				if m[g] >= 0 {
					value = text[m[g]:m[g+1]]
				}
			}
			value = trim(cmp.Or(value, text[m[0]:m[1]]))
			kind := expand(r.Kind)
			from, to := m[0], m[1]
			if r.GroupOnly {
				from, to = m[2], m[3]
			}
			switch {
			case r.Hint:
				q.hints = append(q.hints, "<"+kind+">")
				continue
			case kind == "gene" && isSymbol(value) && notGene(value), kind == "fusion" && !joinsGenes(value, notGene),
				!q.claim(kind, from, to), kind != r.Kind:
				continue // the last condition holds for a placeholder such as <id> in a phrasing
			case kind == "last":
				value = period(value)
			}
			if r.EachNumber {
				q.values[r.Kind] = append(q.values[r.Kind], numberPattern().FindAllString(value, -1)...)
			} else {
				q.values[r.Kind] = append(q.values[r.Kind], value)
			}
			for kind, template := range r.OtherValues {
				q.values[kind] = append(q.values[kind], trim(expand(template)))
			}
		}
	}
	q.claimPublished()
	slices.SortFunc(q.spans, func(a, b span) int { return a.from - b.from })
	if genes := q.values["gene"]; len(genes) > 1 {
		q.values["genes"], q.values["target"] = []string{strings.Join(genes, ",")}, genes[1:]
	}
	if q.values["style"] == nil {
		q.values["style"] = []string{"ris"}
	}
	q.orderPeriod()
	q.values["ids"] = q.values["id"]
	return q
}

// NamesGene reports whether a single word is interpreted as the name of a gene: AR, but not MS.
func NamesGene(word string) bool {
	return slices.Equal(readQuestion(word, nil).values["gene"], []string{word})
}

// claim claims a part of the text for a kind. It returns false if the part overlaps another span.
func (q *question) claim(kind string, from, to int) bool {
	if slices.ContainsFunc(q.spans, func(s span) bool { return from < s.to && s.from < to }) {
		return false
	}
	q.spans = append(q.spans, span{kind, from, to})
	return true
}

// period converts a period to the format of --last: 10d for "10 day", 14d for "two week", 7d for
// "week". It returns other text unchanged.
func period(text string) string {
	unit := strings.ToLower(text[strings.LastIndex(text, " ")+1:])
	number := strings.Fields(text)[0]
	n, err := strconv.Atoi(number)
	if err != nil {
		numbers := strings.Fields("one two three four five six seven eight nine ten eleven twelve")
		n = max(1, 1+slices.Index(numbers, strings.ToLower(number)))
	}
	switch days := map[string]int{"week": 7, "wk": 7, "fortnight": 14}[unit]; {
	case days > 0:
		return strconv.Itoa(days*n) + "d"
	case unit == "decade":
		return strconv.Itoa(10*n) + "y"
	case strings.Contains("day month year yr", unit):
		return strconv.Itoa(n) + unit[:1]
	}
	return text
}

// features returns the sorted features of a question for the classifier: its words, their stems,
// and the kinds of its spans. An ID forms a feature with the word before and after it as
// well, which distinguishes "who cites X" from "what X cites".
func (q question) features() (list []string) {
	at, end, before := 0, len(q.text), ""
	next := func(token string) {
		if (before == "<id>") != (token == "<id>") && before != "" {
			list = append(list, before+" "+token)
		}
		before = token
	}
	isSeparator := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:?!()", r) }
	isRequest := func(s span) bool { return s.kind == "said" } // a word of the request, not of the topic
	for _, s := range append(slices.DeleteFunc(slices.Clone(q.spans), isRequest), span{from: end, to: end}) {
		for _, word := range strings.FieldsFunc(strings.ToLower(q.text[at:s.from]), isSeparator) {
			if politeWords()[word] {
				continue
			}
			next(word)
			if parts := stems(word); len(parts) == 0 {
				list = append(list, word) // such as a preposition
			} else {
				list = append(list, parts...)
			}
		}
		if at = s.to; s.kind == "compound" {
			list = append(list, "<topic>")
			next("<topic>")
		} else if s.kind != "" && s.kind != "aside" {
			list = append(list, "<"+s.kind+">")
			next("<" + s.kind + ">")
		}
	}
	list = append(list, q.hints...)
	slices.Sort(list)
	return slices.Compact(list)
}

// Features returns the features of a phrasing for the classifier.
func Features(phrasing string) (list []string) {
	return readQuestion(strings.TrimSpace(phrasing), nil).features()
}

// nameKinds returns the kinds whose text does not characterise a phrasing.
var nameKinds = sync.OnceValue(func() map[string]bool {
	return wordSet("by place journal language gene drug study topic id nct variant disease code reference condition " +
		"class from last age chromosome key compound fusion repeat cnv allele band change test region star")
})

// RequestStems returns the stems of the words of a phrasing that express the request, without names
// and settings.
func RequestStems(phrasing string) (list []string) {
	groups, _ := readQuestion(phrasing, nil).topic(nameKinds(), nil)
	for _, word := range slices.Concat(groups...) {
		if !wordSet(words().TopicWords)[strings.ToLower(word)] {
			list = append(list, stems(word)...)
		}
	}
	return list
}

// Words returns the content of words.yaml.
func Words() []byte { return wordsFile }

// stems returns the stems of the words of a text, without articles and prepositions.
func stems(text string) (list []string) {
	tokens, _ := analyze.New().Tokens(nil, strings.ToLower(text), 0)
	for _, t := range tokens {
		list = append(list, cmp.Or(synonymStems()[t.Term], t.Term))
	}
	return list
}

var (
	punctuation   = `.,;:?!()[]"'“”+-<>`
	numberPattern = pattern.Lazy(`\d+`)
	quotePattern  = pattern.Lazy(`"([^"]+)"|“([^”]+)”`)
	latinWords    = strings.Fields("situ vitro vivo")
	prepositions  = wordSet("of with for in on about against")
)

// topic returns the topic of a question: the words that are neither in spans of the given kinds
// nor have a stem in taken. Commas and conjunctions separate groups of words. If the question has
// quoted text, that alone is the topic, and following lists the other words. Otherwise following lists
// the words of the request that directly follow a word of the topic: therapy in "oxygen therapy", and or.
func (q question) topic(kinds, taken map[string]bool) (groups [][]string, following []string) {
	text := []byte(q.text)
	for _, s := range q.spans {
		if kinds[s.kind] || s.kind == "aside" || s.kind == "said" {
			copy(text[s.from:], strings.Repeat(" ", s.to-s.from))
		}
	}
	quoted, text := quotedGroups(text)
	if len(quoted) > 0 {
		rest, _ := q.plainTopic(text, taken)
		return quoted, slices.Concat(rest...)
	}
	return q.plainTopic(text, taken)
}

// plainTopic returns the topic of a text without quotation marks.
func (q question) plainTopic(text []byte, taken map[string]bool) (groups [][]string, following []string) {
	var group []string
	list, offsets := tokens(text)
	afterOf := false // the previous word is "of", after a word of the group
	asked := false   // a word of the request stands before the topic
	for i, typed := range list {
		word := trim(strings.Trim(typed, punctuation)) // Cd(II)
		lower := strings.ToLower(word)
		letter := len(word) == 1 && unicode.IsUpper(rune(word[0])) && word != "I" && i > 0 // vitamin A
		latin := lower == "in" && i+1 < len(list) && slices.Contains(latinWords, strings.ToLower(list[i+1])) &&
			!taken[stems(list[i+1])[0]] // in vitro
		keep := letter || latin || q.isName(offsets[i]+len(typed)/2) ||
			adjacent(group, list, i) && isCondition(lower) // Marfan syndrome
		if !keep && word != "" && !stopWords()[lower] {
			keep = !isRequestWord(word, taken) || len(stems(word)) > 0 && beginsTopic(list, i, taken) ||
				q.heads[lower] && adjacent(group, list, i) && (asked || continuesTopic(list[i+1:], taken))
			asked = asked || !keep
		}
		if keep {
			if afterOf && len(group) > 0 {
				group = append(group, "of")
			}
			group = append(group, word)
		} else if !stopWords()[lower] && len(stems(word)) > 0 && adjacent(group, list, i) {
			following = append(following, word)
		}
		if lower == "or" && adjacent(group, list, i) && continuesTopic(list[i+1:], taken) {
			following = append(following, word)
		}
		afterOf = lower == "of" && adjacent(group, list, i)
		if lower == "and" || lower == "with" || typed == "+" || strings.ContainsAny(typed[len(typed)-1:], ",;:.") {
			groups, group = append(groups, group), nil
		}
	}
	return slices.DeleteFunc(append(groups, group), isEmpty), following
}

// beginsTopic reports whether list[i], a word of requests, begins the topic, since it stands after
// a preposition and before a word of the topic: of hereditary ataxia.
func beginsTopic(list []string, i int, taken map[string]bool) bool {
	if i == 0 || i+1 == len(list) || !prepositions[list[i-1]] {
		return false
	}
	word, next := list[i], list[i+1]
	if strings.ContainsAny(word[len(word)-1:], ",;:.?") {
		return false
	}
	return !isRequestWord(next, taken) && !stopWords()[strings.ToLower(next)]
}

// continuesTopic reports whether a list of words contains a word of the topic.
func continuesTopic(list []string, taken map[string]bool) bool {
	return slices.ContainsFunc(list, func(typed string) bool {
		word := strings.Trim(typed, punctuation)
		return word != "" && !stopWords()[strings.ToLower(word)] && !isRequestWord(word, taken)
	})
}

// isRequestWord reports whether word belongs to the request: its first stem, or all others, are in
// taken, or it has no stem.
func isRequestWord(word string, taken map[string]bool) bool {
	parts := stems(word)
	if len(parts) == 0 || taken[parts[0]] {
		return true
	}
	return len(parts) > 1 && !slices.ContainsFunc(parts[1:], func(p string) bool { return !taken[p] })
}

// adjacent reports whether the word before list[i] is the last word of a group.
func adjacent(group, list []string, i int) bool {
	return len(group) > 0 && i > 0 && list[i-1] == group[len(group)-1]
}

// isCondition reports whether word ends the name of a disease, such as syndrome.
func isCondition(word string) bool {
	return slices.ContainsFunc(words().Recognisers, func(r recogniser) bool {
		return r.Kind == "condition" && r.pattern.MatchString(word)
	})
}

// synonymStems returns the canonical stem of each stem with synonyms.
var synonymStems = sync.OnceValue(func() map[string]string {
	same := map[string]string{}
	for line := range strings.Lines(words().Synonyms) {
		for _, t := range strings.Fields(line) {
			tokens, _ := analyze.New().Tokens(nil, t, 0)
			same[tokens[0].Term] = strings.Fields(line)[0]
		}
	}
	return same
})

var (
	politeWords = sync.OnceValue(func() map[string]bool { return wordSet(words().Polite) })
	stopWords   = sync.OnceValue(func() map[string]bool { return wordSet(words().Stop) })
	nonGenes    = sync.OnceValue(func() map[string]bool { return wordSet(words().Capitals) })
)

// wordSet returns the words of a text as a set.
func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// trim removes punctuation of the sentence from the end of a name. It keeps a bracket that
// belongs to the name, as in a DOI or an HGVS name.
func trim(s string) string {
	s = strings.TrimRight(s, ".?!:)")
	if strings.Count(s, "(") > strings.Count(s, ")") {
		s += ")"
	}
	return s
}

// countryCodes maps abbreviations of countries to their names.
var countryCodes = map[string]string{
	"US": "United States", "USA": "United States", "UK": "United Kingdom", "UAE": "United Arab Emirates",
}

// placePattern matches one or more places after a preposition. Its last group matches a word that
// makes the place part of another name: Guinea pigs, Colorado tick fever.
var placePattern = sync.OnceValue(func() *regexp.Regexp {
	country, town := `(?i:`+longestFirst(words().Countries)+`)`, `(?:`+longestFirst(words().Towns)+`)`
	one := `(?:[A-Z][\pL-]+, )?(?:` + country + `|` + town + `(?:,? [A-Z]{2}\b)?|USA?|UK|UAE)\b` // Boston, MA
	return regexp.MustCompile(`(?:\b(?i:in|within|across|around|near) |, )(?:the )?` +
		`(` + one + `(?:(?:,? or |,? and |, )(?:in )?(?:the )?` + one + `)*)` +
		`( (?i:encephalitis|fever|virus|syndrome|disease|tick|pigs?)\b)?`)
})

// barePlacePattern matches a capitalised place without a preposition: glioblastoma Boston.
var barePlacePattern = sync.OnceValue(func() *regexp.Regexp {
	name := `(?:` + longestFirst(words().Countries+", "+words().Towns) + `)`
	return regexp.MustCompile(`(?:^| )(` + name + `(?:,? [A-Z]{2})?)\b` +
		`( (?i:encephalitis|fever|virus|syndrome|disease|tick|pigs?|criteria)\b)?`)
})

// longestFirst returns names as alternatives of a pattern, longer names first, so that Nigeria is
// tried before Niger.
func longestFirst(names string) string {
	list := strings.Split(names, ", ")
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(list, "|")
}

// placeSeparator matches a separator of places, but not the comma of Vienna, Austria.
var placeSeparator = pattern.Lazy(`,? (?:or|and) (?:in )?(?:the )?`)

// trialWords matches the words of a question about trials, which may name a place without a preposition.
var trialWords = pattern.Lazy(`(?i)\b(?:trials?|recruit\w*|enrol\w*)\b`)

// claimPlaces claims the places in a question and converts their names to those of trial sites.
func (q *question) claimPlaces() {
	found := placePattern().FindAllStringSubmatchIndex(q.text, -1)
	if trialWords().MatchString(q.text) {
		found = append(found, barePlacePattern().FindAllStringSubmatchIndex(q.text, -1)...)
	}
	for _, m := range found {
		if m[4] >= 0 || !q.claim("place", m[0], m[1]) {
			continue
		}
		for _, name := range placeSeparator().Split(q.text[m[2]:m[3]], -1) {
			q.values["place"] = append(q.values["place"], cmp.Or(countryCodes[name], name))
		}
	}
}
