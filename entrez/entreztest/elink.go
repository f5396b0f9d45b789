package entreztest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

const elinkProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eLinkResult PUBLIC "-//NLM//DTD elink 20101123//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20101123/elink.dtd">
`

// A link is one neighbour, with NCBI's kind of score where there is one.
type link struct {
	id    string
	score int
}

// A linkSet is what one set of source ids leads to.
type linkSet struct {
	from, to string
	ids      []string
	groups   []linkGroup
}

type linkGroup struct {
	name  string
	links []link
	key   string // of the history server, with cmd=neighbor_history
}

// elink answers elink.fcgi. id=1,2 is one merged set, id=1&id=2 one for each. An
// id that no record has looks like one without neighbours.
func (s *Server) elink(c *call) reply {
	from, to, cmd := c.get("dbfrom"), c.db(), c.get("cmd")
	if from == "" {
		from = "pubmed"
	}
	if cmd == "" {
		cmd = "neighbor"
	}
	var sources [][]string
	for _, list := range c.Form["id"] {
		sources = append(sources, strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }))
	}
	env := c.get("WebEnv")
	if key := c.get("query_key"); key != "" {
		set, ok := s.history.get(env, key)
		if !ok {
			return errorIn200("elink", c, "Unable to obtain query #"+key)
		}
		var ids []string
		for _, id := range set.ids {
			ids = append(ids, fmt.Sprint(id))
		}
		sources = append(sources, ids)
	}
	if len(sources) == 0 {
		return errorIn200("elink", c, "Empty list of ids; nothing to do")
	}
	if from != "pubmed" || to != "pubmed" && to != "pmc" {
		return errorIn200("elink", c, fmt.Sprintf("no links from %s to %s", from, to))
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	var sets []linkSet
	for _, ids := range sources {
		set := linkSet{from: from, to: to, ids: ids}
		for _, name := range linkNames(to, c.get("linkname")) {
			links := s.links(name, ids)
			if c.Fault != nil {
				links = onLinks(c.Fault, links)
			}
			if len(links) > 0 {
				set.groups = append(set.groups, linkGroup{name: name, links: links})
			}
		}
		sets = append(sets, set)
	}
	switch cmd {
	case "ncheck":
		return checkReply(c, sets)
	case "neighbor_history":
		for i := range sets {
			for j := range sets[i].groups {
				g := &sets[i].groups[j]
				var ids []uint32
				for _, l := range g.links {
					ids = append(ids, atoi32(l.id))
				}
				env, g.key = s.history.put(env, resultSet{db: to, ids: ids, text: g.name})
			}
		}
	case "neighbor", "neighbor_score":
		env = ""
	default:
		return errorIn200("elink", c, "Unsupported cmd: "+cmd)
	}
	if c.json() {
		return linksJSON(sets, env, cmd == "neighbor_score")
	}
	return linksXML(sets, env, cmd == "neighbor_score")
}

func linkNames(to, name string) []string {
	if name != "" {
		return strings.Split(name, ",")
	}
	if to == "pmc" {
		return []string{"pubmed_pmc", "pubmed_pmc_refs"}
	}
	return []string{"pubmed_pubmed", "pubmed_pubmed_citedin", "pubmed_pubmed_five", "pubmed_pubmed_refs", "pubmed_pubmed_reviews"}
}

func onLinks(f *Fault, links []link) []link {
	ids := make([]string, len(links))
	scores := map[string]int{}
	for i, l := range links {
		ids[i], scores[l.id] = l.id, l.score
	}
	out := []link{}
	for _, id := range f.OnIDs(ids) {
		out = append(out, link{id, scores[id]})
	}
	return out
}

func scored(score int) string { return strconv.Itoa(score) }

// linksXML writes eLinkResult (DTD eLink_020511; captures elink1 to elink4).
func linksXML(sets []linkSet, env string, scores bool) reply {
	var b strings.Builder
	b.WriteString(elinkProlog + "<eLinkResult>\n\n")
	for _, set := range sets {
		b.WriteString("  <LinkSet>\n    " + tag("DbFrom", set.from) + "\n    <IdList>\n")
		for _, id := range set.ids {
			b.WriteString("      " + tag("Id", id) + "\n")
		}
		b.WriteString("    </IdList>\n")
		for _, g := range set.groups {
			if g.key != "" {
				b.WriteString("    <LinkSetDbHistory>\n      " + tag("DbTo", set.to) + "\n      " + tag("LinkName", g.name) +
					"\n      " + tag("QueryKey", g.key) + "\n    </LinkSetDbHistory>\n")
				continue
			}
			b.WriteString("    <LinkSetDb>\n      " + tag("DbTo", set.to) + "\n      " + tag("LinkName", g.name) + "\n      \n")
			for _, l := range g.links {
				b.WriteString("        <Link>\n\t\t\t\t" + tag("Id", l.id) + "\n")
				if scores {
					b.WriteString("\t\t\t\t" + tag("Score", scored(l.score)) + "\n")
				}
				b.WriteString("\t\t\t</Link>\n")
			}
			b.WriteString("    </LinkSetDb>\n")
		}
		if env != "" {
			b.WriteString("    " + tag("WebEnv", env) + "\n")
		}
		b.WriteString("  </LinkSet>\n")
	}
	return xmlReply(b.String() + "</eLinkResult>\n")
}

type linksResult struct {
	Header   header        `json:"header"`
	LinkSets []linkSetJSON `json:"linksets"`
}

type linkSetJSON struct {
	DBFrom    string        `json:"dbfrom"`
	IDs       []string      `json:"ids"`
	Groups    []linkDBJSON  `json:"linksetdbs,omitempty"`
	Histories []linkHistory `json:"linksetdbhistories,omitempty"`
	WebEnv    string        `json:"webenv,omitempty"`
}

type linkDBJSON struct {
	DBTo     string `json:"dbto"`
	LinkName string `json:"linkname"`
	Links    any    `json:"links"` // ids, or with neighbor_score objects
}

type linkHistory struct {
	DBTo     string `json:"dbto"`
	LinkName string `json:"linkname"`
	QueryKey string `json:"querykey"`
}

type scoredLink struct {
	ID    string `json:"id"`
	Score int    `json:"score"`
}

func linksJSON(sets []linkSet, env string, scores bool) reply {
	out := linksResult{Header: headerOf("elink"), LinkSets: []linkSetJSON{}}
	for _, set := range sets {
		one := linkSetJSON{DBFrom: set.from, IDs: some(set.ids), WebEnv: env}
		for _, g := range set.groups {
			if g.key != "" {
				one.Histories = append(one.Histories, linkHistory{set.to, g.name, g.key})
				continue
			}
			ids, pairs := []string{}, []scoredLink{}
			for _, l := range g.links {
				ids, pairs = append(ids, l.id), append(pairs, scoredLink{l.id, l.score})
			}
			db := linkDBJSON{DBTo: set.to, LinkName: g.name, Links: ids}
			if scores {
				db.Links = pairs
			}
			one.Groups = append(one.Groups, db)
		}
		out.LinkSets = append(out.LinkSets, one)
	}
	return jsonReply(http.StatusOK, out)
}

// checkReply answers cmd=ncheck (capture elink8).
func checkReply(c *call, sets []linkSet) reply {
	type idCheck struct {
		Value       string `json:"value"`
		HasNeighbor string `json:"hasneighbor"`
	}
	type checkList struct {
		IDs []idCheck `json:"ids"`
	}
	type checkSet struct {
		DBFrom string    `json:"dbfrom"`
		Checks checkList `json:"idchecklist"`
	}
	out := struct {
		Header   header     `json:"header"`
		LinkSets []checkSet `json:"linksets"`
	}{headerOf("elink"), []checkSet{}}
	var b strings.Builder
	b.WriteString(elinkProlog + "<eLinkResult>\n")
	for _, set := range sets {
		has := "N"
		for _, g := range set.groups {
			if g.name == "pubmed_pubmed" && len(g.links) > 0 {
				has = "Y"
			}
		}
		one := checkSet{DBFrom: set.from}
		b.WriteString("\t<LinkSet>\n\t\t" + tag("DbFrom", set.from) + "\n\t\t<IdCheckList>\n")
		for _, id := range set.ids {
			b.WriteString("\t\t\t<Id HasNeighbor=\"" + has + "\">" + esc(id) + "</Id>\n")
			one.Checks.IDs = append(one.Checks.IDs, idCheck{id, has})
		}
		b.WriteString("\t\t</IdCheckList>\n\t</LinkSet>\n")
		out.LinkSets = append(out.LinkSets, one)
	}
	if c.json() {
		return jsonReply(http.StatusOK, out)
	}
	return xmlReply(b.String() + "</eLinkResult>\n")
}
