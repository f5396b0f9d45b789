package entrez

import "strconv"

// idSet remembers ids. PubMed's are small numbers and take a bit each, so that
// all 40 million need 5 MB; others take a map's entry.
type idSet struct {
	bits  []uint64
	other map[string]struct{}
}

const mostBits = 1 << 28

// add reports whether the id is new.
func (s *idSet) add(id string) bool {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil || n >= mostBits || strconv.FormatUint(n, 10) != id {
		if _, had := s.other[id]; had {
			return false
		}
		if s.other == nil {
			s.other = map[string]struct{}{}
		}
		s.other[id] = struct{}{}
		return true
	}
	word, bit := n/64, uint64(1)<<(n%64)
	if need := int(word) + 1 - len(s.bits); need > 0 {
		s.bits = append(s.bits, make([]uint64, need)...)
	}
	had := s.bits[word]&bit != 0
	s.bits[word] |= bit
	return !had
}
