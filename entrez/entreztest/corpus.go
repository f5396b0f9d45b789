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

// A wordID identifies a word of the vocabulary. The first numMarks values are marks instead, which
// end a segment of a record's text and identify it.
type wordID uint32

const numMarks = 16

// An ord is a record's position in corpus.records. Positions only increase, so that posting lists
// are sorted as they are built. A replaced record leaves nil behind.
type ord = uint32

// corpus is the inverted index of the records. Callers of its methods must hold mu, for reading or
// for writing.
type corpus struct {
	mu      sync.RWMutex
	records []*record
	byPMID  map[uint32]ord
	live    int

	words    map[string]wordID
	spelling []string // by wordID
	posting  [][]ord  // records that contain the word, by wordID
	terms    map[string]map[string][]ord
	show     map[string]map[string]string // spelling of a folded term, by field code
	journals map[string]journalName       // by each folded name of a journal
	citedBy  map[uint32][]ord
	headings map[string]*heading // records of db=mesh, by UI
	headUIs  map[string]string   // folded heading to UI

	lazy        sync.Mutex // guards the two fields below, which readers fill
	sorted      []string   // sorted vocabulary, for truncation; nil if outdated
	sortedTerms map[string][]string
}

// journalName is the abbreviation that PubMed translates to, with the NLM ID.
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

// add adds a record, and replaces one with the same PMID.
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

// remove removes a record, and reports whether it existed.
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

// markOf returns the mark that ends a segment: the number of its bit.
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
	p, exists := m[key]
	if !exists {
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

// getID is like get, for a PMID in a request.
func (c *corpus) getID(id string) *record {
	n, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return nil
	}
	return c.get(uint32(n))
}

// alive removes the positions of replaced and deleted records.
func (c *corpus) alive(p []ord) []ord {
	if c.live == len(c.records) {
		return p
	}
	return slices.DeleteFunc(slices.Clone(p), func(o ord) bool { return c.records[o] == nil })
}

// filter returns the positions of all records for which keep returns true.
func (c *corpus) filter(keep func(*record) bool) []ord {
	var out []ord
	for o, r := range c.records {
		if r != nil && keep(r) {
			out = append(out, ord(o))
		}
	}
	return out
}

// wordsWith returns the words of the vocabulary with a prefix.
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

// termsWith returns the folded terms of a field with a prefix.
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

// withPrefix returns the strings of a sorted list with a prefix.
func withPrefix(sorted []string, prefix string) []string {
	start, _ := slices.BinarySearch(sorted, prefix)
	end := start
	for end < len(sorted) && strings.HasPrefix(sorted[end], prefix) {
		end++
	}
	return sorted[start:end]
}

// Operations on sorted sets of positions.

func intersect(a, b []ord) []ord {
	return slices.DeleteFunc(slices.Clone(a), func(o ord) bool { return !has(b, o) })
}

func union(a, b []ord) []ord {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func subtract(a, b []ord) []ord {
	return slices.DeleteFunc(slices.Clone(a), func(o ord) bool { return has(b, o) })
}

func has(list []ord, o ord) bool {
	_, found := slices.BinarySearch(list, o)
	return found
}
