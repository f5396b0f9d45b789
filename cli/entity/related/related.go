package related

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubtator"
)

// Drug is a chemical that PubTator3 read, by text mining, to have to do with a record.
type Drug struct {
	Name     string `json:"name"`
	Relation string `json:"relation"`
	Articles int    `json:"articles"` // in which it was read
	Concept  string `json:"pubtator"` // @CHEMICAL_Vemurafenib
	URL      string `json:"url"`
}

// page is where the articles of a relation are.
const page = "https://www.ncbi.nlm.nih.gov/research/pubtator3/docsum?text="

// Drugs is the section of the chemicals that have a relation to a record: one request,
// and what concept makes. Means says what they are said to do: "to lessen". Concept is
// the record's in PubTator3, "" if it has none.
func Drugs[R any](id func(*R) string, relation, means string, concept func(context.Context, *polite.Client, *R) (string, error)) entity.Section[R] {
	return entity.Linked[R, Drug]{
		Name: "drugs", Also: []string{"treatment", "therapy", "therapies", "medications"}, Label: "Drugs", Short: "chemicals that articles say " + means + " it (text-mined)", Source: "PubTator3", Counted: true,
		Columns: []string{"Chemical", "Relation", ">Articles"}, Row: func(d *Drug) []string { return []string{d.Name, d.Relation, fmt.Sprint(d.Articles)} },
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Drug], error) {
			known, err := concept(ctx, ask.Network, r)
			if err != nil {
				return nil, err
			}
			if known == "" {
				return nil, entity.Inapplicable("PubTator3 has no concept for " + id(r))
			}
			relations, err := pubtator.Relations(ctx, ask.Network, known, relation, "Chemical")
			if err != nil {
				return nil, err
			}
			all := result.Map(relations, func(d pubtator.Related) Drug {
				return Drug{d.Name(), d.Relation, d.Articles, d.Accession, page + url.QueryEscape("relations:"+relation+"|"+d.Accession+"|"+known)}
			})
			out := entity.First(ask, all)
			if len(all) > 0 {
				out.Notices = []string{"drugs of " + id(r) + " are text-mined: chemicals that, as PubTator3 reads articles, are said " + means + " it; they may be no drugs, and may be wrong"}
			}
			return out, nil
		}),
	}.Section()
}

// PGx is the section of the gene-drug pairs of CPIC, of the highest level first: one
// request. Find asks by the record's id.
func PGx[R any](id func(*R) string, find func(ctx context.Context, network *polite.Client, id string) ([]cpic.Pair, error)) entity.Section[R] {
	return entity.Linked[R, cpic.Pair]{
		Name: "pgx", Also: []string{"pharmacogenetics", "pharmacogenomics", "cpic"}, Label: "Pharmacogenetics", Short: "gene-drug pairs, A to D by what a test should change", Source: "CPIC", Counted: true,
		Columns: []string{"Gene", "Drug", "CPIC level", "Label", "Guideline"},
		Row: func(p *cpic.Pair) []string {
			level := p.Level
			if p.Provisional {
				level += " (provisional)"
			}
			return []string{p.Gene, p.Drug, level, entity.Text(p.Testing), entity.Text(p.Guideline)}
		},
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[cpic.Pair], error) {
			pairs, err := find(ctx, ask.Network, id(r))
			return entity.First(ask, pairs), err
		}),
	}.Section()
}

// Trial is a clinical trial that has to do with a record.
type Trial struct {
	NCTID  string `json:"nct_id"`
	Title  string `json:"title"`
	Status string `json:"status"`
	URL    string `json:"url"`
}

// Trials is the section of the trials that a query finds, updated last: one request.
// Query answers with a notice, and with no term, condition or intervention where a
// record cannot be asked for.
func Trials[R any](query func(*R) (q ctgov.Query, notice string)) entity.Section[R] {
	return entity.Linked[R, Trial]{
		Name: "trials", Also: []string{"clinical-trials", "studies"}, Label: "Trials", Short: "trials of it, updated last", Source: "ClinicalTrials.gov", Counted: true,
		Columns: []string{"NCT", "Title", "Status"}, Row: func(t *Trial) []string { return []string{t.NCTID, t.Title, t.Status} },
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Trial], error) {
			q, notice := query(r)
			if q.Term+q.Condition+q.Intervention == "" {
				return nil, entity.Inapplicable(notice)
			}
			q.Sort, q.Fields = "LastUpdatePostDate:desc", []string{"NCTId", "BriefTitle", "OverallStatus"}
			page, err := ctgov.Search(ctx, ask.Network, q, "", ask.Through())
			if err != nil {
				return nil, err
			}
			out := &entity.Answer[Trial]{Total: page.Total}
			if notice != "" {
				out.Notices = []string{notice}
			}
			out.Rows = result.Map(entity.Window(page.Studies, ask.Offset, ask.Limit), func(s ctgov.Study) Trial { return Trial{s.ID(), s.Title(), s.Status(), s.URL()} })
			return out, nil
		}),
	}.Section()
}

// Variant is a variant of ClinVar with its three classifications, null if it has none.
type Variant struct {
	VCV            string   `json:"vcv"`
	Title          string   `json:"title"`
	RSID           string   `json:"rsid"`
	Consequences   []string `json:"consequences"`
	Germline       string   `json:"germline"` // null: no classification
	Oncogenicity   string   `json:"oncogenicity"`
	ClinicalImpact string   `json:"clinical_impact"`
	Stars          int      `json:"stars"`
	URL            string   `json:"url"`
}

// described is how many variants are described, and so counted by class and put in the
// order of their stars: ClinVar does not sort by these.
const described = 100

// Variants is the section of the variants that ClinVar has for a term, the best reviewed
// of the first first: two requests. A condition ([DIS]) that ClinVar knows by another name is
// searched for in all fields, and the answer says so: two more.
func Variants[R any](id, term func(*R) string) entity.Section[R] {
	return entity.Linked[R, Variant]{
		Name: "variants", Also: []string{"mutations", "snps", "clinvar"}, Label: "Variants", Short: "variants in ClinVar, the best reviewed of the first 100", Source: "ClinVar", Counted: true,
		Columns: []string{"VCV", "Variant", "Germline", "Oncogenicity", "Clinical impact", ">Stars"},
		Row: func(v *Variant) []string {
			return []string{v.VCV, v.Title, v.Germline, v.Oncogenicity, v.ClinicalImpact, fmt.Sprint(v.Stars)}
		},
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Variant], error) {
			return findVariants(ctx, ask, id(r), term(r))
		}),
	}.Section()
}

func findVariants(ctx context.Context, ask *entity.Ask, id, term string) (*entity.Answer[Variant], error) {
	client, params := entrez.New(ask.Network), entrez.SearchParams{DB: "clinvar", Term: term, RetMax: described}
	found, docs, err := client.FindDocs(ctx, params)
	var notices []string
	if all, is := strings.CutSuffix(term, "[DIS]"); is && err == nil && (found.Count == 0 || len(found.Dropped()) > 0) {
		params.Term = all
		if found, docs, err = client.FindDocs(ctx, params); err == nil && found.Count > 0 {
			notices = append(notices, "ClinVar has no condition called "+all+": these are the records that say it anywhere")
		}
	}
	if err != nil {
		return nil, err
	}
	if len(found.Dropped()) > 0 { // ClinVar does not know the words, and may have searched without them
		return &entity.Answer[Variant]{Total: new(0)}, nil
	}
	answer := &entity.Answer[Variant]{Total: &found.Count, Reach: described, Notices: notices}
	classes := map[string]int{}
	var order []string
	for _, d := range docs.Items {
		v := clinvar.Read(d)
		class := cmp.Or(v.Germline.Word(), "no germline classification")
		if classes[class]++; classes[class] == 1 {
			order = append(order, class)
		}
		answer.Rows = append(answer.Rows, Variant{
			VCV: v.Accession, Title: v.Title, RSID: v.RSID, Consequences: v.Consequences, Germline: v.Germline.Word(),
			Oncogenicity: v.Oncogenicity.Word(), ClinicalImpact: v.ClinicalImpact.Word(), Stars: v.Stars(),
			URL: clinvar.Page(v.ID),
		})
	}
	slices.SortStableFunc(answer.Rows, func(a, b Variant) int { return cmp.Compare(b.Stars, a.Stars) })
	if len(order) > 0 {
		text := fmt.Sprintf("variants of %s by germline classification", id)
		if n := len(docs.Items); found.Count > n {
			text = fmt.Sprintf("of %d variants of %s the first %d in ClinVar's order were looked at, and the best reviewed of these are shown; by germline classification", found.Count, id, n)
		}
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(classes[b], classes[a]) })
		for i, c := range order {
			text += fmt.Sprintf("%s %s %d", map[bool]string{true: ":", false: ","}[i == 0], c, classes[c])
		}
		answer.Notices = append(answer.Notices, text)
	}
	answer.Rows = entity.Window(answer.Rows, ask.Offset, ask.Limit)
	return answer, nil
}
