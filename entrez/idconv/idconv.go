package idconv

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Source describes the PMC ID converter. It takes no key.
var Source = httpclient.Source{
	Name: "idconv", Label: "PMC ID converter", Address: "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/",
	Rate: ncbi.Rate, ToolParam: ncbi.ToolParam, EmailParam: ncbi.EmailParam,
	MaxQuery: ncbi.MaxQuery, CheckReply: ncbi.CheckReply, Cacheable: ncbi.Cacheable,
	Ping: httpclient.NewCall(conversion, "ids", "PMC3531190", "idtype", "pmcid", "format", "json"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(conversion, "ids", "22663011", "idtype", "pmid", "format", "json"),
			Facts: []httpclient.Fact{{Path: "status", Value: "ok"}, {Path: "records.0.requested-id", Value: "22663011"},
				{Path: "records.0.errmsg"}}, Evidence: "capture of idconv, 2026-06-16",
		}}
	},
	// ncbi.Cacheable reads the status of a record, and the contract its errmsg.
	Dependencies: []httpclient.Dependency{{Params: "ids idtype format", Reply: "status message " +
		"records.{requested-id,pmid,pmcid,doi,status,errmsg}", Evidence: "capture of idconv, 2026-06-16"}},
}

// conversion has a TTL of a day: a resolved ID stays valid for longer, but is cheap to request
// again.
var conversion = httpclient.Endpoint{Op: "ID conversion", Form: httpclient.JSON, MaxBytes: 4 << 20, TTL: 24 * time.Hour,
	Needs: []string{"records.#.requested-id", "records.#.pmid", "message"}}

// maxIDs is the maximum number of IDs in one request; all must be of one type.
const maxIDs = 200

var idTypes = []struct {
	name string
	form func() *regexp.Regexp
}{
	{"pmid", ncbi.UIDForm},
	{"pmcid", pattern.Lazy(`^(?i:PMC)[1-9][0-9]{0,9}(\.[0-9]+)?$`)},
	{"doi", pattern.Lazy(`^10\.[0-9.]+/[^\s,]+$`)}, // a comma would split it
	{"mid", pattern.Lazy(`^[A-Z]{2,10}[0-9]+$`)},
}

// A Record holds the IDs of an article in PMC. An unknown ID is "".
type Record struct{ PMID, PMCID, DOI string }

// Convert returns the PMIDs of PMIDs, PMCIDs, DOIs and manuscript IDs (NIHMS...), one for each ID,
// in order. The PMID is "" if an ID is in no known format or PMC does not have the article.
func Convert(ctx context.Context, c *httpclient.Client, ids []string) ([]string, error) {
	found, err := Lookup(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	pmids := make([]string, len(found))
	for i, r := range found {
		pmids[i] = r.PMID
	}
	return pmids, nil
}

// Lookup returns the record of each ID, in order. It is zero if Convert returns "".
func Lookup(ctx context.Context, c *httpclient.Client, ids []string) ([]Record, error) {
	if len(ids) == 0 {
		return nil, httpclient.Invalidf("no ids were given")
	}
	byType := map[string][]string{}
	keys := make([]string, len(ids))
	for i, id := range ids {
		kind, key := idType(id)
		if keys[i] = key; kind != "" && !slices.Contains(byType[kind], key) {
			byType[kind] = append(byType[kind], key)
		}
	}
	out := make([]Record, len(ids))
	for _, t := range idTypes {
		for batch := range slices.Chunk(byType[t.name], maxIDs) {
			found, err := convert(ctx, c, t.name, batch)
			if err != nil {
				return nil, err
			}
			for i, key := range keys {
				out[i] = cmp.Or(out[i], found[strings.ToUpper(key)])
			}
		}
	}
	return out, nil
}

// idType returns the type of an ID, or "", and the ID as it is sent, without the URL that precedes
// some DOIs.
func idType(id string) (kind, key string) {
	key = strings.TrimSpace(id)
	for _, prefix := range []string{
		"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:",
	} {
		if len(key) > len(prefix) && strings.EqualFold(key[:len(prefix)], prefix) {
			key = strings.TrimSpace(key[len(prefix):])
		}
	}
	for _, t := range idTypes {
		if t.form().MatchString(key) {
			return t.name, key
		}
	}
	return "", ""
}

// convert converts IDs of one type. The keys of the result are the requested IDs in upper case,
// since PMCIDs and DOIs ignore case.
func convert(ctx context.Context, c *httpclient.Client, kind string, ids []string) (map[string]Record, error) {
	call := httpclient.NewCall(conversion, "idtype", kind, "ids", strings.Join(ids, ","), "format", "json")
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call)
	if err != nil {
		return nil, err
	}
	if status := reply.Text("status"); status != "ok" {
		return nil, call.RefusedError(cmp.Or(reply.Text("message"), "status "+status))
	}
	found := map[string]Record{}
	for _, rec := range reply.Each("records") { // pmid is a number in the reply
		requested, r := rec.Text("requested-id"), Record{rec.Text("pmid"), rec.Text("pmcid"), rec.Text("doi")}
		// An older version of the service sends the ID itself instead of requested-id.
		for _, key := range []string{requested, r.PMID, r.PMCID, r.DOI} {
			if key != "" {
				found[strings.ToUpper(key)] = r
				if key == requested {
					break
				}
			}
		}
	}
	return found, nil
}
