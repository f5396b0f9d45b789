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

// wanted is a name of one command, and what was found for it.
type wanted struct {
	name
	found []string // VariationIDs that it may mean
	rsids []string // rs numbers, where ClinVar has nothing
	err   error
}

// lookup is what was found for all names of a command.
type lookup struct {
	client   *entrez.Client
	spelling *variation.Client
	records  map[string]*clinvar.Record
	snps     map[string]*snp // by the number asked, and by the one it is now
	problem  error           // why dbSNP said nothing
}

// fetch finds each name: what ClinVar has under it, then what dbSNP has, each with
// one ESummary for all names.
func fetch(ctx context.Context, in *command.Input, words []string, _ entity.Asked) (*entity.Found[Variant], error) {
	network, err := in.App.Network()
	if err != nil {
		return nil, err
	}
	l := &lookup{client: entrez.New(network), spelling: variation.New(network), records: map[string]*clinvar.Record{}, snps: map[string]*snp{}}
	on := in.String("assembly")
	var all []*wanted
	var numbers []string
	for _, word := range words {
		w := &wanted{name: read(word, on)}
		if all = append(all, w); w.kind == rsID {
			numbers = append(numbers, w.id)
			w.rsids = []string{w.id}
		}
	}
	l.dbSNP(ctx, numbers) // first: a number may have been merged into another
	var asking conc.WaitGroup
	for _, w := range all {
		asking.Go(func() { w.err = l.resolve(ctx, w) })
	}
	asking.Wait()
	if err := l.clinVar(ctx, all); err != nil {
		return nil, err
	}
	out := l.answer(all, on)
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

// now is the present number of an rs: another one where it was merged.
func (l *lookup) now(n name) string {
	if s := l.snps[n.id]; n.kind == rsID && s != nil {
		return s.Number
	}
	return n.id
}

// mostHits is how many records of ClinVar one name is looked for in.
const mostHits = 50

// resolve finds the VariationIDs that a name may mean. What they are is checked
// when they are described, since NCBI drops words that it does not find.
func (l *lookup) resolve(ctx context.Context, w *wanted) error {
	term := ""
	switch w.kind {
	case variationID:
		w.found = []string{w.id}
	case rsID:
		term = "rs" + l.now(w.name)
	case searched:
		term = `"` + w.word + `"`
	case changeOfGene:
		term = w.gene + `[gene] AND "` + w.change + `"`
		if w.short != "" {
			term = w.gene + `[gene] AND ("` + w.change + `" OR "` + w.short + `")`
		}
	case sequenceName:
		if err := l.canonical(ctx, &w.name); err != nil {
			return err
		}
		if _, chromosome := assembly.Of(w.spdi.Sequence); chromosome != "" { // else dbSNP alone may know it
			term = fmt.Sprintf("%s[CHR] AND %d:%d[CPOS]", chromosome, w.spdi.Position, w.spdi.Position+len(w.spdi.Deleted)+1)
		}
	}
	if term == "" {
		return nil
	}
	hits, err := l.client.Search(ctx, entrez.SearchParams{DB: "clinvar", Term: term, RetMax: mostHits})
	if err == nil && (w.kind != searched || len(hits.Dropped()) == 0) {
		w.found = hits.IDs
	}
	return err
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
func (l *lookup) clinVar(ctx context.Context, all []*wanted) error {
	var ids, numbers []string
	for _, w := range all {
		if errors.Is(w.err, context.Canceled) {
			return w.err
		}
		ids = append(ids, w.found...)
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
	for _, w := range all {
		if w.kind == sequenceName && w.err == nil && len(l.matching(w)) == 0 {
			w.rsids, w.err = l.spelling.RSIDs(ctx, w.spdi)
			numbers = append(numbers, w.rsids...)
		}
	}
	l.dbSNP(ctx, numbers)
	return nil
}

// matching are the records of ClinVar that a name means, of those found for it; where
// none is, those of the change on another transcript.
func (l *lookup) matching(w *wanted) []*clinvar.Record {
	by := map[match][]*clinvar.Record{}
	for _, id := range w.found {
		if r := l.records[id]; r != nil {
			how := l.means(w.name, r)
			by[how] = append(by[how], r)
		}
	}
	if len(by[this]) == 0 {
		return by[onOther]
	}
	return by[this]
}

// match is how a name means a record.
type match int

const (
	notThis match = iota
	this
	onOther // by the numbering of another transcript than the record's own
)

func (l *lookup) means(n name, r *clinvar.Record) match {
	title := titleForm().FindStringSubmatch(r.Title)
	is := false
	switch {
	case n.kind == variationID:
		is = true
	case n.kind == rsID:
		is = r.RSID == "rs"+n.id || r.RSID == "rs"+l.now(n)
	case n.kind == sequenceName:
		is = r.SPDI == n.spdi.String()
	case n.kind == searched && n.change == "": // RCV, CA
		is = !strings.HasPrefix(n.word, "CA") || r.CAID == n.word
	case n.kind == changeOfGene && !slices.ContainsFunc(r.Genes, func(symbol string) bool { return strings.EqualFold(symbol, n.gene) }):
	case title != nil && (title[2] == n.change || title[3] == n.change || n.short != "" && sameChange(title[3], n.short)):
		is = true
	case n.short != "" && slices.ContainsFunc(r.ProteinChanges, func(c string) bool { return sameChange(c, n.short) }):
		return onOther
	}
	if is {
		return this
	}
	return notThis
}

// sameChange reports whether a change of a protein, in either spelling, is the one.
func sameChange(text, short string) bool {
	_, s, ok := protein(text)
	return ok && s == short || text == short
}

// answer is the variants in the order asked, each once.
func (l *lookup) answer(all []*wanted, on string) *entity.Found[Variant] {
	out := &entity.Found[Variant]{Records: []*Variant{}, Missing: []string{}}
	seen := map[string]*Variant{}
	for _, w := range all {
		got := l.variants(w)
		out.Notices = append(out.Notices, l.explain(w, got, on)...)
		switch {
		case len(got) > 0:
		case w.kind == sequenceName && w.err == nil:
			got = []*Variant{unknown(w.name)}
			out.Notices = append(out.Notices, "neither ClinVar nor dbSNP has "+w.word)
		default:
			out.Missing = append(out.Missing, w.word)
			if w.err != nil && !polite.IsKind(w.err, polite.NotFound) {
				out.Problem = w.err
			}
		}
		for _, v := range got {
			if old := seen[v.ID]; old != nil {
				v = old
			} else {
				seen[v.ID] = v
			}
			out.Add(w.word, v)
			if rs := "rs" + w.id; l.now(w.name) != w.id && !slices.Contains(v.MergedFrom, rs) {
				v.MergedFrom = append(v.MergedFrom, rs)
			}
		}
	}
	if e := (*polite.Error)(nil); len(out.Records) == 0 && polite.IsKind(out.Problem, polite.Refused) && errors.As(out.Problem, &e) {
		out.Problem = result.Invalid(command.Clip(out.Missing[0])+" cannot be read: "+e.Message, "get", "variant", "--help")
	}
	return out
}

// variants are those that a name means: of ClinVar, else of dbSNP.
func (l *lookup) variants(w *wanted) (got []*Variant) {
	for _, r := range l.matching(w) {
		got = append(got, ofClinVar(r))
	}
	for _, number := range w.rsids {
		if s := l.snps[number]; s != nil && len(l.matching(w)) == 0 {
			v := ofSNP(s)
			if w.kind == sequenceName {
				v.SPDI = w.spdi.String()
				v.addSPDI()
			}
			got = append(got, v)
		}
	}
	return got
}

// explain says how a name was read where that may surprise.
func (l *lookup) explain(w *wanted, got []*Variant, on string) (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if w.assembly != "" {
		other := assembly.GRCh37
		if on == other {
			other = assembly.GRCh38
		}
		note("%s was read on %s; --assembly %s reads it on the other", w.word, on, other)
	}
	if now := l.now(w.name); now != w.id {
		note("rs%s was merged into rs%s", w.id, now)
	}
	if len(got) > 1 {
		note("%s is %d variants of ClinVar", w.word, len(got))
	}
	for _, v := range got {
		if r := l.records[v.variationID]; r != nil && l.means(w.name, r) == onOther {
			note("%s is numbered by another transcript: on that of ClinVar it is %s", w.word, v.Title)
		}
	}
	return notes
}
