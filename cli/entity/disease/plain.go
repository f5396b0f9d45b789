package disease

import (
	"context"
	"slices"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/medlineplus"
)

// topic is what MedlinePlus says of a disease in plain words.
type topic struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Source  string `json:"source"`
	URL     string `json:"url"`
}

// plain is the section of the health topic with a name of the disease: one request.
func plain() entity.Section[Disease] {
	return entity.Linked[Disease, topic]{
		Name: "plain", Also: []string{"plain-language", "lay", "patient", "medlineplus"}, Label: "In plain words", Short: "what it is in plain words", Source: medlineplus.Source.Label, Find: entity.Asking(findTopic),
		Doc: func(topics []topic) (doc result.Doc) {
			for _, t := range topics {
				doc = append(doc, result.Para{Text: entity.Cut(t.Summary, 2500)}, result.Fields{{Name: "Topic", Value: t.Title + ", MedlinePlus, National Library of Medicine"}, {Name: "Page", Value: t.URL}})
			}
			return doc
		},
	}.Section()
}

// findTopic takes the topic of the same name. Another one is named in a notice alone.
func findTopic(ctx context.Context, ask *entity.Ask, d *Disease) (*entity.Answer[topic], error) {
	all, err := medlineplus.Topics(ctx, ask.Network, d.Name, 10)
	if err != nil || len(all) == 0 {
		return &entity.Answer[topic]{}, err
	}
	names := append([]string{d.Name}, d.Synonyms...)
	for _, t := range all {
		if slices.ContainsFunc(append(t.Names, t.Title), func(name string) bool { return entity.Folded(names, name) }) {
			return &entity.Answer[topic]{Rows: []topic{{t.Title, t.Summary, "MedlinePlus", t.URL}}}, nil
		}
	}
	return &entity.Answer[topic]{Notices: []string{"MedlinePlus has no topic called " + d.Name + "; the nearest is " + all[0].Title + ", " + all[0].URL}}, nil
}
