package entrez

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"biomcp/entrez/polite"
)

// IDRecord is one article's identifiers. Problem says why there are no others
// than the one asked for; only articles in PMC can be converted.
type IDRecord struct {
	Requested        string
	PMID, PMCID, DOI string
	Problem          string
}

// convertMost is how many ids, all of one type, one request may hold.
const convertMost = 200

var idTypes = []struct {
	name string
	form func() *regexp.Regexp
}{
	{"pmid", uidForm},
	{"pmcid", lazily(`^(?i:PMC)[1-9][0-9]{0,9}(\.[0-9]+)?$`)},
	{"doi", lazily(`^10\.[0-9.]+/[^\s,]+$`)}, // a comma would part it in two
	{"mid", lazily(`^[A-Z]{2,10}[0-9]+$`)},
}

// ConvertIDs translates PMIDs, PMCIDs, DOIs and manuscript ids (NIHMS...) into
// each other, one record for each id, in order.
func (c *Client) ConvertIDs(ctx context.Context, ids []string) ([]IDRecord, error) {
	if len(ids) == 0 {
		return nil, invalid(idconv.op, "no ids were given")
	}
	out := make([]IDRecord, len(ids))
	byType := map[string][]string{}
	keys := make([]string, len(ids))
	for i, id := range ids {
		out[i] = IDRecord{Requested: id, Problem: "not in PMC, so it cannot be converted"}
		kind, key := idType(id)
		if kind == "" {
			out[i].Problem = "not a PMID, PMCID, DOI or manuscript id"
		} else if !slices.Contains(byType[kind], key) {
			byType[kind] = append(byType[kind], key)
		}
		keys[i] = key
	}
	for _, t := range idTypes {
		for batch := range slices.Chunk(byType[t.name], convertMost) {
			found, err := c.convert(ctx, t.name, batch)
			if err != nil {
				return nil, err
			}
			for i := range out {
				if rec, ok := found[strings.ToUpper(keys[i])]; ok && keys[i] != "" {
					rec.Requested = ids[i]
					out[i] = rec
				}
			}
		}
	}
	return out, nil
}

// idType tells what an id is, and how it is sent: without the address some DOIs
// are given with.
func idType(id string) (kind, key string) {
	key = strings.TrimSpace(id)
	for _, prefix := range []string{"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:"} {
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

// convert asks for ids of one type. The answer is by the id asked for, in upper
// case: neither PMCIDs nor DOIs depend on case.
func (c *Client) convert(ctx context.Context, kind string, ids []string) (map[string]IDRecord, error) {
	r := newRequest(idconv, "idtype", kind, "format", "json")
	r.setIDs("ids", ids)
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	found, problem, err := parseConverted(body)
	if err != nil {
		return nil, r.unreadable(err)
	}
	if problem != "" {
		return nil, r.refused(problem)
	}
	return found, nil
}

// parseConverted reads the ID converter's JSON. problem is its complaint about
// the whole request.
func parseConverted(body []byte) (found map[string]IDRecord, problem string, err error) {
	var x struct {
		Status  text `json:"status"`
		Message text `json:"message"`
		Records []struct {
			Requested text `json:"requested-id"`
			PMID      text `json:"pmid"` // a number here
			PMCID     text `json:"pmcid"`
			DOI       text `json:"doi"`
			Status    text `json:"status"`
			ErrMsg    text `json:"errmsg"`
		} `json:"records"`
	}
	if json.Unmarshal(polite.Mend(body), &x) != nil {
		return nil, "", errors.New("no JSON of the known shape")
	}
	if x.Status != "ok" {
		return nil, plain(or(string(x.Message), "status "+string(x.Status))), nil
	}
	found = map[string]IDRecord{}
	for _, rec := range x.Records {
		out := IDRecord{PMID: string(rec.PMID), PMCID: string(rec.PMCID), DOI: string(rec.DOI)}
		if rec.ErrMsg != "" || rec.Status == "error" {
			out.Problem = plain(or(string(rec.ErrMsg), "cannot be converted"))
		}
		// An old service without requested-id answers under the id itself.
		for _, key := range []text{rec.Requested, rec.PMID, rec.PMCID, rec.DOI} {
			if key != "" {
				found[strings.ToUpper(string(key))] = out
				if key == rec.Requested {
					break
				}
			}
		}
	}
	return found, "", nil
}
