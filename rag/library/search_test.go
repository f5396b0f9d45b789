package library

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/store/library"
)

// notes is a library of synthetic notes.
func notes(t testing.TB) (*Searcher, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"glp1/README.md":  "---\ntitle: GLP-1 and weight\ncategory: Obesity\ntags: [glp-1, weight]\n---\n# GLP-1 and weight\n\nWhat is known of semaglutide.\n",
		"glp1/dose.md":    "---\ntags: [dose]\n---\n# Doses\n\nSemaglutide is given once a week. The dose is raised slowly.\n\n## Results\n\n> Weight fell by 15 %.\n",
		"il6/README.md":   "---\ntitle: Interleukin 6\ncategory: immunology\ntags: [IL-6]\n---\nIL-6 in sepsis, TNFalpha and weight loss in mice.\n",
		"il6/mouse.md":    "---\ntitle: Mice\n---\nInterleukin-6 and weight. Weight, weight and weight again.\n",
		"il6/semaglut.md": "---\ntitle: Semaglutide\n---\nA drug.\n",
	} {
		write(t, dir, name, text)
	}
	return NewSearcher(library.New(dir)), dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func search(t testing.TB, s *Searcher, q Query) (names []string, a *Answer) {
	t.Helper()
	a, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range a.Hits {
		names = append(names, h.Project+"/"+h.Name)
		if i > 0 && h.Score > a.Hits[i-1].Score || strings.TrimSpace(q.Text) != "" && h.Score <= 0 {
			t.Errorf("%+v: the score of %s is %g, behind %g", q, h.Name, h.Score, a.Hits[max(0, i-1)].Score)
		}
	}
	return names, a
}

func TestSearch(t *testing.T) {
	s, _ := notes(t)
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{}, "glp1/README.md glp1/dose.md il6/README.md il6/mouse.md il6/semaglut.md"},
		{Query{Text: "semaglutide"}, "il6/semaglut.md glp1/README.md glp1/dose.md"}, // a title counts most
		{Query{Text: "IL6"}, "il6/README.md il6/mouse.md il6/semaglut.md"},          // tags of the README too
		{Query{Text: "TNF-α"}, "il6/README.md"},
		{Query{Text: `"once a week"`}, "glp1/dose.md"},
		{Query{Text: `"week once"`}, ""},
		{Query{Text: "semaglutide NOT week"}, "il6/semaglut.md glp1/README.md"},
		{Query{Text: "semaglutide AND dose"}, "glp1/dose.md"},
		{Query{Text: "semaglut*", Tags: []string{"IL-6"}}, "il6/semaglut.md"},
		{Query{Category: "obesity"}, "glp1/README.md glp1/dose.md"},
		{Query{Tags: []string{"GLP-1", "weight"}}, "glp1/README.md"},
		{Query{Tags: []string{"GLP-1", "dose"}}, ""},
		{Query{Project: "il6", Text: "weight"}, "il6/mouse.md il6/README.md"},
		{Query{Text: "the of"}, ""},
		{Query{Text: "xqzzy"}, ""},
		{Query{Text: " "}, "glp1/README.md glp1/dose.md il6/README.md il6/mouse.md il6/semaglut.md"},
	} {
		t.Run(c.want, func(t *testing.T) {
			got, _ := search(t, s, c.q)
			if strings.Join(got, " ") != c.want {
				t.Errorf("%+v:\n%s, want\n%s", c.q, strings.Join(got, " "), c.want)
			}
		})
	}
}

func TestSnippet(t *testing.T) {
	s, _ := notes(t)
	for text, want := range map[string]string{
		"weight fell": "… Results. Weight fell by 15 %.",
		"slowly":      "… The dose is raised slowly. Results. …",
		"":            "Semaglutide is given once a week. …",
	} {
		t.Run(text, func(t *testing.T) {
			_, a := search(t, s, Query{Text: text})
			f, body, err := s.Library.Read("glp1", "dose.md")
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Snippet(f, body, 40); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// A search finds files that have changed on the disk, and not those that were removed, whose
// memory is freed.
func TestChangesAreFound(t *testing.T) {
	s, dir := notes(t)
	search(t, s, Query{Text: "weight"})
	write(t, dir, "il6/mouse.md", "---\ntitle: Mice\n---\nNothing of the kind.\n")
	write(t, dir, "new/a.md", "# Overweight and weight\n")
	if err := os.Remove(filepath.Join(dir, "glp1", "dose.md")); err != nil {
		t.Fatal(err)
	}
	got, _ := search(t, s, Query{Text: "weight"})
	slices.Sort(got)
	if want := "glp1/README.md il6/README.md new/a.md"; strings.Join(got, " ") != want {
		t.Errorf("after a change: %q", got)
	}
	if len(s.index.docs) != 5 {
		t.Errorf("%d analysed files are kept, and there are 5", len(s.index.docs))
	}
}

// The scores of a library do not depend on earlier searches, on earlier content or on filters.
func TestScoresDependOnTheLibraryAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("weight dose IL-6 mice semaglutide sepsis trial week the loss")
	s, dir := notes(t)
	for step := range 40 {
		var body []string
		for range random.IntN(30) {
			body = append(body, words[random.IntN(len(words))])
		}
		write(t, dir, fmt.Sprintf("p%d/f%d.md", random.IntN(3), random.IntN(4)), fmt.Sprintf("# %s\n%s\n", words[random.IntN(len(words))], strings.Join(body, " ")))
		q := Query{Text: words[random.IntN(len(words))] + " " + words[random.IntN(len(words))]}
		got, a := search(t, s, q)
		fresh, b := search(t, NewSearcher(library.New(dir)), q)
		if !slices.Equal(got, fresh) {
			t.Fatalf("step %d, %q: %q, by a new index %q", step, q.Text, got, fresh)
		}
		scores := map[string]float64{}
		for i, h := range a.Hits {
			scores[h.URI()] = h.Score
			if h.Score != b.Hits[i].Score {
				t.Fatalf("step %d, %q: %s has %g, by a new index %g", step, q.Text, h.Name, h.Score, b.Hits[i].Score)
			}
		}
		_, part := search(t, s, Query{Text: q.Text, Project: "p1"})
		for _, h := range part.Hits {
			if h.Score != scores[h.URI()] {
				t.Errorf("%q: the score of %s depends on a filter", q.Text, h.Name)
			}
		}
	}
}

func TestSearchStops(t *testing.T) {
	s, _ := notes(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Search(ctx, Query{Text: "weight"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// BenchmarkSearch_1k searches 1,000 unchanged files of about 10 KB each.
func BenchmarkSearch_1k(b *testing.B) {
	dir := b.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	old := time.Now().Add(-time.Hour)
	for i := range 1000 {
		var text strings.Builder
		for text.Len() < 10_000 {
			fmt.Fprintf(&text, "word%d ", int(random.ExpFloat64()*500))
		}
		name := fmt.Sprintf("p%d/f%d.md", i%10, i)
		write(b, dir, name, "# Title\n"+text.String())
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			b.Fatal(err)
		}
	}
	s := NewSearcher(library.New(dir))
	start := time.Now()
	search(b, s, Query{Text: "word7 word900"})
	first := time.Since(start)
	for b.Loop() {
		search(b, s, Query{Text: "word7 word900"})
	}
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
}
