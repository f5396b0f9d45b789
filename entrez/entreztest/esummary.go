package entreztest

import (
	"bytes"
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
<eSummaryResult>
`
	summaryCap = 500 // UIDs in one JSON answer
)

var errBadHeading = errors.New("a heading needs a UI such as D009369 and at least one term")

// esummary answers esummary.fcgi: version 2.0 as JSON, version 1 as XML.
func (s *Server) esummary(c *call) reply {
	fail := func(message string) reply {
		if c.json() {
			return jsonReply(http.StatusOK, struct {
				Header header   `json:"header"`
				Result []string `json:"esummaryresult"`
			}{headerOf("esummary"), []string{message}})
		}
		return xmlReply(esummaryProlog + "\t" + tag("ERROR", message) + "\n</eSummaryResult>\n")
	}
	db := c.db()
	switch db {
	case "pubmed", "pmc", "mesh":
	default:
		return fail("Invalid db name specified: " + db)
	}
	ids := c.ids()
	switch {
	case c.get("query_key") != "":
		set, ok := s.history.get(c.get("WebEnv"), c.get("query_key"))
		if !ok || set.db != db {
			return fail("Unable to obtain query #" + c.get("query_key"))
		}
		all := make([]string, len(set.ids))
		for i, id := range set.ids {
			all[i] = fmt.Sprint(id)
		}
		ids = window(all, c.number("retstart", 0), min(c.number("retmax", 10000), 10000))
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
	if c.Fault != nil {
		good = c.Fault.OnIDs(good)
	}
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

// missingSummary is what an unknown uid gets inside a good answer.
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
			panic(err) // only our own structs come here
		}
		b.Truncate(b.Len() - 1) // the line break that Encode adds
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
	if r := s.corpus.getID(id); r != nil {
		return s.summaryOf(r.article()), true
	}
	return nil, false
}

// byPMC finds the record of a PMC number.
func (s *Server) byPMC(number string) *record {
	for _, o := range s.corpus.alive(s.corpus.terms["PID"]["pmc"+number]) {
		if s.corpus.records[o].pmcid == "PMC"+number {
			return s.corpus.records[o]
		}
	}
	return nil
}

// summaryXML writes version 1 (DTD eSummary_041029; capture esummary1).
func (s *Server) summaryXML(db string, ids []string) reply {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	var b strings.Builder
	b.WriteString(esummaryProlog)
	for _, id := range ids {
		r := s.corpus.getID(id)
		if db != "pubmed" || r == nil {
			b.WriteString("\t" + tag("ERROR", "UID="+id+": cannot get document summary") + "\n\n")
			continue
		}
		d := s.summaryOf(r.article())
		item := func(name, kind, value string) {
			b.WriteString("\t<Item Name=\"" + name + "\" Type=\"" + kind + "\">" + esc(value) + "</Item>\n")
		}
		list := func(name string, kinds, names, values []string) {
			b.WriteString("\t<Item Name=\"" + name + "\" Type=\"List\">")
			if len(values) > 0 {
				b.WriteString("\n")
			}
			for i, v := range values {
				b.WriteString("\t\t<Item Name=\"" + names[i%len(names)] + "\" Type=\"" + kinds[0] + "\">" + esc(v) + "</Item>\n")
			}
			if len(values) > 0 {
				b.WriteString("\t")
			}
			b.WriteString("</Item>\n")
		}
		b.WriteString("<DocSum>\n\t" + tag("Id", id) + "\n")
		item("PubDate", "Date", d.PubDate)
		item("EPubDate", "Date", d.EPubDate)
		item("Source", "String", d.Source)
		var people []string
		for _, a := range d.Authors {
			people = append(people, a.Name)
		}
		list("AuthorList", []string{"String"}, []string{"Author"}, people)
		item("LastAuthor", "String", d.LastAuthor)
		item("Title", "String", d.Title)
		item("Volume", "String", d.Volume)
		item("Issue", "String", d.Issue)
		item("Pages", "String", d.Pages)
		list("LangList", []string{"String"}, []string{"Lang"}, d.languageNames())
		item("NlmUniqueID", "String", d.NLMUniqueID)
		item("ISSN", "String", d.ISSN)
		item("ESSN", "String", d.ESSN)
		list("PubTypeList", []string{"String"}, []string{"PubType"}, d.PubType)
		item("RecordStatus", "String", d.RecordStatus)
		item("PubStatus", "String", d.statusName)
		var names, values []string
		for _, id := range d.ArticleIDs {
			names, values = append(names, id.IDType), append(values, id.Value)
		}
		list("ArticleIds", []string{"String"}, append(names, ""), values)
		names, values = nil, nil
		for _, h := range d.History {
			names, values = append(names, h.PubStatus), append(values, h.Date)
		}
		list("History", []string{"Date"}, append(names, ""), values)
		list("References", []string{"String"}, []string{""}, nil)
		item("HasAbstract", "Integer", fmt.Sprint(len(d.Attributes)))
		item("PmcRefCount", "Integer", fmt.Sprint(d.cited))
		item("FullJournalName", "String", d.FullJournalName)
		item("ELocationID", "String", d.ELocationID)
		item("SO", "String", d.citation)
		b.WriteString("</DocSum>\n\n")
	}
	return xmlReply(b.String() + "</eSummaryResult>\n")
}
