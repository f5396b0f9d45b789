package entreztest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	records "biomcp/entrez/record"
)

const maxDistance = 1000 // maximum distance in words of a proximity search

// A match is the result of a part of a query: the matching positions, and PubMed's description of
// the search. dropped marks a part without matches. PubMed removes such a part and broadens an AND
// without a notice, as in the real reply esearch_json_4c7a563ff509: an unknown phrase has 40,362 hits.
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

// A search evaluates one query and collects NCBI's messages about it.
type search struct {
	corpus  *corpus
	history func(key int) (pmids []string, text string, ok bool)

	translations   []Translation
	notFound       []string
	quotedNotFound []string
	ignored        []string
	fieldsNotFound []string
	strictFields   bool // report unknown fields, as databases other than pubmed do
	wanted         []wordID
	badHistory     int // number of an unknown history set #n, 0 if none
}

func (s *search) eval(n node) match {
	switch n := n.(type) {
	case wordsNode:
		return s.mapTerms(n.words)
	case termNode:
		return s.term(n)
	case rangeNode:
		return s.inRange(n)
	case historyNode:
		return s.fromHistory(n.key)
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
	lastOp := ""
	var sum match
	parts := 0
	for i, operand := range n.operands {
		m := s.eval(operand)
		if m.dropped {
			continue
		}
		if parts++; parts == 1 {
			if i > 0 && n.ops[i-1] == "NOT" { // the left side of NOT was dropped
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
			sum.ords = subtract(sum.ords, m.ords)
		}
		// The left side is enclosed in parentheses when the operator changes. They open at the very
		// beginning, so they are counted here and written at the end.
		if lastOp != "" && lastOp != op || lastOp == "" && !sum.atom {
			opened++
			text.WriteByte(')')
		}
		lastOp = op
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

// fromHistory returns the records of an earlier search.
func (s *search) fromHistory(key int) match {
	pmids, text, ok := s.history(key)
	if !ok {
		s.badHistory = key
		return match{dropped: true}
	}
	var out []ord
	for _, pmid := range pmids {
		if o, ok := s.corpus.byPMID[atoi32(pmid)]; ok {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return match{ords: out, text: "(" + text + ")", atom: true}
}

// term evaluates a quoted or tagged term.
func (s *search) term(n termNode) match {
	if n.tag != "" && n.field == nil {
		// PubMed ignores an unknown tag; the databases on the older search engine report it.
		if s.strictFields {
			s.fieldsNotFound = append(s.fieldsNotFound, n.tag)
		}
		n.tag = ""
		if !n.quoted {
			return s.mapTerms(strings.Fields(n.text))
		}
	}
	f := n.field
	if f == nil {
		f = fieldByCode["ALL"]
	}
	ords, translation, ok := s.lookUp(f, n)
	if !ok {
		if n.quoted {
			term := `"` + n.text + `"`
			if n.tag != "" {
				term += "[" + n.tag + "]"
			}
			s.quotedNotFound = append(s.quotedNotFound, term)
		} else {
			s.notFound = append(s.notFound, n.text)
		}
		return match{dropped: true}
	}
	return match{ords: ords, text: translation, atom: !strings.Contains(translation, " AND ") || n.quoted}
}

// isCommon reports whether many articles of PubMed have a term in a field, so that it is found even if no record here
// has it.
func isCommon(field, term string) bool {
	switch field {
	case "LANG":
		return records.LanguageCode(term) != "" && len(term) > 2 // PubMed User Guide, "Language [la]"
	case "PTYP":
		return strings.Contains("|case reports|clinical trial|guideline|meta analysis|observational study|"+
			"practice guideline|preprint|randomized controlled trial|review|systematic review|", "|"+term+"|")
	}
	return false
}

// lookUp returns the records with a term in a field, and the term's translation. ok is false if no record has the
// term.
func (s *search) lookUp(f *field, n termNode) (ords []ord, translation string, ok bool) {
	label := "[" + f.name + "]"
	switch f.kind {
	case dateField:
		lo, hi, valid := parseDay(n.text)
		if !valid {
			return nil, "", false
		}
		return s.days(f, lo, hi), withSlashes(n.text) + label, true
	case numField:
		id, err := strconv.ParseUint(strings.TrimSpace(n.text), 10, 32)
		if err != nil {
			return nil, "", false
		}
		if o, ok := s.corpus.byPMID[uint32(id)]; ok {
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
		return ords, quote(key), len(ords) > 0 || isCommon(f.code, key)
	case nameField:
		ords = s.person(f, n, key, truncated)
		if !n.quoted && !truncated { // quotation marks would exclude other initials
			return ords, key + label, len(ords) > 0
		}
		return ords, quote(key), len(ords) > 0
	}
	distance := -1
	if d, found := strings.CutPrefix(n.modifier, "~"); found && n.quoted {
		if v, err := strconv.Atoi(d); err == nil && 0 <= v && v <= maxDistance {
			distance = v
			label = fmt.Sprintf("[%s:~%d]", f.name, v)
		}
	}
	ords = s.corpus.phrase(words, truncated, f.segments, distance)
	s.wants(words)
	if len(ords) == 0 && !n.quoted && !truncated && len(words) > 1 {
		return s.split(f, words)
	}
	return ords, quote(key), len(ords) > 0
}

// split evaluates an unquoted phrase that occurs in no record as the AND of its words.
func (s *search) split(f *field, words []string) (ords []ord, translation string, ok bool) {
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

// wholeTerm returns the records with a term of a termField, and the term as it is translated.
func (s *search) wholeTerm(f *field, n termNode, key string, truncated bool) (ords []ord, canonicalKey string) {
	c := s.corpus
	if truncated {
		for _, term := range c.termsWith(f.code, key) {
			ords = union(ords, c.terms[f.code][term])
		}
		return c.alive(ords), key
	}
	if f.code == "JOUR" {
		if j, ok := c.journals[key]; ok {
			to := fmt.Sprintf(`"%s"[Journal:__jid%s]`, j.abbreviation, j.nlmID)
			if canonical := fold(j.abbreviation); canonical != key {
				s.translations = append(s.translations, Translation{n.text + "[" + n.tag + "]", to})
				key = canonical
			}
		}
	}
	return c.alive(c.terms[f.code][key]), key
}

// person returns the records with a name. Without quotation marks "smith j" also finds "smith ja",
// and "smith" finds every Smith (PubMed User Guide, "Searching by author").
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

// inRange evaluates a range of dates or UIDs.
func (s *search) inRange(n rangeNode) match {
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
		text := withSlashes(n.lo) + ":" + withSlashes(n.hi) + "[" + f.name + "]"
		return match{ords: s.days(f, lo, hi), text: text, atom: true}
	case numField:
		lo, e1 := strconv.ParseUint(n.lo, 10, 64)
		hi, e2 := strconv.ParseUint(n.hi, 10, 64)
		if e1 != nil || e2 != nil {
			return fail()
		}
		ords := s.corpus.filter(func(r *record) bool { return uint64(r.pmid) >= lo && uint64(r.pmid) <= hi })
		return match{ords: ords, text: fmt.Sprintf("%d:%d[%s]", lo, hi, f.name), atom: true}
	}
	return fail()
}

func withSlashes(date string) string {
	return strings.ReplaceAll(strings.TrimSpace(date), "-", "/")
}

// days returns the records with a date of the field from lo to hi. [dp] matches the print or the
// electronic date.
func (s *search) days(f *field, lo, hi day) []ord {
	in := func(d day) bool { return d != 0 && lo <= d && d <= hi }
	return s.corpus.filter(func(r *record) bool {
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

// wants adds the words to those that Best Match ranks by.
func (s *search) wants(words []string) {
	for _, w := range words {
		if id, ok := s.corpus.words[w]; ok && !stopWords[w] {
			s.wanted = append(s.wanted, id)
		}
	}
}
