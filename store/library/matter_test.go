package library

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestFrontMatter(t *testing.T) {
	for _, c := range []struct {
		text, title, category, tags, created, body, problem string
	}{
		{"---\ntitle: a\n---\nb\n", "a", "", "", "", "b\n", ""},
		{"---\ntitle: \"a: b\"\ncategory: 12\ntags: [x, 2024, X]\ncreated: 2025-11-23T10:00:00+02:00\n...\nb", "a: b", "12", "x,2024", "2025-11-23T08:00:00Z", "b", ""},
		{"---\ntitle:\n  nested: 1\ntags:\n  - one\n  - [two]\n  - three\n---\n", "", "", "one,three", "", "", ""},
		{"---\ntitle: &t anchored\ncategory: *t\n---\n", "anchored", "anchored", "", "", "", ""},
		{"---\ntitle: |\n  two\n  lines\n---\n", "two lines", "", "", "", "", ""},
		{"---\ncreated: 2025-02-30\n---\n", "", "", "", "", "", `created: "2025-02-30" is not a date`},
		{"---\ntitle: a\ntitle: b\n---\nb\n", "", "", "", "", "---\ntitle: a\ntitle: b\n---\nb\n", "its front matter is not YAML"},
		{"---\ntitle: never closed\n", "", "", "", "", "---\ntitle: never closed\n", ""},
		{"text\n---\ntitle: too late\n---\n", "", "", "", "", "text\n---\ntitle: too late\n---\n", ""},
		{"---\n---\nb", "", "", "", "", "b", ""},
		{"---", "", "", "", "", "---", ""},
		{"---\nx: " + strings.Repeat("y", maxMatter) + "\n---\n", "", "", "", "", "---\nx: " + strings.Repeat("y", maxMatter) + "\n---\n", "its front matter has more than 65536 bytes"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.text), func(t *testing.T) {
			m, body, problem := parse(c.text)
			created := ""
			if !m.Created.IsZero() {
				created = m.Created.Format(time.RFC3339)
			}
			if m.Title != c.title || m.Category != c.category || strings.Join(m.Tags, ",") != c.tags || created != c.created || body != c.body || problem != c.problem {
				t.Errorf("%.80q: %+v, body %.80q, problem %q", c.text, m, body, problem)
			}
		})
	}
}

func TestHeading(t *testing.T) {
	for text, want := range map[string]string{
		"# A\n":                         "A",
		"text\n\n### A b #\n":           "A b",
		"#\n# A":                        "A",
		"#hashtag\n# A":                 "A",
		"####### seven\n# A":            "A",
		"    # code\n# A":               "A",
		"~~~\n# code\n```\n~~~\n# A#\n": "A#",
		"```\n# code":                   "",
		"":                              "",
		"# \u202eevil\x1b[31m":          "evil[31m",
	} {
		t.Run(text, func(t *testing.T) {
			if got := heading(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// Front matter that was written is read back unchanged.
func TestFrontMatterIsReadAsItWasWritten(t *testing.T) {
	m := FrontMatter{Title: `---: "quoted" # [1] & *x`, Category: "no", Tags: []string{"null", "a, b", "1", "- x", "yes"}, Created: time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)}
	text, err := m.text()
	if err != nil {
		t.Fatal(err)
	}
	got, body, problem := parse(text + "\n# body\n")
	if got.Title != m.Title || got.Category != m.Category || !slices.Equal(got.Tags, m.Tags) || got.Created != m.Created || body != "\n# body\n" || problem != "" {
		t.Errorf("%s\nwas read as %+v, body %q, problem %q", text, got, body, problem)
	}
}

func FuzzFrontMatter(f *testing.F) {
	f.Add("---\ntitle: a\ntags: [b, c]\ncreated: 2020-01-01\n---\n# h\n")
	f.Add("---\na: &a [x,x]\nb: &b [*a,*a]\ntags: *b\n---\n")
	f.Add("---\r\ntitle: !!binary aGk=\r\n...\r\n")
	f.Add("---\n? [x]\n: {y: *z}\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, body, _ := parse(text)
		for _, s := range append([]string{m.Title, m.Category, heading(body)}, m.Tags...) {
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x00\x1b") || utf8.RuneCountInString(s) > maxLine+1 {
				t.Errorf("%q is not a line", s)
			}
		}
		if !strings.HasSuffix(text, body) {
			t.Errorf("the body %q is not the end of the file", body)
		}
		written, err := m.text()
		if err != nil {
			t.Fatal(err)
		}
		again, rest, problem := parse(written)
		if again.Title != m.Title || again.Category != m.Category || len(again.Tags) != len(m.Tags) || rest != "" || problem != "" {
			t.Errorf("%+v was written and read as %+v, problem %q:\n%s", m, again, problem, written)
		}
	})
}
