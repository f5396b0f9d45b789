package entreztest

import "slices"

// A slot is one position of a phrase: a word, or all words that a truncation matches.
type slot struct {
	word wordID
	any  map[wordID]bool // if not nil, used instead of word
}

func (s slot) matches(w wordID) bool {
	if s.any != nil {
		return s.any[w]
	}
	return s.word == w
}

// slots converts words to slots. If truncated is true, the last word is a prefix. ok is false if a
// word occurs in no record.
func (c *corpus) slots(words []string, truncated bool) (out []slot, ok bool) {
	for i, w := range words {
		if truncated && i == len(words)-1 {
			set := map[wordID]bool{}
			for _, id := range c.wordsWith(w) {
				set[id] = true
			}
			if len(set) == 0 {
				return nil, false
			}
			out = append(out, slot{any: set})
			continue
		}
		id, ok := c.words[w]
		if !ok {
			return nil, false
		}
		out = append(out, slot{word: id})
	}
	return out, len(out) > 0
}

// phrase returns the records in which the words follow each other in one segment of the mask. If distance is not
// negative, they may be in any order, with at most distance other words between them.
func (c *corpus) phrase(words []string, truncated bool, mask segment, distance int) []ord {
	slots, ok := c.slots(words, truncated)
	if !ok {
		return nil
	}
	var candidates []ord
	for i, s := range slots {
		p := c.posting[s.word]
		if s.any != nil {
			p = nil
			for id := range s.any {
				p = append(p, c.posting[id]...)
			}
			slices.Sort(p)
			p = slices.Compact(p)
		}
		if i == 0 {
			candidates = p
		} else {
			candidates = intersect(candidates, p)
		}
	}
	candidates = c.alive(candidates)
	if mask == segAny && len(slots) == 1 {
		return candidates
	}
	var out []ord
	for _, o := range candidates {
		if c.records[o].has(slots, mask, distance) {
			out = append(out, o)
		}
	}
	return out
}

func (r *record) has(slots []slot, mask segment, distance int) bool {
	start := 0
	for i, w := range r.text {
		if w >= numMarks {
			continue
		}
		if mask&(1<<w) != 0 && inSegment(r.text[start:i], slots, distance) {
			return true
		}
		start = i + 1
	}
	return false
}

func inSegment(text []wordID, slots []slot, distance int) bool {
	if distance >= 0 && len(slots) > 1 {
		return isNear(text, slots, distance)
	}
	for i := 0; i+len(slots) <= len(text); i++ {
		match := true
		for j, s := range slots {
			if !s.matches(text[i+j]) {
				match = false
				break
			}
		}
		if match {
			return true
		}
	}
	return false
}

// isNear reports whether a window of len(slots)+distance words contains a match of every slot (PubMed User Guide,
// "Proximity searching").
func isNear(text []wordID, slots []slot, distance int) bool {
	for start := range text {
		window := text[start:min(start+len(slots)+distance, len(text))]
		found := 0
		for _, s := range slots {
			if slices.ContainsFunc(window, s.matches) {
				found++
			}
		}
		if found == len(slots) {
			return true
		}
	}
	return false
}
