package variant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/litvar"
	"biomcp/entrez/variation"
)

// submission is what one submitter says of a variant, in ClinVar.
type submission struct {
	clinvar.Submission
	URL string `json:"url"`
}

type disease struct {
	clinvar.Condition
	Kind string `json:"kind"` // of the classification
	URL  string `json:"url"`
}

// spelling is a name of a variant that is accepted again.
type spelling struct {
	Form string `json:"form"` // HGVS, SPDI
	Name string `json:"name"`
	URL  string `json:"url"`
}

func idOf(v *Variant) string { return v.ID }

// sections are what other sources say about a variant; to add one, add its rows to
// Variant.
func sections() []entity.Section[Variant] {
	return []entity.Section[Variant]{
		entity.Linked[Variant, submission]{
			Name: "clinvar", Label: "Submissions", Short: "who classified it in ClinVar, and how", Source: "ClinVar", ID: idOf, Members: []string{"hgvs"},
			Rows: func(v *Variant) *entity.Part[[]submission] { return &v.ClinVar }, Find: findSubmissions,
			Columns: []string{"SCV", "Submitter", "Kind", "Classification", "Condition", "Drug", ">Stars", "Evaluated"},
			Row: func(s *submission) []string {
				return []string{s.Accession, s.Submitter, s.Kind, s.Description, s.Condition, s.Drug, fmt.Sprint(s.Stars), s.Evaluated}
			},
		}.Section(),
		entity.Linked[Variant, frequency]{
			Name: "population", Label: "Frequencies", Short: "of each allele in each study of dbSNP", Source: "dbSNP", ID: idOf,
			Rows: func(v *Variant) *entity.Part[[]frequency] { return &v.Population }, Columns: frequencyColumns, Row: (*frequency).row,
			Find: func(_ context.Context, _ *command.Input, v *Variant) (*entity.Answer[frequency], error) {
				return &entity.Answer[frequency]{Rows: v.Frequencies}, nil
			},
		}.Section(),
		eutils.Articles("articles that name it (LitVar2) or that ClinVar cites", "LitVar2", idOf, func(v *Variant) *eutils.ArticlesPart { return &v.ArticlesPart }, findArticles, "pmids_count"),
		entity.Linked[Variant, disease]{
			Name: "diseases", Label: "Diseases", Short: "what it was classified for", Source: "ClinVar", ID: idOf,
			Rows: func(v *Variant) *entity.Part[[]disease] { return &v.Diseases }, Find: findDiseases, Columns: []string{"CUI", "Name", "Kind"},
			Row: func(d *disease) []string { return []string{d.CUI, d.Name, d.Kind} },
		}.Section(),
		entity.Linked[Variant, spelling]{
			Name: "normalize", Label: "Names", Short: "every spelling, on each sequence", Source: "NCBI Variation Services", ID: idOf,
			Rows: func(v *Variant) *entity.Part[[]spelling] { return &v.Normalize }, Find: findNames, Columns: []string{"Form", "Name"},
			Row: func(s *spelling) []string { return []string{s.Form, s.Name} },
		}.Section(),
	}
}

// inapplicable is the answer of a section that makes no sense for a variant.
func inapplicable[H any](notice string) (*entity.Answer[H], error) {
	return &entity.Answer[H]{State: result.Inapplicable, Notices: []string{notice}}, nil
}

func findSubmissions(ctx context.Context, in *command.Input, v *Variant) (*entity.Answer[submission], error) {
	if v.variationID == "" {
		return inapplicable[submission](v.ID + " is not in ClinVar")
	}
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	body, err := client.VCV(ctx, v.variationID)
	if err != nil {
		return nil, err
	}
	record, err := clinvar.ReadVCV(body)
	if err != nil {
		return nil, err
	}
	answer := &entity.Answer[submission]{}
	for _, s := range record.Submissions {
		answer.Rows = append(answer.Rows, submission{s, v.URL})
	}
	if record.MANE != "" {
		same := record.MANE == v.HGVS.Transcript
		v.HGVS.MANE = &same
	}
	return answer, nil
}

// findArticles joins the articles of LitVar2 and of ClinVar. One of the two may fail.
func findArticles(ctx context.Context, in *command.Input, v *Variant) (*entity.Answer[eutils.Article], error) {
	client, limit, err := eutils.Ask(in)
	if err != nil {
		return nil, err
	}
	network, err := in.App.Network()
	if err != nil {
		return nil, err
	}
	var named, cited []string
	var litErr, clinErr error
	var asking conc.WaitGroup
	asking.Go(func() {
		id := litvar.OfRS(v.RSID)
		if v.RSID == "" {
			id, litErr = litvarID(ctx, litvar.New(network), v)
		}
		if id != "" && litErr == nil {
			named, litErr = litvar.New(network).Articles(ctx, id)
		}
	})
	if v.variationID != "" {
		asking.Go(func() {
			links, err := client.Links(ctx, v.variationID, "clinvar_pubmed")
			if clinErr = err; err == nil {
				for _, l := range links.Items {
					cited = append(cited, l.PMID)
				}
			}
		})
	}
	asking.Wait()
	if litErr != nil && (clinErr != nil || v.variationID == "") {
		return nil, errors.Join(litErr, clinErr)
	}
	var all []eutils.Article
	add := func(pmids []string, from string) {
		for _, p := range pmids {
			if i := slices.IndexFunc(all, func(a eutils.Article) bool { return a.PMID == p }); i >= 0 {
				all[i].From = append(all[i].From, from)
			} else {
				all = append(all, eutils.Article{PMID: p, From: []string{from}})
			}
		}
	}
	add(cited, "ClinVar")
	add(named, "LitVar2")
	total := len(all)
	answer := eutils.Described(ctx, client, all[:min(limit, total)])
	answer.Total, answer.Sources = &total, []string{"LitVar2", "ClinVar"}
	if litErr == nil {
		n := len(named)
		v.PMIDs = &n
	}
	if err := cmp.Or(litErr, clinErr); err != nil {
		answer.State, answer.Total = result.Degraded, nil
		answer.Notices = append(answer.Notices, "some articles on "+v.ID+" are missing: "+err.Error())
	}
	return answer, nil
}

// litvarID is the id of a variant without an rs number, "" where LitVar2 has none.
func litvarID(ctx context.Context, client *litvar.Client, v *Variant) (string, error) {
	m := titleForm().FindStringSubmatch(v.Title)
	if m == nil || m[3] == "" || v.Gene == "" {
		return "", nil
	}
	_, short, ok := protein(m[3])
	if !ok {
		return "", nil
	}
	found, err := client.Find(ctx, v.Gene+" "+short)
	if err != nil {
		return "", err
	}
	for _, f := range found {
		if slices.Contains(f.Genes, v.Gene) && sameChange(f.Name, short) {
			return f.ID, nil
		}
	}
	return "", nil
}

func findDiseases(_ context.Context, _ *command.Input, v *Variant) (*entity.Answer[disease], error) {
	answer := &entity.Answer[disease]{}
	for _, c := range []struct {
		kind string
		of   *clinvar.Classification
	}{{"germline", v.Germline}, {"oncogenicity", v.Oncogenicity}, {"clinical impact", v.ClinicalImpact}} {
		if c.of == nil {
			continue
		}
		for _, t := range c.of.Conditions {
			answer.Rows = append(answer.Rows, disease{t, c.kind, "https://www.ncbi.nlm.nih.gov/medgen/" + t.CUI})
		}
	}
	return answer, nil
}

func findNames(ctx context.Context, in *command.Input, v *Variant) (*entity.Answer[spelling], error) {
	s, ok := variation.Parse(v.SPDI)
	if !ok {
		return inapplicable[spelling](v.ID + " has no canonical SPDI: it may be more than one change")
	}
	network, err := in.App.Network()
	if err != nil {
		return nil, err
	}
	client := variation.New(network)
	answer := &entity.Answer[spelling]{}
	add := func(form, name string) {
		if name != "" {
			answer.Rows = append(answer.Rows, spelling{form, name, v.URL})
		}
	}
	if v.HGVS.G == "" {
		if v.HGVS.G, err = client.HGVS(ctx, s); err != nil {
			return nil, err
		}
	}
	add("HGVS", v.HGVS.G)
	add("HGVS", v.HGVS.C)
	add("HGVS", v.HGVS.P)
	others, err := client.Equivalent(ctx, s)
	if err != nil {
		return nil, err
	}
	add("SPDI", v.SPDI)
	for _, o := range others {
		if o != s {
			add("SPDI", o.String())
		}
	}
	return answer, nil
}
