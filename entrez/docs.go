package entrez

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// Doc is a DocSum of any database, version 2.0, as NCBI wrote it. It is an object with a uid. The
// types of its values vary over the years.
type Doc struct {
	UID string
	ncbi.Object
}

// Docs is a reply of ESummary, in the requested order, each ID once. Missing lists the IDs without
// a summary.
type Docs struct {
	Items   []Doc
	Missing []string
	URL     string // URL of the first request
}

// Docs returns the summaries of records of a database. It makes one request for each 500 IDs, and
// none if ids is empty.
func (c *Client) Docs(ctx context.Context, db string, ids []string) (*Docs, error) {
	out := &Docs{Items: []Doc{}, Missing: []string{}}
	if len(ids) == 0 {
		return out, nil
	}
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	for batch := range slices.Chunk(ids, summaryCap) {
		r := polite.NewCall(esummary, "db", db, "retmode", "json", "version", "2.0")
		setIDs(r, batch)
		body, err := c.send(ctx, r)
		if err != nil {
			return nil, err
		}
		docs, problems, err := parseSummaries(body)
		switch {
		case err != nil:
			return nil, r.Unreadable(err)
		case len(problems) > 0:
			return nil, r.Refused(problems...)
		}
		out.URL = cmp.Or(out.URL, r.URL)
		for _, id := range batch {
			if doc, ok := docs[id]; ok {
				out.Items = append(out.Items, doc)
			} else {
				out.Missing = append(out.Missing, id)
			}
		}
	}
	return out, nil
}

// FindDocs searches a database and returns the summaries of the page found. It makes two requests,
// or one if nothing is found.
func (c *Client) FindDocs(ctx context.Context, p SearchParams) (*SearchResult, *Docs, error) {
	found, err := c.Search(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	docs, err := c.Docs(ctx, p.DB, found.IDs)
	return found, docs, err
}

// parseSummaries parses ESummary's JSON, version 2.0. It returns the summaries by uid, or NCBI's
// error messages if there are no summaries at all. An ID with an error among good summaries is
// skipped.
func parseSummaries(body []byte) (docs map[string]Doc, problems []string, err error) {
	reply := ncbi.Parse(body)
	docs = map[string]Doc{}
	result := reply.Get("result").Map()
	for uid, value := range result {
		doc := Doc{uid, ncbi.Object{Result: value}}
		switch {
		case uid == "uids":
		case !doc.IsObject():
			return nil, nil, errors.New("the summary of " + strconv.Quote(uid) + " is not an object")
		case doc.Text("error") != "":
		case doc.Text("uid") == "":
			return nil, nil, errors.New("it has a summary without a uid")
		default:
			docs[uid] = doc
		}
	}
	if len(result) > 0 {
		return docs, nil, nil
	}
	if problems = append(reply.Texts("esummaryresult"), reply.Texts("error")...); len(problems) == 0 {
		return nil, nil, errors.New("it has neither summaries nor an error")
	}
	return docs, problems, nil
}
