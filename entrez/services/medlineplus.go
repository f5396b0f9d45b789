package services

import (
	"context"
	"errors"
	"strconv"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
)

// MedlinePlus of the National Library of Medicine has health topics, which describe diseases in plain words
// (https://medlineplus.gov/about/developers/webservices/). NLM owns the summaries of topics.
// Articles of the encyclopaedia are licensed and are not requested.

// MedlinePlus describes the web service, which allows 85 requests a minute.
var MedlinePlus = httpclient.Source{
	Name: "medlineplus", Label: "MedlinePlus", Address: "https://wsearch.nlm.nih.gov/ws/",
	Rate: httpclient.Rate{Group: "medlineplus", PerSecond: 1},
	Ping: httpclient.NewCall(topicQuery, "db", "healthTopics", "term", "asthma", "retmax", "1"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call:  httpclient.NewCall(topicQuery, "db", "healthTopics", "term", "asthma", "retmax", "1"),
			Facts: []httpclient.Fact{{Path: "count"}, {Path: "list"}}, Evidence: "document",
		}}
	},
	Dependencies: []httpclient.Dependency{{Path: "query", Params: "db term retmax", Decoded: (*topicReply)(nil),
		Evidence: "document, https://medlineplus.gov/about/developers/webservices/"}},
}

var topicQuery = httpclient.Endpoint{Op: "query", Path: "query", Form: httpclient.XML, TTL: 24 * time.Hour, Needs: []string{"count"}}

// Topic is a health topic in English. Names are its other titles and MeSH headings.
type Topic struct {
	Title   string
	Names   []string
	Summary string // plain text, one line per paragraph
	URL     string
}

// topicReply is an nlmSearchResult.
type topicReply struct {
	XMLName   struct{} `xml:"nlmSearchResult"`
	Count     int      `xml:"count"`
	Documents []struct {
		URL      string `xml:"url,attr"`
		Contents []struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"` // escaped markup
		} `xml:"content"`
	} `xml:"list>document"`
}

// Topics returns at most limit topics for a phrase, the best match first. The error is a
// *httpclient.Error.
func Topics(ctx context.Context, c *httpclient.Client, phrase string, limit int) ([]Topic, error) {
	call := httpclient.NewCall(topicQuery, "db", "healthTopics", "term", phrase, "retmax", strconv.Itoa(limit))
	body, err := c.Service(&MedlinePlus).Do(ctx, call)
	if err != nil {
		return nil, err
	}
	var reply topicReply
	if ncbi.DecodeXML(body, &reply) != nil || reply.Count > 0 && len(reply.Documents) == 0 {
		return nil, call.UnreadableError(errors.New("no list of topics"))
	}
	var all []Topic
	for _, d := range reply.Documents {
		t := Topic{URL: d.URL}
		for _, c := range d.Contents {
			switch text := record.Plain(c.Text); c.Name {
			case "title":
				t.Title = text
			case "altTitle", "mesh":
				t.Names = append(t.Names, text)
			case "FullSummary":
				t.Summary = text
			}
		}
		all = append(all, t)
	}
	return all, nil
}
