package article

import (
	"slices"
	"testing"

	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
)

func TestRetractedTitleIsMarkedOnceInEveryTable(t *testing.T) {
	for title, want := range map[string]string{
		"A synthetic title": "RETRACTED: A synthetic title", "RETRACTED: A synthetic title": "RETRACTED: A synthetic title",
		"Retracted: A synthetic title": "RETRACTED: A synthetic title", "": "RETRACTED: ",
	} {
		t.Run(title, func(t *testing.T) {
			hit := articleHit{PMID: "1", Title: title, Marks: eutils.Marks{Retracted: new(true)}}
			for name, doc := range map[string]result.Doc{
				"references": relatedDoc([]related{{PMID: "1", Title: title, Marks: eutils.Marks{Retracted: new(true)}}}, false),
				"search":     {result.Table{Rows: [][]string{hit.row()}}},
				"citation":   (&citationHits{Results: []citationMatch{{articleHit: hit}}}).Doc(),
			} {
				i := slices.IndexFunc(doc, func(b result.Block) bool { _, ok := b.(result.Table); return ok })
				if got := doc[i].(result.Table).Rows[0][1]; got != want {
					t.Errorf("%s: title %q is shown as %q", name, title, got)
				}
			}
		})
	}
	if got := relatedDoc([]related{{PMID: "1", Title: "Retracted: by hand"}}, false)[0].(result.Table).Rows[0][1]; got != "Retracted: by hand" {
		t.Errorf("the title of an article that is not retracted is shown as %q", got)
	}
	for name, doc := range map[string]result.Doc{
		"similar":    relatedDoc([]related{{PMID: "1", Title: "Bread", Marks: eutils.Marks{Preprint: new(true)}}}, false),
		"references": referenceDoc([]reference{{PMID: "1", Title: "Bread", Marks: eutils.Marks{Preprint: new(true)}}}),
	} {
		t.Run(name, func(t *testing.T) {
			if row := doc[0].(result.Table).Rows[0]; !slices.Contains(row, "PREPRINT: Bread") {
				t.Errorf("a preprint is shown as %q", row)
			}
		})
	}
}
