package article

import (
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/cite"
	"biomcp/entrez/record"
)

// maxTags is the maximum number of subject tags of a note.
const maxTags = 10

// A Note is an article as a library of notes stores it: warnings, the head of the card,
// abstract, citation and terms.
type Note struct {
	Title string   // with a mark if the article was retracted
	Tags  []string // "retracted" if it was, then major MeSH headings or else keywords
	Text  result.Doc
}

// Doc returns the text of the note.
func (n Note) Doc() result.Doc { return n.Text }

// NoteOf returns the note of an article.
func NoteOf(a *Article) (Note, error) {
	citation, err := cite.Format("vancouver", a.Article)
	if err != nil {
		return Note{}, err
	}
	n := Note{
		Title: record.Label(a.Retracted, record.Title(a.Title, a.VernacularTitle)),
		Text:  articleCard(a, entity.Sections{"abstract"}),
	}
	n.Text = append(n.Text, abstractPart(a)...)
	n.Text = append(n.Text, result.Heading{Level: 2, Text: "Citation"})
	n.Text = append(n.Text, result.PassageOf(strings.TrimSpace(citation))...)
	var major, all []string
	for _, m := range a.Mesh {
		all = append(all, m.Descriptor)
		if isMajor(m) {
			major = append(major, m.Descriptor)
		}
	}
	if len(all)+len(a.Keywords) > 0 {
		n.Text = append(n.Text, result.Heading{Level: 2, Text: "Terms"}, result.Fields{
			{Name: "MeSH", Value: strings.Join(all, "; ")}, {Name: "Keywords", Value: strings.Join(a.Keywords, "; ")},
		})
	}
	if len(major) == 0 {
		major = a.Keywords
	}
	if a.Retracted {
		n.Tags = []string{"retracted"}
	}
	n.Tags = append(n.Tags, major[:min(maxTags, len(major))]...)
	return n, nil
}
