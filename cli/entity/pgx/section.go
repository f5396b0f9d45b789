package pgx

import (
	"context"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/cpic"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/rxnav"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// columns and row format a pair.
var columns = []string{"Gene", "Drug", "CPIC level", "Label", "Guideline"}

func row(p *cpic.Pair) []string {
	level := p.Level
	if p.Provisional {
		level += " (provisional)"
	}
	return []string{p.Gene, p.Drug, level, entity.Deref(p.Testing), entity.Deref(p.Guideline)}
}

// GeneSection returns the section of a gene's pairs with drugs. symbol returns the symbol of the gene.
func GeneSection[R any](symbol func(*R) string) entity.RelatedSection[R, cpic.Pair] {
	live := func(ctx context.Context, network *httpclient.Client, r *R) ([]cpic.Pair, error) {
		return cpic.ByGene(ctx, network, symbol(r))
	}
	return section(sets.Gene, live, func(_ context.Context, _ *command.App, r *R) ([]string, error) {
		return []string{symbol(r)}, nil
	})
}

// DrugSection returns the section of a drug's pairs with genes. concepts returns the drug and, for a combination, its
// ingredients.
func DrugSection[R any](concepts func(*R) []rxnav.Concept) entity.RelatedSection[R, cpic.Pair] {
	live := func(ctx context.Context, network *httpclient.Client, r *R) (all []cpic.Pair, err error) {
		for _, c := range concepts(r) {
			pairs, err := cpic.ByDrug(ctx, network, c.Name, c.RxCUI)
			if err != nil {
				return nil, err
			}
			all = append(all, pairs...)
		}
		return all, nil
	}
	return section(sets.DrugName, live, func(ctx context.Context, app *command.App, r *R) ([]string, error) {
		return drugNames(ctx, app, concepts(r))
	})
}

// drugNames returns the names of drugs and, from the local table, the names that CPIC gives to their RxCUIs: valproic
// acid for valproate.
func drugNames(ctx context.Context, app *command.App, drugs []rxnav.Concept) ([]string, error) {
	names := result.Map(drugs, func(c rxnav.Concept) string { return c.Name })
	all, err := ifPresent(findAll[sets.CPICDrug](ctx, app, table.Query{Kinds: []string{sets.CPICDrugKind}}))
	for _, d := range all {
		isOther := !slices.ContainsFunc(names, func(n string) bool { return table.EqualText(n, d.Name) })
		isSame := func(c rxnav.Concept) bool { return d.RxCUI != "" && c.RxCUI == d.RxCUI }
		if isOther && slices.ContainsFunc(drugs, isSame) {
			names = append(names, d.Name)
		}
	}
	return names, err
}

// section returns the section of pairs with one of some names in a field, the highest level first. The local table
// answers if it exists; otherwise live asks CPIC.
func section[R any](field string, live func(context.Context, *httpclient.Client, *R) ([]cpic.Pair, error),
	namesOf func(context.Context, *command.App, *R) ([]string, error)) entity.RelatedSection[R, cpic.Pair] {
	return entity.RelatedSection[R, cpic.Pair]{
		Name: "pgx", Synonyms: []string{"pharmacogenetics", "pharmacogenomics", "cpic"}, Label: "Pharmacogenetics",
		Short: "gene-drug pairs, by level of evidence", Source: "CPIC",
		Counted: true, Columns: columns, Row: row, IsLocal: local.AreStored(bulk.CPIC),
		Find: entity.FromService(func(
			ctx context.Context, ask *entity.LinkRequest, r *R,
		) (*entity.Answer[cpic.Pair], error) {
			names, err := namesOf(ctx, ask.App, r)
			if err != nil {
				return nil, err
			}
			pairs, total, v, err := findPairs(ctx, ask.Input, table.Query{Kinds: []string{sets.CPICPairKind},
				Offset: ask.Offset, Limit: ask.Limit, Conditions: anyName(field, names)})
			if table.IsAbsent(err) {
				pairs, err = live(ctx, ask.Network, r)
				return entity.FromList(ask, pairs), err
			}
			return &entity.Answer[cpic.Pair]{Rows: pairs, Total: &total, Local: true, Sources: []string{v.String()},
				Notices: append(v.notices, "pairs from "+v.String())}, err
		}),
	}
}

// anyName returns the condition that a field is one of some names.
func anyName(field string, names []string) []table.Condition {
	return []table.Condition{{Fields: []string{field}, Text: names[0], Alternatives: names[1:], Exact: true}}
}

// findAll finds and decodes all records of a query.
func findAll[T any](ctx context.Context, app *command.App, q table.Query) ([]T, error) {
	q.Limit = maxRows
	found, err := local.Find(ctx, app, bulk.CPIC, q)
	if err != nil {
		return nil, err
	}
	return readAll[T](found.Records)
}

// maxRows exceeds the number of records of any kind on a drug.
const maxRows = 100000

// findPairs finds pairs in the local table. total is their number without the limit.
func findPairs(
	ctx context.Context, in *command.Input, q table.Query,
) (pairs []cpic.Pair, total int, v version, err error) {
	found, err := local.Find(ctx, in.App, bulk.CPIC, q)
	if err != nil {
		return nil, 0, v, err
	}
	all, err := readAll[sets.CPICPair](found.Records)
	if err != nil {
		return nil, 0, v, err
	}
	v, err = versionOf(ctx, in, found.Info)
	return result.Map(all, func(p sets.CPICPair) cpic.Pair {
		return cpic.Pair{Gene: p.Gene, Drug: p.Drug, Level: p.Level, Provisional: p.Provisional, Testing: p.Testing,
			Guideline: p.Guideline, GuidelineURL: p.GuidelineURL, PMIDs: p.PMIDs, URL: cpic.GenePage(p.Gene)}
	}), found.Total, v, err
}

// readAll decodes records.
func readAll[T any](records []table.Record) ([]T, error) {
	all := []T{}
	for _, r := range records {
		v, err := local.Read[T](r)
		if err != nil {
			return nil, err
		}
		all = append(all, *v)
	}
	return all, nil
}

// A version describes the stored table: when it was last current, and the day of the last change in
// CPIC's log.
type version struct {
	AsOf    string `json:"as_of"`
	Changed string `json:"changed"`
	notices []string
}

func versionOf(ctx context.Context, in *command.Input, info table.Info) (v version, err error) {
	v.AsOf = local.AsOf(info)
	changes, err := get[sets.CPICChange](ctx, in.App, sets.CPICChangeKind)
	if err == nil && changes != nil {
		v.Changed = changes.Date
	}
	if old := local.StaleNotice(in.App, bulk.CPIC, info); old != "" {
		v.notices = append(v.notices, in.OwnerNotice(old))
	}
	return v, err
}

func (v version) String() string {
	return fmt.Sprintf("CPIC (local table cpic, as of %s, last change %s; CC0)", v.AsOf, v.Changed)
}

// get returns the record with an id, or nil if not found.
func get[T any](ctx context.Context, app *command.App, id string) (*T, error) {
	found, err := local.Get(ctx, app, bulk.CPIC, id)
	if err != nil || len(found.Records) == 0 {
		return nil, err
	}
	return local.Read[T](found.Records[0])
}

// Drug returns CPIC's drug of that name from the local table. It returns nil if the table has none, or
// is absent.
func Drug(ctx context.Context, app *command.App, name string) (*sets.CPICDrug, error) {
	return ifPresent(get[sets.CPICDrug](ctx, app, sets.CPICID(sets.CPICDrugKind, name)))
}

// Gene returns CPIC's gene with that symbol as Drug returns a drug.
func Gene(ctx context.Context, app *command.App, symbol string) (*sets.CPICGene, error) {
	return ifPresent(get[sets.CPICGene](ctx, app, sets.CPICID(sets.CPICGeneKind, symbol)))
}

// ifPresent ignores the error of an absent table.
func ifPresent[T any](v T, err error) (T, error) {
	if table.IsAbsent(err) {
		err = nil
	}
	return v, err
}
