package skills

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v3"

	"biomcp/entrez/pattern"
	"biomcp/rag/analyze"
)

//go:embed words.yaml
var wordsFile []byte

// words is words.yaml.
var words = sync.OnceValue(func() (w struct {
	Recognisers                                          []recogniser
	Flags                                                map[string][][]string
	Stop, Kept, Polite, Same, Capitals, Countries, Towns string
}) {
	if err := yaml.Unmarshal(wordsFile, &w); err != nil {
		panic(err) // the file is part of the program
	}
	for i := range w.Recognisers {
		w.Recognisers[i].pattern = regexp.MustCompile(w.Recognisers[i].Pattern)
	}
	return w
})

// recogniser finds names and settings of one kind in a question.
type recogniser struct {
	Kind, Pattern, Value string
	Also                 map[string]string
	Hint                 bool // takes nothing
	Within               bool // takes its group alone
	Each                 bool // its value is several numbers
	pattern              *regexp.Regexp
}

// span is a piece of a question that a recogniser took.
type span struct {
	kind     string
	from, to int
}

// question is what was asked, taken apart.
type question struct {
	text   string
	spans  []span              // in their order
	hints  []string            // kinds of words that nothing takes
	values map[string][]string // by the kind
}

func readQuestion(text string, isGene func(string) bool) question {
	q := question{text: text, values: map[string][]string{}}
	for _, r := range words().Recognisers {
		if r.Kind == "place" {
			q.takePlaces()
		}
		for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
			expand := func(template string) string { return string(r.pattern.ExpandString(nil, template, text, m)) }
			value := expand(r.Value)
			for g := 2; value == "" && g < len(m); g += 2 { // the first group that is there
				if m[g] >= 0 {
					value = text[m[g]:m[g+1]]
				}
			}
			value = trim(cmp.Or(value, text[m[0]:m[1]]))
			kind := expand(r.Kind)
			from, to := m[0], m[1]
			if r.Within {
				from, to = m[2], m[3]
			}
			switch {
			case r.Hint:
				q.hints = append(q.hints, "<"+kind+">")
				continue
			case kind == "gene" && (capitals()[value] || isGene != nil && !isGene(value)) || !q.take(kind, from, to) || kind != r.Kind:
				continue // the last is the place of a name in a phrasing
			case kind == "last":
				value = period(value)
			}
			if r.Each {
				q.values[r.Kind] = append(q.values[r.Kind], numbers().FindAllString(value, -1)...)
			} else {
				q.values[r.Kind] = append(q.values[r.Kind], value)
			}
			for kind, template := range r.Also {
				q.values[kind] = append(q.values[kind], trim(expand(template)))
			}
		}
	}
	slices.SortFunc(q.spans, func(a, b span) int { return a.from - b.from })
	if genes := q.values["gene"]; len(genes) > 1 {
		q.values["genes"], q.values["target"] = []string{strings.Join(genes, ",")}, genes[1:]
	}
	if q.values["style"] == nil {
		q.values["style"] = []string{"ris"}
	}
	if from, to := q.values["from"], q.values["to"]; slices.Compare(from, to) > 0 && len(to) > 0 { // 2022 to 2019
		q.values["from"], q.values["to"] = to, from
	}
	q.values["ids"] = q.values["id"]
	return q
}

// NamesGene reports whether a word by itself is read as the name of a gene: AR, not MS.
func NamesGene(word string) bool {
	return slices.Equal(readQuestion(word, nil).values["gene"], []string{word})
}

// take notes that a piece of the text is of a kind, unless some of it is of another.
func (q *question) take(kind string, from, to int) bool {
	if slices.ContainsFunc(q.spans, func(s span) bool { return from < s.to && s.from < to }) {
		return false
	}
	q.spans = append(q.spans, span{kind, from, to})
	return true
}

// period is a time as --last has it: 10d for "10 day", 14d for "two week", 7d for "week".
func period(said string) string {
	unit := strings.ToLower(said[strings.LastIndex(said, " ")+1:])
	n, err := strconv.Atoi(strings.Fields(said)[0])
	if err != nil {
		n = max(1, 1+slices.Index(strings.Fields("one two three four five six seven eight nine ten eleven twelve"), strings.ToLower(strings.Fields(said)[0])))
	}
	switch days := map[string]int{"week": 7, "wk": 7, "fortnight": 14}[unit]; {
	case days > 0:
		return strconv.Itoa(days*n) + "d"
	case unit == "decade":
		return strconv.Itoa(10*n) + "y"
	case strings.Contains("day month year yr", unit):
		return strconv.Itoa(n) + unit[:1]
	}
	return said
}

// features are what a question is compared by: its words, their stems, and the kinds of what
// recognisers took; an id also with the word on either side, since who cites it and what it
// cites have the same words.
func (q question) features() (list []string) {
	at, end, before := 0, len(q.text), ""
	next := func(token string) {
		if (before == "<id>") != (token == "<id>") && before != "" {
			list = append(list, before+" "+token)
		}
		before = token
	}
	said := func(s span) bool { return s.kind == "said" } // a word that asks, and is no topic
	for _, s := range append(slices.DeleteFunc(slices.Clone(q.spans), said), span{from: end, to: end}) {
		for _, word := range strings.FieldsFunc(strings.ToLower(q.text[at:s.from]), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:?!()", r) }) {
			if polite()[word] {
				continue
			}
			next(word)
			if parts := stems(word); len(parts) == 0 {
				list = append(list, word) // a preposition
			} else {
				list = append(list, parts...)
			}
		}
		if at = s.to; s.kind != "" && s.kind != "aside" {
			list = append(list, "<"+s.kind+">")
			next("<" + s.kind + ">")
		}
	}
	list = append(list, q.hints...)
	slices.Sort(list)
	return slices.Compact(list)
}

// Features returns the features of a phrasing.
func Features(phrasing string) (list []string) {
	return readQuestion(strings.TrimSpace(phrasing), nil).features()
}

// examples are kinds whose words are not a phrasing's own.
var examples = sync.OnceValue(func() map[string]bool {
	return set("by place journal language gene drug study topic id nct variant disease code reference condition class from last age chromosome key")
})

// Asking are the stems of the words of a phrasing that ask, and are not what is asked about.
func Asking(phrasing string) (list []string) {
	groups, _ := readQuestion(phrasing, nil).topic(examples(), nil)
	for _, word := range slices.Concat(groups...) {
		if !set(words().Kept)[strings.ToLower(word)] {
			list = append(list, stems(word)...)
		}
	}
	return list
}

// Words is the file that questions are read by.
func Words() []byte { return wordsFile }

// stems returns the stems of the words of a text, without articles and prepositions.
func stems(text string) (list []string) {
	tokens, _ := analyze.New().Tokens(nil, strings.ToLower(text), 0)
	for _, t := range tokens {
		list = append(list, cmp.Or(sameWords()[t.Term], t.Term))
	}
	return list
}

var (
	marks        = `.,;:?!()[]"'“”+-<>`
	numbers      = pattern.Lazy(`\d+`)
	quoted       = pattern.Lazy(`"([^"]+)"|“([^”]+)”`)
	latin        = strings.Fields("situ vitro vivo")
	prepositions = set("of with for in on about against")
)

// topic is what a question is about: its words without those that the kinds and the stems
// took, in groups between commas and the word and; all that is quoted, and only that, where
// anything is. after are words that ask, each right after one of the topic: oxygen therapy.
func (q question) topic(kinds, taken map[string]bool) (groups [][]string, after []string) {
	text, group := []byte(q.text), []string(nil)
	for _, s := range q.spans {
		if kinds[s.kind] || s.kind == "aside" || s.kind == "said" {
			copy(text[s.from:], strings.Repeat(" ", s.to-s.from))
		}
	}
	for _, m := range quoted().FindAllSubmatch(text, -1) {
		for _, typed := range strings.Fields(string(m[1]) + string(m[2])) {
			if word := strings.Trim(typed, marks); word != "" {
				group = append(group, word)
			}
		}
		groups, group = append(groups, group), nil
	}
	empty := func(g []string) bool { return len(g) == 0 }
	if groups = slices.DeleteFunc(groups, empty); len(groups) > 0 {
		return groups, nil
	}
	list := strings.Fields(string(text))
	of := false // between the last word and this one is "of" alone
	for i, typed := range list {
		word := trim(strings.Trim(typed, marks)) // Cd(II)
		lower := strings.ToLower(word)
		letter := len(word) == 1 && unicode.IsUpper(rune(word[0])) && word != "I" && i > 0 // vitamin A
		keep := letter || lower == "in" && i+1 < len(list) && slices.Contains(latin, strings.ToLower(list[i+1])) && !taken[stems(list[i+1])[0]] ||
			adjacent(group, list, i) && isCondition(lower) // Marfan syndrome
		if !keep && word != "" && !stopWords()[lower] {
			// hereditary ataxia after of, with and the like begins what is asked about
			keep = !asks(word, taken) || i > 0 && prepositions[list[i-1]] && len(stems(word)) > 0 && i+1 < len(list) && !strings.ContainsAny(typed[len(typed)-1:], ",;:.?") && !asks(list[i+1], taken) && !stopWords()[strings.ToLower(list[i+1])]
		}
		if keep {
			if of && len(group) > 0 {
				group = append(group, "of")
			}
			group = append(group, word)
		} else if !stopWords()[lower] && len(stems(word)) > 0 && adjacent(group, list, i) {
			after = append(after, word)
		}
		of = lower == "of" && adjacent(group, list, i)
		if lower == "and" || lower == "with" || typed == "+" || strings.ContainsAny(typed[len(typed)-1:], ",;:.") {
			groups, group = append(groups, group), nil
		}
	}
	return slices.DeleteFunc(append(groups, group), empty), after
}

// asks reports whether a word is one that asks: its stem is taken, or it has none.
func asks(word string, taken map[string]bool) bool {
	parts := stems(word)
	return len(parts) == 0 || taken[parts[0]] || len(parts) > 1 && !slices.ContainsFunc(parts[1:], func(p string) bool { return !taken[p] })
}

// adjacent reports whether the word before the i-th of a list is the last of a group.
func adjacent(group, list []string, i int) bool {
	return len(group) > 0 && i > 0 && list[i-1] == group[len(group)-1]
}

// isCondition reports whether a word says that those before it are the name of a disease.
func isCondition(word string) bool {
	return slices.ContainsFunc(words().Recognisers, func(r recogniser) bool { return r.Kind == "condition" && r.pattern.MatchString(word) })
}

// sameWords are words that ask for the same as another, by their stems.
var sameWords = sync.OnceValue(func() map[string]string {
	same := map[string]string{}
	for line := range strings.Lines(words().Same) {
		for _, t := range strings.Fields(line) {
			tokens, _ := analyze.New().Tokens(nil, t, 0)
			same[tokens[0].Term] = strings.Fields(line)[0]
		}
	}
	return same
})

var (
	polite    = sync.OnceValue(func() map[string]bool { return set(words().Polite) })
	stopWords = sync.OnceValue(func() map[string]bool { return set(words().Stop) })
	capitals  = sync.OnceValue(func() map[string]bool { return set(words().Capitals) })
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// trim is a name without the marks of the sentence around it. It may have brackets
// itself, as a DOI and an HGVS name do.
func trim(s string) string {
	s = strings.TrimRight(s, ".?!:)")
	if strings.Count(s, "(") > strings.Count(s, ")") {
		s += ")"
	}
	return s
}

// shortened are the names of countries by the letters that people write for them.
var shortened = map[string]string{"US": "United States", "USA": "United States", "UK": "United Kingdom", "UAE": "United Arab Emirates"}

// someplace is one place or several, after a word that says so. Its last group is a word
// that makes it the name of something else: Guinea pigs, Colorado tick fever.
var someplace = sync.OnceValue(func() *regexp.Regexp {
	one := `(?:[A-Z][\pL-]+, )?(?:(?i:` + longestFirst(words().Countries) + `)|(?:` + longestFirst(words().Towns) + `)(?:,? [A-Z]{2}\b)?|USA?|UK|UAE)\b` // Boston, MA
	return regexp.MustCompile(`(?:\b(?i:in|within|across|around|near) |, )(?:the )?(` + one + `(?:(?:,? or |,? and |, )(?:in )?(?:the )?` + one + `)*)` +
		`( (?i:encephalitis|fever|virus|syndrome|disease|tick|pigs?)\b)?`)
})

// bareplace is a place by its name alone, which begins with a capital letter: glioblastoma Boston.
var bareplace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^| )((?:` + longestFirst(words().Countries+", "+words().Towns) + `)(?:,? [A-Z]{2})?)\b( (?i:encephalitis|fever|virus|syndrome|disease|tick|pigs?|criteria)\b)?`)
})

// longestFirst are names in the order in which a pattern must try them: Nigeria, Niger.
func longestFirst(names string) string {
	list := strings.Split(names, ", ")
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(list, "|")
}

// between is what separates places, not the parts of one: Vienna, Austria.
var between = pattern.Lazy(`,? (?:or|and) (?:in )?(?:the )?`)

// ofTrials are words of a question about trials, which may name a place with nothing before it.
var ofTrials = pattern.Lazy(`(?i)\b(?:trials?|recruit\w*|enrol\w*)\b`)

// takePlaces takes the places that a question names, as sites of trials have them.
func (q *question) takePlaces() {
	found := someplace().FindAllStringSubmatchIndex(q.text, -1)
	if ofTrials().MatchString(q.text) {
		found = append(found, bareplace().FindAllStringSubmatchIndex(q.text, -1)...)
	}
	for _, m := range found {
		if m[4] >= 0 || !q.take("place", m[0], m[1]) {
			continue
		}
		for _, name := range between().Split(q.text[m[2]:m[3]], -1) {
			q.values["place"] = append(q.values["place"], cmp.Or(shortened[name], name))
		}
	}
}
