package entreztest

import (
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"biomcp/entrez/pubmed"
)

// A wordID names a word of the vocabulary. The first numMarks are no words: they
// close a segment in a record's text and say which it was.
type wordID uint32

const numMarks = 16

// An ord is a record's place in corpus.records. Places only grow, so postings
// are sorted as they are built; a replaced record leaves a nil behind.
type ord = uint32

// corpus is the inverted index over the held records. Its methods want the
// caller to hold mu: read for look-ups, write for changes.
type corpus struct {
	mu      sync.RWMutex
	records []*record
	byPMID  map[uint32]ord
	live    int

	words    map[string]wordID
	spelling []string // by wordID
	posting  [][]ord  // by wordID: records that have the word anywhere
	terms    map[string]map[string][]ord
	show     map[string]map[string]string // how a folded term is written, by field code
	journals map[string]journalName       // by every folded name of a journal
	citedBy  map[uint32][]ord
	headings map[string]*heading // by UI: what db=mesh holds
	headUIs  map[string]string   // folded heading to UI

	lazy        sync.Mutex // guards the two below, which readers fill in
	sorted      []string   // vocabulary in order, for truncation; nil when stale
	sortedTerms map[string][]string
}

// journalName is the abbreviation to which PubMed translates, with the NLM id.
type journalName struct{ abbreviation, nlmID string }

func newCorpus() *corpus {
	return &corpus{
		byPMID: map[uint32]ord{}, words: map[string]wordID{},
		spelling: make([]string, numMarks), posting: make([][]ord, numMarks),
		terms: map[string]map[string][]ord{}, show: map[string]map[string]string{},
		journals: map[string]journalName{}, citedBy: map[uint32][]ord{},
		headings: map[string]*heading{}, headUIs: map[string]string{},
		sortedTerms: map[string][]string{},
	}
}

// add puts a record in, in place of one with the same PMID.
func (c *corpus) add(a *pubmed.Article, raw []byte) error {
	r, err := newRecord(a, raw)
	if err != nil {
		return err
	}
	c.remove(r.pmid)
	o := ord(len(c.records))
	c.records = append(c.records, r)
	c.byPMID[r.pmid] = o
	c.live++
	texts(a, func(s segment, text string) { c.addText(o, s, text) })
	r.text = slices.Clip(r.text)
	terms(a, r, func(code, term string) { c.addTerm(o, code, term) })
	for _, pmid := range r.references {
		c.citedBy[pmid] = append(c.citedBy[pmid], o)
	}
	c.addHeadings(a)
	j := a.Journal
	if j.Abbreviation != "" {
		name := journalName{j.Abbreviation, j.NLMID}
		for _, n := range []string{j.Abbreviation, j.ISOAbbreviation, j.Title, j.ISSN, j.ISSNLinking, j.NLMID} {
			if n != "" {
				c.journals[fold(n)] = name
			}
		}
	}
	return nil
}

// remove takes a record out and says whether it was there.
func (c *corpus) remove(pmid uint32) bool {
	o, ok := c.byPMID[pmid]
	if !ok {
		return false
	}
	delete(c.byPMID, pmid)
	c.records[o] = nil
	c.live--
	return true
}

func (c *corpus) addText(o ord, s segment, text string) {
	r := c.records[o]
	start := len(r.text)
	eachWord(text, func(w []byte) {
		id, ok := c.words[string(w)]
		if !ok {
			id = wordID(len(c.spelling))
			c.words[string(w)] = id
			c.spelling = append(c.spelling, string(w))
			c.posting = append(c.posting, nil)
			c.sorted = nil
		}
		r.text = append(r.text, id)
		if p := c.posting[id]; len(p) == 0 || p[len(p)-1] != o {
			c.posting[id] = append(p, o)
		}
	})
	if len(r.text) > start {
		r.text = append(r.text, markOf(s))
	}
}

// markOf is the word id that closes a segment: the number of its bit.
func markOf(s segment) wordID { return wordID(bits.TrailingZeros32(uint32(s))) }

func (c *corpus) addTerm(o ord, code, term string) {
	key := fold(term)
	if key == "" {
		return
	}
	m := c.terms[code]
	if m == nil {
		m = map[string][]ord{}
		c.terms[code], c.show[code] = m, map[string]string{}
	}
	p, known := m[key]
	if !known {
		c.show[code][key] = term
		delete(c.sortedTerms, code)
	}
	if len(p) == 0 || p[len(p)-1] != o {
		m[key] = append(p, o)
	}
}

func (c *corpus) get(pmid uint32) *record {
	if o, ok := c.byPMID[pmid]; ok {
		return c.records[o]
	}
	return nil
}

// getID is get for a PMID as a client writes it.
func (c *corpus) getID(id string) *record {
	n, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return nil
	}
	return c.get(uint32(n))
}

// alive drops the places of replaced and deleted records.
func (c *corpus) alive(p []ord) []ord {
	if c.live == len(c.records) {
		return p
	}
	return slices.DeleteFunc(slices.Clone(p), func(o ord) bool { return c.records[o] == nil })
}

// where returns the places of all live records for which keep holds.
func (c *corpus) where(keep func(*record) bool) []ord {
	var out []ord
	for o, r := range c.records {
		if r != nil && keep(r) {
			out = append(out, ord(o))
		}
	}
	return out
}

// wordsWith lists the words of the vocabulary with a prefix.
func (c *corpus) wordsWith(prefix string) []wordID {
	c.lazy.Lock()
	defer c.lazy.Unlock()
	if c.sorted == nil {
		c.sorted = slices.Clone(c.spelling[numMarks:])
		slices.Sort(c.sorted)
	}
	var out []wordID
	for _, w := range withPrefix(c.sorted, prefix) {
		out = append(out, c.words[w])
	}
	return out
}

// termsWith lists the folded terms of a field with a prefix.
func (c *corpus) termsWith(code, prefix string) []string {
	c.lazy.Lock()
	defer c.lazy.Unlock()
	all := c.sortedTerms[code]
	if all == nil {
		all = slices.Sorted(maps.Keys(c.terms[code]))
		c.sortedTerms[code] = all
	}
	return withPrefix(all, prefix)
}

// withPrefix is the part of a sorted list with a prefix.
func withPrefix(sorted []string, prefix string) []string {
	start, _ := slices.BinarySearch(sorted, prefix)
	end := start
	for end < len(sorted) && strings.HasPrefix(sorted[end], prefix) {
		end++
	}
	return sorted[start:end]
}

// Sets of places, sorted.

func intersect(a, b []ord) []ord {
	return slices.DeleteFunc(slices.Clone(a), func(o ord) bool { return !has(b, o) })
}

func union(a, b []ord) []ord {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func without(a, b []ord) []ord {
	return slices.DeleteFunc(slices.Clone(a), func(o ord) bool { return has(b, o) })
}

func has(list []ord, o ord) bool {
	_, in := slices.BinarySearch(list, o)
	return in
}
