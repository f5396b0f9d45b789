package entreztest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"biomcp/entrez/sourcetest"
)

const (
	pubmedProlog = `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
`
	efetchErrorProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eEfetchResult PUBLIC "-//NLM//DTD efetch 20131226//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20131226/efetch.dtd">
<eFetchResult>
`
	noIDs     = "ID list is empty! Possibly it has no correct IDs."
	fetchMost = 10000
)

func efetchError(status int, messages ...string) reply {
	var b strings.Builder
	b.WriteString(efetchErrorProlog)
	for _, m := range messages {
		b.WriteString("\t" + tag("ERROR", m) + "\n")
	}
	return reply{Status: status, Type: sourcetest.XMLType, Body: []byte(b.String() + "</eFetchResult>\n")}
}

// efetch answers efetch.fcgi: pubmed as xml, medline, abstract or uilist, and
// pmc as JATS.
func (s *Server) efetch(c *call) reply {
	db := c.db()
	if db == "pmc" {
		return s.fetchPMC(c)
	}
	if db != "pubmed" {
		return efetchError(http.StatusBadRequest, "Invalid db name specified: "+db)
	}
	ids, refused := s.fetchIDs(c)
	if refused != nil {
		return *refused
	}
	if c.Fault != nil {
		ids = c.Fault.OnIDs(ids)
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	var records []*record
	done := map[uint32]bool{}
	for _, id := range ids {
		if r := s.corpus.getID(id); r != nil && !done[r.pmid] {
			done[r.pmid] = true
			records = append(records, r)
		}
	}
	xml := strings.EqualFold(c.get("retmode"), "xml") || c.get("retmode") == ""
	switch strings.ToLower(c.get("rettype")) {
	case "uilist":
		if xml {
			var b strings.Builder
			for _, r := range records {
				b.WriteString("\t" + tag("Id", r.id()) + "\n")
			}
			return xmlReply("<?xml version=\"1.0\" ?>\n<IdList>\n" + b.String() + "</IdList>\n")
		}
		var b strings.Builder
		for _, r := range records {
			b.WriteString(r.id() + "\n")
		}
		return textReply(b.String())
	case "medline":
		var b strings.Builder
		for _, r := range records {
			b.WriteString("\n" + medline(r.article()))
		}
		return textReply(b.String())
	case "abstract":
		if !xml {
			var b strings.Builder
			for i, r := range records {
				b.WriteString(abstract(i+1, r.article()))
			}
			return textReply(b.String())
		}
	}
	var b bytes.Buffer
	b.WriteString(pubmedProlog)
	for i, r := range records {
		raw := r.raw
		if c.Fault != nil {
			raw = onRecord(c.Fault, i, r)
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	b.Truncate(max(len(pubmedProlog), b.Len()-1))
	b.WriteString("</PubmedArticleSet>")
	return reply{Status: http.StatusOK, Type: sourcetest.XMLType, Body: b.Bytes()}
}

// fetchIDs are the ids asked for, from the list or from the history server.
func (s *Server) fetchIDs(c *call) (ids []string, refused *reply) {
	no := func(status int, messages ...string) ([]string, *reply) {
		r := efetchError(status, messages...)
		return nil, &r
	}
	start, count := c.number("retstart", 0), min(c.number("retmax", fetchMost), fetchMost)
	if key := c.get("query_key"); key != "" {
		env := c.get("WebEnv")
		set, ok := s.history.get(env, key)
		if !ok || set.db != c.db() {
			return no(http.StatusBadRequest,
				fmt.Sprintf("Cannot retrieve history data. query_key: %s, WebEnv: %s, retstart: %d, retmax: %d", key, env, start, count),
				"Can't fetch uids from history because of: NCBI C++ Exception:\n    Error: UNK_MODULE(CException::eInvalid) \"UNK_FILE\", line 18446744073709551615: UNK_FUNC --- ")
		}
		if start >= pubmedWindow {
			return no(http.StatusBadRequest, "Search backend cannot retrieve history data. Reason: "+
				strings.TrimPrefix(strings.ReplaceAll(retstartError, ":\n", ": "), "Search Backend failed: "))
		}
		count = min(count, pubmedWindow-start)
		for _, id := range set.ids[min(start, len(set.ids)):min(start+count, len(set.ids))] {
			ids = append(ids, fmt.Sprint(id))
		}
		return ids, nil
	}
	for _, id := range c.ids() {
		if strings.Trim(id, "0123456789") == "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return no(http.StatusBadRequest, noIDs)
	}
	return window(ids, start, count), nil
}
