package skills

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"biomcp/entrez/pattern"
)

// A Match is a worked example for a question.
type Match struct {
	*Example
	Commands     [2][]string // the first two commands as words without the name of the program
	DefaultKinds []string    // kinds of values that come from the worked example: "id", "gene"
	UnusedWords  []string    // words of the question that the first command does not use
	Unsure       bool        // the question may mean something else
	Alternative  []string    // the first command of another possible interpretation, or nil
}

// Environment describes the data on this machine that a question may refer to.
type Environment struct {
	Studies []Study
	IsGene  func(symbol string) bool // if nil, all words in capitals may be genes
	Now     time.Time                // the time that a date such as "since June" is before
}

// A Study is a cohort study.
type Study struct{ ID, Name, Cancer string }

// Thresholds of the probability of an Intent.
const (
	minScore       = 0.3  // Route is sure of its answer
	minSearchScore = 0.5  // as minScore, for all intents of one search of texts together
	sureScore      = 0.97 // the answer needs no alternative
	minAlternative = 0.02 // the Intent may be the alternative
)

// requiredKinds lists the kinds of names that a command must accept to answer a question with one.
var requiredKinds = []string{"id", "nct", "variant", "disease", "code", "reference", "study", "test", "region"}

// settingKinds lists the kinds of values that are never the topic of a question.
var settingKinds = []string{"from", "to", "last", "nodate", "limit", "sort", "style"}

// Route returns the two most likely worked examples for a question, with their first commands
// filled in. sure is false if the probability of the first is low or if the question is of a
// kind that no command answers.
func Route(text string, machine Environment) (matches []Match, sure bool) {
	q := readQuestionAt(text, machine.IsGene, machine.Now)
	list := index().rank(q)
	q.claimSort()
	if q.asksForReclassified() {
		list = slices.Insert(list, 0, scoredAsk{reclassified(), 1})
	}
	sure = list[0].example != nil &&
		(list[0].share >= minScore || shareOfSearch(list) >= minSearchScore || q.shareOfCondition(list) >= minScore)
	share := list[0].share
	list = slices.DeleteFunc(list, func(f scoredAsk) bool { return f.example == nil || f.share == 0 })
	if !sure { // prefer intents that suit the question
		rank := func(f scoredAsk) int { return map[bool]int{true: 0, false: 1}[f.suits(q)] }
		slices.SortStableFunc(list, func(a, b scoredAsk) int { return rank(a) - rank(b) })
	}
	first := list[0].fill(q, machine)
	lines := first.Commands[:]
	if slices.Equal(lines[0], lines[1]) {
		lines = lines[:1]
	}
	var other Match // the next match with a different first command
	suits := false  // other is a possible interpretation
	for _, f := range list[1:] {
		if !sure && f.head() == list[0].head() { // offer another kind of search
			continue
		}
		other, suits = f.fill(q, machine), f.suits(q) && f.share >= minAlternative
		if !slices.ContainsFunc(lines, func(line []string) bool { return slices.Equal(line, other.Commands[0]) }) {
			break
		}
	}
	if first.Unsure = sure && (share < sureScore || q.losesDate(list[0])); len(lines) == 1 {
		first.Commands[1] = other.Commands[0]
	} else if first.Unsure && suits && other.DefaultKinds == nil {
		first.Alternative = other.Commands[0]
	}
	matches = []Match{first, other}
	return matches, sure
}

// shareOfSearch returns the total probability of the intents that begin with the same search of texts
// as the first, or 0 if that begins with another command.
func shareOfSearch(list []scoredAsk) (sum float64) {
	head := list[0].head()
	for _, f := range list {
		if f.example != nil && f.head() == head && slices.Contains(textSearches, head) {
			sum += f.share
		}
	}
	return sum
}

// shareOfCondition returns the total probability of the intents that read or look up a disease, if the
// question names one and the first is among them; otherwise 0. "learning disability" asks nothing more.
func (q question) shareOfCondition(list []scoredAsk) (sum float64) {
	lookups := []string{"get disease", "search disease", "discover {topic}"}
	if !slices.Contains(q.hints, "<condition>") || !slices.Contains(lookups, list[0].head()) {
		return 0
	}
	for _, f := range list {
		if f.example != nil && slices.Contains(lookups, f.head()) {
			sum += f.share
		}
	}
	return sum
}

// head returns the first two words of the first command.
func (a *Intent) head() string { return strings.Join(a.First[0][:min(2, len(a.First[0]))], " ") }

// fits returns a factor for the probability of an Intent, at most 1. It is small if the commands do not
// accept the names in the question or need names that it lacks.
func (a *Intent) fits(q question) float64 {
	fit := 1.0
	if a.example == nil {
		return fit
	}
	for _, kind := range slices.Concat(requiredKinds, requiredForms) {
		isNamed := slices.ContainsFunc(q.spans, func(s span) bool { return s.kind == kind })
		switch {
		case NamedByForm(kind) && a.needs[kind] && q.values[kind] == nil:
			fit = 0
		case isNamed && !a.uses[kind] && slices.Contains(requiredKinds, kind):
			fit *= 0.02
		case !isNamed && a.needs[kind] && kind != "study" && a.Otherwise == nil:
			fit *= 0.2
		}
	}
	if a.needs["gene"] && q.values["gene"] == nil {
		fit *= 0.3
	}
	if a.needs["drug"] && q.values["drug"] == nil && drugsForPattern().MatchString(q.text) {
		fit *= 0.1 // "drugs licensed for narcolepsy" names a disease
	}
	fit *= a.fitsForms(q)
	return fit
}

// suits reports whether the commands of an Intent accept each name in the question. A search for
// texts or trials accepts genes, drugs, places and variants as words of its query.
func (a *Intent) suits(q question) bool {
	head := a.head()
	kind := map[string]string{"search vaccine": "vaccine", "search diagnostic": "test"}[head]
	if kind != "" && !slices.Contains(q.features(), kind) || hasWord(a.First[0], "retracted") && !q.asksForRetracted() {
		return false
	}
	accepted := []string{"aside", "said", "compound"}
	if slices.Contains(textSearches, head) {
		accepted = append(append(accepted, topicKinds...), "gene", "drug", "place", "name", "variant")
	}
	readsName := head == "get disease" || head == "get drug"
	return !slices.ContainsFunc(q.spans, func(s span) bool {
		inName := readsName && !a.needs[s.kind] && (s.kind == "gene" || s.kind == "drug") // LMNA cardiomyopathy
		return inName || !a.uses[s.kind] && !slices.Contains(accepted, s.kind) && !slices.Contains(a.Ignores, s.kind)
	})
}

// placeholder matches a placeholder in a command. A question mark makes it optional.
var placeholder = pattern.Lazy(`\{(\w+)(\??)\}`)

// prepare sets the unexported fields of an Intent.
func (a *Intent) prepare() {
	a.example, a.words = Find(a.Example), wordSet(strings.Join(a.Words, " "))
	a.needs, a.uses = map[string]bool{}, map[string]bool{}
	for i, command := range slices.Concat(a.First, a.Published, a.Otherwise) {
		for _, m := range placeholder().FindAllStringSubmatch(strings.Join(command, " "), -1) {
			kind := strings.TrimSuffix(m[1], "s")
			if m[1] == "periodical" {
				kind = "reference"
			}
			if a.uses[kind], a.uses[m[1]] = true, true; i == 0 {
				a.needs[kind] = true
			}
		}
		for _, f := range flagsOf(command) {
			a.uses[f[0]] = true
		}
	}
}

// flagsOf returns the flags that words.yaml lists for a command: each a kind, the flag and,
// unless it is a switch, a template of its value.
func flagsOf(command []string) [][]string {
	head := strings.Join(command[:min(2, len(command))], " ")
	if head == "search trial" {
		return slices.Concat(words().Flags[head], dateFlags)
	}
	return words().Flags[head]
}

// fill fills the values of a question into the commands of an Intent. It uses the first of First,
// Published and Otherwise for which the question has all values. If there is none, it uses
// the last of them and takes missing values from the worked example.
func (a *Intent) fill(q question, machine Environment) (m Match) {
	taken := a.words
	if a.uses["study"] && q.values["study"] == nil {
		if id, words := machine.matchStudy(q, a.words); id != "" {
			q.values = maps.Clone(q.values)
			q.values["study"], taken = []string{id}, words
		}
	}
	if a.uses["date"] {
		q = q.withDate(machine.Now)
	}
	whole := false
	for _, pair := range [][][]string{a.First, a.Published, a.Otherwise} {
		if pair != nil && !whole {
			m, whole = a.fillPair(pair, q, taken)
		}
	}
	return m
}

// fillPair fills two commands. whole is true if the question has all values that they need.
func (a *Intent) fillPair(pair [][]string, q question, taken map[string]bool) (m Match, whole bool) {
	m.Example, whole = a.example, true
	used, topical := map[string]bool{}, false
	for _, name := range placeholder().FindAllStringSubmatch(strings.Join(pair[0], " "), -1) {
		used[strings.TrimSuffix(name[1], "s")], used[name[1]] = true, true
		topical = topical || slices.Contains([]string{"topic", "phenotypes", "key"}, name[1])
	}
	used["reference"] = used["reference"] || used["periodical"]
	if n := len(q.values["id"]); n > 0 && slices.Equal(q.values["limit"], []string{strconv.Itoa(n)}) {
		used["limit"] = true // the number of IDs in "these 3 papers"
	}
	isSince := used["date"] && len(q.values["to"]) == 0 // the end of a period has no place
	used["from"], used["last"] = used["from"] || isSince, used["last"] || used["date"]
	if used["phenotypes"] {
		q, used["absent"] = q.claimAbsent(), true
	}
	values := maps.Clone(q.values)
	for _, f := range flagsOf(pair[0]) {
		used[f[0]] = true
		if slices.Contains(a.Ignores, f[0]) {
			delete(values, f[0])
		}
	}
	var unused []string // settings that the first command does not accept
	for _, s := range q.spans {
		if slices.Contains(settingKinds, s.kind) && !used[s.kind] && !slices.Contains(a.Ignores, s.kind) {
			unused = append(unused, trim(strings.TrimSpace(q.text[s.from:s.to])))
		}
	}
	claimed := maps.Clone(used)
	for _, kind := range settingKinds {
		claimed[kind] = true
	}
	taken, dropped := q.prepareTopic(pair[0], claimed, taken)
	unused = append(unused, dropped...)
	groups, following := q.topic(claimed, taken)
	topic := slices.Concat(groups...)
	for _, group := range groups {
		values["phenotypes"] = append(values["phenotypes"], "--phenotype", strings.Join(group, " "))
	}
	if len(topic) > 0 {
		values["topic"] = []string{strings.Join(topic, " ")}
		if key := queryKey(topic); key != "" && values["key"] == nil {
			values["key"] = []string{key}
		}
	}
	values["sections"] = a.example.sectionsOf(strings.ToLower(q.text))
	if topical {
		found := stems(pair[0][min(1, len(pair[0])-1)]) // asthma papers
		m.UnusedWords = slices.DeleteFunc(following, func(w string) bool { return slices.Equal(stems(w), found) })
	} else {
		m.UnusedWords = topic
	}
	m.UnusedWords = append(m.UnusedWords, unused...)
	if used["status"] {
		m.UnusedWords = append(m.UnusedWords, values["without"]...)
	}
	defaultValue := func(name string) []string {
		if !slices.Contains(m.DefaultKinds, name) {
			m.DefaultKinds = append(m.DefaultKinds, name)
		}
		if name == "ids" {
			return strings.Fields(a.example.DefaultArg(name))
		}
		return []string{a.example.DefaultArg(name)}
	}
	for i, command := range pair {
		words, rest := withFlags(command, values)
		if i == 0 {
			m.UnusedWords = append(m.UnusedWords, rest...)
		}
		for _, word := range words {
			name := placeholder().FindStringSubmatch(word)
			missing := name != nil && len(values[name[1]]) == 0 && name[1] != "sections"
			switch {
			case name == nil:
				m.Commands[i] = append(m.Commands[i], word)
			case missing && name[1] == "topic" && name[2] != "" && len(words) > len(command): // the flags suffice
			case missing:
				whole = whole && name[2] != ""
				m.Commands[i] = append(m.Commands[i], defaultValue(name[1])...)
			case name[0] == word:
				list := values[name[1]]
				if len(list) > 1 && !slices.Contains([]string{"ids", "phenotypes", "sections"}, name[1]) {
					if i == 0 {
						m.UnusedWords = append(m.UnusedWords, list[1:]...)
					}
					list = list[:1]
				}
				m.Commands[i] = append(m.Commands[i], list...)
			default: // the placeholder is part of a word
				m.Commands[i] = append(m.Commands[i], placeholder().ReplaceAllLiteralString(word, values[name[1]][0]))
			}
		}
	}
	m.Commands[0] = withAbsent(withOtherDrugs(m.Commands[0], values["drug"]), values["absent"])
	m.Commands[0] = q.withoutStatus(withGenotypes(m.Commands[0], q.genotypes()))
	m.UnusedWords = append(m.UnusedWords, q.unusedNames(m.Commands[0])...)
	given := q.genotypeWords(m.Commands[0])
	seen := map[string]bool{}
	m.UnusedWords = slices.DeleteFunc(m.UnusedWords, func(w string) bool {
		again := seen[w] || slices.Contains(m.Commands[0], w) || slices.Contains(given, w) || hasWord(pair[0], w)
		seen[w] = true
		return again
	})
	return m, whole
}

// withFlags returns a command with flags for the values of a question, and the values that do not
// fit into it.
func withFlags(command []string, values map[string][]string) (words, rest []string) {
	words = slices.Clone(command)
	if at := slices.Index(words, "--last"); at >= 0 && len(values["from"])+len(values["to"]) > 0 {
		words = slices.Delete(words, at, at+2)
	}
	var more []string
	for _, f := range flagsOf(command) {
		value := values[f[0]]
		if len(value) > 0 && f[0] == "limit" && slices.Contains(command, "--count") {
			rest, value = append(rest, value[0]), nil
		}
		if len(value) == 0 {
			continue
		}
		flag := slices.Clone(f[1:])
		if len(flag) == 2 && flag[1] == "{}" {
			if flag[1] = value[0]; f[0] == "phase" {
				flag[1] = strings.Join(value, ",")
			} else {
				rest = append(rest, value[1:]...)
			}
		}
		if at := slices.Index(words, flag[0]); at >= 0 { // replace the value of --status RECRUITING
			copy(words[at:], flag)
		} else {
			more = append(more, flag...)
		}
	}
	at := 0 // insert before the flags of the command itself
	for ; at < len(words); at++ {
		takesPlaceholder := at+1 < len(words) && strings.HasPrefix(words[at+1], "{")
		if strings.HasPrefix(words[at], "--") && !takesPlaceholder {
			break
		}
	}
	return slices.Insert(words, at, more...), rest
}

// Filters interprets the query of a search as a question. It returns pairs of a flag and its value,
// which is "true" for a switch, and the remaining words. If the interpretation is ambiguous, it
// returns nil.
func Filters(command []string, query string) (rest, pairs []string) {
	if flagsOf(command) == nil || strings.ContainsAny(query, `"“()[]*`) {
		return nil, nil
	}
	name := command[len(command)-1] // such as trial, which tells how to interpret the query
	q := readQuestion(name+" "+query, nil)
	kinds := map[string]bool{}
	for _, f := range flagsOf(command) {
		switch value := q.values[f[0]]; {
		case len(value) == 0:
		case len(value) > 1 && f[0] != "phase":
			return nil, nil
		case len(f) == 2: // a switch
			kinds[f[0]], pairs = true, append(pairs, f[1], "true")
		default:
			kinds[f[0]], pairs = true, append(pairs, f[1], strings.ReplaceAll(f[2], "{}", strings.Join(value, ",")))
		}
	}
	groups, _ := q.topic(kinds, wordSet(strings.Join(stems(name), " ")))
	return slices.Concat(groups...), pairs
}

// sectionsOf returns the sections that a question asks for. If it asks for none, it returns those
// of the worked example. If it asks only for the card, it returns nil.
func (e *Example) sectionsOf(question string) (names []string) {
	asked := false
	for _, s := range e.sections() {
		if s.words.MatchString(question) {
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

// matchStudy returns the ID of the study whose name has the most words in common with a question, or
// "" if none or several have. It also returns the stems in asked or in the name of the study.
func (h Environment) matchStudy(q question, asked map[string]bool) (string, map[string]bool) {
	maximum, id, taken := 0, "", map[string]bool{}
	for _, s := range h.Studies {
		own, initials := map[string]bool{}, ""
		for _, w := range strings.Fields(s.Name) {
			if initials += w[:1]; !unicode.IsUpper(rune(w[0])) || strings.ContainsAny(w, "(,") {
				initials = ""
			}
			own[strings.ToLower(initials)] = len(initials) > 1
		}
		for _, term := range stems(s.Name + " " + strings.ReplaceAll(s.ID, "_", " ") + " " + s.Cancer) {
			own[term] = true
		}
		n := 0
		for _, term := range stems(q.text) {
			if own[term] && !asked[term] && !genericStems()[term] {
				n++
			}
		}
		switch {
		case n > maximum:
			maximum, id, taken = n, s.ID, own
		case n == maximum:
			id = ""
		}
	}
	words := maps.Clone(asked)
	maps.Copy(words, taken)
	if id == "" && len(h.Studies) == 1 && maximum == 0 && !q.namesDisease(words) {
		id = h.Studies[0].ID
	}
	return id, words
}
