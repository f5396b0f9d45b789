package article

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// retractionSection says of each record that was read whether PubMed has a notice about it.
// Every answer shows notices before the text; this one also says that there is none.
func retractionSection() entity.Section[Article] {
	return entity.Section[Article]{
		Name: "retraction", Also: []string{"retractions", "retracted", "corrections", "correction", "erratum", "errata", "concern", "notices"},
		Label: "Retraction and corrections", Short: "whether it was retracted, corrected or doubted, also where it was not", Source: "PubMed",
		Load: func(_ context.Context, _ *command.Input, records []*Article) (entity.Loaded, error) {
			for _, a := range records {
				a.Retraction = entity.Part[string]{Asked: true, Value: retractionOf(a)}
			}
			return entity.Loaded{}, nil
		},
		Has: func(a *Article) bool { return a.Retraction.Value != "" },
		Doc: func(a *Article) result.Doc { return result.Doc{result.Para{Text: a.Retraction.Value}} },
	}
}

func retractionOf(a *Article) string {
	if warnings := warningsOf(a.Article); len(warnings) > 0 {
		return strings.Join(warnings, ". ") + "."
	}
	where := "in PubMed"
	if a.kept != nil {
		where = "in the local corpus, which has the record" + revised(a.kept)
	}
	return "No retraction, correction or expression of concern is recorded " + where + "."
}
