package pubtator

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Group holds the entities of one type.
type Group struct {
	Type     string   `json:"type"`
	Mentions int      `json:"mentions"`
	Entities []Entity `json:"entities"`
}

// Entity is one gene, disease or other concept with the number of its mentions. A mention that
// PubTator could not identify is an entity named by its text, with Identifier "".
type Entity struct {
	Identifier string   `json:"identifier"`
	Database   string   `json:"database"`
	Accession  string   `json:"accession"`
	Name       string   `json:"name"` // name in the database, or else the most frequent mention
	Mentions   int      `json:"mentions"`
	Texts      []string `json:"texts"` // distinct mentions, most frequent first
}

// Summary groups a document's annotations by type and, within it, by identifier and accession
// (V600E and V600G share the rs number rs113488022). Types, entities and mentions are sorted by
// frequency, ties by name, so that the order is always the same.
func (d Document) Summary() []Group {
	type key struct{ kind, entity string }
	type tally struct {
		Entity
		texts map[string]int
	}
	found := map[key]*tally{}
	for _, a := range d.Annotations {
		k := key{a.Type, "id " + a.Identifier + " " + a.Accession}
		if a.Identifier == "" {
			k.entity = "text " + strings.ToLower(a.Text)
		}
		t := found[k]
		if t == nil {
			t = &tally{texts: map[string]int{}, Entity: Entity{
				Identifier: a.Identifier, Database: a.Database, Accession: a.Accession, Name: a.Name,
			}}
			found[k] = t
		}
		t.Mentions += a.Mentions
		t.texts[a.Text] += a.Mentions
	}

	byType := map[string]*Group{}
	for k, t := range found {
		t.Texts = byFrequency(t.texts)
		// PubTator names species by their number ("9606"), which readers do not know.
		if t.Name == "" || t.Name == t.Identifier {
			t.Name = t.Texts[0]
		}
		g := byType[k.kind]
		if g == nil {
			g = &Group{Type: k.kind}
			byType[k.kind] = g
		}
		g.Mentions += t.Mentions
		g.Entities = append(g.Entities, t.Entity)
	}

	groups := []Group{}
	for _, g := range byType {
		slices.SortFunc(g.Entities, func(a, b Entity) int {
			return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), compareFold(a.Name, b.Name),
				cmp.Compare(a.Identifier, b.Identifier))
		})
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.Type, b.Type))
	})
	return groups
}

func byFrequency(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), compareFold(a, b))
	})
}

func compareFold(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}
