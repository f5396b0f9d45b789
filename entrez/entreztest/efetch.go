package entreztest

import (
	"bytes"
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
	noIDs       = "ID list is empty! Possibly it has no correct IDs."
	maxFetchIDs = 10000
)

func efetchError(status int, messages ...string) reply {
	var b strings.Builder
	b.WriteString(efetchErrorProlog)
	for _, m := range messages {
		b.WriteString("\t" + tag("ERROR", m) + "\n")
	}
	return reply{Status: status, Type: sourcetest.XMLType, Body: []byte(b.String() + "</eFetchResult>\n")}
}

// efetch answers efetch.fcgi: pubmed as xml, medline, abstract or uilist, pmc as JATS, and clinvar
// as vcv.
func (s *Server) efetch(c *call) reply {
	db := c.db()
	if db == "pmc" {
		return s.fetchPMC(c)
	}
	if entries := s.database(db); entries != nil && db == "clinvar" && c.get("rettype") == "vcv" {
		return entries.fetch(c.ids(), "ClinVarResult-Set")
	}
	if db != "pubmed" {
		return efetchError(http.StatusBadRequest, "Invalid db name specified: "+db)
	}
	ids, refused := s.fetchIDs(c)
	if refused != nil {
		return *refused
	}
	ids = c.Fault.OnIDs(ids)
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
	asXML := strings.EqualFold(c.or("retmode", "xml"), "xml")
	each := func(write func(i int, r *record) string) string {
		var b strings.Builder
		for i, r := range records {
			b.WriteString(write(i, r))
		}
		return b.String()
	}
	switch rettype := strings.ToLower(c.get("rettype")); {
	case rettype == "uilist" && asXML:
		list := each(func(_ int, r *record) string { return "\t" + tag("Id", r.id()) + "\n" })
		return xmlReply("<?xml version=\"1.0\" ?>\n<IdList>\n" + list + "</IdList>\n")
	case rettype == "uilist":
		return textReply(each(func(_ int, r *record) string { return r.id() + "\n" }))
	case rettype == "medline":
		return textReply(each(func(_ int, r *record) string { return "\n" + medline(r.article()) }))
	case rettype == "abstract" && !asXML:
		return textReply(each(func(i int, r *record) string { return abstract(i+1, r.article()) }))
	}
	var b bytes.Buffer
	b.WriteString(pubmedProlog)
	for i, r := range records {
		b.Write(onRecord(c.Fault, i, r))
		b.WriteByte('\n')
	}
	b.Truncate(max(len(pubmedProlog), b.Len()-1))
	b.WriteString("</PubmedArticleSet>")
	return reply{Status: http.StatusOK, Type: sourcetest.XMLType, Body: b.Bytes()}
}

// fetchIDs returns the requested IDs, from the list or from the history server, or an error reply.
func (s *Server) fetchIDs(c *call) (ids []string, refused *reply) {
	no := func(messages ...string) ([]string, *reply) {
		r := efetchError(http.StatusBadRequest, messages...)
		return nil, &r
	}
	start := c.number("retstart", 0)
	if c.get("query_key") != "" {
		ids, ok := s.historyIDs(c, min(maxFetchIDs, max(pubmedWindow-start, 0)))
		if !ok {
			r := deadWebEnv("efetch", c)
			return nil, &r
		}
		if start >= pubmedWindow {
			return no("Search backend cannot retrieve history data. Reason: " +
				strings.TrimPrefix(strings.ReplaceAll(retstartError, ":\n", ": "), "Search Backend failed: "))
		}
		return ids, nil
	}
	for _, id := range c.ids() {
		if strings.Trim(id, "0123456789") == "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return no(noIDs)
	}
	return window(ids, start, min(c.number("retmax", maxFetchIDs), maxFetchIDs)), nil
}
