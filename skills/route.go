package skills

import (
	"regexp"
	"slices"
	"strings"
)

// Match is a worked example for a question.
type Match struct {
	*Example
	Commands [2][]string // the first two, as words without the program's name
	Borrowed []string    // what the question does not name and the worked example lends: "id", "gene"
	Left     []string    // what the question names and the commands have no place for: a second country
}

// What a pattern of words counts, and how much a question must have.
const (
	strongCue = 3
	weakCue   = 1
	enough    = 3
)

// Route finds the worked example that answers a question. It is not sure, and ok is
// false, where too few of an example's cues occur in the question, or two examples
// have as many.
func Route(question string) (m Match, ok bool) {
	asked := readQuestion(question)
	best, second := 0, 0
	for _, e := range Catalogue() {
		switch score := e.score(asked.plain); {
		case score > best:
			best, second, m.Example = score, best, e
		case score > second:
			second = score
		}
	}
	if best < enough || best == second {
		return Match{}, false
	}
	if m.asksForPlaces() {
		asked.takePlaces()
	}
	asked.setTopic(m.frame)
	asked.values["sections"] = m.sectionsOf(asked.plain)
	asked.values["flags"], m.Left = m.flagsOf(asked)
	m.Commands, m.Borrowed = m.fill(asked)
	return m, true
}

// Topic is the words of a question that say what it is about, "" where there are none.
func Topic(question string) string { return strings.Join(readQuestion(question).values["topic"], " ") }

// score is how well a question, in the form of question.plain, fits.
func (e *Example) score(plain string) int {
	c := e.cues()
	if count(c.not, plain) > 0 || len(c.needs) > 0 && count(c.needs, plain) == 0 {
		return 0
	}
	return strongCue*count(c.strong, plain) + weakCue*count(c.weak, plain)
}

func count(patterns []*regexp.Regexp, text string) (n int) {
	for _, p := range patterns {
		if p.MatchString(text) {
			n++
		}
	}
	return n
}

// sectionsOf are the sections that a question asks for: those of the worked example
// where it asks for none, and no word where it asks for the card alone.
func (e *Example) sectionsOf(plain string) (names []string) {
	asked := false
	for _, s := range e.sections() {
		if s.words.MatchString(plain) {
			if asked = true; s.name != "" {
				names = append(names, s.name)
			}
		}
	}
	if !asked {
		return strings.Fields(e.values["sections"])
	}
	return names
}

// asksForPlaces reports whether a place in a question is not part of its topic.
func (e *Example) asksForPlaces() bool {
	return slices.ContainsFunc(e.flags, func(f [2]string) bool { return f[0] == "location" })
}

// flagsOf are the flags for what a question names, each with its first value.
func (e *Example) flagsOf(q question) (words, left []string) {
	for _, f := range e.flags {
		if v := q.values[f[0]]; len(v) > 0 {
			words, left = append(words, f[1], v[0]), append(left, v[1:]...)
		}
	}
	return words, left
}

// fill puts the question's words into the first pair of commands that it has all
// words for. Without such a pair it takes the first one whose missing words the worked
// example has.
func (e *Example) fill(q question) (commands [2][]string, borrowed []string) {
	for _, pair := range e.first {
		if commands, missing, lent := fillPair(pair, q.values, e.values); len(missing) == 0 {
			return commands, lent
		}
	}
	for _, pair := range e.first {
		commands, missing, lent := fillPair(pair, q.values, e.values)
		if !slices.ContainsFunc(missing, func(name string) bool { return e.values[name] == "" }) {
			return commands, append(missing, lent...)
		}
	}
	panic(e.Slug + ": its example lacks words of every pair") // the files are part of the program
}

// slot is a place for the question's words; one with a question mark does without,
// and takes the worked example's, which has no flags.
var slot = lazy(`\{(\w+)(\??)\}`)

func fillPair(pair [][]string, values map[string][]string, own map[string]string) (commands [2][]string, missing, lent []string) {
	for i := range commands {
		for _, word := range pair[i] {
			name := slot().FindStringSubmatch(word)
			if name == nil {
				commands[i] = append(commands[i], word)
				continue
			}
			value := values[name[1]]
			if len(value) == 0 && name[1] != "sections" && name[0] != "{flags?}" {
				list := &missing
				if name[2] != "" {
					list = &lent
				}
				if !slices.Contains(*list, name[1]) {
					*list = append(*list, name[1])
				}
				value = fields(own[name[1]], name[1])
			}
			commands[i] = append(commands[i], value...)
		}
	}
	return commands, missing, lent
}
