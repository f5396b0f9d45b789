package related

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/bulk"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/record"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
)

// A Drug is a chemical that PubTator3's text mining links to a record.
type Drug struct {
	Name     string `json:"name"`
	Relation string `json:"relation"`
	Articles int    `json:"articles"` // number of articles with the relation
	Concept  string `json:"pubtator"` // accession: @CHEMICAL_Vemurafenib
	URL      string `json:"url"`
}

// docsumURL is the start of the address of the articles with a relation.
const docsumURL = "https://www.ncbi.nlm.nih.gov/research/pubtator3/docsum?text="

// Drugs returns the section of the chemicals that have a relation to a record. It sends one
// request, and those of concept. means describes the relation: "to lessen". concept returns the
// accession of the record in PubTator3, or "" if it has none.
func Drugs[R any](id func(*R) string, relation, means string,
	concept func(context.Context, *httpclient.Client, *R) (string, error)) entity.Section[R] {
	return entity.RelatedSection[R, Drug]{
		Name: "drugs", Synonyms: []string{"treatment", "therapy", "therapies", "medications"}, Label: "Drugs",
		Short: "chemicals reported " + means + " it (text-mined)", Source: "PubTator3", Counted: true,
		Columns: []string{"Chemical", "Relation", ">Articles"},
		Row:     func(d *Drug) []string { return []string{d.Name, d.Relation, fmt.Sprint(d.Articles)} },
		Find: entity.FromService(func(ctx context.Context, ask *entity.LinkRequest, r *R) (*entity.Answer[Drug], error) {
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
			all := result.Map(relations, func(d pubtator.RelatedConcept) Drug {
				return Drug{d.Name(), d.Relation, d.Articles, d.Accession, docsumURL +
					url.QueryEscape("relations:"+relation+"|"+d.Accession+"|"+known)}
			})
			out := entity.FromList(ask, all)
			if len(all) > 0 {
				out.Notices = []string{"drugs of " + id(r) + " are text-mined: chemicals reported " + means +
					" it in articles, as PubTator3 reads them; they may be wrong, and may not be drugs"}
			}
			return out, nil
		}),
	}.Section()
}

// A Trial is a clinical trial that is related to a record.
type Trial struct {
	NCTID  string `json:"nct_id"`
	Title  string `json:"title"`
	Status string `json:"status"`
	URL    string `json:"url"`
}

// Trials returns the section of the trials that match a query, in one request. The most recently
// updated come first. query also returns a notice. If it returns no term, condition and
// intervention, the section does not apply to the record.
func Trials[R any](query func(*R) (q ctgov.Query, notice string)) entity.Section[R] {
	return entity.RelatedSection[R, Trial]{
		Name: "trials", Synonyms: []string{"clinical-trials", "studies"}, Label: "Trials",
		Short: "trials of it", Source: "ClinicalTrials.gov", Counted: true,
		Columns: []string{"NCT", "Title", "Status"},
		Row:     func(t *Trial) []string { return []string{t.NCTID, t.Title, t.Status} },
		Find: entity.FromService(func(ctx context.Context, ask *entity.LinkRequest, r *R) (*entity.Answer[Trial], error) {
			q, notice := query(r)
			if q.Term+q.Condition+q.Intervention == "" {
				return nil, entity.Inapplicable(notice)
			}
			q.Sort, q.Fields = "LastUpdatePostDate:desc", []string{"NCTId", "BriefTitle", "OverallStatus"}
			page, err := ctgov.Search(ctx, ask.Network, q, "", ask.RowsToRequest())
			if err != nil {
				return nil, err
			}
			out := &entity.Answer[Trial]{Total: page.Total}
			if notice != "" {
				out.Notices = []string{notice}
			}
			out.Rows = result.Map(entity.Window(page.Studies, ask.Offset, ask.Limit),
				func(s ctgov.Study) Trial { return Trial{s.ID(), s.Title(), s.Status(), s.URL()} })
			return out, nil
		}),
	}.Section()
}

// A Variant is a variant of ClinVar with its three classifications.
type Variant struct {
	VCV            string       `json:"vcv"`
	Title          string       `json:"title"`
	RSID           string       `json:"rsid"`
	Consequences   record.Known `json:"consequences"`
	Germline       string       `json:"germline"` // null if there is none, as in the two below
	Oncogenicity   string       `json:"oncogenicity"`
	ClinicalImpact string       `json:"clinical_impact"`
	Stars          int          `json:"stars"` // highest of the three classifications
	GermlineStars  *int         `json:"germline_stars"`
	OncogenicStars *int         `json:"oncogenicity_stars"`
	ImpactStars    *int         `json:"clinical_impact_stars"`
	URL            string       `json:"url"`

	classes clinvar.Classifications
}

// maxDescribed is the maximum number of variants to retrieve, count by class and sort by stars,
// because ClinVar cannot sort by these.
const maxDescribed = 100

// Variants returns the section of the variants in ClinVar that match a term. Among the first 100,
// the best reviewed come first. It sends two requests. If ClinVar has no condition ([DIS]) of that
// name, two more requests search all fields, and a notice says so.
//
// If the local table of ClinVar is there, the section has those that filter keeps, all of them in the order of their
// stars, without a request.
func Variants[R any](id, term func(*R) string, filter func(*R) clinvartable.Filter) entity.Section[R] {
	return entity.RelatedSection[R, Variant]{
		Name: "variants", Synonyms: []string{"mutations", "snps", "clinvar"}, Label: "Variants",
		Short: "variants in ClinVar", Source: "ClinVar", Counted: true, IsLocal: local.AreStored(bulk.ClinVar),
		Columns: []string{"VCV", "Variant", "Germline", "Oncogenicity", "Clinical impact", ">Stars"},
		Row: func(v *Variant) []string {
			return []string{v.VCV, v.Title, v.Germline, v.Oncogenicity, v.ClinicalImpact, v.classes.StarsText()}
		},
		Find: entity.FromService(func(ctx context.Context, ask *entity.LinkRequest, r *R) (*entity.Answer[Variant], error) {
			t, err := local.ClinVar(ask.App)
			if table.IsAbsent(err) {
				return findVariants(ctx, ask, id(r), term(r))
			}
			if err != nil {
				return nil, err
			}
			answer, err := variantsInTable(ctx, ask, t, id(r), filter(r))
			return answer, errors.Join(err, t.Close())
		}),
	}.Section()
}

// variantsInTable returns the requested page of variants of the local table, and their number by germline
// classification as a notice.
func variantsInTable(ctx context.Context, ask *entity.LinkRequest, t *clinvartable.Table, id string,
	filter clinvartable.Filter) (*entity.Answer[Variant], error) {
	query := clinvartable.Query{Filters: []clinvartable.Filter{filter}, Offset: ask.Offset, Limit: ask.Limit}
	page, err := t.Search(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := &entity.Answer[Variant]{Total: &page.Total, Local: true, Sources: []string{local.ClinVarSource(t)}}
	for _, v := range page.Variants {
		answer.Rows = append(answer.Rows, variantRow(local.ClinVarRecord(v)))
	}
	if page.Total > 0 {
		answer.Notices = []string{"variants of " + id + " by germline classification" + classCounts(page.Classes)}
	}
	answer.Notices = append(answer.Notices, local.ClinVarNotices(ask.Input, t, "no haplotypes or genotypes; "+
		"biomcp search variant --live asks ClinVar")...)
	return answer, nil
}

// classCounts formats numbers by class, the greatest first.
func classCounts(classes map[string]int) (text string) {
	order := slices.Sorted(maps.Keys(classes))
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(classes[b], classes[a]) })
	for i, c := range order {
		text += fmt.Sprintf("%s %s %d", map[bool]string{true: ":", false: ","}[i == 0],
			cmp.Or(c, "no germline classification"), classes[c])
	}
	return text
}

func variantRow(v *clinvar.Record) Variant {
	return Variant{
		VCV: v.Accession, Title: v.Title, RSID: v.RSID, Consequences: v.Consequences, Germline: v.Germline.Word(),
		Oncogenicity: v.Oncogenicity.Word(), ClinicalImpact: v.ClinicalImpact.Word(), Stars: v.Stars(),
		GermlineStars: v.Germline.StarsOrNil(), OncogenicStars: v.Oncogenicity.StarsOrNil(),
		ImpactStars: v.ClinicalImpact.StarsOrNil(), URL: clinvar.Page(v.ID), classes: v.Classifications,
	}
}

// findVariants returns the requested page of variants, and their number by germline classification as a
// notice.
func findVariants(ctx context.Context, ask *entity.LinkRequest, id, term string) (*entity.Answer[Variant], error) {
	client := entrez.New(ask.Network)
	params := entrez.SearchParams{DB: "clinvar", Term: term, RetMax: max(maxDescribed, ask.RowsToRequest())}
	found, docs, err := client.FindDocs(ctx, params)
	var notices []string
	if all, is := strings.CutSuffix(term, "[DIS]"); is && err == nil && (found.Count == 0 || len(found.DroppedTerms()) > 0) {
		params.Term = all
		if found, docs, err = client.FindDocs(ctx, params); err == nil && found.Count > 0 {
			notices = append(notices, "ClinVar has no condition called "+all+": these records have it in any field")
		}
	}
	if err != nil {
		return nil, err
	}
	if len(found.DroppedTerms()) > 0 { // ClinVar ignored unknown words, so the hits may be unrelated
		return &entity.Answer[Variant]{Total: new(0)}, nil
	}
	answer := &entity.Answer[Variant]{Total: &found.Count, Reach: params.RetMax, Notices: notices}
	classes := map[string]int{}
	for _, d := range docs.Items {
		v := clinvar.ParseSummary(d)
		classes[v.Germline.Word()]++
		answer.Rows = append(answer.Rows, variantRow(v))
	}
	slices.SortStableFunc(answer.Rows, func(a, b Variant) int { return cmp.Compare(b.Stars, a.Stars) })
	if len(classes) > 0 {
		text := fmt.Sprintf("variants of %s by germline classification", id)
		if n := len(found.IDs); found.Count > n {
			text = fmt.Sprintf("of %d variants of %s the first %d in ClinVar's order were read, and the best "+
				"reviewed of these are shown; by germline classification", found.Count, id, n)
		}
		answer.Notices = append(answer.Notices, text+classCounts(classes))
	}
	if err := docs.Unread(); err != nil {
		answer.Degraded, answer.Notices = true, append(answer.Notices, err.Error())
	}
	answer.Rows = entity.Window(answer.Rows, ask.Offset, ask.Limit)
	return answer, nil
}
