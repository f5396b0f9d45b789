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

// Lengths of chunks in tokens (CountTokens). They are part of the definition of the corpus.
const (
	ChunkTarget  = 325 // maximum length of merged sections
	ChunkMin     = 120 // sections shorter than this are merged
	ChunkMax     = 450 // maximum length of a chunk
	ChunkOverlap = 50  // minimum overlap of the windows of a long section
)

// A Passage is a chunk of an abstract: the bytes from Start to End. Section holds the labels or
// headings of its sections, or "".
type Passage struct {
	ID         string
	Section    string
	Start, End int
}

// Text returns the text of the passage.
func (p Passage) Text(abstract string) string { return strings.TrimSpace(abstract[p.Start:p.End]) }

// chunks cuts an abstract into passages that cover all of it. sections are the labelled parts
// that the abstract was joined from, if any, in order.
//
// An abstract with labels, or with headings in its text, is cut by section. A section with
// fewer than ChunkMin tokens is merged with its neighbours up to ChunkTarget, or up to ChunkMax
// if it would otherwise stay under ChunkMin. These chunks are named s0, s1, ... in order. A
// section longer than ChunkMax is cut into windows of about equal length, named s1_0, s1_1,
// .... Each begins ChunkOverlap tokens before the end of the preceding one. Any other abstract
// is one chunk, w0, or windows w0, w1, .... A document without an abstract has one empty chunk,
// w0, under which its title is indexed.
//
// A chunk begins and ends at a space, preferably at the end of a sentence. It does not separate
// a number from its comparator or unit, unless there is no other place within ChunkMax tokens.
// For this, a window may begin a few tokens earlier.
func (c *chunker) chunks(abstract string, sections []store.Section) []Passage {
	if strings.TrimSpace(abstract) == "" {
		return []Passage{{ID: "w0", Start: 0, End: len(abstract)}}
	}
	c.text, c.pieces = abstract, split(c.pieces[:0], abstract)
	spans := c.labelledSections(sections)
	if spans == nil {
		spans = c.headingSections()
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

// chunkSpace is the UUID namespace of chunks, for all engines.
var chunkSpace = uuid.MustParse("1b2c3d4e-0000-0000-0000-000000000000")

// UUID returns the ID of a chunk in any engine: the version 5 UUID (RFC 9562) of "<pmid>:<chunk
// id>".
func UUID(pmid record.PMID, chunkID string) string {
	return uuid.NewSHA1(chunkSpace, fmt.Appendf(nil, "%d:%s", pmid, chunkID)).String()
}

// A span is a range of pieces.
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

// A chunker cuts texts, one after another.
type chunker struct {
	text   string
	pieces []piece // pieces of text
}

// pieceAt returns the index of the first piece that begins at or after a byte offset.
func (c *chunker) pieceAt(offset int) int {
	return sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].start >= offset })
}

// spans converts the byte offsets at which sections begin to spans that cover every piece.
func (c *chunker) spans(starts []int, labels []string) []span {
	var out []span
	for i, start := range starts {
		s := span{c.pieceAt(start), len(c.pieces), labels[i]}
		if i == 0 && s.from > 0 {
			out = append(out, span{0, s.from, ""})
		}
		if i+1 < len(starts) {
			s.to = c.pieceAt(starts[i+1])
		}
		if s.len() > 0 {
			out = append(out, s)
		}
	}
	return out
}

// labelledSections returns the spans of the record's sections in the text, which
// pubmed.JoinSections has joined. It returns nil if no section has a label or the sections do
// not match the text.
func (c *chunker) labelledSections(sections []store.Section) []span {
	if !slices.ContainsFunc(sections, func(s store.Section) bool { return s.Label != "" }) {
		return nil
	}
	var starts []int
	var labels []string
	at := 0
	for _, s := range sections {
		rest := strings.TrimLeft(c.text[at:], " \n")
		label := s.Label
		if strings.EqualFold(label, "UNLABELLED") { // NLM's placeholder for a missing label
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

// merge joins short sections with their neighbours.
func merge(spans []span) []span {
	var out []span
	for _, s := range spans {
		last := len(out) - 1
		oneIsShort := last >= 0 && min(out[last].len(), s.len()) < ChunkMin
		if oneIsShort && out[last].len()+s.len() <= ChunkTarget {
			out[last] = out[last].with(s)
		} else {
			out = append(out, s)
		}
	}
	for i := 0; i < len(out); {
		s := out[i]
		// Choose the neighbour that gives the shorter chunk, or the preceding one if both are equal.
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

// slack is the maximum number of tokens by which a window's end moves to reach the end of a
// sentence, or its beginning moves to keep a number with its unit.
const slack = 60

// windows appends the chunks of one span: several if it is longer than ChunkMax.
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

// offset returns the byte offset at which a passage starting with piece i begins. Spaces belong
// to the preceding passage.
func (c *chunker) offset(i int) int {
	switch i {
	case 0:
		return 0
	case len(c.pieces):
		return len(c.text)
	}
	return c.pieces[i].start
}

// end returns the end of the window that begins at from. The rest of the span is divided evenly
// into as few windows as possible.
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
