package disease

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/curated"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/related"
	"biomcp/cli/result"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/resolve"
	"biomcp/entrez/services"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

func idOf(d *Disease) string { return d.ID() }

// externalSections returns the sections of sources other than MedGen.
func externalSections() []entity.Section[Disease] {
	return []entity.Section[Disease]{
		related.Variants(idOf, func(d *Disease) string { return phrase(d.Name) + "[DIS]" },
			func(d *Disease) clinvartable.Filter { return local.ConditionFilter(d.CUI) }),
		diagnostic.Section(idOf, func(d *Disease) diagnostic.Query {
			return diagnostic.Query{
				Term:        phrase(d.CUI) + "[DCUI]",
				TableFilter: table.Condition{Fields: []string{sets.CUI}, Text: d.CUI, Exact: true},
			}
		}),
		related.Trials(func(d *Disease) (ctgov.Query, string) {
			return ctgov.Query{Condition: ctgov.Words(d.Name)}, ""
		}),
		related.Drugs(idOf, "treat", "to treat", concept),
		plainSection(),
		curated.ValiditySection(func(_ context.Context, _ *command.Input, d *Disease) (*curated.Subject, error) {
			return curated.DiseaseSubject(d.Name, d.Synonyms, d.XRefs.MONDO), nil
		}),
	}
}

// phrase quotes a name for the E-utilities.
func phrase(name string) string {
	return `"` + strings.NewReplacer(`"`, " ", "[", " ", "]", " ").Replace(name) + `"`
}

// concept returns the accession of the disease in PubTator3, found by MeSH heading or name.
func concept(ctx context.Context, network *httpclient.Client, d *Disease) (string, error) {
	all, err := pubtator.Concepts(ctx, network, d.Name, 10)
	for _, c := range all {
		sameHeading := slices.Contains(d.XRefs.MeSH, "MESH:"+strings.TrimPrefix(c.ID, "MESH:"))
		if c.Type == "disease" && (sameHeading || resolve.Fold(c.Name) == resolve.Fold(d.Name)) {
			return c.Accession, nil
		}
	}
	return "", err
}

// topic is MedlinePlus's text on a disease in plain language.
type topic struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Source  string `json:"source"`
	URL     string `json:"url"`
}

// plainSection returns the section of the health topic with a name of the disease. It makes one
// request.
func plainSection() entity.Section[Disease] {
	return entity.RelatedSection[Disease, topic]{
		Name: "plain", Synonyms: []string{"plain-language", "lay", "patient", "medlineplus"},
		Label: "In plain words", Short: "the disease in plain words", Source: services.MedlinePlus.Label,
		Find: entity.FromService(findTopic),
		Doc: func(topics []topic) (doc result.Doc) {
			for _, t := range topics {
				doc = append(doc, result.Passage{Block: result.Para{Text: entity.Truncate(t.Summary, 2500)}}, result.Fields{
					{Name: "Topic", Value: t.Title + ", MedlinePlus, National Library of Medicine"},
					{Name: "Page", Value: t.URL},
				})
			}
			return doc
		},
	}.Section()
}

// findTopic returns the topic with a name of the disease. If not found, a notice names the
// nearest one.
func findTopic(ctx context.Context, ask *entity.LinkRequest, d *Disease) (*entity.Answer[topic], error) {
	all, err := services.Topics(ctx, ask.Network, d.Name, 10)
	if err != nil || len(all) == 0 {
		return &entity.Answer[topic]{}, err
	}
	names := append([]string{d.Name}, d.Synonyms...)
	for _, t := range all {
		if slices.ContainsFunc(append(t.Names, t.Title), func(name string) bool { return resolve.ContainsFolded(names, name) }) {
			return &entity.Answer[topic]{Rows: []topic{{t.Title, t.Summary, "MedlinePlus", t.URL}}}, nil
		}
	}
	return &entity.Answer[topic]{Notices: []string{"MedlinePlus has no topic called " + d.Name +
			"; the nearest is " + all[0].Title + ", " + all[0].URL}},
		nil
}
