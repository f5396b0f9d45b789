package entrez

import (
	"context"
	"strconv"
	"strings"
)

// Link is a neighbour of an article. Score is NCBI's measure of likeness, in its
// own unit, higher is closer; only similar articles have one.
type Link struct {
	PMID     string
	Score    int
	HasScore bool
}

// Links are neighbours in NCBI's order, the article itself left out. An id that
// NCBI does not know looks like one without neighbours.
type Links struct {
	Items []Link
	URL   string
}

// Names of links from PubMed to PubMed (NBK25499, "ELink").
const (
	Similar    = "pubmed_pubmed"         // similar articles, with scores
	CitedBy    = "pubmed_pubmed_citedin" // articles in PMC that cite it
	References = "pubmed_pubmed_refs"    // what it cites
	Reviews    = "pubmed_pubmed_reviews" // similar reviews
)

// Links asks ELink for one article's neighbours under one link name. Where the
// name leads to another database ("pubmed_pmc"), the ids are that database's.
func (c *Client) Links(ctx context.Context, id, linkName string) (*Links, error) {
	ids, err := uids(elink.op, []string{id})
	if err != nil {
		return nil, err
	}
	parts := strings.Split(linkName, "_")
	if len(parts) < 2 || strings.Trim(linkName, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		return nil, invalid(elink.op, "%s is not a link name such as %s", shortQuote(linkName), Similar)
	}
	cmd := "neighbor"
	if linkName == Similar {
		cmd = "neighbor_score"
	}
	r := newRequest(elink, "dbfrom", parts[0], "db", parts[1], "id", ids[0], "linkname", linkName, "cmd", cmd, "retmode", "xml")
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	items, err := parseLinks(body, linkName)
	if err != nil {
		return nil, r.unreadable(err)
	}
	out := &Links{Items: []Link{}, URL: r.shown}
	seen := map[string]bool{}
	if parts[0] == parts[1] {
		seen[ids[0]] = true
	}
	for _, l := range items {
		if !seen[l.PMID] {
			seen[l.PMID] = true
			out.Items = append(out.Items, l)
		}
	}
	return out, nil
}

// parseLinks reads eLinkResult (DTD eLink_020511): the links under one name.
func parseLinks(body []byte, linkName string) ([]Link, error) {
	var x struct {
		XMLName struct{} `xml:"eLinkResult"`
		Groups  []struct {
			LinkName string
			Links    []struct {
				ID    string `xml:"Id"`
				Score *int
			} `xml:"Link"`
		} `xml:"LinkSet>LinkSetDb"`
	}
	if err := decodeXML(body, &x); err != nil {
		return nil, err
	}
	var out []Link
	for _, g := range x.Groups {
		if strings.TrimSpace(g.LinkName) != linkName {
			continue
		}
		for _, l := range g.Links {
			link := Link{PMID: strings.TrimSpace(l.ID), HasScore: l.Score != nil}
			if l.Score != nil {
				link.Score = *l.Score
			}
			if _, err := strconv.ParseUint(link.PMID, 10, 64); err == nil {
				out = append(out, link)
			}
		}
	}
	return out, nil
}
