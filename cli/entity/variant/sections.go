package variant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/sourcegraph/conc"

	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/services"
	"biomcp/entrez/variant"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

type disease struct {
	clinvar.ConditionClassification
	Stars *int   `json:"stars"` // null if the classification is unknown
	URL   string `json:"url"`
}

// spelling is another name of a variant that get accepts.
type spelling struct {
	Form string `json:"form"` // HGVS or SPDI
	Name string `json:"name"`
	URL  string `json:"url"`
}

// classificationText adds to a classification the kind of clinical impact, because the same tier can
// stand for resistance or for response, and whether ClinVar has flagged the submission.
func classificationText(description, impact, status string) string {
	if impact != "" {
		description += " (" + impact + ")"
	}
	if status == clinvar.FlaggedStatus {
		description += " (flagged by ClinVar: not counted)"
	}
	return description
}

// evidenceText formats the result of an assay. Its comment is left to JSON unless the rest is empty.
func evidenceText(e clinvar.FunctionalEvidence) string {
	text := strings.Join(ncbi.List([]string{e.Effect, e.Consequence, e.Result}), ", ")
	if text == "" {
		text = entity.Truncate(e.Comment, 200)
	}
	if method := strings.Join(ncbi.List([]string{e.Method, e.Assay}), ", "); method != "" {
		text += " (" + method + ")"
	}
	return strings.TrimSpace(text)
}

func idOf(v *Variant) string { return v.ID }

// sections returns the sections on a single variant.
func sections() []entity.Section[Variant] {
	return []entity.Section[Variant]{
		entity.RelatedSection[Variant, clinvar.Submission]{
			Name:     "clinvar",
			Synonyms: []string{"significance", "submission", "pathogenicity", "classification", "clinical-significance"},
			Label:    "Submissions", Short: "its submissions to ClinVar, with submitter and classification",
			Source: "ClinVar",
			Members: []string{"hgvs", "germline", "oncogenicity", "clinical_impact", "submissions", "split", "earlier",
				"functional_evidence"},
			Find: entity.FromService(findSubmissions),
			Columns: []string{
				"SCV", "Submitter", "Kind", "Classification", "Condition", "Drug", ">Stars", "Evaluated",
				"Method", "Functional evidence", "Comment",
			},
			Row: func(s *clinvar.Submission) []string {
				return []string{
					s.Accession, s.Submitter, s.Kind,
					classificationText(s.Description, s.Impact, s.ReviewStatus), s.Condition, s.Drug,
					fmt.Sprint(s.Stars), s.Evaluated, s.CollectionMethod, strings.Join(result.Map(s.Functional, evidenceText), "; "),
					entity.Truncate(strings.TrimSpace(s.Flag+" "+s.Comment), 200),
				}
			},
		}.Section(),
		entity.RelatedSection[Variant, variant.Frequency]{
			Name: "population", Synonyms: []string{"frequency", "frequencies", "gnomad", "maf", "af"},
			Label: "Frequencies", Short: "of each allele in each study of dbSNP", Source: "dbSNP",
			Columns: frequencyColumns, Row: frequencyRow,
			Embedded: frequenciesOf,
		}.Section(),
		eutils.Articles("articles that name it (LitVar2) or that ClinVar cites", "LitVar2", findArticles,
			"pmids_count"),
		entity.RelatedSection[Variant, disease]{
			Name: "diseases", Synonyms: []string{"condition", "phenotypes"}, Label: "Diseases",
			Short: "its classification for each condition", Source: "ClinVar",
			Embedded: diseasesOf,
			Columns:  []string{"CUI", "Name", "Kind", "Classification", ">Stars", "Evaluated", ">Submissions", "RCV"},
			Row: func(d *disease) []string {
				return []string{
					d.CUI, d.Condition, d.Kind, classificationText(d.Description, d.Impact, d.ReviewStatus),
					entity.FormatNumber(d.Stars), d.Evaluated, d.Submissions, d.Accession,
				}
			},
		}.Section(),
		entity.RelatedSection[Variant, spelling]{
			Name: "normalize", Synonyms: []string{"names", "hgvs", "spdi", "synonyms"}, Label: "Names",
			Short: "every spelling, on each sequence", Source: "NCBI Variation Services",
			Find: entity.FromService(findNames), Columns: []string{"Form", "Name"},
			Row: func(s *spelling) []string { return []string{s.Form, s.Name} },
		}.Section(),
	}
}

// clinVarSections lists the sections that depend on ClinVar's answer.
var clinVarSections = []string{"clinvar", "diseases", "trials"}

func findSubmissions(_ context.Context, ask *entity.LinkRequest, v *Variant) (*entity.Answer[clinvar.Submission], error) {
	if v.VariationID == "" {
		return nil, entity.Inapplicable(v.ID + " is not in ClinVar")
	}
	if v.Release != "" {
		return storedSubmissions(ask, v)
	}
	if v.Whole == nil {
		return nil, v.WholeErr
	}
	a := &entity.Answer[clinvar.Submission]{Rows: v.Whole.Submissions}
	if n := v.Submissions; n != nil && *n != len(a.Rows) {
		a.Degraded = len(a.Rows) < *n
		a.Notices = []string{fmt.Sprintf("ClinVar's summary of %s counts %s, and its record has %d", v.ID,
			english.Plural(*n, "submission", ""), len(a.Rows))}
	}
	return a, nil
}

// findArticles merges the articles that ClinVar cites with those of LitVar2. It returns an
// error only if neither source answers.
func findArticles(ctx context.Context, ask *entity.LinkRequest, v *Variant) (*entity.Answer[eutils.Article], error) {
	hasName, mayBeThere := v.RSID != "" || v.ShortChange() != "", v.VariationID != "" || v.ClinVarErr != nil
	nameless := v.ID + " has neither an rs number nor a change of a protein, and LitVar2 requires one"
	if !hasName && !mayBeThere {
		return nil, entity.Inapplicable(nameless)
	}
	var cited, named []string
	var litErr error
	clinErr := v.ClinVarErr
	var asking conc.WaitGroup
	if hasName {
		asking.Go(func() { named, litErr = litVarArticles(ctx, ask.Network, v) })
	}
	if v.VariationID != "" {
		asking.Go(func() {
			links, err := entrez.New(ask.Network).Links(ctx, v.VariationID, "clinvar_pubmed")
			if clinErr = err; err == nil {
				cited = links.PMIDs()
			}
		})
	}
	asking.Wait()
	if (litErr != nil || !hasName) && (clinErr != nil || !mayBeThere) {
		return nil, errors.Join(litErr, clinErr)
	}
	all := eutils.ArticlesFrom("ClinVar", cited)
	for _, a := range eutils.ArticlesFrom("LitVar2", named) {
		if i := slices.Index(cited, a.PMID); i >= 0 {
			all[i].From = append(all[i].From, "LitVar2")
		} else {
			all = append(all, a)
		}
	}
	answer := eutils.DescribePage(ctx, ask, all)
	if hasName {
		answer.Sources = append(answer.Sources, "LitVar2")
	} else {
		answer.Notices = append(answer.Notices, nameless+": its articles come from ClinVar alone")
	}
	if mayBeThere {
		answer.Sources = append(answer.Sources, "ClinVar")
	}
	if hasName && litErr == nil {
		v.PMIDs = new(len(named))
	}
	if err := cmp.Or(litErr, clinErr); err != nil {
		answer.Degraded, answer.Total = true, nil
		answer.Notices = append(answer.Notices, "some articles on "+v.ID+" are missing: "+err.Error())
	}
	return answer, nil
}

// litVarArticles returns the PMIDs that LitVar2 links to a variant, found by its rs number or else
// by its gene and protein change; nil if LitVar2 does not know it.
func litVarArticles(ctx context.Context, client *httpclient.Client, v *Variant) ([]string, error) {
	if v.RSID != "" {
		return services.VariantArticles(ctx, client, services.LitVarID(v.RSID))
	}
	short := v.ShortChange()
	found, err := services.FindVariants(ctx, client, v.Gene+" "+short)
	i := slices.IndexFunc(found, func(f services.LitVarVariant) bool {
		return slices.Contains(f.Genes, v.Gene) && variantname.SameChange(f.Name, short)
	})
	if err != nil || i < 0 {
		return nil, err
	}
	return services.VariantArticles(ctx, client, found[i].ID)
}

// diseasesOf returns the conditions of the whole record, each with its own classification.
// Without a whole record it returns those of the summary, which share one classification. If it is unknown which of
// several classifications is for which condition, the conditions have none.
func diseasesOf(v *Variant) (all []disease, err error) {
	if v.VariationID == "" {
		return nil, entity.Inapplicable(v.ID + " is not in ClinVar")
	}
	const medgen = "https://www.ncbi.nlm.nih.gov/medgen/"
	if v.Whole != nil {
		for _, c := range v.Whole.Conditions {
			d := disease{c, &c.Stars, v.URL}
			if c.CUI != "" {
				d.URL = medgen + c.CUI
			}
			all = append(all, d)
		}
		return all, nil
	}
	for i, c := range v.classifications() {
		stars := &c.value.Stars
		if v.sharesConditions() {
			stars = nil
			if i > 0 {
				break
			}
			c = kindClassification{value: &clinvar.Classification{Conditions: c.value.Conditions}}
		}
		for _, t := range c.value.Conditions {
			all = append(all, disease{
				clinvar.ConditionClassification{
					Condition: t.Name, CUI: t.CUI, Kind: c.kind, Description: c.value.Description,
					ReviewStatus: c.value.ReviewStatus, Evaluated: c.value.Evaluated,
				},
				stars, v.URL,
			})
			if t.CUI != "" {
				all[len(all)-1].URL = medgen + t.CUI
			}
		}
	}
	if len(all) == 0 { // the whole record alone shows that nothing was submitted
		return nil, v.WholeErr
	}
	return all, nil
}

// frequenciesOf returns the frequencies of a variant. dbSNP has them by rs number.
func frequenciesOf(v *Variant) ([]variant.Frequency, error) {
	if v.VCV != "" && v.RSID == "" {
		return nil, entity.Inapplicable(v.ID + " has no rs number in ClinVar, which dbSNP requires: its frequency is unknown")
	}
	return v.Frequencies, v.FrequencyErr
}

func findNames(ctx context.Context, ask *entity.LinkRequest, v *Variant) (answer *entity.Answer[spelling], err error) {
	s, ok := variation.Parse(v.SPDI)
	if !ok {
		return nil, entity.Inapplicable(v.ID + " has no canonical SPDI: it may be more than one change")
	}
	answer = &entity.Answer[spelling]{}
	add := func(form, name string) {
		if name != "" {
			answer.Rows = append(answer.Rows, spelling{form, name, v.URL})
		}
	}
	if v.HGVS.G == "" {
		if v.HGVS.G, err = variation.HGVS(ctx, ask.Network, s); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{v.HGVS.G, v.HGVS.C, v.HGVS.P} {
		add("HGVS", name)
	}
	others, err := variation.Equivalent(ctx, ask.Network, s)
	add("SPDI", v.SPDI)
	for _, o := range others {
		if o != s {
			add("SPDI", o.String())
		}
	}
	return answer, err
}
