package article

import (
	"strings"

	"biomcp/cli/result"
	"biomcp/entrez/jats"
)

// blocks renders the blocks of a text.
func blocks(in []jats.Block) result.Doc {
	var doc result.Doc
	for _, b := range in {
		switch b.Kind {
		case jats.Paragraph:
			doc = append(doc, result.Para{Text: b.Text})
		case jats.List:
			if b.Title != "" {
				doc = append(doc, result.Para{Text: b.Title})
			}
			doc = append(doc, listBlock(b))
		case jats.Table:
			doc = append(doc, tableBlock(b)...)
		case jats.Formula:
			lang := "text"
			if b.TeX {
				lang = "tex"
			}
			if b.Text == "" {
				doc = append(doc, result.Para{Text: picture(b)})
				continue
			}
			doc = append(doc, result.Fence{Lang: lang, Text: strings.TrimSpace(b.Text + " " + b.Label)})
		case jats.Code:
			doc = append(doc, result.Fence{Text: b.Text})
		case jats.Quote:
			for _, p := range blocks(b.Blocks) {
				if para, ok := p.(result.Para); ok {
					p = result.Quote(para)
				}
				doc = append(doc, p)
			}
		default: // figures, boxes, supplements, footnotes: a caption and nested blocks
			if text := caption(b); text != "" {
				doc = append(doc, result.Quote{Text: text})
			}
			doc = append(doc, blocks(b.Blocks)...)
		}
	}
	return doc
}

// picture describes a formula that exists only as an image.
func picture(b jats.Block) string {
	return strings.TrimSpace("[formula: image "+strings.Join(b.Files, ", ")) + "]" + strings.TrimRight(" "+b.Label, " ")
}

func caption(b jats.Block) string {
	if b.Kind == jats.Formula && b.Text == "" {
		return picture(b)
	}
	text := strings.TrimSpace(strings.TrimSpace(b.Label + " " + b.Title))
	if b.Text != "" {
		text = strings.TrimSpace(text + " " + b.Text)
	}
	if len(b.Files) > 0 {
		text += " [" + strings.Join(b.Files, ", ") + "]"
	}
	return text
}

func listBlock(b jats.Block) result.Block {
	return result.List{Ordered: b.Ordered, Items: result.Map(b.Items, func(item jats.Item) string {
		return strings.TrimSpace(b.ItemLabel(item) + " " + flat(item.Blocks))
	})}
}

// flat renders blocks as one line, for a list item. A colon separates a nested list from the words before it.
func flat(in []jats.Block) string {
	var parts []string
	for _, b := range in {
		switch b.Kind {
		case jats.List:
			if b.Title != "" {
				parts = append(parts, b.Title)
			}
			if last := len(parts) - 1; last >= 0 && !strings.ContainsAny(parts[last][len(parts[last])-1:], ".:;,?!") {
				parts[last] += ":"
			}
			for _, item := range b.Items {
				parts = append(parts, strings.TrimSpace(b.ItemLabel(item)+" "+flat(item.Blocks))+";")
			}
		case jats.Table:
			text := jats.Section{Blocks: []jats.Block{b}}.Text()
			parts = append(parts, strings.NewReplacer("\t", " | ", "\n", "; ").Replace(text)+";")
		default:
			if text := caption(b); text != "" {
				parts = append(parts, text)
			}
			if text := flat(b.Blocks); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(strings.Join(parts, " ")), ";")
}

func tableBlock(b jats.Block) result.Doc {
	doc := result.Doc{}
	if text := caption(jats.Block{Label: b.Label, Title: b.Title, Text: b.Text, Files: b.Files}); text != "" {
		doc = append(doc, result.Quote{Text: text})
	}
	if b.Grid != nil {
		t := result.Table{Rows: b.Grid.Rows}
		for _, name := range b.Grid.Columns() {
			t.Columns = append(t.Columns, result.Column{Name: name})
		}
		if len(t.Columns) == 0 && len(t.Rows) > 0 {
			t.Columns = make([]result.Column, len(t.Rows[0]))
		}
		doc = append(doc, t)
	}
	for _, n := range b.Notes {
		doc = append(doc, result.Quote{Text: strings.TrimSpace(n.Label + " " + n.Text)})
	}
	return doc
}
