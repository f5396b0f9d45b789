package entrez

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/fault"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// Doc is a DocSum of any database, version 2.0, as NCBI wrote it. It is an object with a uid. The
// types of its values vary over the years.
type Doc struct {
	UID string
	ncbi.Object
}

// Docs is a reply of ESummary, in the requested order, each ID once. Missing lists the IDs without
// a summary. TooLarge lists the IDs whose summary alone exceeds the size that ESummary converts to
// JSON; nothing is known about these records.
type Docs struct {
	Items    []Doc
	Missing  []string
	TooLarge []string
	DB       string
	URL      string // URL of the first request
}

// A TooLargeError is the error of Unread. It names the records and where to read them.
type TooLargeError struct {
	DB  string
	err *httpclient.Error
}

func (e *TooLargeError) Error() string { return e.err.Error() }

// Unwrap returns the *httpclient.Error, of kind Upstream.
func (e *TooLargeError) Unwrap() error { return e.err }

// Meaning returns that of the *httpclient.Error. Next lists the searches of the entity that reads the database,
// because the service is well and another search may avoid the record.
func (e *TooLargeError) Meaning() fault.Meaning {
	m := e.err.Meaning()
	m.Next = []string{"list", entityOf(e.DB)}
	return m
}

// entityOf returns the entity that reads the summaries of an NCBI database.
func entityOf(db string) string {
	switch db {
	case "clinvar", "snp":
		return "variant"
	case "medgen":
		return "disease"
	case "gtr":
		return "diagnostic"
	case "pubmed":
		return "article"
	}
	return db
}

// Unread returns an error that names the records in TooLarge, or nil if there are none. With ids, it
// only names those among them.
func (d *Docs) Unread(ids ...string) error {
	unread := d.TooLarge
	if len(ids) > 0 {
		other := func(id string) bool { return !slices.Contains(ids, id) }
		unread = slices.DeleteFunc(slices.Clone(unread), other)
	}
	if len(unread) == 0 {
		return nil
	}
	pages := make([]string, len(unread))
	for i, uid := range unread {
		pages[i] = "https://www.ncbi.nlm.nih.gov/" + d.DB + "/?term=" + uid + "[uid]"
	}
	return &TooLargeError{d.DB, &httpclient.Error{
		Kind: httpclient.Upstream, Service: Source.Label, Op: esummary.Op, URL: d.URL,
		Message: Source.Label + " cannot send the summary of " + strings.Join(unread, ", ") +
			": it is larger than ESummary allows; read it at " + strings.Join(pages, ", "),
	}}
}

// Docs returns the summaries of records of a database. It makes one request for each 500 IDs, and
// none if ids is empty. If the summaries of a batch are too large for one reply, it requests the
// halves of the batch. If a later request fails, it returns the summaries read so far with the error.
func (c *Client) Docs(ctx context.Context, db string, ids []string) (*Docs, error) {
	out := &Docs{Items: []Doc{}, Missing: []string{}, TooLarge: []string{}, DB: db}
	if len(ids) == 0 {
		return out, nil
	}
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	for batch := range slices.Chunk(ids, summaryCap) {
		if err := c.addDocs(ctx, db, batch, out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Read returns the number of requested records about which ESummary answered.
func (d *Docs) Read() int { return len(d.Items) + len(d.Missing) + len(d.TooLarge) }

// addDocs adds the summaries of a batch to out.
func (c *Client) addDocs(ctx context.Context, db string, batch []string, out *Docs) error {
	r := httpclient.NewCall(esummary, "db", db, "retmode", "json", "version", "2.0")
	setIDs(r, batch)
	body, err := c.send(ctx, r)
	switch {
	case tooLarge(err) && len(batch) == 1 && !errors.Is(err, httpclient.ErrTooLong):
		out.URL = cmp.Or(out.URL, r.URL)
		out.TooLarge = append(out.TooLarge, batch[0])
		return nil
	case tooLarge(err) && len(batch) > 1:
		half := len(batch) / 2
		if err := c.addDocs(ctx, db, batch[:half], out); err != nil {
			return err
		}
		return c.addDocs(ctx, db, batch[half:], out)
	case err != nil:
		return err
	}
	docs, problems, err := parseSummaries(body)
	switch {
	case err != nil:
		return r.UnreadableError(err)
	case len(problems) > 0:
		return r.RefusedError(problems...)
	}
	out.URL = cmp.Or(out.URL, r.URL)
	for _, id := range batch {
		if doc, ok := docs[id]; ok {
			out.Items = append(out.Items, doc)
		} else {
			out.Missing = append(out.Missing, id)
		}
	}
	return nil
}

// tooLarge reports whether err says that a reply of ESummary would be or is too large: NCBI's own
// refusal (HTTP 200, "Input XML size is 12150021 bytes, and cannot be transformed to JSON. the max
// size is 10MB", recorded by three public repositories in 2026), or this client's limit.
func tooLarge(err error) bool {
	refusal, ok := errors.AsType[*httpclient.Error](err)
	if !ok {
		return false
	}
	return errors.Is(err, httpclient.ErrTooLong) || bytes.Contains(refusal.Reply, []byte("cannot be transformed to JSON"))
}

// FindDocs searches a database and returns the summaries of the page found. It makes two requests,
// or one if nothing is found; for more than 500 IDs see [Client.Docs]. If a summary request fails, it
// returns the search and the summaries read so far with the error.
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
