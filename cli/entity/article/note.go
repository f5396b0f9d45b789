package article

import (
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/cite"
	"biomcp/entrez/record"
)

// maxTags is how many subjects of an article become tags of its note.
const maxTags = 10

// Note is an article as it is kept in a library of notes: warnings, the head of the
// card, abstract, citation and terms.
type Note struct {
	Title string   // marked where the article was retracted
	Tags  []string // "retracted", then major MeSH headings or, without any, keywords
	Text  result.Doc
}

// Doc is the text.
func (n Note) Doc() result.Doc { return n.Text }

// NoteOf makes the note of an article.
func NoteOf(a *Article) (Note, error) {
	citation, err := cite.Format("vancouver", a.Article)
	if err != nil {
		return Note{}, err
	}
	n := Note{Title: record.Label(a.Retracted, record.Title(a.Title, a.VernacularTitle)), Text: articleCard(a, entity.Asked{"abstract"})}
	n.Text = append(n.Text, abstractPart(a)...)
	n.Text = append(n.Text, result.Heading{Level: 2, Text: "Citation"}, result.Para{Text: strings.TrimSpace(citation)})
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
