package entreztest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const elinkProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eLinkResult PUBLIC "-//NLM//DTD elink 20101123//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20101123/elink.dtd">
`

// A linkSet holds the links of one set of source IDs (DTD eLink_020511; captures elink1 to elink4).
type linkSet struct {
	DBFrom    string        `xml:"DbFrom" json:"dbfrom"`
	IDs       []string      `xml:"IdList>Id" json:"ids"`
	Groups    []linkGroup   `xml:"LinkSetDb" json:"linksetdbs,omitempty"`
	Histories []linkHistory `xml:"LinkSetDbHistory" json:"linksetdbhistories,omitempty"`
	WebEnv    string        `xml:"WebEnv,omitempty" json:"webenv,omitempty"`
}

type linkGroup struct {
	DBTo     string `xml:"DbTo" json:"dbto"`
	LinkName string `xml:"LinkName" json:"linkname"`
	Links    any    `xml:"Link" json:"links"` // []plainLink, or with neighbor_score []scoredLink
}

type linkHistory struct {
	DBTo     string `xml:"DbTo" json:"dbto"`
	LinkName string `xml:"LinkName" json:"linkname"`
	QueryKey string `xml:"QueryKey" json:"querykey"`
}

// A scoredLink is a link with a score like NCBI's, or 0 if the link has no score.
type scoredLink struct {
	ID    string `xml:"Id" json:"id"`
	Score int    `xml:"Score" json:"score"`
}

// A plainLink is a link without a score. In JSON it is only the ID.
type plainLink struct {
	ID string `xml:"Id"`
}

func (l plainLink) MarshalJSON() ([]byte, error) { return json.Marshal(l.ID) }

// elink answers elink.fcgi. The parameter id=1,2 is one merged set, and id=1&id=2 are two sets.
// Unknown IDs have no links.
func (s *Server) elink(c *call) reply {
	from, to, cmd := c.or("dbfrom", "pubmed"), c.db(), c.or("cmd", "neighbor")
	var sources [][]string
	for _, list := range c.Form["id"] {
		sources = append(sources, splitIDs(list))
	}
	if key := c.get("query_key"); key != "" {
		set, ok := s.history.get(c.get("WebEnv"), key)
		if !ok {
			return errorIn200("elink", c, "Unable to obtain query #"+key)
		}
		sources = append(sources, set.ids)
	}
	if len(sources) == 0 {
		return errorIn200("elink", c, "Empty list of ids; nothing to do")
	}
	entries := s.database(from)
	isPubmedLink := from == "pubmed" && (to == "pubmed" || to == "pmc")
	if entries == nil && !isPubmedLink {
		return errorIn200("elink", c, fmt.Sprintf("no links from %s to %s", from, to))
	}
	if !slices.Contains([]string{"neighbor", "neighbor_score", "neighbor_history", "ncheck"}, cmd) {
		return errorIn200("elink", c, "Unsupported cmd: "+cmd)
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	if cmd == "ncheck" {
		return s.checkLinks(c, sources)
	}
	env := c.get("WebEnv")
	var sets []linkSet
	for _, ids := range sources {
		set := linkSet{DBFrom: from, IDs: nonNil(ids)}
		for _, name := range linkNames(to, c.get("linkname")) {
			links := entries.links(name, ids)
			if entries == nil {
				links = s.links(name, ids)
			}
			links = onLinks(c.Fault, links)
			switch {
			case len(links) == 0:
			case cmd == "neighbor_score":
				set.Groups = append(set.Groups, linkGroup{to, name, links})
			case cmd == "neighbor_history":
				var key string
				env, key = s.history.put(env, resultSet{db: to, ids: idsOf(links), text: name})
				set.Histories = append(set.Histories, linkHistory{to, name, key})
			default:
				var plain []plainLink
				for _, l := range links {
					plain = append(plain, plainLink{l.ID})
				}
				set.Groups = append(set.Groups, linkGroup{to, name, plain})
			}
		}
		sets = append(sets, set)
	}
	if cmd == "neighbor_history" {
		for i := range sets {
			sets[i].WebEnv = env
		}
	}
	return linksReply(c, sets)
}

func linkNames(to, name string) []string {
	if name != "" {
		return strings.Split(name, ",")
	}
	if to == "pmc" {
		return []string{"pubmed_pmc", "pubmed_pmc_refs"}
	}
	return []string{
		"pubmed_pubmed", "pubmed_pubmed_citedin", "pubmed_pubmed_five", "pubmed_pubmed_refs", "pubmed_pubmed_reviews",
	}
}

func idsOf(links []scoredLink) []string {
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	return ids
}

func onLinks(f *Fault, links []scoredLink) []scoredLink {
	scores := map[string]int{}
	for _, l := range links {
		scores[l.ID] = l.Score
	}
	var out []scoredLink
	for _, id := range f.OnIDs(idsOf(links)) {
		out = append(out, scoredLink{id, scores[id]})
	}
	return out
}

// checkLinks answers cmd=ncheck (capture elink8).
func (s *Server) checkLinks(c *call, sources [][]string) reply {
	type idCheck struct {
		HasNeighbor answer `xml:",attr" json:"hasneighbor"`
		Value       string `xml:",chardata" json:"value"`
	}
	type checkList struct {
		IDs []idCheck `xml:"Id" json:"ids"`
	}
	type checkSet struct {
		DBFrom string    `xml:"DbFrom" json:"dbfrom"`
		Checks checkList `xml:"IdCheckList" json:"idchecklist"`
	}
	var sets []checkSet
	for _, ids := range sources {
		set := checkSet{DBFrom: "pubmed"}
		has := slices.Contains(linkNames(c.db(), c.get("linkname")), "pubmed_pubmed") &&
			len(onLinks(c.Fault, s.links("pubmed_pubmed", ids))) > 0
		for _, id := range ids {
			set.Checks.IDs = append(set.Checks.IDs, idCheck{yesNo(has), id})
		}
		sets = append(sets, set)
	}
	return linksReply(c, sets)
}

func linksReply(c *call, sets any) reply {
	if c.json() {
		return jsonReply(http.StatusOK, struct {
			Header   header `json:"header"`
			LinkSets any    `json:"linksets"`
		}{headerOf("elink"), sets})
	}
	return xmlOf(elinkProlog, "eLinkResult", struct {
		Sets any `xml:"LinkSet"`
	}{sets})
}
