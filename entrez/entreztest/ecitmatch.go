package entreztest

import (
	"strings"
)

// ecitmatch answers ecitmatch.cgi. bdata holds lines of the form journal|year|volume|first
// page|author|key|. Each is returned with a PMID, with NOT_FOUND, with NOT_FOUND;INVALID_JOURNAL, or
// with AMBIGUOUS and several PMIDs (NBK25499, "ECitMatch"). Like NCBI it ignores a wrong year or a
// wrong author if volume and page are given.
func (s *Server) ecitmatch(c *call) reply {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	var b strings.Builder
	for _, line := range strings.FieldsFunc(c.Form.Get("bdata"), func(r rune) bool { return r == '\r' || r == '\n' }) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) < 6 {
			continue // NCBI skips such lines
		}
		b.WriteString(strings.Join(parts[:6], "|") + "|" + s.citation(parts[:6]) + "\n")
	}
	return textReply(b.String())
}

func (s *Server) citation(parts []string) string {
	journal := fold(parts[0])
	if j, ok := s.corpus.journals[journal]; ok {
		journal = fold(j.abbreviation)
	} else if journal != "" {
		return "NOT_FOUND;INVALID_JOURNAL"
	}
	year, volume, page, author := fold(parts[1]), fold(parts[2]), fold(parts[3]), fold(parts[4])
	if journal == "" && author == "" && page == "" {
		return "NOT_FOUND"
	}
	match := func(useYear, useAuthor bool) []string {
		hits := s.corpus.filter(func(r *record) bool {
			sameLocation := (journal == "" || r.journal == journal) &&
				(volume == "" || r.volume == volume) && (page == "" || r.page == page)
			sameYear := !useYear || year == "" || r.year == year
			sameAuthor := !useAuthor || author == "" || r.author == author || strings.HasPrefix(r.author, author+" ")
			return sameLocation && sameYear && sameAuthor
		})
		out := make([]string, len(hits))
		for i, o := range hits {
			out[i] = s.corpus.records[o].id()
		}
		return out
	}
	hits := match(true, true)
	if len(hits) == 0 && volume != "" && page != "" {
		if hits = match(false, true); len(hits) == 0 {
			hits = match(true, false)
		}
	}
	switch {
	case len(hits) == 0:
		return "NOT_FOUND"
	case len(hits) == 1:
		return hits[0]
	case len(hits) > 3:
		return "AMBIGUOUS (" + strings.Join(hits[:3], ",") + "...)"
	}
	return "AMBIGUOUS " + strings.Join(hits, ",")
}
