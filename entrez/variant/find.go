package variant

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

// MaxWhole is the number of variants up to which a client made by New reads ClinVar's whole records,
// which can be megabytes each.
const MaxWhole = 5

// A Client finds variants. It may be used by several goroutines once its fields are set.
type Client struct {
	Assembly string        // assembly of coordinates without a sequence; "" means GRCh38
	Deadline time.Duration // time of one FindAll, which shares it between its steps; 0 means that of package httpclient
	Genes    *gene.Client  // resolves aliases of genes; New sets one without a table
	// MaxWhole is the maximum number of variants whose whole records in ClinVar are read. If more were
	// found, none is read.
	MaxWhole int

	network *httpclient.Client
}

// New returns a client that sends its requests through network.
func New(network *httpclient.Client) *Client {
	return &Client{Genes: gene.New(network), MaxWhole: MaxWhole, network: network}
}

// Find returns the variants that word names, at least one unless there is an error. The error is a
// [*resolve.Miss] unless ctx was cancelled.
func (c *Client) Find(ctx context.Context, word string) ([]*Variant, error) {
	answer, err := c.FindAll(ctx, word)
	if err != nil {
		return nil, err
	}
	if r := answer.Results[0]; r.Miss != nil {
		return nil, r.Miss
	}
	return answer.Results[0].Variants, nil
}

// nameQuery is a requested name together with the records found for it.
type nameQuery struct {
	variantname.Name
	found           []string          // VariationIDs of the records that may match
	records         []*clinvar.Record // records that match
	alias           *GeneAlias        // the alias that was typed instead of the gene
	otherTranscript bool              // the records match only by another transcript's numbering
	rsids           []string          // rs numbers
	unreadErr       error             // error that hides records which may match too
	err             error             // error that kept ClinVar from answering
	incompleteErr   error             // error that may hide further matches
}

// A lookup holds the names of one FindAll and the records found for them.
type lookup struct {
	genes    *gene.Client
	client   *entrez.Client
	reports  *datasets.Client
	network  *httpclient.Client
	names    []*nameQuery
	whole    map[string]*clinvar.VCV // ClinVar's whole records by VariationID; filled for few variants only
	wholeErr error                   // error from reading a whole record
	snps     map[string]*snp         // dbSNP summaries by requested and by current rs number
	dbSNPErr error                   // error from dbSNP
	unread   entrez.Docs             // names the rs numbers whose summary is too large
}

// FindAll looks up each word first in ClinVar and then in dbSNP, with one ESummary call
// each for all words. If the deadline does not leave time for all words, it returns the
// variants found so far. It returns an error only if ctx was cancelled.
func (c *Client) FindAll(ctx context.Context, words ...string) (*Answer, error) {
	l := &lookup{
		genes: c.Genes, client: entrez.New(c.network), reports: datasets.New(c.network), network: c.network,
		whole: map[string]*clinvar.VCV{}, snps: map[string]*snp{},
	}
	var numbers []string
	for _, w := range words {
		n := &nameQuery{Name: variantname.Parse(w, cmp.Or(c.Assembly, assembly.GRCh38))}
		if n.Word == "" {
			n.Word = w
		}
		if l.names = append(l.names, n); n.Kind == variantname.RS {
			numbers = append(numbers, n.ID)
		}
	}
	begin, all := time.Now(), cmp.Or(c.Deadline, httpclient.DefaultDeadline)
	part := func(of time.Duration) (context.Context, context.CancelFunc) {
		return context.WithDeadline(ctx, begin.Add(of))
	}
	l.dbSNP(ctx, numbers) // first, because a number may have been merged into another
	resolving, cancel := part(all / 2)
	defer cancel()
	l.resolveNames(resolving)
	l.clinVar(ctx)
	numbering, cancel := part(all * 3 / 4)
	defer cancel()
	more := []func(context.Context){func(ctx context.Context) { l.dbSNP(ctx, l.numbers(ctx)) }}
	if c.MaxWhole > 0 {
		more = append(more, func(ctx context.Context) { l.readWholes(ctx, c.MaxWhole) })
	}
	_ = httpclient.FetchOptional(numbering, more...)
	for _, n := range l.names { // names that only dbSNP may know
		if len(n.records) == 0 && (n.Kind == variantname.RS || len(n.rsids) > 0) && len(l.fromDBSNP(n)) == 0 {
			n.err = cmp.Or(n.err, l.snpErr(append([]string{n.ID}, n.rsids...)...))
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	return l.answer(), nil
}

// dbSNP reads the summaries of rs numbers. If it fails, the answer lacks frequencies and
// the variants that only dbSNP has.
func (l *lookup) dbSNP(ctx context.Context, numbers []string) {
	docs, err := l.client.Docs(ctx, "snp", numbers)
	if err != nil {
		l.dbSNPErr = err
		return
	}
	l.unread.TooLarge = append(l.unread.TooLarge, docs.TooLarge...)
	l.unread.DB, l.unread.URL = docs.DB, cmp.Or(docs.URL, l.unread.URL)
	for _, d := range docs.Items {
		s := readSNP(d)
		if l.snps[d.UID] = s; l.snps[s.Number] == nil {
			l.snps[s.Number] = s
		}
	}
}

// snpErr returns the error that kept dbSNP from describing one of the rs numbers, or nil.
func (l *lookup) snpErr(numbers ...string) error {
	return cmp.Or(l.dbSNPErr, l.unread.Unread(numbers...))
}

// snp returns dbSNP's summary under the current number of an rs number, or nil.
func (l *lookup) snp(number string) *snp {
	if s := l.snps[number]; s != nil {
		return l.snps[s.Number]
	}
	return nil
}

// clinVar reads the summaries of all records found and matches them to the names.
func (l *lookup) clinVar(ctx context.Context) {
	var ids []string
	for _, n := range l.names {
		ids = append(ids, n.found...)
	}
	docs, err := l.client.Docs(ctx, "clinvar", ids)
	records := map[string]*clinvar.Record{}
	if err == nil {
		for _, d := range docs.Items {
			records[d.UID] = clinvar.ParseSummary(d)
		}
	}
	for _, n := range l.names {
		l.match(n, records)
		switch {
		case len(n.found) == 0:
		case err != nil:
			n.err = cmp.Or(n.err, err)
		case len(n.records) == 0:
			n.err = cmp.Or(n.err, docs.Unread(n.found...))
		default:
			if unread := docs.Unread(n.found...); unread != nil {
				n.unreadErr = unread
			}
		}
	}
}

// readWholes reads the whole records of the matched variants unless there are more than most.
// If it fails, the answer lacks the facts that only whole records have.
func (l *lookup) readWholes(ctx context.Context, limit int) {
	var ids []string
	for _, n := range l.names {
		for _, r := range n.records {
			if !slices.Contains(ids, r.ID) {
				ids = append(ids, r.ID)
			}
		}
	}
	if len(ids) > limit {
		return
	}
	for _, id := range ids {
		if r, err := readWhole(ctx, l.client, id); err != nil {
			l.wholeErr = err
		} else {
			l.whole[id] = r
		}
	}
}

// numbers returns the rs numbers of the ClinVar variants that dbSNP was not yet asked
// about, and looks up those of sequence changes that ClinVar does not have.
func (l *lookup) numbers(ctx context.Context) (numbers []string) {
	for _, n := range l.names {
		if n.Kind == variantname.Sequence && n.err == nil && len(n.records) == 0 {
			n.rsids, n.err = variation.RSIDs(ctx, l.network, n.SPDI)
			numbers = append(numbers, n.rsids...)
		}
		for _, r := range n.records {
			if number := strings.TrimPrefix(r.RSID, "rs"); number != "" && l.snps[number] == nil {
				numbers = append(numbers, number)
			}
		}
	}
	return numbers
}

// readWhole reads a variant's ClinVar record with its submissions.
func readWhole(ctx context.Context, client *entrez.Client, variationID string) (*clinvar.VCV, error) {
	body, err := client.VCV(ctx, variationID)
	if err != nil {
		return nil, err
	}
	return clinvar.ParseVCV(body)
}
