package drug

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/drug"
	"biomcp/entrez/openfda"
	"biomcp/entrez/pattern"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// hit is a search hit: a concept of RxNorm, or a regulator's record.
type hit struct {
	RxCUI string `json:"rxcui"`
	approval
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[hit]{
		Name: "drug", Placeholder: "[query]",
		Command: command.Command{
			Short: "Find drugs by a name, also misspelt, a class or a regulator",
			Help: command.Help{
				Input: "A name or a part of one; with --class it is a part of the names of its drugs. A " +
					"class of --region eu is a code of ATC or its beginning.",
				Output: "Concepts of RxNorm: substances, brands, products. The best is first; RxNav does not " +
					"count. With --region, products of FDA (Drugs@FDA, live), EMA or WHO (local tables, sync " +
					"ema, sync who).",
				Surprises: "Only the names of drugs on the market of the United States are in RxNorm; EMA and " +
					"WHO use international names, paracetamol for acetaminophen.",
			},
			Examples: []command.Example{
				{Line: "biomcp search drug imatinb", Explanation: "drugs with such a name"},
				{Line: `biomcp search drug --class "kinase inhibitor"`, Explanation: "the drugs of a class"},
				{Line: "biomcp search drug imatinib --region eu", Explanation: "medicines of the European Union"},
			},
		},
		Source: "Drugs", Sources: []string{"RxNorm (RxNav, National Library of Medicine)"}, Label: "Drugs",
		Pages: entity.Pages{Limit: 10, Max: 50},
		Filters: []entity.Filter{
			{
				Flag: "class", Synonyms: []string{"atc", "drug-class"}, Single: true,
				Usage: "a class of drugs by name, or its code in ATC or MED-RT",
			},
			{
				Flag: "region", Synonyms: []string{"regulator", "agency", "source"},
				ValueSynonyms: command.Synonyms{"eu": "ema europe european", "us": "fda usa america"},
				Values:        []string{regionUS, regionEU, regionWHO},
				Usage:         "products of a regulator: us (FDA), eu (EMA), who",
			},
		},
		Find: find,
		Rows: entity.Rows[hit]{
			Columns: []string{"RxCUI", "Name"},
			Row: func(h *hit) []string {
				if h.Region == "" {
					return []string{h.RxCUI, h.Name}
				}
				cells := h.row()
				return slices.Insert(cells[1:], 1, h.Substance)
			},
		},
		Alternatives: entity.Alternatives{
			OtherSearches: func(_ context.Context, in *command.Input, q *entity.Query) (lines []result.Argv, _ string) {
				if q.Text == "" || len(q.Filters) > 0 {
					return nil, ""
				}
				lines = []result.Argv{{"discover", q.Text}}
				if strings.ContainsAny(q.Text, " ") || strings.HasSuffix(q.Text, "s") { // may name a class
					lines = append(lines, in.Line(nil, "--class", q.Text))
				}
				return lines, ""
			},
		},
		Next: func(h *hit) []result.Argv {
			if h.Region != "" {
				return nil
			}
			return []result.Argv{{"get", "drug", h.Name}}
		},
	})
}

func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	switch q.Value("region") {
	case regionUS:
		return findAtFDA(ctx, in, q)
	case regionEU, regionWHO:
		return findInTable(ctx, in, q)
	}
	return findInRxNorm(ctx, in, q)
}

// findAtFDA searches Drugs@FDA, which returns at most 1,000 applications at once. If a later request
// fails, the page ends before it.
func findAtFDA(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	all := &local.Answer[approval]{}
	for all.Total == nil || len(all.Hits) < q.Limit && q.Offset+len(all.Hits) < *all.Total {
		a, err := findApplications(ctx, in.App.Network(), openfda.Query{Names: []string{q.Text}, Class: q.Value("class"),
			Offset: q.Offset + len(all.Hits), Limit: min(q.Limit-len(all.Hits), openfda.MaxPage)})
		if err != nil && all.Total == nil {
			return nil, err
		}
		if err != nil || all.Total != nil && len(a.Hits) == 0 {
			p := page(all)
			p.Err = err
			return p, nil
		}
		a.Hits = append(all.Hits, a.Hits...)
		all = a
	}
	return page(all), nil
}

// page converts a regulator's answer to a page of hits.
func page(a *local.Answer[approval]) *entity.Page[hit] {
	p := &entity.Page[hit]{
		Total: a.Total, Notices: a.Notices, Sections: a.Sections, Effective: strings.Join(a.Counts, "; "),
	}
	p.Columns = slices.Insert(slices.Clone(approvalColumns[1:]), 1, "Substance")
	p.Hits = result.Map(a.Hits, func(h approval) *hit { return &hit{approval: h} })
	return p
}

var atc = pattern.Lazy(`(?i)^[A-Z]([0-9]{2}([A-Z]([A-Z]([0-9]{2})?)?)?)?$`)

// findInTable searches the local table of EMA or WHO.
func findInTable(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	part := local.Part[approval]{
		Set: bulk.EMA, Hit: emaApproval,
		Query: table.Query{Text: q.Text, Kinds: []string{sets.MedicineKind}, SortLast: sets.VeterinaryLast},
	}
	class := q.Value("class")
	switch {
	case q.Value("region") == regionWHO && class != "":
		return nil, result.Invalid("WHO's list has no classes: use --class with --region us or eu, or without --region",
			in.LineWith("--class", "")...)
	case q.Value("region") == regionWHO:
		part.Set, part.Hit, part.Query.Kinds = bulk.WHOMedicines, whoApproval, []string{sets.Product, sets.Ingredient}
	case class != "" && !atc().MatchString(class):
		return nil, result.Invalid(fmt.Sprintf("--class %q is not an ATC code such as L01EA, which --region "+
			"eu requires",
			command.Clip(class)),
			"search", "drug", "--help")
	case class != "":
		part.Query.Conditions = []table.Condition{{Fields: []string{sets.ATC}, Text: class, Prefix: true}}
	}
	a, err := local.FindInSets(ctx, in, q.Offset, q.Limit, part)
	if err != nil {
		return nil, err
	}
	if a.Asked == 0 {
		return nil, local.AbsentFailure("drugs of --region "+q.Value("region"), part.Set)
	}
	if len(a.Empty) > 0 && q.Text != "" {
		a.Notices = append(a.Notices, emptyNotice(a.Empty, q.Text))
	}
	return page(a), nil
}

// findInRxNorm returns concepts whose names resemble the query, or the drugs of a class.
func findInRxNorm(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	client, p := rxnav.New(in.App.Network()), &entity.Page[hit]{}
	var all []rxnav.Concept
	var err error
	source := result.SectionSource{
		Key: "results", Label: "Concepts", Sources: []string{"RxNorm (RxNav, National Library of Medicine)"},
	}
	if class := q.Value("class"); class != "" {
		source.Label, source.Sources = "Drugs of the class", []string{"RxClass (RxNav, National Library of Medicine)"}
		all, p.Effective, err = members(ctx, client, class, q.Text)
		p.Total = new(len(all))
	} else if all, err = client.SimilarConcepts(ctx, q.Text, q.Offset+q.Limit); err == nil && len(all) == 0 {
		source.Sources = append(source.Sources, "MeSH")
		if all, p.Notices, err = findByName(ctx, in, q.Text); err != nil {
			p.Notices = []string{"RxNorm has no similar name; whether there is such a drug is unknown: " + err.Error()}
			p.State, err = result.Degraded, nil
		}
	}
	if err != nil {
		return nil, err
	}
	p.Hits = result.Map(entity.Window(all, q.Offset, q.Limit), func(c rxnav.Concept) *hit {
		return newHit(in, c.RxCUI, c.Name)
	})
	source.Outcome = cmp.Or(p.State, entity.DataOrEmpty(len(p.Hits)))
	p.Sections = []result.SectionSource{source}
	return p, nil
}

// newHit returns a hit by its id in RxNorm, or in MeSH if the id begins with a letter.
func newHit(in *command.Input, id, name string) *hit {
	h := &hit{id, approval{Name: name, Source: "RxNorm", Route: "live", AsOf: in.App.Now().UTC().Format(time.DateOnly),
		URL: drug.RxNormPage + id}}
	if strings.HasPrefix(id, "C") || strings.HasPrefix(id, "D") {
		h.RxCUI, h.Source, h.URL = "", "MeSH", drug.MeSHPage+id
	}
	return h
}

// findByName returns the drugs that get finds for a name, used if RxNorm has no similar name.
// MeSH also has research codes and drugs not marketed in the United States.
func findByName(
	ctx context.Context, in *command.Input, name string,
) (all []rxnav.Concept, notices []string, err error) {
	d, err := drug.New(in.App.Network()).Find(ctx, name)
	miss, missed := errors.AsType[*resolve.Miss](err)
	switch {
	case err == nil:
		return []rxnav.Concept{{RxCUI: cmp.Or(d.RxCUI, d.MeSH), Name: d.Name}}, nil, nil
	case !missed:
		return nil, nil, err
	case miss.Kind == resolve.Unavailable:
		return nil, nil, miss.Err
	}
	for _, m := range miss.Candidates {
		all = append(all, rxnav.Concept{RxCUI: m.ID, Name: m.Name})
	}
	if f := entity.AliasFailure(miss, describe(miss)); f != nil {
		notices = []string{f.Message}
	}
	return all, notices, nil
}

// members returns the drugs of a class whose names contain text, and describes the class.
func members(
	ctx context.Context, client *rxnav.Client, class, text string,
) (matches []rxnav.Concept, description string, err error) {
	c, err := client.Class(ctx, class)
	if err != nil {
		return nil, "", err
	}
	if c == nil {
		return nil, "", result.Missing("no class of drugs is called "+command.Clip(class)+
			"; the section classes of get drug lists those of a drug",
			"search", "drug", class)
	}
	all, err := client.Members(ctx, c)
	for _, m := range all {
		if strings.Contains(strings.ToLower(m.Name), strings.ToLower(text)) {
			matches = append(matches, m)
		}
	}
	return matches, fmt.Sprintf("drugs of %s (%s, %s)", c.Name, c.Type, c.ID), err
}
