package skills

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"biomcp/entrez/pattern"
)

// reclassifiedPattern matches a question about variants whose classification changed, articlePattern one about articles.
var (
	reclassifiedPattern = pattern.Lazy(`(?i)\b(?:re-?classif\w+|(?:up|down)graded)\b|\bchanged (?:their |its )?classifications?\b|` +
		`\bclassifications? (?:\w+ )?changed\b`)
	subjectPattern = pattern.Lazy(`(?i)\b(?:variants?|VUS|mutations?|ClinVar)\b`)
	articlePattern = pattern.Lazy(`(?i)\b(?:papers?|articles?|literature|publications?|published|reviews?|studies|study|guidelines?|rates?|` +
		`trials?|cohort|how|why)\b`)
)

// reclassified is the Intent of such questions. It is not trained: the words alone decide.
var reclassified = sync.OnceValue(func() *Intent {
	a := &Intent{
		Example: "variant-to-evidence",
		First: [][]string{{"search", "variant", "--gene", "{gene}", "--reclassified-since", "{date}", "--limit", "10"},
			{"get", "gene", "{gene}", "variants"}},
		Otherwise: [][]string{{"search", "variant", "--reclassified-since", "{date}", "--limit", "10"},
			{"search", "variant", "--significance", "conflicting", "--limit", "10"}},
		Words: stems("variants mutations reclassified reclassify reclassification changed classification upgraded downgraded clinvar"),
	}
	a.prepare()
	return a
})

// asksForReclassified reports whether a question asks which variants were reclassified, of a gene or of all. A single
// variant has the section of its earlier classifications.
func (q question) asksForReclassified() bool {
	return q.values["variant"] == nil && q.values["change"] == nil && reclassifiedPattern().MatchString(q.text) &&
		subjectPattern().MatchString(q.text) && !articlePattern().MatchString(q.text)
}

// newClassPattern matches the class that variants have after a reclassification.
var newClassPattern = pattern.Lazy(`(?i)\b(?:to|as|into|now) (?:an? |be )?((?:likely[- ])?(?:pathogenic|benign)|VUS|uncertain|` +
	`conflicting)\b`)

// withDate returns a copy of q with a value of the kind date: the date in the question or the start of its period, or else
// a year before now. It keeps only a class after the change.
func (q question) withDate(now time.Time) question {
	q.spans, q.values = slices.Clone(q.spans), maps.Clone(q.values)
	date := now.AddDate(-1, 0, 0).Format(time.DateOnly)
	if from := q.values["from"]; len(from) > 0 {
		date = from[0]
	} else if last := q.values["last"]; len(last) > 0 {
		date = startOf(last[0], now).Format(time.DateOnly)
	}
	q.values["date"] = []string{date}
	delete(q.values, "significance") // the filter is for the class after the change
	q.spans = slices.DeleteFunc(q.spans, func(s span) bool { return s.kind == "significance" })
	if m := newClassPattern().FindStringSubmatchIndex(q.text); m != nil {
		class := strings.NewReplacer(" ", "-", "vus", "uncertain").Replace(strings.ToLower(q.text[m[2]:m[3]]))
		q.values["significance"] = []string{class}
		q.claim("significance", m[2], m[3])
	}
	slices.SortFunc(q.spans, func(a, b span) int { return a.from - b.from })
	return q
}

// startOf returns the start of a period in the format of --last, such as 6m, that ends now.
func startOf(last string, now time.Time) time.Time {
	n, err := strconv.Atoi(last[:len(last)-1])
	if err != nil {
		n = 1
	}
	switch last[len(last)-1] {
	case 'd':
		return now.AddDate(0, 0, -n)
	case 'm':
		return now.AddDate(0, -n, 0)
	}
	return now.AddDate(-n, 0, 0)
}
