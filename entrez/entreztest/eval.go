package entreztest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const maxNear = 1000 // words between the words of a proximity search

// A match is what a part of a query found: the places, and how PubMed says what
// it searched. dropped is a part that nothing held answers: PubMed leaves it out
// of the search and goes on without it, which broadens an AND in silence
// (capture esearch_json_4c7a563ff509: an unknown phrase, 40,362 hits).
type match struct {
	ords    []ord
	text    string
	atom    bool // text needs no parentheses when joined
	dropped bool
}

// Translation is one entry of a TranslationSet.
type Translation struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// A search is the evaluation of one query, and what NCBI has to say about it.
type search struct {
	corpus  *corpus
	history func(key int) (pmids []string, text string, ok bool)

	translations   []Translation
	notFound       []string
	quotedNotFound []string
	ignored        []string
	fieldsNotFound []string
	strictFields   bool // other databases than pubmed say which fields they do not know
	wanted         []wordID
	badHistory     int // a #n that the history does not have, 0 if none
}

func (s *search) eval(n node) match {
	switch n := n.(type) {
	case wordsNode:
		return s.mapped(n.words)
	case termNode:
		return s.term(n)
	case rangeNode:
		return s.between(n)
	case historyNode:
		return s.earlier(n.key)
	case groupNode:
		m := s.eval(n.inner)
		if !m.dropped && !m.atom {
			m.text, m.atom = "("+m.text+")", true
		}
		return m
	case chainNode:
		return s.chain(n)
	}
	return match{dropped: true}
}

func (s *search) chain(n chainNode) match {
	var text strings.Builder
	opened := 0
	last := ""
	var sum match
	parts := 0
	for i, operand := range n.operands {
		m := s.eval(operand)
		if m.dropped {
			continue
		}
		if parts++; parts == 1 {
			if i > 0 && n.ops[i-1] == "NOT" { // NOT of what was dropped
				parts = 0
				continue
			}
			sum = m
			text.WriteString(m.text)
			continue
		}
		op := n.ops[i-1]
		switch op {
		case "AND":
			sum.ords = intersect(sum.ords, m.ords)
		case "OR":
			sum.ords = union(sum.ords, m.ords)
		case "NOT":
			sum.ords = without(sum.ords, m.ords)
		}
		// The left side is wrapped when the operator changes; parentheses are
		// opened at the very front, so they are counted and written at the end.
		if last != "" && last != op || last == "" && !sum.atom {
			opened++
			text.WriteByte(')')
		}
		last = op
		sum.atom = false
		text.WriteString(" " + op + " ")
		if m.atom {
			text.WriteString(m.text)
		} else {
			text.WriteString("(" + m.text + ")")
		}
	}
	if parts == 0 {
		return match{dropped: true}
	}
	sum.text = strings.Repeat("(", opened) + text.String()
	return sum
}

func (s *search) earlier(key int) match {
	pmids, text, ok := s.history(key)
	if !ok {
		s.badHistory = key
		return match{dropped: true}
	}
	var out []ord
	for _, pmid := range pmids {
		if o, held := s.corpus.byPMID[atoi32(pmid)]; held {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return match{ords: out, text: "(" + text + ")", atom: true}
}

// term answers a quoted or tagged term.
func (s *search) term(n termNode) match {
	if n.tag != "" && n.field == nil {
		// PubMed takes no notice of a tag it does not know; the databases on the
		// older search engine say so.
		if s.strictFields {
			s.fieldsNotFound = append(s.fieldsNotFound, n.tag)
		}
		n.tag = ""
		if !n.quoted {
			return s.mapped(strings.Fields(n.text))
		}
	}
	f := n.field
	if f == nil {
		f = fieldByCode["ALL"]
	}
	ords, shown, ok := s.lookUp(f, n)
	if !ok {
		if n.quoted {
			asked := `"` + n.text + `"`
			if n.tag != "" {
				asked += "[" + n.tag + "]"
			}
			s.quotedNotFound = append(s.quotedNotFound, asked)
		} else {
			s.notFound = append(s.notFound, n.text)
		}
		return match{dropped: true}
	}
	return match{ords: ords, text: shown, atom: !strings.Contains(shown, " AND ") || n.quoted}
}

// known are terms that PubMed has many articles of, held here or not, by field.
var known = map[string]string{
	"LANG": "|chinese|english|french|german|italian|japanese|korean|polish|portuguese|russian|spanish|turkish|",
	"PTYP": "|case reports|clinical trial|guideline|meta analysis|observational study|practice guideline|preprint|randomized controlled trial|review|systematic review|",
}

// lookUp finds a term in a field; shown is how the translation names it. ok is
// false where no record at all has it.
func (s *search) lookUp(f *field, n termNode) (ords []ord, shown string, ok bool) {
	label := "[" + f.name + "]"
	switch f.kind {
	case dateField:
		lo, hi, valid := parseDay(n.text)
		if !valid {
			return nil, "", false
		}
		return s.days(f, lo, hi), slashed(n.text) + label, true
	case numField:
		id, err := strconv.ParseUint(strings.TrimSpace(n.text), 10, 32)
		if err != nil {
			return nil, "", false
		}
		if o, held := s.corpus.byPMID[uint32(id)]; held {
			ords = []ord{o}
		}
		return ords, strconv.FormatUint(id, 10) + label, len(ords) > 0
	}
	words := wordsOf(n.text)
	truncated := strings.HasSuffix(strings.TrimSpace(n.text), "*")
	if len(words) == 0 || truncated && len(words[0]) < 4 {
		return nil, "", false
	}
	key := strings.Join(words, " ")
	quote := func(key string) string {
		if truncated {
			return key + "*" + label
		}
		return `"` + key + `"` + label
	}
	switch f.kind {
	case termField:
		ords, key = s.wholeTerm(f, n, key, truncated)
		return ords, quote(key), len(ords) > 0 || strings.Contains(known[f.code], "|"+key+"|")
	case nameField:
		ords = s.person(f, n, key, truncated)
		if !n.quoted && !truncated { // with quotation marks it would mean less
			return ords, key + label, len(ords) > 0
		}
		return ords, quote(key), len(ords) > 0
	}
	near := -1
	if d, found := strings.CutPrefix(n.modifier, "~"); found && n.quoted {
		if v, err := strconv.Atoi(d); err == nil && 0 <= v && v <= maxNear {
			near = v
			label = fmt.Sprintf("[%s:~%d]", f.name, v)
		}
	}
	ords = s.corpus.phrase(words, truncated, f.segments, near)
	s.wants(words)
	if len(ords) == 0 && !n.quoted && !truncated && len(words) > 1 {
		return s.split(f, words)
	}
	return ords, quote(key), len(ords) > 0
}

// split answers an unquoted phrase that no record has as a phrase: all of its
// words, in any order.
func (s *search) split(f *field, words []string) (ords []ord, shown string, ok bool) {
	var parts []string
	for i, w := range words {
		found := s.corpus.phrase([]string{w}, false, f.segments, -1)
		if len(found) == 0 {
			return nil, "", false
		}
		parts = append(parts, `"`+w+`"[`+f.name+"]")
		if i == 0 {
			ords = found
		} else {
			ords = intersect(ords, found)
		}
	}
	return ords, strings.Join(parts, " AND "), true
}

func (s *search) wholeTerm(f *field, n termNode, key string, truncated bool) (ords []ord, shown string) {
	c := s.corpus
	if truncated {
		for _, term := range c.termsWith(f.code, key) {
			ords = union(ords, c.terms[f.code][term])
		}
		return c.alive(ords), key
	}
	if f.code == "JOUR" {
		if j, known := c.journals[key]; known {
			to := fmt.Sprintf(`"%s"[Journal:__jid%s]`, j.abbreviation, j.nlmID)
			if canonical := fold(j.abbreviation); canonical != key {
				s.translations = append(s.translations, Translation{n.text + "[" + n.tag + "]", to})
				key = canonical
			}
		}
	}
	return c.alive(c.terms[f.code][key]), key
}

// person: without quotation marks "smith j" also finds "smith ja", and "smith"
// every Smith (PubMed User Guide, "Searching by author").
func (s *search) person(f *field, n termNode, key string, truncated bool) []ord {
	c := s.corpus
	ords := c.terms[f.code][key]
	if n.quoted && !truncated {
		return c.alive(ords)
	}
	prefix := key
	if !strings.Contains(key, " ") && !truncated {
		prefix += " "
	}
	for _, term := range c.termsWith(f.code, prefix) {
		ords = union(ords, c.terms[f.code][term])
	}
	return c.alive(ords)
}

func (s *search) between(n rangeNode) match {
	f := n.field
	if f == nil {
		f = fieldByCode["PDAT"]
	}
	fail := func() match {
		s.notFound = append(s.notFound, n.lo+":"+n.hi)
		return match{dropped: true}
	}
	switch f.kind {
	case dateField:
		lo, _, ok1 := parseDay(n.lo)
		_, hi, ok2 := parseDay(n.hi)
		if !ok1 || !ok2 {
			return fail()
		}
		text := slashed(n.lo) + ":" + slashed(n.hi) + "[" + f.name + "]"
		return match{ords: s.days(f, lo, hi), text: text, atom: true}
	case numField:
		lo, e1 := strconv.ParseUint(n.lo, 10, 64)
		hi, e2 := strconv.ParseUint(n.hi, 10, 64)
		if e1 != nil || e2 != nil {
			return fail()
		}
		ords := s.corpus.where(func(r *record) bool { return uint64(r.pmid) >= lo && uint64(r.pmid) <= hi })
		return match{ords: ords, text: fmt.Sprintf("%d:%d[%s]", lo, hi, f.name), atom: true}
	}
	return fail()
}

func slashed(date string) string {
	return strings.ReplaceAll(strings.TrimSpace(date), "-", "/")
}

// days finds the records with a date of the field in lo..hi. [dp] means the
// print or the electronic date, whichever fits.
func (s *search) days(f *field, lo, hi day) []ord {
	in := func(d day) bool { return d != 0 && lo <= d && d <= hi }
	return s.corpus.where(func(r *record) bool {
		switch f.code {
		case "PDAT":
			return in(r.published) || in(r.electronic)
		case "PPDT":
			return in(r.published)
		case "EPDT":
			return in(r.electronic)
		case "EDAT":
			return in(r.entry)
		case "CRDT":
			return in(r.created)
		case "MDAT":
			return in(r.revised)
		case "MHDA":
			return in(r.indexed)
		default:
			return in(r.completed)
		}
	})
}

// wants keeps the words a reader of the answer is after, for Best Match.
func (s *search) wants(words []string) {
	for _, w := range words {
		if id, ok := s.corpus.words[w]; ok && !stopWords[w] {
			s.wanted = append(s.wanted, id)
		}
	}
}
