package rag

import (
	"strings"

	"biomcp/rag/analyze"
)

// headingSections returns the sections by headings in the text, at the beginning of sentences,
// such as "METHODS: ", "Main outcome measures: " or "Objective. ". It returns nil if there are
// no headings.
func (c *chunker) headingSections() []span {
	var starts []int
	var labels []string
	for i := range c.pieces {
		if i > 0 && !endsSentence(c.text, c.pieces, i) && !c.newLine(i) {
			continue
		}
		if label := c.heading(i); label != "" {
			starts, labels = append(starts, c.pieces[i].start), append(labels, label)
		}
	}
	return c.spans(starts, labels)
}

func (c *chunker) newLine(i int) bool {
	return strings.Contains(c.text[c.pieces[i-1].end:c.pieces[i].start], "\n")
}

// maxHeading is the maximum number of pieces of a heading such as "Design, setting,
// participants, and measurements:".
const maxHeading = 10

// heading returns the heading that begins at piece i, or "". A heading consists of words of
// headings, at least one of them the name of a section, and ends with a colon, a full stop or a
// line break.
func (c *chunker) heading(i int) string {
	start := c.pieces[i].start
	if first := c.text[start]; first < 'A' || first > 'Z' {
		return ""
	}
	named := false
	for j := i; j < len(c.pieces) && j-i <= maxHeading; j++ {
		p := c.pieces[j]
		word := strings.ToLower(c.text[p.start:p.end])
		if j == i && len(word) <= 3 && !sectionNames()[word] {
			return "" // prose, such as "In conclusion:"
		}
		alone := j > i && c.newLine(j) && (i == 0 || c.newLine(i))
		switch {
		case named && (word == ":" || word == "." || alone):
			return strings.TrimSpace(c.text[start:c.pieces[j-1].end])
		case sectionNames()[word]:
			named = true
		case !sectionWords()[word]:
			return ""
		}
	}
	return ""
}

// sectionNames are words that name a section of an abstract by themselves, from the labels that
// NLM maps to its five categories
// (https://lhncbc.nlm.nih.gov/ii/areas/structured-abstracts.html). sectionWords may occur with
// them.
var (
	sectionNames = analyze.Words(`aim aims analysis approach background comment comments conclusion conclusions
		context design discussion evidence exposure exposures finding findings funding goal goals hypothesis implications importance
		interpretation intervention interventions introduction limitation limitations material materials measure
		measurement measurements measures method methodology methods objective objectives observations outcome
		outcomes participants patients population procedure procedures purpose rationale recommendation
		recommendations registration relevance result results sample setting settings significance subjects summary`)
	sectionWords = analyze.Words(`and & / , - of the in for to a case clinical data diagnostic extraction key level main
		message messages practice presentation primary public health question report research review search
		secondary selection source sources statistical study synthesis trial work animals what is known adds`)
)
