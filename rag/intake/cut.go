package intake

import (
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/store"
)

// cutter fills the chunks of documents; each worker has its own.
type cutter struct{ a *analyze.Analyzer }

func newCutter() *cutter { return &cutter{analyze.New()} }

func (c *cutter) chunks(d *store.Document) {
	for _, p := range rag.Chunks(d.Abstract, d.Sections) {
		chunk := store.Chunk{ID: p.ID, Section: p.Section, Text: p.Text(d.Abstract)}
		toks, next := c.a.Tokens(nil, d.Title, 0)
		chunk.Tokens, _ = c.a.Tokens(toks, chunk.Text, next+10)
		d.Chunks = append(d.Chunks, chunk)
	}
}
