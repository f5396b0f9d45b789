package entreztest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	pubmedWindow  = 9999 // ESearch returns only the first 9,999 records of PubMed
	defaultRetMax = 20
	esearchRetMax = 100000 // in databases other than PubMed
)

// retstartError is NCBI's message for a retstart past the window. It contains a line break, which
// NCBI does not escape in JSON, so that the document is invalid.
const retstartError = "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. " +
	"For PubMed, ESearch can only retrieve the first 9,999 records matching the query. " +
	"To obtain more than 9,999 PubMed records, consider using EDirect that contains additional logic " +
	"to batch PubMed search results automatically so that an arbitrary number can be retrieved. " +
	"For details see https://www.ncbi.nlm.nih.gov/books/NBK25499/"

// An ncbiError is an error in NCBI's own words.
type ncbiError string

func (e ncbiError) Error() string { return string(e) }

// found is the result of one ESearch, before it is written as XML or JSON.
type found struct {
	count, retStart  int
	ids              []string
	webEnv, queryKey string
	search           *search
	translation      string
	messages         []string
}

// esearch answers esearch.fcgi (NBK25499, "ESearch").
func (s *Server) esearch(c *call) reply {
	fail := func(message string) reply { return esearchError(c, message) }
	db := c.db()
	entries := s.database(db)
	switch db {
	case "pubmed", "pmc", "mesh":
	default:
		if entries == nil {
			return fail("Invalid db name specified: " + db)
		}
	}
	term, env := c.get("term"), c.get("WebEnv")
	if key := c.get("query_key"); key != "" {
		term = strings.TrimSuffix("#"+key+" AND ("+term+")", " AND ()")
	}
	if term == "" {
		return fail("Empty term and query_key - nothing todo")
	}
	query, err := parse(term)
	if err != nil {
		return fail("Search Backend failed: Exception:\n" + err.Error())
	}
	if f, _ := fieldFor(c.get("field")); f != nil {
		query = withField(query, f)
	}
	retStart, retMax := c.number("retstart", 0), c.number("retmax", defaultRetMax)
	if db == "pubmed" && retStart >= pubmedWindow {
		return fail(retstartError)
	}

	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	f := found{retStart: retStart}
	var all []string
	switch {
	case db == "mesh":
		all = s.searchMesh(query, &f)
	case entries != nil:
		all = entries.search(query, &f)
	default:
		all, err = s.searchPubmed(query, c, db, &f)
	}
	if err != nil {
		return fail(err.Error())
	}
	f.count = len(all)
	if c.get("usehistory") == "y" {
		f.webEnv, f.queryKey = s.history.put(env, resultSet{db: db, ids: all, text: f.translation})
	}
	if f.count == 0 {
		f.messages = append(f.messages, "No items found.")
	}
	limit := esearchRetMax
	if db == "pubmed" {
		limit = pubmedWindow - retStart
	}
	if retMax > limit {
		retMax = limit
		f.messages = append(f.messages,
			fmt.Sprintf("Restrictions achieved. start and count adjusted to %d, %d", retStart, retMax))
	}
	f.ids = window(all, retStart, retMax)
	onSearch(c.Fault, &f)
	if c.json() {
		return f.json(c.get("rettype") == "count")
	}
	return f.xml(c.get("rettype") == "count")
}

// withField sets the field of all terms without a tag to that of the "field" parameter.
func withField(n node, f *field) node {
	switch n := n.(type) {
	case wordsNode:
		return termNode{text: strings.Join(n.words, " "), tag: f.name, field: f}
	case termNode:
		if n.tag == "" {
			n.tag, n.field = f.name, f
		}
		return n
	case groupNode:
		return groupNode{withField(n.inner, f)}
	case chainNode:
		n.operands = slices.Clone(n.operands)
		for i, o := range n.operands {
			n.operands[i] = withField(o, f)
		}
		return n
	}
	return n
}

func window(all []string, start, n int) []string {
	start = min(start, len(all))
	return all[start:min(start+n, len(all))]
}

// searchPubmed runs a query over the records. For db=pmc it returns the PMC numbers of those with a
// PMCID.
func (s *Server) searchPubmed(query node, c *call, db string, f *found) ([]string, error) {
	history := func(key int) ([]string, string, bool) {
		set, ok := s.history.get(c.get("WebEnv"), strconv.Itoa(key))
		if !ok || c.get("usehistory") != "y" && c.get("query_key") == "" {
			return nil, "", false
		}
		return set.ids, set.text, set.db == "pubmed"
	}
	q := &search{corpus: s.corpus, strictFields: db != "pubmed", history: history}
	m := q.eval(query)
	if q.badHistory > 0 {
		return nil, ncbiError(fmt.Sprintf("Unable to obtain query #%d", q.badHistory))
	}
	f.search = q
	if m.dropped {
		m = match{text: "(" + echo(query) + ")", dropped: true}
	}
	if limit, ok := s.dateLimit(c); ok && !m.dropped {
		if !m.atom && strings.Contains(m.text, " OR ") {
			m.text = "(" + m.text + ")"
		}
		m = match{ords: intersect(m.ords, limit.ords), text: m.text + " AND " + limit.text}
	}
	f.translation = m.text
	if db == "pmc" {
		m.ords = slices.DeleteFunc(slices.Clone(m.ords), func(o ord) bool { return s.corpus.records[o].pmcid == "" })
	}
	salt := 0
	if c.Fault != nil && c.Fault.Kind == ShuffledTies {
		salt = c.Seq + 1
	}
	order, known := s.order(c.get("sort"), q.wanted, salt)
	if !known {
		f.messages = append(f.messages, fmt.Sprintf("Unknown sort schema '%s' ignored", c.get("sort")))
	}
	ords := slices.Clone(m.ords)
	slices.SortFunc(ords, order)
	out := make([]string, len(ords))
	for i, o := range ords {
		if out[i] = s.corpus.records[o].id(); db == "pmc" {
			out[i] = strings.TrimPrefix(s.corpus.records[o].pmcid, "PMC")
		}
	}
	return out, nil
}

// dateLimit returns the condition of mindate and maxdate, or of reldate. A single one of mindate
// and maxdate has no effect (NBK25499).
func (s *Server) dateLimit(c *call) (match, bool) {
	f, _ := fieldFor(c.get("datetype"))
	if f == nil || f.kind != dateField {
		f = fieldByCode["PDAT"]
	}
	lo, hi := c.get("mindate"), c.get("maxdate")
	if days := c.number("reldate", 0); days > 0 {
		now := s.Now()
		lo, hi = dayOf(now.AddDate(0, 0, -days)).String(), dayOf(now).String()
	}
	if lo == "" || hi == "" {
		return match{}, false
	}
	m := (&search{corpus: s.corpus}).inRange(rangeNode{lo: lo, hi: hi, field: f})
	return m, !m.dropped
}

// order returns the comparison for a sort name, and false if the name is unknown. Equal records are
// ordered by descending PMID. A salt above 0 orders them differently in each request, as PubMed's
// pages by date do.
func (s *Server) order(name string, wanted []wordID, salt int) (less func(a, b ord) int, known bool) {
	records := s.corpus.records
	tie := func(a, b ord) int { return cmp.Compare(records[b].pmid, records[a].pmid) }
	if salt > 0 {
		tie = func(a, b ord) int { return cmp.Compare(mix(records[a].pmid, salt), mix(records[b].pmid, salt)) }
	}
	thenTie := func(f func(a, b ord) int) func(a, b ord) int {
		return func(a, b ord) int { return cmp.Or(f(a, b), tie(a, b)) }
	}
	switch strings.ToLower(strings.ReplaceAll(name, "+", "_")) {
	case "", "relevance":
		scores := s.scores(wanted)
		return thenTie(func(a, b ord) int { return cmp.Compare(scores[b], scores[a]) }), true
	case "pub_date", "pub date":
		return thenTie(func(a, b ord) int { return cmp.Compare(records[b].published, records[a].published) }), true
	case "author":
		author := func(o ord) string { return records[o].order.author }
		return thenTie(func(a, b ord) int { return cmp.Compare(author(a), author(b)) }), true
	case "journalname":
		journal := func(o ord) string { return records[o].order.journal }
		return thenTie(func(a, b ord) int { return cmp.Compare(journal(a), journal(b)) }), true
	}
	return tie, false
}

func mix(pmid uint32, salt int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, salt, pmid) // writing to a hash does not fail
	return h.Sum64()
}

// scores replaces Best Match. Rare words of the query have more weight, and words in the title have
// three times the weight.
func (s *Server) scores(wanted []wordID) map[ord]float64 {
	out := map[ord]float64{}
	slices.Sort(wanted)
	for _, w := range slices.Compact(wanted) {
		p := s.corpus.alive(s.corpus.posting[w])
		weight := math.Log(1 + float64(s.corpus.live)/float64(1+len(p)))
		slots := []slot{{word: w}}
		for _, o := range p {
			out[o] += weight
			if s.corpus.records[o].has(slots, segTitle, -1) {
				out[o] += 2 * weight
			}
		}
	}
	return out
}
