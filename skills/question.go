package skills

import (
	"slices"
	"strings"
)

// question is what was asked, taken apart.
type question struct {
	text   string              // with <id>, <variant> and the like in the place of names
	plain  string              // the same in lower case, also with <gene>, <drug> and <study>; <reference> follows where there is one
	values map[string][]string // by the name of a place in a command: id, ids, topic, gene, ...
}

var (
	id        = lazy(`(?i)\b(10\.\d{4,9}/[^\s,;"'<>]+)|\b(PMC\d{2,9})\b|\bPMID:?\s*(\d{1,8})\b|\b(\d{7,8})\b`)
	study     = lazy(`\b[a-z]+[a-z0-9]*(?:_[a-z0-9]+)+\b`)
	gene      = lazy(`\b[A-Z][A-Z0-9]{1,6}\d?\b`)
	reference = lazy(`((?:[A-Z][A-Za-z]*\.?)(?: [A-Z&][A-Za-z]*\.?){0,5})[ ,.]+((?:19|20)\d\d)[;, ]+(\d+)(?:\(\d+\))?[:, ]+([A-Z]?\d+)`)
	authors   = lazy(`^.*\b[A-Z]{1,3}\. `) // before a journal: Crick FH.
	since     = lazy(`(?i)\b(?:since|from|after|in|between) ((?:19|20)\d\d)\b`)
	quoted    = lazy(`"([^"]+)"|“([^”]+)”`)
)

// styles are the citation styles by the words that people use for them, RIS apart.
var styles = []struct{ word, style string }{
	{"bibtex", "bibtex"}, {"bib", "bibtex"}, {"latex", "bibtex"}, {"nbib", "nbib"}, {"csl", "csl-json"}, {"vancouver", "vancouver"}, {"ama", "vancouver"},
	{"apa", "apa"}, {"mla", "mla"},
}

func readQuestion(text string) question {
	q := question{values: map[string][]string{}}
	mark := ""
	if m := reference().FindStringSubmatch(text); m != nil {
		q.set("journal", authors().ReplaceAllString(m[1], ""))
		q.set("year", m[2])
		q.set("volume", m[3])
		q.set("page", m[4])
		mark = " <reference>"
	}
	text = q.take(text)
	var ids []string
	text = id().ReplaceAllStringFunc(text, func(found string) string {
		ids = append(ids, trim(strings.Join(id().FindStringSubmatch(found)[1:], "")))
		return " <id> "
	})
	if len(ids) > 0 {
		q.values["id"], q.values["ids"] = ids[:1], ids
	}
	plain := text
	if s := study().FindString(text); s != "" {
		q.set("study", s)
		plain = study().ReplaceAllString(plain, "<study>")
	}
	if genes := slices.DeleteFunc(gene().FindAllString(plain, -1), isAbbreviation); len(genes) > 0 {
		q.first("gene", genes[0])
		if len(genes) > 1 {
			q.set("genes", strings.Join(slices.Compact(genes), ","))
		}
	}
	plain = gene().ReplaceAllStringFunc(plain, func(word string) string {
		if isAbbreviation(word) {
			return word
		}
		return "<gene>"
	})
	q.plain = strings.ToLower(strings.Join(strings.Fields(plain), " ")) + mark
	if found := drug().FindString(q.plain); found != "" {
		q.set("drug", found)
		q.plain = drug().ReplaceAllString(q.plain, "<drug>")
	}
	for _, s := range settings {
		if s.asked().MatchString(text) {
			q.set(s.place, s.value)
		}
	}
	if m := since().FindStringSubmatch(text); m != nil && q.values["year"] == nil {
		q.set("year", m[1])
	}
	q.set("style", "ris")
	words := strings.FieldsFunc(q.plain, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, s := range styles {
		if slices.Contains(words, s.word) {
			q.set("style", s.style)
		}
	}
	q.text = text
	q.setTopic(nil)
	return q
}

// takePlaces puts the places of a question into its values, and leaves them out of its text.
func (q *question) takePlaces() {
	var places []string
	places, q.text = placesOf(q.text)
	if places = append(q.values["location"], places...); len(places) > 0 {
		q.values["location"] = places
	}
}

// setTopic sets what the question is about, without the words of a frame.
func (q question) setTopic(frame map[string]bool) {
	delete(q.values, "topic")
	topic := topicOf(q.text, frame)
	if len(topic) == 0 {
		return
	}
	q.set("topic", strings.Join(topic, " "))
	if key := strings.Trim(notKey().ReplaceAllString(strings.ToLower(strings.Join(topic[:min(3, len(topic))], "-")), "-"), "-"); key != "" {
		q.set("key", key)
	}
}

var (
	notKey = lazy(`[^a-z0-9]+`)
	number = lazy(`^\d+$`)
)

func (q question) set(name, value string) { q.values[name] = []string{value} }

// topicOf returns the words of a question that say what it is about: the quoted ones
// alone, if there are any, without the words of frame and those of any question.
func topicOf(text string, frame map[string]bool) (topic []string) {
	if m := quoted().FindAllStringSubmatch(text, -1); m != nil {
		text = ""
		for _, part := range m {
			text += part[1] + part[2] + " "
		}
	}
	text = since().ReplaceAllString(text, " ")
	for _, word := range strings.Fields(text) {
		if len(topic) == 0 && number().MatchString(word) {
			continue // how many, not of what
		}
		word = strings.TrimSuffix(strings.Trim(word, `.,;:?!()[]"'“”-`), "'s")
		lower := strings.ToLower(word)
		if lower == "situ" {
			word = "in situ"
		}
		if word != "" && !strings.HasPrefix(word, "<") && !study().MatchString(word) && !isFrame(lower) && !frame[lower] {
			topic = append(topic, word)
		}
	}
	return topic
}
