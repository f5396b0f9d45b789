package variant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/polite"
	"biomcp/entrez/variation"
)

// lookup is the names of one command and what was found for them.
type lookup struct {
	client   *entrez.Client
	spelling *variation.Client
	names    []name
	found    [][]string // VariationIDs by name: those it may mean
	rsids    [][]string // rs numbers by name
	errs     []error
	records  map[string]*clinvar.Record
	snps     map[string]*snp // by the number asked, and by the one it is now
	problem  error           // why dbSNP said nothing
	notices  []string
}

// fetch finds each name: what ClinVar has under it, then what dbSNP has, each with
// one ESummary for all names.
func fetch(ctx context.Context, in *command.Input, words []string, _ entity.Asked) (*entity.Found[Variant], error) {
	network, err := in.App.Network()
	if err != nil {
		return nil, err
	}
	n := len(words)
	l := &lookup{
		client: entrez.New(network), spelling: variation.New(network), found: make([][]string, n), rsids: make([][]string, n), errs: make([]error, n),
		records: map[string]*clinvar.Record{}, snps: map[string]*snp{},
	}
	on := in.String("assembly")
	for _, w := range words {
		l.names = append(l.names, read(w, on))
	}
	var numbers []string
	for i, n := range l.names {
		if n.kind == rsID {
			numbers = append(numbers, n.id)
		}
		l.rsids[i] = []string{}
	}
	l.dbSNP(ctx, numbers) // first: a number may have been merged into another
	var asking conc.WaitGroup
	for i := range l.names {
		asking.Go(func() { l.errs[i] = l.resolve(ctx, i) })
	}
	asking.Wait()
	if err := l.clinVar(ctx); err != nil {
		return nil, err
	}
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

// mostHits is how many records of ClinVar one name is looked for in.
const mostHits = 50

// resolve finds the VariationIDs that a name may mean. What they are is checked
// when they are described, since NCBI drops words that it does not find.
func (l *lookup) resolve(ctx context.Context, i int) error {
	n := &l.names[i]
	term := ""
	switch n.kind {
	case variationID:
		l.found[i] = []string{n.id}
		return nil
	case rsID:
		number := n.id
		if s := l.snps[n.id]; s != nil {
			number = s.Number
		}
		term = "rs" + number
	case searched:
		term = `"` + n.word + `"`
	case changeOfGene:
		term = n.gene + `[gene] AND "` + n.change + `"`
		if n.short != "" {
			term = n.gene + `[gene] AND ("` + n.change + `" OR "` + n.short + `")`
		}
	case sequenceName:
		if err := l.canonical(ctx, n); err != nil {
			return err
		}
		_, chromosome := assembly.Of(n.spdi.Sequence)
		if chromosome == "" {
			break // not on a chromosome: dbSNP alone may know it
		}
		term = fmt.Sprintf("%s[CHR] AND %d:%d[CPOS]", chromosome, n.spdi.Position, n.spdi.Position+len(n.spdi.Deleted)+1)
	}
	if term != "" {
		hits, err := l.client.Search(ctx, entrez.SearchParams{DB: "clinvar", Term: term, RetMax: mostHits})
		if err != nil {
			return err
		}
		if n.kind != searched || len(hits.Dropped()) == 0 {
			l.found[i] = hits.IDs
		}
	}
	return nil
}

// canonical makes the SPDI of a name the canonical one, on GRCh38. That of one base
// there is.
func (l *lookup) canonical(ctx context.Context, n *name) (err error) {
	if n.spdi.Sequence == "" {
		if n.spdi, err = l.spelling.OfHGVS(ctx, n.hgvs); err != nil {
			return err
		}
	}
	on, _ := assembly.Of(n.spdi.Sequence)
	if on != assembly.GRCh38 || !n.spdi.OneBase() {
		n.spdi, err = l.spelling.Canonical(ctx, n.spdi)
	}
	return err
}

// clinVar describes all that was found, and asks dbSNP for what ClinVar does not have.
func (l *lookup) clinVar(ctx context.Context) error {
	var ids, numbers []string
	for i, list := range l.found {
		if errors.Is(l.errs[i], context.Canceled) {
			return l.errs[i]
		}
		ids = append(ids, list...)
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) > 0 {
		docs, err := l.client.Docs(ctx, "clinvar", ids)
		if err != nil {
			return err
		}
		for _, d := range docs.Items {
			if l.records[d.UID], err = clinvar.Read(d); err != nil {
				return err
			}
		}
	}
	for i, n := range l.names {
		if n.kind == sequenceName && l.errs[i] == nil && len(l.matching(i)) == 0 {
			l.rsids[i], l.errs[i] = l.spelling.RSIDs(ctx, n.spdi)
			numbers = append(numbers, l.rsids[i]...)
		}
	}
	l.dbSNP(ctx, numbers)
	return nil
}

// matching are the records of ClinVar that a name means, of those found for it.
func (l *lookup) matching(i int) (exact []*clinvar.Record) {
	n := l.names[i]
	var other []*clinvar.Record // the change on another transcript
	for _, id := range l.found[i] {
		r := l.records[id]
		if r == nil {
			continue
		}
		switch n.kind {
		case variationID:
			exact = append(exact, r)
		case rsID:
			if s := l.snps[n.id]; r.RSID == "rs"+n.id || s != nil && r.RSID == "rs"+s.Number {
				exact = append(exact, r)
			}
		case sequenceName:
			if r.SPDI == n.spdi.String() {
				exact = append(exact, r)
			}
		default:
			switch how := n.means(r); how {
			case this:
				exact = append(exact, r)
			case onOther:
				other = append(other, r)
			}
		}
	}
	if len(exact) == 0 {
		return other
	}
	return exact
}

// How a name of a change means a record.
const (
	notThis = iota
	this
	onOther // by the numbering of another transcript than the record's own
)

func (n name) means(r *clinvar.Record) int {
	title := titleForm().FindStringSubmatch(r.Title)
	switch {
	case n.kind == searched && n.change == "": // RCV, CA
		if strings.HasPrefix(n.word, "CA") && r.CAID != n.word {
			return notThis
		}
		return this
	case n.kind == changeOfGene && !slices.ContainsFunc(r.Genes, func(g clinvar.Gene) bool { return strings.EqualFold(g.Symbol, n.gene) }):
		return notThis
	case title != nil && (title[2] == n.change || title[3] == n.change || n.short != "" && sameChange(title[3], n.short)):
		return this
	case n.short != "" && slices.ContainsFunc(r.ProteinChanges, func(c string) bool { return sameChange(c, n.short) }):
		return onOther
	}
	return notThis
}

// sameChange reports whether a change of a protein, in either spelling, is the one.
func sameChange(text, short string) bool {
	_, s, ok := protein(text)
	return ok && s == short || text == short
}

// answer is the variants in the order asked, each once.
func (l *lookup) answer(on string) *entity.Found[Variant] {
	out := &entity.Found[Variant]{Records: []*Variant{}, Missing: []string{}}
	seen := map[string]*Variant{}
	for i, n := range l.names {
		var got []*Variant
		for _, r := range l.matching(i) {
			got = append(got, ofClinVar(r))
		}
		if len(got) == 0 {
			got = l.fromDBSNP(i)
		}
		if len(got) == 0 && n.kind == sequenceName && l.errs[i] == nil {
			got = []*Variant{unknown(n)}
			out.Notices = append(out.Notices, "neither ClinVar nor dbSNP has "+n.word)
		}
		if err := l.errs[i]; len(got) == 0 {
			out.Missing = append(out.Missing, n.word)
			if err != nil && !polite.IsKind(err, polite.NotFound) {
				out.Problem = err
			}
		}
		l.explain(i, got, on)
		for _, v := range got {
			if old := seen[v.ID]; old != nil {
				v = old
			} else {
				seen[v.ID] = v
			}
			out.Add(n.word, v)
			if s := l.snps[n.id]; n.kind == rsID && s != nil && s.Number != n.id && !slices.Contains(v.MergedFrom, "rs"+n.id) {
				v.MergedFrom = append(v.MergedFrom, "rs"+n.id)
			}
		}
	}
	if out.Problem != nil && len(out.Records) == 0 && polite.IsKind(out.Problem, polite.Refused) {
		var e *polite.Error
		errors.As(out.Problem, &e)
		out.Problem = result.Invalid(command.Clip(out.Missing[0])+" cannot be read: "+e.Message, "get", "variant", "--help")
	}
	out.Notices = append(l.notices, out.Notices...)
	return out
}

func (l *lookup) fromDBSNP(i int) (got []*Variant) {
	ids := l.rsids[i]
	if l.names[i].kind == rsID {
		ids = []string{l.names[i].id}
	}
	for _, id := range ids {
		if s := l.snps[id]; s != nil {
			v := ofSNP(s)
			if n := l.names[i]; n.kind == sequenceName {
				v.SPDI = n.spdi.String()
				v.addSPDI()
			}
			got = append(got, v)
		}
	}
	return got
}

// unknown is a change that can be spelt and that nobody has recorded.
func unknown(n name) *Variant {
	v := blank()
	v.ID, v.SPDI, v.Title = n.spdi.String(), n.spdi.String(), n.word
	v.addSPDI()
	v.URL = "https://www.ncbi.nlm.nih.gov/snp/?term=" + v.ID
	return v
}

// explain says how a name was read where that may surprise.
func (l *lookup) explain(i int, got []*Variant, on string) {
	n := l.names[i]
	note := func(format string, args ...any) { l.notices = append(l.notices, fmt.Sprintf(format, args...)) }
	if n.assembly != "" {
		other := assembly.GRCh37
		if on == other {
			other = assembly.GRCh38
		}
		note("%s was read on %s; --assembly %s reads it on the other", n.word, on, other)
	}
	if s := l.snps[n.id]; n.kind == rsID && s != nil && s.Number != n.id {
		note("rs%s was merged into rs%s", n.id, s.Number)
	}
	if len(got) > 1 {
		note("%s is %d variants of ClinVar", n.word, len(got))
	}
	for _, v := range got {
		r := l.records[v.variationID]
		if r != nil && (n.kind == changeOfGene || n.kind == searched) && n.means(r) == onOther {
			note("%s is numbered by another transcript: on that of ClinVar it is %s", n.word, v.Title)
		}
	}
}
