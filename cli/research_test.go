package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// The files of the research library follow the other resources, with their metadata. The list
// reflects the current content of the folder.
func TestResearchResources(t *testing.T) {
	app := diskApp(t)
	l := library{app: app}
	uris := func() (list []string) {
		for _, r := range l.List(t.Context()) {
			list = append(list, r.URI)
		}
		return list
	}
	before := uris()
	commandtest.WriteLibraryFile(t, app, "glp1/README.md", "---\ntitle: GLP-1\ncategory: obesity\ntags: [x]\n---\n# Heading\n")
	commandtest.WriteLibraryFile(t, app, "glp1/a b.md", "text")
	if got, want := uris(), append(before, "research://glp1/README.md", "research://glp1/a%20b.md"); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
	list := l.List(t.Context())
	r := list[len(list)-1]
	if r.Name != "GLP-1 - a b.md" || r.MIME != "text/markdown" || r.Modified.IsZero() || r.Meta["projectId"] != "glp1" || *r.Meta["category"].(*string) != "obesity" {
		t.Errorf("%+v", r)
	}
	if got, found, err := l.Read(t.Context(), r.URI); got.MIME != "text/markdown" || got.Text != "text" || !found || err != nil {
		t.Errorf("%s: %+v %v %v", r.URI, got, found, err)
	}
	for _, uri := range []string{"research://glp1/none.md", "research://glp1/..%2fREADME.md", "research://", "research://glp1", "research://GLP1/README.md"} {
		t.Run(uri, func(t *testing.T) {
			if _, found, err := l.Read(t.Context(), uri); found || err != nil {
				t.Errorf("%s: found %v, %v", uri, found, err)
			}
		})
	}
}

func TestCompletions(t *testing.T) {
	app := diskApp(t)
	l := library{app: app}
	for _, template := range []string{paperURI + "{pmid}", statsURI + "{database}"} {
		t.Run(template, func(t *testing.T) { // no corpus, no network
			variable := template[strings.Index(template, "{")+1 : len(template)-1]
			if values, ok := l.Complete(t.Context(), template, variable, ""); !ok || len(values) > 0 {
				t.Errorf("%s: %q %v", template, values, ok)
			}
		})
	}
	if text, code := ask(t, app, command.Person, "sync pubmed --from "+sampleRecords); code != 0 {
		t.Fatal(text)
	}
	online := ncbiApp(t, entreztest.New(t))
	for _, c := range []struct {
		l                          library
		template, variable, begins string
		want                       string
		ok                         bool
	}{
		{l, paperURI + "{pmid}", "pmid", "9010", "90100001 90100002 90100003 90100004", true},
		{l, paperURI + "{pmid}", "pmid", "90100003", "90100003", true},
		{l, paperURI + "{pmid}", "pmid", "x", "", true},
		{l, paperURI + "{pmid}", "database", "", "", false},
		{l, "biomcp://none/{x}", "x", "", "", false},
		{l, "follow-citations", "id", "9010000", "90100001 90100002 90100003 90100004", true},
		{l, "follow-citations", "id", "3205", "32051057", true},
		{l, "follow-citations", "gene", "", "", false},
		{l, "3", "id", "", "", false},
		{l, "export-references", "style", "BIB", "bibtex", true},
		{l, "mutation-survival", "study", "syn", "synthetic_demo", true},
		{l, "mutation-survival", "gene", "tp", "TP53", true},
		{library{app: online}, statsURI + "{database}", "database", "PM", "pmc", true},
		{library{app: online}, statsURI + "{database}", "database", "pubm", "pubmed", true},
		{library{app: online}, statsURI + "{database}", "database", "zz", "", true},
	} {
		t.Run(fmt.Sprint(c.l), func(t *testing.T) {
			values, ok := c.l.Complete(context.Background(), c.template, c.variable, c.begins)
			if strings.Join(values, " ") != c.want || ok != c.ok {
				t.Errorf("%s %s %q: %q %v, want %q %v", c.template, c.variable, c.begins, values, ok, c.want, c.ok)
			}
		})
	}
}
