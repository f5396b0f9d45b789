package variant

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/polite"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

// wanted is a name, and what was found for it.
type wanted struct {
	variantname.Name
	found []string // VariationIDs: those it may mean
	rsids []string // rs numbers
	err   error    // why ClinVar was not asked about it
	more  error    // that not all were described which it may mean
}

// lookup is the names of one command and what was found for them.
type lookup struct {
	client   *entrez.Client
	spelling *variation.Client
	names    []*wanted
	records  map[string]*clinvar.Record
	snps     map[string]*snp // by the number asked, and by the one it is now
	problem  error           // why dbSNP said nothing
	notices  []string
}

// fetch finds each name: what ClinVar has under it, then what dbSNP has, each with
// one ESummary for all names. Where there are too many names for the time of a command,
// what was found of them is the answer.
func fetch(ctx context.Context, in *command.Input, words []string, _ entity.Asked) (*entity.Found[Variant], error) {
	network, err := in.App.Network()
	if err != nil {
		return nil, err
	}
	l := &lookup{client: entrez.New(network), spelling: variation.New(network), records: map[string]*clinvar.Record{}, snps: map[string]*snp{}}
	on := in.String("assembly")
	var numbers []string
	for _, w := range words {
		n := &wanted{Name: variantname.Read(w, on)}
		if l.names = append(l.names, n); n.Kind == variantname.RS {
			numbers = append(numbers, n.ID)
		}
	}
	begin, all := time.Now(), cmp.Or(in.App.Env.Network.Deadline, polite.DefaultDeadline)
	part := func(of time.Duration) (context.Context, context.CancelFunc) {
		return context.WithDeadline(ctx, begin.Add(of))
	}
	l.dbSNP(ctx, numbers) // first: a number may have been merged into another
	resolving, cancel := part(all / 2)
	defer cancel()
	l.resolve(resolving)
	l.clinVar(ctx)
	numbering, cancel := part(all * 3 / 4)
	defer cancel()
	l.dbSNP(ctx, l.numbers(numbering))
	out := l.answer(on)
	numbers = nil
	for _, v := range out.Records { // those that ClinVar brought
		if number := strings.TrimPrefix(v.RSID, "rs"); number != "" && l.snps[number] == nil {
			numbers = append(numbers, number)
		}
	}
	l.dbSNP(ctx, numbers)
	for _, v := range out.Records {
		if s := l.snps[strings.TrimPrefix(v.RSID, "rs")]; s != nil {
			v.add(s)
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if l.problem != nil {
		out.Problem = l.problem
		out.Notices = append(out.Notices, "what dbSNP says is missing: "+l.problem.Error())
	}
	return out, nil
}

// dbSNP asks ESummary for rs numbers. Its failure costs frequencies, and what dbSNP
// alone knows.
func (l *lookup) dbSNP(ctx context.Context, numbers []string) {
	slices.Sort(numbers)
	if numbers = slices.Compact(numbers); len(numbers) == 0 {
		return
	}
	docs, err := l.client.Docs(ctx, "snp", numbers)
	if err != nil {
		l.problem = err
		return
	}
	for _, d := range docs.Items {
		s, err := readSNP(d)
		if err != nil {
			l.problem = err
			continue
		}
		if l.snps[d.UID] = s; l.snps[s.Number] == nil {
			l.snps[s.Number] = s
		}
	}
}

// clinVar describes all that was found.
func (l *lookup) clinVar(ctx context.Context) {
	var ids []string
	for _, n := range l.names {
		ids = append(ids, n.found...)
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return
	}
	docs, err := l.client.Docs(ctx, "clinvar", ids)
	if err == nil {
		for _, d := range docs.Items {
			if l.records[d.UID], err = clinvar.Read(d); err != nil {
				break
			}
		}
	}
	for _, n := range l.names {
		if err != nil && len(n.found) > 0 && len(l.matching(n)) == 0 {
			n.err = cmp.Or(n.err, err)
		}
	}
}

// numbers are those of dbSNP for the changes that ClinVar does not have.
func (l *lookup) numbers(ctx context.Context) (numbers []string) {
	for _, n := range l.names {
		if n.Kind == variantname.Sequence && n.err == nil && len(l.matching(n)) == 0 {
			n.rsids, n.err = l.spelling.RSIDs(ctx, n.SPDI)
			numbers = append(numbers, n.rsids...)
		}
	}
	return numbers
}
