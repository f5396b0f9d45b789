package variant

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/entrez"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

// nameQuery is a requested name together with the records found for it.
type nameQuery struct {
	variantname.Name
	found           []string          // VariationIDs of the records that may match
	records         []*clinvar.Record // records that match
	aliasNote       string            // note that the gene was an alias of another one
	otherTranscript bool              // the records match only by another transcript's numbering
	rsids           []string          // rs numbers
	err             error             // error that kept ClinVar from answering
	incompleteErr   error             // error that may hide further matches
}

// A lookup holds the names of one get command and the records found for them.
type lookup struct {
	in       *command.Input
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
	notices  []string
}

// fetch looks up each name first in ClinVar and then in dbSNP, with one ESummary call
// each for all names. If the deadline does not leave time for all names, it returns the
// variants found so far.
func fetch(
	ctx context.Context, in *command.Input, words []string, sectionNames entity.Sections,
) (*entity.Found[Variant], error) {
	network := in.App.Network()
	l := &lookup{
		in: in, genes: eutils.Genes(in.App), client: entrez.New(network), reports: datasets.New(network), network: network,
		whole: map[string]*clinvar.VCV{}, snps: map[string]*snp{},
	}
	on := in.String("assembly")
	var numbers []string
	for _, w := range words {
		n := &nameQuery{Name: variantname.Parse(w, on)}
		if l.names = append(l.names, n); n.Kind == variantname.RS {
			numbers = append(numbers, n.ID)
		}
	}
	begin, all := time.Now(), cmp.Or(in.App.Env.Network.Deadline, httpclient.DefaultDeadline)
	part := func(of time.Duration) (context.Context, context.CancelFunc) {
		return context.WithDeadline(ctx, begin.Add(of))
	}
	l.dbSNP(ctx, numbers) // first, because a number may have been merged into another
	resolving, cancel := part(all / 2)
	defer cancel()
	l.resolve(resolving)
	l.clinVar(ctx)
	numbering, cancel := part(all * 3 / 4)
	defer cancel()
	more := []func(context.Context){func(ctx context.Context) { l.dbSNP(ctx, l.numbers(ctx)) }}
	switch {
	case sectionNames.Has("clinvar") || sectionNames.Has("diseases"):
		more = append(more, func(ctx context.Context) { l.readWholes(ctx, math.MaxInt) })
	case len(sectionNames) == 0:
		more = append(more, func(ctx context.Context) { l.readWholes(ctx, maxWholeRecords) })
	}
	_ = httpclient.FetchOptional(numbering, more...)
	for _, n := range l.names { // names that only dbSNP may know
		if len(n.records) == 0 && (n.Kind == variantname.RS || len(n.rsids) > 0) && len(l.fromDBSNP(n)) == 0 {
			n.err = cmp.Or(n.err, l.snpErr(append([]string{n.ID}, n.rsids...)...))
		}
	}
	out := l.answer(on)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if l.wholeErr != nil && len(out.Records) > 0 {
		out.Problem = l.wholeErr
		out.Notices = append(out.Notices,
			"earlier classifications, functional evidence, MANE and the split of submissions are not known: "+l.wholeErr.Error())
	}
	noSNP := l.dbSNPErr
	for _, v := range out.Records {
		noSNP = cmp.Or(noSNP, l.snpErr(strings.TrimPrefix(v.RSID, "rs")))
	}
	if noSNP != nil {
		out.Problem = noSNP
		out.Notices = append(out.Notices, "the values of dbSNP are missing: "+noSNP.Error())
	}
	return out, nil
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
				l.notices = append(l.notices, "a variant called "+n.Word+" may be missing: "+unread.Error())
			}
		}
	}
}

// maxWholeRecords is the number of variants up to which cards include ClinVar's whole records,
// which can be megabytes each.
const maxWholeRecords = 5

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
