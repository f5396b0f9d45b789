package entreztest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"biomcp/entrez/sourcetest"
)

const (
	esummaryProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eSummaryResult PUBLIC "-//NLM//DTD esummary v1 20041029//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20041029/esummary-v1.dtd">
`
	summaryCap = 500 // maximum number of UIDs in a JSON reply

	// maxSummaryBytes is the size from which NCBI refuses to convert summaries to JSON. NCBI
	// measures its XML; the simulator measures the JSON, which is about as large.
	maxSummaryBytes = 10 << 20
)

// SummaryBytes sets the size of a JSON reply of ESummary above which the server refuses it, as NCBI
// does above 10 MB.
func SummaryBytes(n int) Option {
	return func(set *settings) error { set.server.summaryBytes = n; return nil }
}

var errBadHeading = errors.New("a heading needs a UI such as D009369 and at least one term")

// esummary answers esummary.fcgi: version 2.0 as JSON, and version 1 as XML.
func (s *Server) esummary(c *call) reply {
	fail := func(message string) reply { return errorIn200("esummary", c, message) }
	db := c.db()
	switch db {
	case "pubmed", "pmc", "mesh":
	default:
		if s.database(db) == nil {
			return fail("Invalid db name specified: " + db)
		}
	}
	ids := c.ids()
	switch {
	case c.get("query_key") != "":
		var ok bool
		if ids, ok = s.historyIDs(c, maxFetchIDs); !ok {
			return fail("Unable to obtain query #" + c.get("query_key"))
		}
	case len(ids) == 0 && len(c.Form["id"]) == 0:
		return fail("Neither query_key nor id specified")
	}
	var problems []string
	good := ids[:0:0]
	for _, id := range ids {
		if strings.Trim(id, "0123456789") != "" || id == "" {
			problems = append(problems, "Invalid uid "+id+" at position= 0")
			continue
		}
		good = append(good, id)
	}
	if len(good) == 0 {
		return fail(strings.Join(append(problems, "Empty id list - nothing todo"), "\n"))
	}
	good = c.Fault.OnIDs(good)
	if !c.json() {
		return s.summaryXML(db, good)
	}
	if len(good) > summaryCap {
		return jsonReply(http.StatusOK, struct {
			Header header `json:"header"`
			Error  string `json:"error"`
		}{headerOf("esummary"), "Too many UIDs in request. Maximum number of UIDs is 500 for JSON format output."})
	}
	return s.summaryJSON(db, good, problems)
}

// missingSummary replaces the summary of an unknown UID in a valid reply.
type missingSummary struct {
	UID   string `json:"uid"`
	Error string `json:"error"`
}

func (s *Server) summaryJSON(db string, ids, problems []string) reply {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	put := func(v any) {
		if err := enc.Encode(v); err != nil {
			panic(err) // cannot happen: the values are this package's structs
		}
		b.Truncate(b.Len() - 1) // the line break of Encode
	}
	b.WriteString(`{"header":`)
	put(headerOf("esummary"))
	if len(problems) > 0 {
		b.WriteString(`,"error":`)
		put(problems[0])
	}
	b.WriteString(`,"result":{"uids":`)
	put(ids)
	done := map[string]bool{}
	for _, id := range ids {
		if done[id] {
			continue
		}
		done[id] = true
		b.WriteString(`,"` + id + `":`)
		if doc, ok := s.summary(db, id); ok {
			put(doc)
		} else {
			put(missingSummary{id, "cannot get document summary"})
		}
	}
	b.WriteString("}}")
	if limit := cmp.Or(s.summaryBytes, maxSummaryBytes); b.Len() > limit {
		return jsonReply(http.StatusOK, struct {
			Error string `json:"ERROR"`
		}{fmt.Sprintf("Input XML size is %d bytes, and cannot be transformed to JSON. the max size is 10MB", b.Len())})
	}
	return reply{Status: http.StatusOK, Type: sourcetest.JSONType, Body: b.Bytes()}
}

func (s *Server) summary(db, id string) (any, bool) {
	switch db {
	case "mesh":
		return s.meshSummary(id)
	case "pmc":
		if r := s.byPMC(id); r != nil {
			return pmcSummaryOf(id, r.article()), true
		}
		return nil, false
	}
	if entries := s.database(db); entries != nil {
		return entries.summary(id)
	}
	if r := s.corpus.getID(id); r != nil {
		return s.summaryOf(r.article()), true
	}
	return nil, false
}

// byPMC returns the record with a PMC number, or nil.
func (s *Server) byPMC(number string) *record {
	for _, o := range s.corpus.alive(s.corpus.terms["PID"]["pmc"+number]) {
		if s.corpus.records[o].pmcid == "PMC"+number {
			return s.corpus.records[o]
		}
	}
	return nil
}

// docItem is an Item of version 1: a text or a list of items.
type docItem struct {
	Name  string    `xml:",attr"`
	Type  string    `xml:",attr"`
	Text  string    `xml:",chardata"`
	Items []docItem `xml:"Item"`
}

// summaryXML returns version 1 (DTD eSummary_041029; capture esummary1).
func (s *Server) summaryXML(db string, ids []string) reply {
	type docSum struct {
		ID    string    `xml:"Id"`
		Items []docItem `xml:"Item"`
	}
	var content struct {
		DocSums []docSum `xml:"DocSum"`
		Errors  []string `xml:"ERROR"`
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	for _, id := range ids {
		if r := s.corpus.getID(id); db == "pubmed" && r != nil {
			content.DocSums = append(content.DocSums, docSum{id, s.summaryOf(r.article()).items()})
		} else {
			content.Errors = append(content.Errors, "UID="+id+": cannot get document summary")
		}
	}
	return xmlOf(esummaryProlog, "eSummaryResult", content)
}

// items returns the items of a summary in version 1.
func (d *summary) items() []docItem {
	var out []docItem
	text := func(name, value string) { out = append(out, docItem{Name: name, Type: "String", Text: value}) }
	list := func(name string, items []docItem) {
		out = append(out, docItem{Name: name, Type: "List", Items: items})
	}
	named := func(name string, values []string) (items []docItem) {
		for _, v := range values {
			items = append(items, docItem{Name: name, Type: "String", Text: v})
		}
		return items
	}
	var people []string
	for _, a := range d.Authors {
		people = append(people, a.Name)
	}
	var ids, history []docItem
	for _, id := range d.ArticleIDs {
		ids = append(ids, docItem{Name: id.IDType, Type: "String", Text: id.Value})
	}
	for _, h := range d.History {
		history = append(history, docItem{Name: h.PubStatus, Type: "Date", Text: h.Date})
	}
	out = append(out, docItem{Name: "PubDate", Type: "Date", Text: d.PubDate},
		docItem{Name: "EPubDate", Type: "Date", Text: d.EPubDate})
	text("Source", d.Source)
	list("AuthorList", named("Author", people))
	text("LastAuthor", d.LastAuthor)
	text("Title", d.Title)
	text("Volume", d.Volume)
	text("Issue", d.Issue)
	text("Pages", d.Pages)
	list("LangList", named("Lang", d.languageNames()))
	text("NlmUniqueID", d.NLMUniqueID)
	text("ISSN", d.ISSN)
	text("ESSN", d.ESSN)
	list("PubTypeList", named("PubType", d.PubType))
	text("RecordStatus", d.RecordStatus)
	text("PubStatus", d.statusName)
	list("ArticleIds", ids)
	list("History", history)
	list("References", nil)
	out = append(out, docItem{Name: "HasAbstract", Type: "Integer", Text: fmt.Sprint(len(d.Attributes))},
		docItem{Name: "PmcRefCount", Type: "Integer", Text: fmt.Sprint(d.cited)})
	text("FullJournalName", d.FullJournalName)
	text("ELocationID", d.ELocationID)
	text("SO", d.citation)
	return out
}
