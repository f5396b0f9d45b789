// Package variation is a client of NCBI's Variation Services, which parse, compare and convert
// variants in HGVS and SPDI. Many expressions can describe the same change.
//
// SPDI counts from 0 and HGVS from 1: NC_000008.11:g.19962213C>G is NC_000008.11:19962212:C:G. In a
// repeat a change has many expressions; the canonical one is on GRCh38 and covers the whole repeat.
//
// Source: https://api.ncbi.nlm.nih.gov/variation/v0/. Data are in the public domain.
package variation

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Source describes Variation Services. NCBI asks for at most one request a second.
var Source = httpclient.Source{
	Name: "variation", Label: "NCBI Variation Services", Address: "https://api.ncbi.nlm.nih.gov/variation/v0/",
	Rate: httpclient.Rate{Group: "variation", PerSecond: 1}, CheckReply: judge,
	Ping: call("rsids", "spdi/NC_000007.14:140753335:A:T/rsids"),
	Dependencies: []httpclient.Dependency{
		{Path: "hgvs/*/contextuals", Reply: "data.spdis.{seq_id,position,deleted_sequence,inserted_sequence}",
			Evidence: "capture of variation, 2018 (notebook of dbSNP)"},
		{Path: "spdi/*/*", Reply: "data.{hgvs,rsids,seq_id,position,deleted_sequence,inserted_sequence} " +
			"data.spdis.{seq_id,position,deleted_sequence,inserted_sequence}",
			Evidence: "document, https://api.ncbi.nlm.nih.gov/variation/v0/"},
	},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{
			{Call: call("rsids", "spdi/NC_000007.14:140753335:A:T/rsids"),
				Facts: []httpclient.Fact{{Path: "data.rsids.0", Value: "113488022"}}, Evidence: "document"},
			{Call: call("contextuals", "hgvs/NM_004333.6:c.1799T>A/contextuals"),
				Facts: []httpclient.Fact{{Path: "data.spdis.0.seq_id", Value: "NM_004333.6"},
					{Path: "data.spdis.0.inserted_sequence", Value: "A"}}, Evidence: "capture 2018 (notebook of dbSNP)"},
			{Call: call("contextuals", "hgvs/NM_004333.6:c.1799G>A/contextuals"), Refusal: httpclient.Refused,
				Evidence: "document; the form of the error in public clients"},
		}
	},
}

// data maps each operation to the member that its reply needs.
var data = map[string]string{
	"contextuals": "data.spdis.#.position", "canonical_representative": "data.position",
	"all_equivalent_contextual": "data.spdis.#.position", "hgvs": "data.hgvs", "rsids": "data.rsids",
}

func call(op, path string) *httpclient.Call {
	return httpclient.NewCall(httpclient.Endpoint{Op: op, Path: path, Form: httpclient.JSON, MaxBytes: 8 << 20,
		TTL: 7 * 24 * time.Hour, Needs: []string{data[op]}})
}

// judge recognizes the error for an invalid or unknown variant, with status 400 or 404. Only this
// form judges the variant; any other refusal is a failure of the service:
// {"error":{"code":400,"message":"..."}}.
func judge(r httpclient.Reply) *httpclient.Verdict {
	if v := ncbi.CheckReply(r); v != nil {
		return v
	}
	text := r.JSONField("error.message")
	switch {
	case r.Status < 400, httpclient.Temporary(r.Status), r.Status == http.StatusRequestURITooLong:
		return nil
	case text != "" && r.Status == http.StatusBadRequest:
		return &httpclient.Verdict{Kind: httpclient.Refused, Text: "says: " + httpclient.Plain(text)}
	case text != "" && r.Status == http.StatusNotFound:
		return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "says: " + httpclient.Plain(text)}
	}
	return &httpclient.Verdict{Kind: httpclient.Upstream, Text: fmt.Sprintf("answered HTTP %d%s", r.Status, r.ErrorDetail())}
}

// SPDI is a change: at Position of Sequence, counted from 0, Deleted is replaced by Inserted.
type SPDI struct {
	Sequence          string
	Position          int
	Deleted, Inserted string
}

func (s SPDI) String() string {
	return s.Sequence + ":" + strconv.Itoa(s.Position) + ":" + s.Deleted + ":" + s.Inserted
}

// OneBase reports whether a change replaces one base with another.
func (s SPDI) OneBase() bool { return len(s.Deleted) == 1 && len(s.Inserted) == 1 }

var form = pattern.Lazy(`^([A-Z]{2}_[0-9]{6,9}\.[0-9]{1,2}):([0-9]{1,10}):([ACGTNacgtn]*):([ACGTNacgtn]*)$`)

// Parse parses an SPDI that spells out its deleted sequence.
func Parse(text string) (SPDI, bool) {
	m := form().FindStringSubmatch(text)
	if m == nil {
		return SPDI{}, false
	}
	n, err := strconv.Atoi(m[2])
	return SPDI{m[1], n, strings.ToUpper(m[3]), strings.ToUpper(m[4])}, err == nil
}

func spdi(o ncbi.Object) SPDI {
	return SPDI{o.Text("seq_id"), int(o.Get("position").Int()),
		o.Text("deleted_sequence"), o.Text("inserted_sequence")}
}

// ask returns the result of an operation on a change: the member data of the reply.
func ask(ctx context.Context, c *httpclient.Client, op, change string) (ncbi.Object, error) {
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call(op, change+"/"+op))
	return reply.Member("data"), err
}

// FromHGVS converts a change from HGVS to SPDI on the same sequence.
func FromHGVS(ctx context.Context, c *httpclient.Client, hgvs string) (SPDI, error) {
	d, err := ask(ctx, c, "contextuals", "hgvs/"+hgvs)
	list := d.Each("spdis")
	switch {
	case err != nil:
		return SPDI{}, err
	case len(list) == 0:
		return SPDI{}, &httpclient.Error{Kind: httpclient.NotFound, Service: Source.Label,
			Message: fmt.Sprintf("%s returned no change for %s", Source.Label, hgvs)}
	}
	return spdi(list[0]), nil
}

// Canonical returns the canonical expression of a change on GRCh38.
func Canonical(ctx context.Context, c *httpclient.Client, s SPDI) (SPDI, error) {
	d, err := ask(ctx, c, "canonical_representative", "spdi/"+s.String())
	return spdi(d), err
}

// Equivalent returns the expressions of a change on all aligned sequences.
func Equivalent(ctx context.Context, c *httpclient.Client, s SPDI) ([]SPDI, error) {
	d, err := ask(ctx, c, "all_equivalent_contextual", "spdi/"+s.String())
	out := []SPDI{}
	for _, o := range d.Each("spdis") {
		out = append(out, spdi(o))
	}
	return out, err
}

// HGVS converts a change to HGVS.
func HGVS(ctx context.Context, c *httpclient.Client, s SPDI) (string, error) {
	d, err := ask(ctx, c, "hgvs", "spdi/"+s.String())
	return d.Text("hgvs"), err
}

// RSIDs returns the rs numbers of a change in dbSNP without the prefix "rs". It returns nil without
// an error if there are none.
func RSIDs(ctx context.Context, c *httpclient.Client, s SPDI) ([]string, error) {
	d, err := ask(ctx, c, "rsids", "spdi/"+s.String())
	if httpclient.IsKind(err, httpclient.NotFound) {
		return nil, nil
	}
	return d.Texts("rsids"), err
}
