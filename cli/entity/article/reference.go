package article

import (
	"cmp"
	"fmt"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

// reference is a work that an article cites. Citation is the printed text; title, authors,
// source, retracted and preprint come from ESummary. Unknown values are null.
type reference struct {
	Citation string   `json:"citation"`
	PMID     string   `json:"pmid"`
	DOI      string   `json:"doi"`
	PMCID    string   `json:"pmcid"`
	Title    string   `json:"title"`
	Authors  []string `json:"authors"`
	Source   string   `json:"source"`
	eutils.Marks
	URL  string   `json:"url"`
	From []string `json:"from"` // record, elink, or both

	number int // number within the article's references, from 1
}

// mergeReferences merges the record's own list, in its order, with further references from
// ELink. A reference without a PMID gets that of the article with its DOI or PMCID. From the record's
// list it drops only exact repetitions: two citations with one identifier may be two
// works, if one of the identifiers is wrong.
func mergeReferences(recordRefs []pubmed.Reference, links *entrez.Links, described []entrez.Summary) []reference {
	known := map[string]*entrez.Summary{}
	for i := range described {
		s := &described[i]
		for _, key := range identifierKeys(s.UID, s.DOI, s.PMCID) {
			if known[key] == nil {
				known[key] = s
			}
		}
	}
	linked := map[string]bool{}
	if links != nil {
		for _, l := range links.Items {
			linked[l.PMID] = true
		}
	}
	var out []reference
	held, seen := map[string]bool{}, map[pubmed.Reference]bool{}
	add := func(citation, pmid, doi, pmcid, from string) {
		r := reference{Citation: citation, PMID: pmid, DOI: doi, PMCID: pmcid, From: []string{from}}
		for _, key := range identifierKeys(pmid, doi, pmcid) {
			if s := known[key]; s != nil {
				r.describe(s)
				break
			}
		}
		if from == "record" && linked[r.PMID] {
			r.From = append(r.From, "elink")
		}
		held[r.PMID] = true
		r.URL, r.number = r.address(), len(out)+1
		out = append(out, r)
	}
	for _, r := range recordRefs {
		if !record.ValidPMID(r.PMID) {
			r.PMID = ""
		}
		if !seen[r] {
			seen[r] = true
			add(r.Citation, r.PMID, r.DOI, r.PMCID, "record")
		}
	}
	if links != nil {
		for _, l := range links.Items {
			if !held[l.PMID] {
				add("", l.PMID, "", "", "elink")
			}
		}
	}
	return out
}

// identifierKeys returns the identifiers of a work, most reliable first.
func identifierKeys(pmid, doi, pmcid string) []string {
	var keys []string
	if pmid != "" {
		keys = append(keys, "pmid:"+pmid)
	}
	if doi != "" {
		keys = append(keys, "doi:"+strings.ToLower(doi))
	}
	if pmcid != "" {
		keys = append(keys, "pmcid:"+strings.ToUpper(pmcid))
	}
	return keys
}

// describe adds ESummary's values. It keeps the identifiers of the record.
func (r *reference) describe(s *entrez.Summary) {
	r.PMID, r.DOI, r.PMCID = cmp.Or(r.PMID, s.UID), cmp.Or(r.DOI, s.DOI), cmp.Or(r.PMCID, s.PMCID)
	r.Title, r.Authors, r.Source, r.Marks = s.Title, s.Authors, sourceLine(*s), eutils.MarksFrom(*s)
}

// address returns the URL of the work, or "" if it has no identifier.
func (r *reference) address() string {
	switch {
	case r.PMID != "":
		return "https://pubmed.ncbi.nlm.nih.gov/" + r.PMID + "/"
	case r.PMCID != "":
		return "https://pmc.ncbi.nlm.nih.gov/articles/" + r.PMCID + "/"
	case r.DOI != "":
		return cite.DOIURL(r.DOI)
	}
	return ""
}

// referenceDoc renders a numbered table. get article accepts the ids in it.
func referenceDoc(rows []reference) result.Doc {
	t := result.Table{Columns: result.Columns(">No.", "Id", "Title", "Authors", "Source"), Main: true}
	for _, r := range rows {
		title := r.MarkTitle(cmp.Or(r.Title, r.Citation))
		t.Rows = append(t.Rows, []string{
			fmt.Sprint(r.number), cmp.Or(r.PMID, r.PMCID, r.DOI), title, entity.EtAl(r.Authors, 3), r.Source,
		})
	}
	return result.Doc{t}
}
