package entreztest

import (
	"net/http"
	"strconv"
	"strings"
)

const einfoProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eInfoResult PUBLIC "-//NLM//DTD einfo 20190110//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20190110/einfo.dtd">
<eInfoResult>
`

// databases are those Entrez lists; pubmed, pmc and mesh are held here.
var databases = strings.Fields(`pubmed protein nuccore ipg nucleotide structure genome annotinfo assembly bioproject
biosample blastdbinfo books cdd clinvar gap gapplus grasp dbvar gene gds geoprofiles medgen mesh nlmcatalog omim
orgtrack pmc proteinclusters pcassay protfam pccompound pcsubstance seqannot snp sra taxonomy biocollections gtr`)

type databaseLink struct{ Name, Menu, Description, DbTo string }

var pubmedLinks = []databaseLink{
	{"pubmed_pmc", "PMC Links", "Free full text articles in PMC", "pmc"},
	{"pubmed_pmc_refs", "Cited in PMC", "PubMed links to articles in PMC that cite them", "pmc"},
	{"pubmed_pubmed", "Similar articles", "Similar PubMed articles by words and headings", "pubmed"},
	{"pubmed_pubmed_citedin", "Cited In", "PubMed articles that cite this one", "pubmed"},
	{"pubmed_pubmed_five", "Top Similar Articles", "Five most similar articles", "pubmed"},
	{"pubmed_pubmed_refs", "References", "PubMed articles this one cites", "pubmed"},
	{"pubmed_pubmed_reviews", "Similar Reviews", "Similar review articles", "pubmed"},
}

type databaseInfo struct {
	name, menu, about string
	count             int
	fields            []*field
	links             []databaseLink
}

// einfo answers einfo.fcgi: the list of databases, or one of the three that are
// held here; version=2.0 adds IsTruncatable and IsRangable.
func (s *Server) einfo(c *call) reply {
	name := c.get("db")
	if name == "" {
		return databaseList(c)
	}
	s.corpus.mu.RLock()
	d := databaseInfo{name: name}
	switch name {
	case "pubmed":
		d.menu, d.about, d.count, d.fields, d.links = "PubMed", "PubMed bibliographic record", s.corpus.live, fields, pubmedLinks
	case "pmc":
		d.menu, d.about = "PMC", "PubMed Central"
		d.count = len(s.corpus.where(func(r *record) bool { return r.pmcid != "" }))
		d.fields = fields[:4]
	case "mesh":
		d.menu, d.about, d.count = "MeSH", "Medical Subject Headings", len(s.corpus.headings)
		d.fields = []*field{fieldByCode["ALL"], fieldByCode["UID"], fieldByCode["MESH"]}
	}
	s.corpus.mu.RUnlock()
	if d.menu == "" {
		return errorIn200("einfo", c, "Can not retrieve DbInfo for db="+name)
	}
	if c.Fault != nil && c.Fault.Kind == LyingCount {
		d.count += max(c.Fault.Extra, 1)
	}
	now := s.Now()
	build := "Build-" + now.Format("2006.01.02.15.04")
	updated := now.Format("2006/01/02 15:04")
	if c.json() {
		return d.json(build, updated)
	}
	return d.xml(build, updated, strings.HasPrefix(c.get("version"), "2"))
}

func databaseList(c *call) reply {
	if c.json() {
		return jsonReply(http.StatusOK, struct {
			Header header `json:"header"`
			Result struct {
				DBs []string `json:"dblist"`
			} `json:"einforesult"`
		}{Header: headerOf("einfo"), Result: struct {
			DBs []string `json:"dblist"`
		}{databases}})
	}
	var b strings.Builder
	b.WriteString(einfoProlog + "<DbList>\n\n")
	for _, db := range databases {
		b.WriteString("\t" + tag("DbName", db) + "\n")
	}
	return xmlReply(b.String() + "</DbList>\n\n</eInfoResult>\n")
}

func yesNo(b bool) string {
	if b {
		return "Y"
	}
	return "N"
}

// xml writes eInfoResult (DTD eInfo_020511; capture einfo2).
func (d *databaseInfo) xml(build, updated string, two bool) reply {
	var b strings.Builder
	line := func(depth int, text string) { b.WriteString(strings.Repeat("\t", depth) + text + "\n") }
	b.WriteString(einfoProlog)
	line(1, "<DbInfo>")
	line(2, tag("DbName", d.name))
	line(2, tag("MenuName", d.menu))
	line(2, tag("Description", d.about))
	line(2, tag("DbBuild", build))
	line(2, tag("Count", strconv.Itoa(d.count)))
	line(2, tag("LastUpdate", updated))
	line(2, "<FieldList>")
	for _, f := range d.fields {
		line(3, "<Field>")
		line(4, tag("Name", f.code))
		line(4, tag("FullName", f.name))
		line(4, tag("Description", f.about))
		line(4, "<TermCount/>")
		line(4, tag("IsDate", yesNo(f.kind == dateField)))
		line(4, tag("IsNumerical", yesNo(f.kind == numField)))
		line(4, tag("SingleToken", yesNo(f.singleToken())))
		line(4, tag("Hierarchy", yesNo(f.hierarchy)))
		line(4, tag("IsHidden", yesNo(f.hidden)))
		if two {
			line(4, tag("IsRangable", yesNo(f.kind == dateField || f.kind == numField)))
			line(4, tag("IsTruncatable", yesNo(f.kind != dateField && f.kind != numField)))
		}
		line(3, "</Field>")
	}
	line(2, "</FieldList>")
	line(2, "<LinkList>")
	for _, l := range d.links {
		line(3, "<Link>")
		line(4, tag("Name", l.Name))
		line(4, tag("Menu", l.Menu))
		line(4, tag("Description", l.Description))
		line(4, tag("DbTo", l.DbTo))
		line(3, "</Link>")
	}
	line(2, "</LinkList>")
	line(1, "</DbInfo>")
	return xmlReply(b.String() + "\n</eInfoResult>\n")
}

type dbInfoJSON struct {
	DBName      string      `json:"dbname"`
	MenuName    string      `json:"menuname"`
	Description string      `json:"description"`
	DBBuild     string      `json:"dbbuild"`
	Count       string      `json:"count"`
	LastUpdate  string      `json:"lastupdate"`
	FieldList   []fieldJSON `json:"fieldlist"`
	LinkList    []linkJSON  `json:"linklist"`
}

type fieldJSON struct {
	Name          string `json:"name"`
	FullName      string `json:"fullname"`
	Description   string `json:"description"`
	TermCount     string `json:"termcount"`
	IsDate        string `json:"isdate"`
	IsNumerical   string `json:"isnumerical"`
	SingleToken   string `json:"singletoken"`
	Hierarchy     string `json:"hierarchy"`
	IsHidden      string `json:"ishidden"`
	IsTruncatable string `json:"istruncatable"`
	IsRangable    string `json:"israngable"`
}

type linkJSON struct {
	Name        string `json:"name"`
	Menu        string `json:"menu"`
	Description string `json:"description"`
	DBTo        string `json:"dbto"`
}

func (d *databaseInfo) json(build, updated string) reply {
	info := dbInfoJSON{
		DBName: d.name, MenuName: d.menu, Description: d.about, DBBuild: build,
		Count: strconv.Itoa(d.count), LastUpdate: updated, FieldList: []fieldJSON{}, LinkList: []linkJSON{},
	}
	for _, f := range d.fields {
		info.FieldList = append(info.FieldList, fieldJSON{
			f.code, f.name, f.about, "", yesNo(f.kind == dateField), yesNo(f.kind == numField),
			yesNo(f.singleToken()), yesNo(f.hierarchy), yesNo(f.hidden),
			yesNo(f.kind != dateField && f.kind != numField), yesNo(f.kind == dateField || f.kind == numField),
		})
	}
	for _, l := range d.links {
		info.LinkList = append(info.LinkList, linkJSON{l.Name, l.Menu, l.Description, l.DbTo})
	}
	return jsonReply(http.StatusOK, struct {
		Header header `json:"header"`
		Result struct {
			Info []dbInfoJSON `json:"dbinfo"`
		} `json:"einforesult"`
	}{Header: headerOf("einfo"), Result: struct {
		Info []dbInfoJSON `json:"dbinfo"`
	}{[]dbInfoJSON{info}}})
}
