package postings

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
)

// memory is an in-memory Source and Sink. It forgets remembered values now and then, like a cache.
type memory struct {
	mu      sync.Mutex
	segment int64 // segment being written
	pages   map[string][]byte
	kept    map[string]any
	forget  *rand.Rand
}

func newMemory(seed uint64) *memory {
	return &memory{pages: map[string][]byte{}, kept: map[string]any{}, forget: rand.New(rand.NewPCG(seed, 1))}
}

func (m *memory) PutPage(s Stream, n int, data []byte) error {
	key := fmt.Sprint(m.segment, s, n)
	if m.pages[key] != nil {
		panic("page written twice: " + key)
	}
	m.pages[key] = bytes.Clone(data)
	return nil
}

func (m *memory) GetPage(segment int64, s Stream, n int) ([]byte, error) {
	return m.pages[fmt.Sprint(segment, s, n)], nil
}

func (m *memory) Recall(key string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.forget.IntN(4) == 0 {
		return nil
	}
	return m.kept[key]
}

func (m *memory) Remember(key string, value any, _ int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[key] = value
}

// sample is a synthetic chunk.
type sample struct {
	id         uint32
	length     uint16
	terms      []string
	positions  []uint32
	properties []string
	dead       bool
	counts     map[string]int // counts of terms
}

// write writes a segment of chunks.
func (m *memory) write(id int64, chunks []sample) *Segment {
	v := NewVocabulary()
	var in []ChunkPostings
	for _, c := range chunks {
		inv := ChunkPostings{ID: c.id, Length: c.length}
		for i, t := range c.terms {
			inv.Terms = append(inv.Terms, Occurrence{v.Number(t, nil), c.positions[i]})
		}
		for _, p := range c.properties {
			inv.Properties = append(inv.Properties, v.Number(p, nil))
		}
		in = append(in, inv)
	}
	m.segment = id
	if _, err := Write(m, v, in); err != nil {
		panic(err)
	}
	return NewSegment(id, len(chunks))
}

// samples returns n chunks whose vocabulary follows Zipf's law, so that some terms are in most
// chunks and some in one.
func samples(rng *rand.Rand, n, words, firstID int) []sample {
	zipf := rand.NewZipf(rng, 1.1+rng.Float64(), 1+4*rng.Float64(), uint64(words-1))
	id := uint32(firstID)
	equal := rng.IntN(4) == 0 // many chunks share each score
	out := make([]sample, n)
	for i := range out {
		if i == 0 || rng.IntN(4) > 0 {
			id += 1 + uint32(rng.IntN(3))
		}
		s := &out[i]
		s.id = id
		size := rng.IntN(60)
		if rng.IntN(50) == 0 {
			size = 600
		}
		pos := uint32(0)
		for range size {
			if rng.IntN(10) > 0 {
				pos += uint32(rng.IntN(3))
			} else {
				pos += uint32(rng.IntN(300))
			}
			word := fmt.Sprintf("w%d", zipf.Uint64())
			if equal && slices.Contains(s.terms, word) {
				continue
			}
			for range 1 + rng.IntN(200)/199*rng.IntN(300) {
				if equal && len(s.terms) > 0 && s.terms[len(s.terms)-1] == word {
					break
				}
				s.terms = append(s.terms, word)
				s.positions = append(s.positions, pos)
			}
		}
		rng.Shuffle(len(s.terms), func(i, j int) {
			s.terms[i], s.terms[j] = s.terms[j], s.terms[i]
			s.positions[i], s.positions[j] = s.positions[j], s.positions[i]
		})
		s.counts = map[string]int{}
		for _, t := range s.terms {
			s.counts[t]++
		}
		s.length = uint16(len(s.terms) + rng.IntN(3))
		if equal {
			s.length = 20
		}
		if rng.IntN(3) == 0 {
			s.properties = append(s.properties, "\x01rare")
		}
		if rng.IntN(10) > 0 {
			s.properties = append(s.properties, "\x01common")
		}
	}
	return out
}
