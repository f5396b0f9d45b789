package entrez

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// Doc is a DocSum of any database, version 2.0, as NCBI wrote it: an object with its uid,
// else the answer of ESummary is an error. The types of its values change with the years:
// read it as an [ncbi.Object], or into the types of package ncbi.
type Doc struct {
	UID  string
	JSON json.RawMessage // an object
}

// Decode reads the summary into a struct.
func (d Doc) Decode(v any) error {
	if json.Unmarshal(d.JSON, v) != nil {
		return errors.New("the summary of " + strconv.Quote(d.UID) + " is no object of the known shape")
	}
	return nil
}

// Object is the summary as an object.
func (d Doc) Object() ncbi.Object { return ncbi.Object{Result: gjson.ParseBytes(d.JSON)} }

// Docs is an answer of ESummary, in the order asked, each id once. Missing are ids
// that NCBI has no summary of.
type Docs struct {
	Items   []Doc
	Missing []string
}

// Docs asks ESummary for records of a database: one request for each 500 of them, none
// where there are no ids.
func (c *Client) Docs(ctx context.Context, db string, ids []string) (*Docs, error) {
	if len(ids) == 0 {
		return &Docs{Items: []Doc{}, Missing: []string{}}, nil
	}
	items, missing, _, err := docsAs(ctx, c, db, ids, func(d Doc) (Doc, error) { return d, nil })
	if err != nil {
		return nil, err
	}
	return &Docs{items, missing}, nil
}

// docsAs is Docs with something made of each, and the address of the first request.
func docsAs[T any](ctx context.Context, c *Client, db string, ids []string, read func(Doc) (T, error)) (items []T, missing []string, address string, err error) {
	if ids, err = ncbi.UIDs(esummary.Op, ids); err != nil {
		return nil, nil, "", err
	}
	items, missing = []T{}, []string{}
	for batch := range slices.Chunk(ids, summaryCap) {
		made, r, err := summariesAs(ctx, c, db, batch, read)
		if err != nil {
			return nil, nil, "", err
		}
		address = cmp.Or(address, r.URL)
		for _, id := range batch {
			if item, ok := made[id]; ok {
				items = append(items, item)
			} else {
				missing = append(missing, id)
			}
		}
	}
	return items, missing, address, nil
}

// FindDocs is Search in a database, and Docs of the page that it found: one request
// where nothing is found, else two.
func (c *Client) FindDocs(ctx context.Context, p SearchParams) (*SearchResult, *Docs, error) {
	found, err := c.Search(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	docs, err := c.Docs(ctx, p.DB, found.IDs)
	return found, docs, err
}

// summariesAs makes one ESummary, and something of each summary. Ids without one are absent
// from the map.
func summariesAs[T any](ctx context.Context, c *Client, db string, ids []string, read func(Doc) (T, error)) (map[string]T, *polite.Call, error) {
	r := polite.NewCall(esummary, "db", db, "retmode", "json", "version", "2.0")
	setIDs(r, ids)
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, r, err
	}
	docs, problems, err := parseSummaries(body)
	switch {
	case err != nil:
		return nil, r, r.Unreadable(err)
	case len(problems) > 0:
		return nil, r, r.Refused(problems...)
	}
	out := map[string]T{}
	for id, doc := range docs {
		if out[id], err = read(doc); err != nil {
			return nil, r, r.Unreadable(err)
		}
	}
	return out, r, nil
}

// parseSummaries reads ESummary's JSON, version 2.0: docs by uid, and NCBI's
// complaints where there are no docs at all. A complaint about one id among
// good documents is no problem: that id is absent.
func parseSummaries(body []byte) (docs map[string]Doc, problems []string, err error) {
	var reply struct {
		Error  ncbi.Text                  `json:"error"`
		Result map[string]json.RawMessage `json:"result"`
		Old    ncbi.Texts                 `json:"esummaryresult"`
	}
	if err := json.Unmarshal(polite.Mend(body), &reply); err != nil {
		return nil, nil, errors.New("no JSON of the known shape")
	}
	docs = map[string]Doc{}
	for uid, raw := range reply.Result {
		if uid == "uids" {
			continue
		}
		var d struct {
			UID   ncbi.Text `json:"uid"`
			Error ncbi.Text `json:"error"`
		}
		doc := Doc{UID: uid, JSON: raw}
		if err := doc.Decode(&d); err != nil {
			return nil, nil, err
		}
		if d.Error == "" && d.UID == "" {
			return nil, nil, errors.New("it has a summary without its uid")
		}
		if d.Error == "" {
			docs[uid] = doc
		}
	}
	if len(reply.Result) > 0 {
		return docs, nil, nil
	}
	if problems = ncbi.List(append(reply.Old, string(reply.Error))); len(problems) == 0 {
		return nil, nil, errors.New("it has neither summaries nor an error")
	}
	return docs, problems, nil
}
