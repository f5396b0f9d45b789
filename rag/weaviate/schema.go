package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/cluster"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/except"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/fault"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/rag/analyze"
)

// Properties of a chunk. The first ones are those that the adapter's contract
// names; what they mean is said in object.go.
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
	propModel, propDigest                          = "model", "digest"
)

// use is how a property is indexed.
type use int

const (
	shown  use = iota // not at all
	equals            // found by value
	ranges            // found by value and in ranges
	words             // found by each of its words, and ranked by them
)

// properties is the shape of the class.
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
	{propLength, "int", equals}, // which sums need
	{propNumber, "number", ranges},
	{propOrdinal, "int", shown},
	{propPMIDVersion, "int", shown},
	{propVersion, "int", shown},
	{propModel, "text", equals},
	{propDate, "int", ranges},
	{propFacts, "number", shown}, // 32 bits, of which an int of GraphQL has one too few
	{propRetracted, "boolean", equals},
	{propHasPMC, "boolean", equals},
	{propIndexed, "boolean", equals},
	{propHuman, "boolean", equals},
	{propAnimal, "boolean", equals},
	{propJournalNames, "text[]", equals},
	{propTypeNames, "text[]", equals},
	{propMeshNames, "text[]", equals},
}

// BM25 as in package store, and the layout's version: 1 is the table above.
const (
	k1, b  = 1.2, 0.75
	layout = 1
)

// vectorName is the name of the vector of a chunk.
const vectorName = "passage"

// note is kept in the description of the class: what its objects were made with.
type note struct {
	Layout   int `json:"layout"`
	Analysis int `json:"analysis"`
	Dim      int `json:"dim"` // of the vectors, 0 while there are none
}

const noteIntro = "Passages of PubMed records, kept by biomcp. Made with "

func description(dim int) string {
	text, _ := json.Marshal(note{layout, analyze.Version, dim}) // plain fields
	return noteIntro + string(text)
}

func readNote(description string) (n note, ok bool) {
	text, ok := strings.CutPrefix(description, noteIntro)
	return n, ok && json.Unmarshal([]byte(text), &n) == nil
}

// newClass is the class for a cluster of some nodes. Each keeps whole shards, and
// ranks words by the frequencies in one: there are no more of them than it takes
// for every node to have its share.
func (x *Index) newClass(dim, nodes int) *models.Class {
	copies := x.copies
	if copies == 0 {
		copies = min(nodes, 3)
	}
	c := &models.Class{
		Class: x.class, Description: description(dim),
		// The vector has a name because a cluster refuses objects without a vector
		// beside such as have one that has none. efConstruction is above the server's
		// 128: building is once, and what the graph lacks no search can find.
		VectorConfig: map[string]models.VectorConfig{vectorName: {
			VectorIndexType: "hnsw", Vectorizer: map[string]any{"none": map[string]any{}},
			VectorIndexConfig: map[string]any{"distance": "cosine", "efConstruction": 256},
		}},
		InvertedIndexConfig: &models.InvertedIndexConfig{
			Bm25: &models.BM25Config{K1: k1, B: b}, Stopwords: &models.StopwordConfig{Preset: "none"},
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

func newProperty(name, kind string, u use) *models.Property {
	filterable, searchable, ranged := u == equals || u == words, u == words, u == ranges
	p := &models.Property{Name: name, DataType: []string{kind}, IndexFilterable: &filterable, IndexSearchable: &searchable, IndexRangeFilters: &ranged}
	switch {
	case u == words:
		p.Tokenization = models.PropertyTokenizationWhitespace
	case strings.HasPrefix(kind, "text"):
		p.Tokenization = models.PropertyTokenizationField
	}
	return p
}

// Ensure makes the class where it is missing, with Config.Copies of each object.
// A class that is there is held against what this program writes: Invariant where
// it is of another shape, or for vectors of another dimension.
func (x *Index) Ensure(ctx context.Context) error {
	err := x.Check(ctx)
	if IsKind(err, Missing) {
		err = x.make(ctx)
	}
	if err != nil {
		return err
	}
	return x.adopt(ctx)
}

func (x *Index) make(ctx context.Context) error {
	nodes := x.nodes(ctx)
	_, dim := x.vectors()
	err := x.call(ctx, "make class", func(ctx context.Context) error {
		return x.schema.ClassCreator().WithClass(x.newClass(dim, nodes)).Do(ctx)
	})
	if e := (*Error)(nil); errors.As(err, &e) && e.Status == http.StatusUnprocessableEntity {
		if again := x.Check(ctx); !IsKind(again, Missing) { // another process was first
			return again
		}
	}
	if err != nil {
		return err
	}
	return x.Check(ctx)
}

// adopt notes the dimension of our vectors in a class that has none yet.
func (x *Index) adopt(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	switch have := x.noted(); {
	case x.dim == 0 || have == x.dim:
		return nil
	case have != 0:
		return x.otherDim(have)
	}
	class := maps.Clone(x.checked.raw) // with what a later server knows and this program does not
	class["description"] = description(x.dim)
	err := x.call(ctx, "note dimension", func(ctx context.Context) error {
		reply, err := x.connection.RunREST(ctx, "/schema/"+x.class, http.MethodPut, class)
		return except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK)
	})
	if err == nil {
		changed := *x.checked
		changed.raw, changed.Description = class, description(x.dim)
		x.checked = &changed
	}
	return err
}

// noted is the dimension of the vectors in the class, 0 while there are none.
func (x *Index) noted() int {
	if x.checked == nil {
		return 0
	}
	have, _ := readNote(x.checked.Description)
	return have.Dim
}

func (x *Index) otherDim(have int) error {
	return newError(Invariant, "look at class", "the class %s holds vectors of %d numbers, the model %s makes such of %d", x.class, have, x.model, x.dim)
}

// vectors are the model and the dimension of our vectors.
func (x *Index) vectors() (model string, dim int) {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.model, x.dim
}

// Renew makes ready for all documents to be put anew, with vectors of a model. A
// class of ours that cannot take them, because another version of this program
// made it or its vectors have another dimension, is removed with all it holds;
// else vectors of the model before are overwritten one by one, and found by none
// until then. Invariant where the class is not ours.
func (x *Index) Renew(ctx context.Context, model string, dim int) error {
	class, err := x.look(ctx)
	switch {
	case IsKind(err, Missing):
	case err != nil:
		return err
	default:
		have, ours := readNote(class.Description)
		unfit := x.compare(class)
		switch {
		case unfit != nil && !ours:
			return unfit
		case unfit != nil, have.Dim != 0 && dim != 0 && have.Dim != dim:
			if err := x.Drop(ctx); err != nil {
				return err
			}
		}
	}
	x.checking.Lock()
	defer x.checking.Unlock()
	x.model, x.dim = model, dim
	return nil
}

// nodes is the number of nodes, 1 where the server does not say.
func (x *Index) nodes(ctx context.Context) (n int) {
	err := x.call(ctx, "count nodes", func(ctx context.Context) error {
		nodes, err := cluster.New(x.connection).NodesStatusGetter().Do(ctx)
		if err == nil {
			n = len(nodes.Nodes)
		}
		return err
	})
	if err != nil {
		return 1
	}
	return max(n, 1)
}

// Check asks for the class and holds it against what this program writes: Missing
// where there is none, Invariant where it is another. A class that passed is not
// asked for again. The dimension of vectors is not looked at: words are found
// whatever it is.
func (x *Index) Check(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	if x.checked != nil {
		return nil
	}
	class, err := x.look(ctx)
	if err == nil {
		err = x.compare(class)
	}
	if err == nil {
		x.checked = class
	}
	return err
}

// look asks for the class.
func (x *Index) look(ctx context.Context) (class *foundClass, err error) {
	const op = "look at class"
	err = x.call(ctx, op, func(ctx context.Context) error {
		reply, err := x.connection.RunREST(ctx, "/schema/"+x.class, http.MethodGet, nil)
		if err == nil && reply.StatusCode == http.StatusNotFound {
			return newError(Missing, op, "the server has no class %s", x.class)
		}
		if err := except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK); err != nil {
			return err
		}
		class, err = readClass(reply.Body)
		return err
	})
	return class, err
}

// foundClass is a class as the server describes it.
type foundClass struct {
	models.Class
	raw      map[string]any
	blockMax bool // words are ranked by BlockMax-WAND
}

func readClass(body []byte) (*foundClass, error) {
	var c foundClass
	var more struct {
		InvertedIndexConfig struct{ UsingBlockMaxWAND bool }
	}
	for _, part := range []any{&c.Class, &c.raw, &more} {
		if err := json.Unmarshal(body, part); err != nil {
			return nil, err
		}
	}
	c.blockMax = more.InvertedIndexConfig.UsingBlockMaxWAND
	return &c, nil
}

// fills reports whether fillers are needed for the length of a text to be the
// number of its words. BlockMax-WAND, of version 1.30 and later, takes all of
// them; what was before it, the different ones.
func (x *Index) fills() bool {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.checked == nil || !x.checked.blockMax
}

// compare holds a class against the one that we would make.
func (x *Index) compare(class *foundClass) error {
	other := func(format string, args ...any) error {
		return newError(Invariant, "look at class", "the class "+x.class+" "+format, args...)
	}
	have, ok := readNote(class.Description)
	vectors, named := class.VectorConfig[vectorName]
	how, _ := vectors.VectorIndexConfig.(map[string]any)
	switch {
	case !ok:
		return other("was not made by biomcp")
	case have.Layout != layout:
		return other("has layout %d, this program writes %d", have.Layout, layout)
	case have.Analysis != analyze.Version:
		return other("holds terms of analysis %d, this program's is %d", have.Analysis, analyze.Version)
	case !named || how["distance"] != "cosine":
		return other("compares vectors in another way")
	case class.InvertedIndexConfig == nil || class.InvertedIndexConfig.Stopwords == nil || class.InvertedIndexConfig.Stopwords.Preset != "none":
		return other("leaves out stop words")
	}
	for _, p := range properties {
		want := newProperty(p.name, p.kind, p.use)
		i := slices.IndexFunc(class.Properties, func(have *models.Property) bool { return have != nil && have.Name == p.name })
		if i < 0 {
			return other("lacks the property %s", p.name)
		}
		have := class.Properties[i]
		if !slices.Equal(have.DataType, want.DataType) || have.Tokenization != want.Tokenization ||
			!same(have.IndexFilterable, want.IndexFilterable) || !same(have.IndexSearchable, want.IndexSearchable) || !same(have.IndexRangeFilters, want.IndexRangeFilters) {
			return other("has another kind of property %s", p.name)
		}
	}
	return nil
}

func same(a, b *bool) bool { return (a != nil && *a) == (b != nil && *b) }

// Drop removes the class with all its objects; that it is not there is no error.
func (x *Index) Drop(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	x.checked = nil
	return x.call(ctx, "remove class", func(ctx context.Context) error {
		err := x.schema.ClassDeleter().WithClassName(x.class).Do(ctx)
		if reply := (*fault.WeaviateClientError)(nil); errors.As(err, &reply) && reply.StatusCode == http.StatusNotFound {
			return nil
		}
		return err
	})
}
