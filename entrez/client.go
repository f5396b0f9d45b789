package entrez

import (
	"context"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// Source describes the E-utilities.
var Source = httpclient.Source{
	Name: "entrez", Label: "NCBI E-utilities", Address: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/",
	Rate: ncbi.Rate, Key: ncbi.Key, ToolParam: ncbi.ToolParam, EmailParam: ncbi.EmailParam,
	RefusesByStatus: true,
	MaxQuery:        ncbi.MaxQuery, CheckReply: ncbi.CheckReply, Cacheable: ncbi.Cacheable, Advice: advise,
	Ping: httpclient.NewCall(einfo, "retmode", "xml"), Dependencies: uses, TagsOf: tagsOf,
	Expectations: expectations,
}

// advise explains a failure of ELink alone. On 2026-04-20 it answered for hours that it could not
// resolve its own server (cyanheads/pubmed-mcp-server issue 16).
func advise(e *httpclient.Error) string {
	if e.Op != elink.Op || !e.Outage() && !strings.Contains(e.Message, "Couldn't resolve") {
		return ""
	}
	return "ELink alone was down for hours on 2026-04-20; records, searches and get ids do not need it"
}

const (
	hour = time.Hour
	day  = 24 * time.Hour
	mb   = 1 << 20

	perRecord = mb / 4
)

// Endpoints and the lifetimes of their replies. A search is out of date when an article is
// published. A record rarely changes, and a delay of a week is acceptable (a sync never reads the
// cache). Summaries and links contain counts and neighbours that grow daily. A spelling stays valid
// for longer than a day, but is cheap to request again.
//
// Each maximum length is several times the largest valid reply, but no higher, because a gzip bomb
// is unpacked up to it. 9,999 IDs need 0.2 MB. A record has about 20 kB, but 1 MB with three
// thousand authors and their addresses. An EFetch may be perRecord longer for each record, and
// Fetch halves the batch if the reply is too long.
var (
	esearch = httpclient.Endpoint{Op: "ESearch", Path: "esearch.fcgi", Form: httpclient.XML, MaxBytes: 8 * mb, TTL: hour,
		Needs: []string{"Count"}}
	esummary = httpclient.Endpoint{Op: "ESummary", Path: "esummary.fcgi", Form: httpclient.JSON, MaxBytes: 32 * mb,
		TTL: day, Needs: []string{"result.uids", "esummaryresult", "error"}}
	efetch = httpclient.Endpoint{Op: "EFetch", Path: "efetch.fcgi", Form: httpclient.XML, MaxBytes: 32 * mb,
		TTL: 7 * day, Needs: []string{"PubmedArticleSet", "pmc-articleset", "ClinVarResult-Set", "VariationArchive"}}
	elink = httpclient.Endpoint{Op: "ELink", Path: "elink.fcgi", Form: httpclient.XML, MaxBytes: 32 * mb, TTL: day,
		Needs: []string{"LinkSet"}}
	einfo = httpclient.Endpoint{Op: "EInfo", Path: "einfo.fcgi", Form: httpclient.XML, MaxBytes: 4 * mb, TTL: day,
		Needs: []string{"DbInfo", "DbList"}}
	espell = httpclient.Endpoint{Op: "ESpell", Path: "espell.fcgi", Form: httpclient.XML, MaxBytes: 4 * mb, TTL: day,
		Needs: []string{"CorrectedQuery"}}
	ecitmatch = httpclient.Endpoint{Op: "ECitMatch", Path: "ecitmatch.cgi", Form: httpclient.Text, MaxBytes: 4 * mb, TTL: day}
)

// Utilities returns the names of the E-utilities that a Client calls.
func Utilities() (names []string) {
	for _, e := range []httpclient.Endpoint{esearch, esummary, efetch, elink, einfo, espell, ecitmatch} {
		names = append(names, e.Op)
	}
	return names
}

// Above these lengths a GET becomes a POST. NCBI asks for it above about 200 IDs and for queries of
// several hundred characters (NBK25499).
const (
	longList = 200
	longTerm = 600
)

// Client makes every call to the E-utilities. It is safe for concurrent use.
type Client struct{ service *httpclient.Service }

// New returns a client that sends its requests through c.
func New(c *httpclient.Client) *Client { return &Client{c.Service(&Source)} }

// send makes the call and returns the complete reply.
func (c *Client) send(ctx context.Context, call *httpclient.Call) ([]byte, error) {
	call.Post = call.Post || len(call.Params.Get("term")) > longTerm
	return c.service.Do(ctx, call)
}

// ask makes the call and parses the reply with read.
func ask[T any](ctx context.Context, c *Client, call *httpclient.Call, read func([]byte) (T, error)) (out T, err error) {
	body, err := c.send(ctx, call)
	if err != nil {
		return out, err
	}
	if out, err = read(body); err != nil {
		return out, call.UnreadableError(err)
	}
	return out, nil
}

// setIDs sets the IDs of a call. It chooses a POST for a long list and raises the maximum
// length of an EFetch.
func setIDs(call *httpclient.Call, ids []string) {
	call.Set("id", strings.Join(ids, ","))
	call.Post = call.Post || len(ids) > longList
	if call.Op == efetch.Op {
		call.MaxBytes += int64(len(ids)) * perRecord
	}
}
