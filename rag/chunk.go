package rag

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/google/uuid"

	"biomcp/entrez/record"
	"biomcp/store"
)

// Lengths of chunks in tokens (CountTokens), from the contract of the corpus.
const (
	ChunkTarget  = 325 // short sections are merged up to this length
	ChunkMin     = 120 // shorter sections are merged
	ChunkMax     = 450 // no chunk is longer
	ChunkOverlap = 50  // least overlap of the windows of a long section
)

// Passage is a chunk of an abstract: the bytes from Start to End. Section has the
// labels or headings of its sections, "" if there are none.
type Passage struct {
	ID         string
	Section    string
	Start, End int
}

// Text returns the text of the passage.
func (p Passage) Text(abstract string) string { return strings.TrimSpace(abstract[p.Start:p.End]) }

// chunks cuts an abstract into passages that cover all of it. sections are the
// labelled parts that abstract was joined from, in order, or none.
//
// An abstract with labels, or with headings in its text, is cut by section: a
// section under ChunkMin tokens is merged with its neighbours up to ChunkTarget, or
// up to ChunkMax if it would otherwise remain under ChunkMin.
// These chunks are s0, s1, ... in order. A section over ChunkMax is cut into
// windows of about equal length, s1_0, s1_1, ..., each beginning ChunkOverlap
// tokens before the end of the one before it. Any other abstract is one chunk,
// w0, or windows w0, w1, ...; a document without an abstract has the empty chunk
// w0, under which its title is indexed.
//
// A chunk begins and ends at a space, at a sentence if possible, and not between a
// number and its comparator or unit, unless there is no other place within ChunkMax
// tokens. A window may begin some tokens earlier for that.
func (c *chunker) chunks(abstract string, sections []store.Section) []Passage {
	if strings.TrimSpace(abstract) == "" {
		return []Passage{{ID: "w0", Start: 0, End: len(abstract)}}
	}
	c.text, c.pieces = abstract, split(c.pieces[:0], abstract)
	spans := c.labelled(sections)
	if spans == nil {
		spans = c.headed()
	}
	if spans == nil {
		return c.windows(nil, span{0, len(c.pieces), ""}, func(i int) string { return fmt.Sprintf("w%d", i) })
	}
	var out []Passage
	for i, s := range merge(spans) {
		id := fmt.Sprintf("s%d", i)
		out = c.windows(out, s, func(j int) string {
			if s.len() <= ChunkMax {
				return id
			}
			return fmt.Sprintf("%s_%d", id, j)
		})
	}
	return out
}

// chunkSpace is the namespace of the UUIDs of chunks, the same on every engine.
var chunkSpace = uuid.MustParse("1b2c3d4e-0000-0000-0000-000000000000")

// UUID returns the id of a chunk on every engine: the version 5 UUID (RFC 9562) of
// "<pmid>:<chunk id>".
func UUID(pmid record.PMID, chunkID string) string {
	return uuid.NewSHA1(chunkSpace, fmt.Appendf(nil, "%d:%s", pmid, chunkID)).String()
}

// span is a range of pieces.
type span struct {
	from, to int
	label    string
}

func (s span) len() int { return s.to - s.from }

func (s span) with(next span) span {
	label := s.label
	if next.label != "" && label != "" {
		label += "; "
	}
	return span{s.from, next.to, label + next.label}
}

// chunker cuts one text after another.
type chunker struct {
	text   string
	pieces []piece // of text
}

// at returns the index of the first piece that begins at or after a byte.
func (c *chunker) at(offset int) int {
	return sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].start >= offset })
}

// spans turns byte offsets, each where a section begins, into spans that cover
// every piece.
func (c *chunker) spans(starts []int, labels []string) []span {
	var out []span
	for i, start := range starts {
		s := span{c.at(start), len(c.pieces), labels[i]}
		if i == 0 && s.from > 0 {
			out = append(out, span{0, s.from, ""})
		}
		if i+1 < len(starts) {
			s.to = c.at(starts[i+1])
		}
		if s.len() > 0 {
			out = append(out, s)
		}
	}
	return out
}

// labelled returns the spans of the record's sections in the text, which
// pubmed.JoinSections joined from them; nil if there are no labels or the text is
// another.
func (c *chunker) labelled(sections []store.Section) []span {
	if !slices.ContainsFunc(sections, func(s store.Section) bool { return s.Label != "" }) {
		return nil
	}
	var starts []int
	var labels []string
	at := 0
	for _, s := range sections {
		rest := strings.TrimLeft(c.text[at:], " \n")
		label := s.Label
		if strings.EqualFold(label, "UNLABELLED") { // NLM's label for a section without one
			label = ""
		}
		starts, labels = append(starts, len(c.text)-len(rest)), append(labels, label)
		if s.Label != "" {
			rest = strings.TrimPrefix(rest, s.Label+": ")
		}
		rest, ok := strings.CutPrefix(rest, s.Text)
		if !ok {
			return nil
		}
		at = len(c.text) - len(rest)
	}
	return c.spans(starts, labels)
}

// merge joins short neighbours.
func merge(spans []span) []span {
	var out []span
	for _, s := range spans {
		if last := len(out) - 1; last >= 0 && min(out[last].len(), s.len()) < ChunkMin && out[last].len()+s.len() <= ChunkTarget {
			out[last] = out[last].with(s)
		} else {
			out = append(out, s)
		}
	}
	for i := 0; i < len(out); {
		s := out[i]
		// The neighbour that gives the shorter chunk, the one before if equal.
		best := -1
		for _, j := range []int{i - 1, i} {
			if s.len() < ChunkMin && j >= 0 && j+1 < len(out) && out[j].len()+out[j+1].len() <= ChunkMax &&
				(best < 0 || out[j].len()+out[j+1].len() < out[best].len()+out[best+1].len()) {
				best = j
			}
		}
		if best < 0 {
			i++
			continue
		}
		out[best] = out[best].with(out[best+1])
		out = slices.Delete(out, best+1, best+2)
		i = best
	}
	return out
}

// slack is how far, in tokens, the end of a window is moved to end a sentence,
// and its beginning to keep a number whole.
const slack = 60

// windows appends the chunks of one span, several if it is longer than ChunkMax.
func (c *chunker) windows(out []Passage, s span, id func(int) string) []Passage {
	from := s.from
	for j := 0; ; j++ {
		to := c.end(from, s.to)
		out = append(out, Passage{id(j), s.label, c.offset(from), c.offset(to)})
		if to == s.to {
			return out
		}
		from = c.begin(to)
	}
}

// offset returns the byte at which a passage that begins with piece i begins; spaces
// belong to the passage before.
func (c *chunker) offset(i int) int {
	switch i {
	case 0:
		return 0
	case len(c.pieces):
		return len(c.text)
	}
	return c.pieces[i].start
}

// end returns the end of the window that begins at from: the rest of the span is
// divided evenly into as few windows as possible.
func (c *chunker) end(from, to int) int {
	left := to - from
	if left <= ChunkMax {
		return to
	}
	const stride = ChunkMax - ChunkOverlap
	n := (left - ChunkOverlap + stride - 1) / stride
	ideal := from + (left+ChunkOverlap*(n-1)+n-1)/n
	limit := from + ChunkMax
	for _, fits := range []func(int) bool{
		func(i int) bool { return endsSentence(c.text, c.pieces, i) && cuttable(c.text, c.pieces, i) },
		func(i int) bool { return cuttable(c.text, c.pieces, i) },
	} {
		for d := range slack {
			if ideal-d >= from+ChunkMax/2-slack && fits(ideal-d) {
				return ideal - d
			}
			if ideal+d <= limit && fits(ideal+d) {
				return ideal + d
			}
		}
	}
	return ideal
}

// begin returns the beginning of the window after one that ends at end.
func (c *chunker) begin(end int) int {
	from := end - ChunkOverlap
	for d := range slack {
		if cuttable(c.text, c.pieces, from-d) {
			return from - d
		}
	}
	return from
}
