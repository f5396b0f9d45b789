package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store"
)

// StopWords is the number of the commonest words, which an analysis would drop: they occur in the
// texts but not among the tokens.
const StopWords = 40

// Generator generates documents by number. Two generators with the same seed generate the same
// documents. It is not safe for concurrent use.
type Generator struct {
	seed     uint64
	pcg      *rand.PCG
	rng      *rand.Rand
	words    *rand.Zipf
	topical  *rand.Zipf
	headings *rand.Zipf
	journals *rand.Zipf
	names    map[uint64]string
	centres  map[uint64][]float32
}

// Vocabulary and topics: 1 million documents have about as many different words as 1 million PubMed
// abstracts, and half of the words occur once.
const (
	vocabulary = 1_200_000
	topics     = 600
	headings   = 28_000
	journals   = 6_000
)

// New returns a Generator.
func New(seed uint64) *Generator {
	pcg := rand.NewPCG(seed, 0)
	rng := rand.New(pcg)
	return &Generator{
		seed: seed, pcg: pcg, rng: rng,
		// P(rank r) is proportional to (r + v)^-s, Mandelbrot's form, with values in the range
		// usually fitted to English scientific prose.
		words:    rand.NewZipf(rng, 1.2, 5, vocabulary),
		topical:  rand.NewZipf(rng, 1.3, 4, 400),
		headings: rand.NewZipf(rng, 1.05, 8, headings),
		journals: rand.NewZipf(rng, 1.05, 30, journals),
		names:    map[uint64]string{},
		centres:  map[uint64][]float32{},
	}
}

// Word returns the word of a rank; 0 is the commonest. It consists of syllables, without an ending
// that a stemmer would remove.
func Word(rank uint64) string {
	const consonants, vowels = "bdfgklmnprtvz", "aeiou"
	var b strings.Builder
	n := rank + 65 // at least two syllables
	for n > 0 {
		s := n % 65
		b.WriteByte(consonants[s/5])
		b.WriteByte(vowels[s%5])
		n /= 65
	}
	b.WriteByte('x')
	return b.String()
}

func (g *Generator) word(rank uint64) string {
	if rank > 200_000 {
		return Word(rank)
	}
	w, ok := g.names[rank]
	if !ok {
		w = Word(rank)
		g.names[rank] = w
	}
	return w
}

// text appends about n words in sentences, and returns tokens with those of the words that are not
// stop words appended.
func (g *Generator) text(b *strings.Builder, n int, topic uint64, tokens []store.Token, pos *uint32) []store.Token {
	for i := range n {
		rank := g.words.Uint64()
		if rank >= StopWords && g.rng.IntN(4) == 0 {
			rank = StopWords + (topic*211+g.topical.Uint64()*7)%60_000
		}
		w := g.word(rank)
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		if i%19 == 18 || i == n-1 {
			b.WriteByte('.')
		}
		if rank >= StopWords {
			tokens = append(tokens, store.Token{Term: w, Pos: *pos})
		}
		*pos++
	}
	return tokens
}

// Document returns document i, with PMID 1,000 + 3·i: a title, an abstract of about 180 words that
// is split into two chunks if it is long, 12 MeSH headings, and other fields like those of real
// records. Title terms are repeated.
func (g *Generator) Document(i int) *store.Document {
	g.pcg.Seed(g.seed, uint64(i))
	rng := g.rng
	topic := rng.Uint64N(topics)
	year := 1975 + i%50
	day := fmt.Sprintf("%d-%02d-%02d", year, 1+rng.IntN(12), 1+rng.IntN(28))
	doc := &store.Document{
		PMID: record.PMID(1000 + 3*i), PMIDVersion: 1, PDat: day,
		EDAT: day + "T06:00:00Z", CRDT: day + "T04:00:00Z",
		LR:        fmt.Sprintf("%d-%02d-%02dT00:00:00Z", year+1, 1+rng.IntN(12), 1+rng.IntN(28)),
		Languages: []string{"eng"}, PubTypes: []string{"Journal Article"}, Status: "MEDLINE",
		DOI:     fmt.Sprintf("10.%d/%s.%d", 1000+rng.IntN(999), Word(rng.Uint64N(3000)), rng.Uint64N(1e8)),
		Indexed: true, Human: rng.IntN(3) > 0, Animal: rng.IntN(4) == 0, Retracted: rng.IntN(500) == 0,
		Facts: rng.Uint32(),
	}
	switch rng.IntN(12) {
	case 0:
		doc.PubTypes = append(doc.PubTypes, "Review")
	case 1:
		doc.PubTypes = append(doc.PubTypes, "Randomized Controlled Trial")
	}
	if rng.IntN(3) == 0 {
		doc.PMCID = fmt.Sprintf("PMC%d", rng.IntN(9e6))
	}
	doc.Journal = Journal(g.journals.Uint64())
	doc.Journal.Volume, doc.Journal.Issue = fmt.Sprint(rng.IntN(300)), fmt.Sprint(rng.IntN(12))
	doc.Journal.Pages = fmt.Sprintf("%d-%d", i%5000, i%5000+rng.IntN(15))
	for range 3 + rng.IntN(5) {
		doc.Authors = append(doc.Authors, store.Author{
			LastName: title(Word(rng.Uint64N(60_000))),
			ForeName: title(Word(rng.Uint64N(4000))),
			Initials: string(rune('A' + rng.IntN(26))),
		})
	}
	seen := map[uint64]bool{}
	for range 12 {
		h := (g.headings.Uint64() + topic*17) % headings
		if rng.IntN(3) == 0 {
			h = uint64(rng.IntN(6)) // check tags
		}
		if !seen[h] {
			seen[h] = true
			doc.Mesh = append(doc.Mesh, Heading(h))
		}
	}

	var name, abstract strings.Builder
	var pos uint32
	titleTokens := g.text(&name, 8+rng.IntN(10), topic, nil, &pos)
	doc.Title = name.String()
	titleTokens = append(titleTokens, titleTokens...)
	words := int(math.Exp(5.1 + 0.4*rng.NormFloat64()))
	for c := 0; c == 0 || words > 0; c++ {
		n := min(words, 300)
		words -= n
		pos += 100
		from := abstract.Len()
		if c > 0 {
			abstract.WriteByte(' ')
		}
		var tokens []store.Token
		if c == 0 {
			tokens = titleTokens
		}
		tokens = g.text(&abstract, n, topic, tokens, &pos)
		doc.Chunks = append(doc.Chunks, store.Chunk{ID: fmt.Sprintf("w%d", c), Section: "Unstructured",
			Text: strings.TrimSpace(abstract.String()[from:]), Tokens: tokens})
	}
	doc.Abstract = abstract.String()
	return doc
}

// Journal returns the journal of a rank.
func Journal(rank uint64) store.Journal {
	w, x := Word(rank*7+11), Word(rank*13+5)
	return store.Journal{
		Title: "The journal of " + w + " and " + x, ISOAbbreviation: fmt.Sprintf("J. %s. %s.", title(w), title(x)),
		MedlineTA: fmt.Sprintf("J %s %s", title(w), title(x)),
		NLMID:     fmt.Sprintf("%07d", rank+100_000), ISSN: fmt.Sprintf("%04d-%04d", rank, 9999-rank%10000),
	}
}

func Heading(rank uint64) store.Heading {
	h := store.Heading{Descriptor: title(Word(rank*3)) + " " + title(Word(rank+500)),
		UI: fmt.Sprintf("D%06d", rank), Qualifiers: []store.Qualifier{}}
	if rank%3 == 0 {
		names := []string{"metabolism", "drug therapy", "genetics", "pathology", "methods"}
		h.Qualifiers = append(h.Qualifiers, store.Qualifier{Name: names[rank/3%5]})
	}
	h.Major = rank%7 == 0
	return h
}

func title(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

// Vector returns the embedding of document i, of length 1. It is near those of the same topic and
// nearer still to those of the same part of the topic; topics and parts differ in frequency. It
// also has a component shared with documents of other topics (a method, a drug) and one of its own.
// The first dimensions carry more than the last, as in latent semantic analysis.
func (g *Generator) Vector(i, dim int) []float32 {
	g.pcg.Seed(g.seed, uint64(i))
	topic := g.rng.Uint64N(topics) // same first draw as in Document
	g.pcg.Seed(g.seed+4, uint64(i))
	logUniform := func(n float64) uint64 { return uint64(math.Pow(n, g.rng.Float64())) }
	part, other := logUniform(300), logUniform(3000)
	v := g.normal(dim)
	for j := range v {
		v[j] *= 0.7
	}
	for _, c := range []struct {
		kind, name uint64
		weight     float32
	}{{0, topic / 10, 0.6}, {1, topic, 0.6}, {2, topic*1000 + part, 0.5}, {3, other, 0.6}} {
		for j, x := range g.centre(c.kind<<32|c.name, dim) {
			v[j] += c.weight * x
		}
	}
	var sum float64
	for j := range v {
		sum += float64(v[j]) * float64(v[j])
	}
	for j := range v {
		v[j] /= float32(math.Sqrt(sum))
	}
	return v
}

// centre returns the centre of a cluster of vectors.
func (g *Generator) centre(name uint64, dim int) []float32 {
	c := g.centres[name]
	if len(c) != dim {
		g.pcg.Seed(g.seed+3, name)
		c = g.normal(dim)
		g.centres[name] = c
	}
	return c
}

// normal returns a random vector whose later components are smaller.
func (g *Generator) normal(dim int) []float32 {
	v := make([]float32, dim)
	for j := range v {
		v[j] = float32(g.rng.NormFloat64() / math.Sqrt(float64(4+j)))
	}
	return v
}

// Query returns n different words as a user might search for: about one topic, and of high, medium
// or low frequency.
func (g *Generator) Query(i, n int) []string {
	g.pcg.Seed(g.seed+1, uint64(i))
	topic := uint64(g.rng.IntN(topics))
	seen := map[string]bool{}
	var words []string
	for len(words) < n {
		var rank uint64
		switch g.rng.IntN(3) {
		case 0: // among the commonest 500
			rank = StopWords + g.rng.Uint64N(500)
		case 1:
			rank = StopWords + uint64(math.Exp(g.rng.Float64()*10))
		default:
			rank = StopWords + (topic*211+g.topical.Uint64()*7)%60_000
		}
		if w := Word(rank); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// CommonWords returns n different words among the 300 commonest that are not stop words: the hardest
// queries.
func (g *Generator) CommonWords(i, n int) []string {
	g.pcg.Seed(g.seed+2, uint64(i))
	var words []string
	for _, rank := range g.rng.Perm(300)[:n] {
		words = append(words, Word(StopWords+uint64(rank)))
	}
	return words
}
