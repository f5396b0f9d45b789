package entreztest

import (
	"net/http"
	"strings"
)

const einfoProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eInfoResult PUBLIC "-//NLM//DTD einfo 20190110//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20190110/einfo.dtd">
`

// databases lists the databases of Entrez. This server has records of pubmed, pmc and mesh, and of
// those in entries.
var databases = strings.Fields(`pubmed protein nuccore ipg nucleotide structure genome annotinfo assembly bioproject
biosample blastdbinfo books cdd clinvar gap gapplus grasp dbvar gene gds geoprofiles medgen mesh nlmcatalog omim
orgtrack pmc proteinclusters pcassay protfam pccompound pcsubstance seqannot snp sra taxonomy biocollections gtr`)

// databaseInfo is a DbInfo: a database with its fields and links (DTD eInfo_020511; capture
// einfo2).
type databaseInfo struct {
	Name        string         `xml:"DbName" json:"dbname"`
	Menu        string         `xml:"MenuName" json:"menuname"`
	Description string         `xml:"Description" json:"description"`
	Build       string         `xml:"DbBuild" json:"dbbuild"`
	Count       int            `xml:"Count" json:"count,string"`
	LastUpdate  string         `xml:"LastUpdate" json:"lastupdate"`
	FieldList   []fieldInfo    `xml:"FieldList>Field" json:"fieldlist"`
	LinkList    []databaseLink `xml:"LinkList>Link" json:"linklist"`
}

// fieldInfo is a field. XML includes the last two elements only with version=2.0.
type fieldInfo struct {
	Name        string `xml:"Name" json:"name"`
	FullName    string `xml:"FullName" json:"fullname"`
	Description string `xml:"Description" json:"description"`
	TermCount   string `xml:"TermCount" json:"termcount"`
	Date        answer `xml:"IsDate" json:"isdate"`
	Numerical   answer `xml:"IsNumerical" json:"isnumerical"`
	SingleToken answer `xml:"SingleToken" json:"singletoken"`
	Hierarchy   answer `xml:"Hierarchy" json:"hierarchy"`
	Hidden      answer `xml:"IsHidden" json:"ishidden"`
	Rangable    answer `xml:"IsRangable,omitempty" json:"israngable"`
	Truncatable answer `xml:"IsTruncatable,omitempty" json:"istruncatable"`
}

// An answer is Y or N.
type answer string

func yesNo(b bool) answer {
	if b {
		return "Y"
	}
	return "N"
}

type databaseLink struct {
	Name        string `json:"name"`
	Menu        string `json:"menu"`
	Description string `json:"description"`
	DbTo        string `json:"dbto"`
}

var pubmedLinks = []databaseLink{
	{"pubmed_pmc", "PMC Links", "Free full text articles in PMC", "pmc"},
	{"pubmed_pmc_refs", "Cited in PMC", "PubMed links to articles in PMC that cite them", "pmc"},
	{"pubmed_pubmed", "Similar articles", "Similar PubMed articles by words and headings", "pubmed"},
	{"pubmed_pubmed_citedin", "Cited In", "PubMed articles that cite this one", "pubmed"},
	{"pubmed_pubmed_five", "Top Similar Articles", "Five most similar articles", "pubmed"},
	{"pubmed_pubmed_refs", "References", "PubMed articles this one cites", "pubmed"},
	{"pubmed_pubmed_reviews", "Similar Reviews", "Similar review articles", "pubmed"},
}

// einfo answers einfo.fcgi with the list of databases, or with one that the server has. version=2.0
// adds IsTruncatable and IsRangable.
func (s *Server) einfo(c *call) reply {
	name := c.get("db")
	if name == "" {
		return einfoReply(c, struct {
			Names []string `xml:"DbList>DbName" json:"dblist"`
		}{databases})
	}
	s.corpus.mu.RLock()
	now := s.Now()
	d := databaseInfo{
		Name: name, Build: now.Format("Build-2006.01.02.15.04"), LastUpdate: now.Format("2006/01/02 15:04"),
		LinkList: []databaseLink{},
	}
	var dbFields []*field
	switch name {
	case "pubmed":
		d.Menu, d.Description, d.Count, d.LinkList = "PubMed", "PubMed bibliographic record", s.corpus.live, pubmedLinks
		dbFields = fields
	case "pmc":
		d.Menu, d.Description = "PMC", "PubMed Central"
		d.Count = len(s.corpus.filter(func(r *record) bool { return r.pmcid != "" }))
		dbFields = fields[:4]
	case "mesh":
		d.Menu, d.Description, d.Count = "MeSH", "Medical Subject Headings", len(s.corpus.headings)
		dbFields = []*field{fieldByCode["ALL"], fieldByCode["UID"], fieldByCode["MESH"]}
	}
	s.corpus.mu.RUnlock()
	version2 := c.json() || strings.HasPrefix(c.get("version"), "2")
	if entries := s.database(name); entries != nil {
		entries.info(&d, version2)
	}
	if d.Menu == "" {
		return errorIn200("einfo", c, "Can not retrieve DbInfo for db="+name)
	}
	if c.Fault != nil && c.Fault.Kind == LyingCount {
		d.Count += max(c.Fault.Extra, 1)
	}
	for _, f := range dbFields {
		d.FieldList = append(d.FieldList, f.info(version2))
	}
	if c.json() {
		return einfoReply(c, struct {
			Info []databaseInfo `json:"dbinfo"`
		}{[]databaseInfo{d}})
	}
	return einfoReply(c, struct{ DbInfo databaseInfo }{d})
}

func (f *field) info(version2 bool) fieldInfo {
	ordered := f.kind == dateField || f.kind == numField
	out := fieldInfo{
		Name: f.code, FullName: f.name, Description: f.description, Date: yesNo(f.kind == dateField),
		Numerical: yesNo(f.kind == numField), SingleToken: yesNo(f.singleToken()), Hierarchy: yesNo(f.hierarchy),
		Hidden: yesNo(f.hidden),
	}
	if version2 {
		out.Rangable, out.Truncatable = yesNo(ordered), yesNo(!ordered)
	}
	return out
}

// einfoReply wraps content as EInfo does.
func einfoReply(c *call, content any) reply {
	if c.json() {
		return jsonReply(http.StatusOK, struct {
			Header header `json:"header"`
			Result any    `json:"einforesult"`
		}{headerOf("einfo"), content})
	}
	return xmlOf(einfoProlog, "eInfoResult", content)
}
