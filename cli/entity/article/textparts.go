package article

import (
	"cmp"
	"slices"
	"strings"

	"biomcp/cli/result"
	"biomcp/entrez/jats"
	"biomcp/entrez/record"
)

// newFullText splits a text at its top-level headings. The references are the last part.
func newFullText(pmcid string, art *jats.Article) *fullText {
	t := &fullText{PMCID: pmcid, Licence: art.Licence}
	var sections []jats.Section
	var languages []string
	for _, a := range translationsLast(art.Abstracts) {
		if len(a.Sections) > 0 {
			sections = append(sections, abstractSections(a)...)
			t.abstracts++
			languages = append(languages, a.Language)
		}
	}
	sections = append(append(sections, art.Body...), art.Back...)
	for _, s := range []struct{ title, text string }{
		{"Funding", art.Funding}, {"Data availability", art.DataAvailability},
	} {
		if s.text != "" {
			sections = append(sections, jats.Section{
				Level: 1, Title: s.title, Blocks: []jats.Block{{Kind: jats.Paragraph, Text: s.text}},
			})
		}
	}
	if len(art.Footnotes) > 0 {
		sections = append(sections, jats.Section{
			Level: 1, Title: "Notes", Blocks: result.Map(art.Footnotes, func(n jats.Note) jats.Block {
				return jats.Block{Kind: jats.Footnote, Label: n.Label, Text: n.Text}
			}),
		})
	}
	if len(art.Refs) > 0 {
		sections = append(sections, jats.Section{Level: 1, Title: "References", Blocks: referenceBlocks(art.Refs)})
	}
	sizes := (&jats.Article{Body: sections}).Outline()
	for i, s := range sections {
		if s.Level <= 1 || len(t.Parts) == 0 {
			t.Parts = append(t.Parts, textPart{Number: len(t.Parts) + 1})
			if n := len(t.Parts); n <= len(languages) {
				t.Parts[n-1].Language = languages[n-1]
			}
		}
		last := &t.Parts[len(t.Parts)-1]
		last.Sections = append(last.Sections, s)
		t.Outline = append(t.Outline, heading{
			Number: last.Number, Level: max(s.Level, 1), Title: sectionTitle(s), Words: sizes[i].Words,
		})
	}
	if len(art.Refs) > 0 {
		t.Parts[len(t.Parts)-1].References = art.Refs
	}
	return t
}

// referenceBlocks returns a paragraph for each reference, below the title of its list.
func referenceBlocks(refs []jats.Reference) []jats.Block {
	var out []jats.Block
	list := ""
	for _, r := range refs {
		if r.List != list {
			list = r.List
			out = append(out, jats.Block{Kind: jats.Paragraph, Text: list})
		}
		out = append(out, jats.Block{Kind: jats.Paragraph, Text: r.Line()})
	}
	return out
}

// translationsLast returns the abstracts with those in other languages after the others.
func translationsLast(all []jats.Abstract) []jats.Abstract {
	isTranslation := func(a jats.Abstract) int { return min(len(a.Language), 1) }
	return slices.SortedStableFunc(slices.Values(all), func(a, b jats.Abstract) int {
		return isTranslation(a) - isTranslation(b)
	})
}

// abstractSections returns an abstract as a part of the text. It may be the abstract proper
// or one for other readers, such as an author summary or a digest. A translation is named by its
// language.
func abstractSections(a jats.Abstract) []jats.Section {
	whole := jats.Section{Level: 1, Title: cmp.Or(a.Title, "Abstract")}
	var remarks []string
	if a.Title == "" && a.Type != "" {
		remarks = append(remarks, a.Type)
	}
	if a.Language != "" {
		remarks = append(remarks, record.LanguageName(a.Language))
	}
	if len(remarks) > 0 {
		whole.Title += " (" + strings.Join(remarks, ", ") + ")"
	}
	sections := []jats.Section{whole}
	for _, s := range a.Sections {
		if s.Title == "" && s.Label == "" && len(sections) == 1 {
			sections[0].Blocks = append(sections[0].Blocks, s.Blocks...)
			continue
		}
		s.Level = max(s.Level, 1) + 1
		sections = append(sections, s)
	}
	return sections
}

func sectionTitle(s jats.Section) string {
	return cmp.Or(strings.TrimSpace(s.Label+" "+s.Title), "(untitled)")
}
