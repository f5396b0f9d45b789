package entrez

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
)

// Link is a neighbour of an article. Score is NCBI's measure of similarity in its own unit; higher
// is closer. Only similar articles have one.
type Link struct {
	PMID     string
	Score    int
	HasScore bool
}

// Links lists neighbours in NCBI's order, without the article itself. NCBI's replies do not
// distinguish an unknown ID from one without neighbours.
type Links struct {
	Items []Link
	URL   string // requests the neighbours of this article alone
}

// PMIDs returns the IDs of the neighbours.
func (l *Links) PMIDs() (ids []string) {
	for _, one := range l.Items {
		ids = append(ids, one.PMID)
	}
	return ids
}

// LinkSets holds the neighbours of several articles. Failed lists, in the requested order, the IDs
// for which NCBI returned an error or nothing at all; Problem is the error.
type LinkSets struct {
	ByID    map[string]*Links // by the ID of the article
	Failed  []string
	Problem error // nil if Failed is empty
}

// Names of links from PubMed to PubMed (NBK25499, "ELink").
const (
	Similar    = "pubmed_pubmed"         // similar articles, with scores
	CitedBy    = "pubmed_pubmed_citedin" // articles in PMC that cite the article
	References = "pubmed_pubmed_refs"    // articles that the article cites
)

// linkBatch is the number of articles in one ELink: the most IDs that a URL should hold (NBK25499).
const linkBatch = 200

// Links returns one article's neighbours under a link name. If the link name points to another
// database ("pubmed_pmc"), the IDs belong to that database.
func (c *Client) Links(ctx context.Context, id, linkName string) (*Links, error) {
	sets, err := c.LinkSets(ctx, []string{id}, linkName)
	if err != nil {
		return nil, err
	}
	for _, links := range sets.ByID {
		return links, nil
	}
	return nil, sets.Problem
}

// LinkSets returns the neighbours of many articles, in one request for each 200. It sends id=1&id=2,
// because id=1,2 would give one set of neighbours of both (NBK25499, "ELink"). It returns an error
// only if no article has a reply; sets received before a failure are kept.
func (c *Client) LinkSets(ctx context.Context, ids []string, linkName string) (*LinkSets, error) {
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(linkName, "_")
	if len(parts) < 2 || strings.Trim(linkName, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		return nil, httpclient.Invalidf("%s is not a link name such as %s", ncbi.ShortQuote(linkName), Similar)
	}
	cmd := "neighbor"
	if linkName == Similar {
		cmd = "neighbor_score"
	}
	out := &LinkSets{ByID: map[string]*Links{}, Failed: []string{}}
	for batch := range slices.Chunk(ids, linkBatch) {
		r := httpclient.NewCall(elink, "dbfrom", parts[0], "db", parts[1], "linkname", linkName, "cmd", cmd, "retmode",
			"xml")
		r.Params["id"] = batch
		sets, err := c.links(ctx, r, len(batch), linkName)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		for _, id := range batch {
			set, found := sets[id]
			switch {
			case found:
				out.ByID[id] = set.neighbours(id, parts[0] == parts[1], c.singleURL(r, id))
				continue
			case err == nil:
				err = r.UnreadableError(errors.New("it omits requested articles"))
			}
			out.Failed, out.Problem = append(out.Failed, id), err
		}
	}
	if len(out.ByID) == 0 {
		return nil, out.Problem
	}
	return out, nil
}

// singleURL returns the URL of a request for a single article of r. With the URL of all 200 for
// each, most of an answer would be URLs.
func (c *Client) singleURL(r *httpclient.Call, id string) string {
	one := *r
	one.Params = maps.Clone(r.Params)
	one.Params.Set("id", id)
	return c.service.Address(&one).Redacted()
}

// links makes one ELink for n articles. It may return both sets and an error, which then concerns
// the articles without a set.
func (c *Client) links(ctx context.Context, r *httpclient.Call, n int, linkName string) (map[string]linkSet, error) {
	r.Cacheable = func(body []byte) bool { return bytes.Count(body, []byte("<LinkSet>")) >= n }
	body, refusal := c.send(ctx, r)
	if e, ok := errors.AsType[*httpclient.Error](refusal); ok && e.Kind == httpclient.Refused && len(e.Reply) > 0 {
		body = e.Reply
	} else if refusal != nil {
		return nil, refusal
	}
	sets, err := parseLinks(body, linkName)
	switch {
	case refusal != nil:
		return sets, refusal
	case err != nil:
		return nil, r.UnreadableError(err)
	}
	return sets, nil
}

// linkSet lists the links of one article in the order of the reply.
type linkSet []Link

// neighbours returns each link once. It omits the article itself if the link stays within one
// database.
func (s linkSet) neighbours(id string, sameDB bool, url string) *Links {
	out := &Links{Items: []Link{}, URL: url}
	seen := map[string]bool{}
	if sameDB {
		seen[id] = true
	}
	for _, l := range s {
		if !seen[l.PMID] {
			seen[l.PMID] = true
			out.Items = append(out.Items, l)
		}
	}
	return out
}

// linkReply is an eLinkResult.
type linkReply struct {
	XMLName struct{} `xml:"eLinkResult"`
	Sets    []struct {
		IDs    []string `xml:"IdList>Id"`
		Error  *string  `xml:"ERROR"`
		Groups []struct {
			LinkName string
			Links    []struct {
				ID    string `xml:"Id"`
				Score *int
			} `xml:"Link"`
		} `xml:"LinkSetDb"`
	} `xml:"LinkSet"`
}

// parseLinks parses eLinkResult (DTD eLink_020511). It returns the links under one name by the ID
// of their article. It skips sets with an error.
func parseLinks(body []byte, linkName string) (map[string]linkSet, error) {
	var x linkReply
	if err := ncbi.DecodeXML(body, &x); err != nil {
		return nil, err
	}
	out := map[string]linkSet{}
	for _, set := range x.Sets {
		if set.Error != nil || len(set.IDs) != 1 {
			continue
		}
		from := strings.TrimSpace(set.IDs[0])
		out[from] = linkSet{}
		for _, g := range set.Groups {
			if strings.TrimSpace(g.LinkName) != linkName {
				continue
			}
			for _, l := range g.Links {
				link := Link{PMID: strings.TrimSpace(l.ID), HasScore: l.Score != nil}
				if l.Score != nil {
					link.Score = *l.Score
				}
				if record.ValidPMID(link.PMID) {
					out[from] = append(out[from], link)
				}
			}
		}
	}
	return out, nil
}
