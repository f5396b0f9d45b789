package weaviate

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/weaviate/weaviate/entities/models"

	"biomcp/rag/analyze"
	"biomcp/store/postings"
)

// Properties of a chunk. Those up to source_url are part of the definition of the corpus.
// object.go sets the values.
const (
	propPMID, propChunkID, propText                = "pmid", "chunk_id", "text"
	propJournal, propPubTypes, propYear            = "journal", "pub_types", "year"
	propEDAT, propLR, propSourceURL                = "edat", "lr", "source_url"
	propTerms, propPlaces, propLength              = "terms", "places", "length"
	propNumber, propOrdinal                        = "pmid_number", "ordinal"
	propPMIDVersion, propVersion                   = "pmid_version", "version"
	propDate, propFacts                            = "date", "facts"
	propRetracted, propHasPMC, propIndexed         = "retracted", "has_pmc", "indexed"
	propHuman, propAnimal                          = "human", "animal"
	propJournalNames, propTypeNames, propMeshNames = "journal_names", "pub_type_names", "mesh_names"
	propModel, propLocalModel, propDigest          = "model", "local_model", "digest"
)

// A use is the way in which a property is indexed.
type use int

const (
	shown  use = iota // not indexed
	equals            // searched by value
	ranges            // searched by value and by range
	words             // searched by word, and ranked, in one index
)

// properties is the schema of the class.
var properties = []struct {
	name, kind string
	use        use
}{
	{propPMID, "text", equals},
	{propChunkID, "text", shown},
	{propText, "text", shown},
	{propJournal, "text", equals},
	{propPubTypes, "text[]", equals},
	{propYear, "int", equals},
	{propEDAT, "text", shown},
	{propLR, "text", shown},
	{propSourceURL, "text", shown},
	{propTerms, "text", words},
	{propPlaces, "text", shown},
	{propDigest, "text", shown},
	{propLength, "int", equals}, // indexed because the server can only sum indexed properties
	{propNumber, "number", ranges},
	{propOrdinal, "int", equals},
	{propPMIDVersion, "int", shown},
	{propVersion, "int", shown},
	{propModel, "text", equals},
	{propLocalModel, "text", equals},
	{propDate, "int", ranges},
	{propFacts, "number", shown}, // an unsigned 32-bit number exceeds the int of GraphQL
	{propRetracted, "boolean", equals},
	{propHasPMC, "boolean", equals},
	{propIndexed, "boolean", equals},
	{propHuman, "boolean", equals},
	{propAnimal, "boolean", equals},
	{propJournalNames, "text[]", equals},
	{propTypeNames, "text[]", equals},
	{propMeshNames, "text[]", equals},
}

// layout is the version of the table above.
const layout = 1

// A note is stored in the description of the class. It has the versions that made the objects,
// and the dimensions of the vectors, or zero if there are none yet.
type note struct {
	Layout   int `json:"layout"`
	Analysis int `json:"analysis"`
	Dim      int `json:"dim"`
	Local    int `json:"local,omitempty"`
}

func (n note) dim(v vector) int { return [...]int{n.Dim, n.Local}[v] }

const noteIntro = "Passages of PubMed records, kept by biomcp. Made with "

func (n note) description() string {
	text, _ := json.Marshal(n) // encoding plain fields does not fail
	return noteIntro + string(text)
}

func readNote(description string) (n note, ok bool) {
	text, ok := strings.CutPrefix(description, noteIntro)
	return n, ok && json.Unmarshal([]byte(text), &n) == nil
}

// newClass returns the class for vectors of these dimensions and a cluster with this number of
// nodes. Each object is on all of them, but on at most three. Words are ranked by their
// frequencies within a shard, so there are no more shards than needed to share the load among
// all nodes.
func (x *Index) newClass(dim, localDim, nodes int) *models.Class {
	copies := min(nodes, 3)
	c := &models.Class{
		Class: x.class, Description: note{layout, analyze.Version, dim, localDim}.description(),
		// The vectors have names because a cluster rejects a batch with an unnamed vector if
		// some of its objects have no vector.
		VectorConfig: map[string]models.VectorConfig{passage.String(): newVector(), local.String(): newVector()},
		InvertedIndexConfig: &models.InvertedIndexConfig{
			Bm25: &models.BM25Config{K1: postings.K1, B: postings.B}, Stopwords: &models.StopwordConfig{Preset: "none"},
		},
		ReplicationConfig: &models.ReplicationConfig{Factor: int64(copies)},
		ShardingConfig:    map[string]any{"desiredCount": max(nodes/copies, 1)},
	}
	if copies > 1 {
		c.ReplicationConfig.AsyncEnabled = true
		c.ReplicationConfig.DeletionStrategy = "TimeBasedResolution"
	}
	for _, p := range properties {
		c.Properties = append(c.Properties, newProperty(p.name, p.kind, p.use))
	}
	return c
}

// newVector returns the configuration of a vector. The graph has half as many edges and
// candidates as the server's default, and a search follows twice as many (dynamicEfMax), up to
// eight per hit. It finds as many neighbours, and inserting takes a fraction of the time
// (rag/evaluate/RESULTS.md).
func newVector() models.VectorConfig {
	return models.VectorConfig{
		VectorIndexType: "hnsw", Vectorizer: map[string]any{"none": map[string]any{}},
		VectorIndexConfig: map[string]any{
			"distance": "cosine", "efConstruction": 64, "maxConnections": 16, "dynamicEfMax": 1000,
		},
	}
}

// newProperty returns a property of the class. Words have no second index for conditions,
// because the server can use the index for ranking.
func newProperty(name, kind string, u use) *models.Property {
	filterable, searchable, ranged := u == equals, u == words, u == ranges
	p := &models.Property{
		Name: name, DataType: []string{kind},
		IndexFilterable: &filterable, IndexSearchable: &searchable, IndexRangeFilters: &ranged,
	}
	switch {
	case u == words:
		p.Tokenization = models.PropertyTokenizationWhitespace
	case strings.HasPrefix(kind, "text"):
		p.Tokenization = models.PropertyTokenizationField
	}
	return p
}

// compare returns an error of kind Invariant if a class differs from the one that newClass
// returns.
func (x *Index) compare(class *foundClass) error {
	other := func(format string, args ...any) error {
		return newError(Invariant, opCheck, "the class "+x.class+" "+format, args...)
	}
	have, ok := readNote(class.Description)
	switch {
	case !ok:
		return other("was not created by biomcp")
	case have.Layout != layout:
		return other("has layout %d, and this program knows layout %d: "+
			"update biomcp, or make the class again with biomcp sync index", have.Layout, layout)
	case have.Analysis != analyze.Version:
		return other("has terms of analysis version %d, this program has version %d", have.Analysis, analyze.Version)
	case class.InvertedIndexConfig == nil, class.InvertedIndexConfig.Stopwords == nil,
		class.InvertedIndexConfig.Stopwords.Preset != "none":
		return other("omits stop words")
	}
	for _, v := range []vector{passage, local} {
		how, _ := class.VectorConfig[v.String()].VectorIndexConfig.(map[string]any)
		if how["distance"] != "cosine" {
			return other("has no vector with cosine distance named %s", v)
		}
	}
	for _, p := range properties {
		want := newProperty(p.name, p.kind, p.use)
		i := slices.IndexFunc(class.Properties, func(have *models.Property) bool {
			return have != nil && have.Name == p.name
		})
		if i < 0 {
			return other("lacks the property %s", p.name)
		}
		have := class.Properties[i]
		sameType := slices.Equal(have.DataType, want.DataType) && have.Tokenization == want.Tokenization
		sameIndex := sameFlag(have.IndexFilterable, want.IndexFilterable) &&
			sameFlag(have.IndexSearchable, want.IndexSearchable) &&
			sameFlag(have.IndexRangeFilters, want.IndexRangeFilters)
		if !sameType || !sameIndex {
			return other("has another type or index of property %s", p.name)
		}
	}
	return nil
}

// sameFlag reports whether two optional flags are equal; nil means false.
func sameFlag(a, b *bool) bool { return (a != nil && *a) == (b != nil && *b) }
