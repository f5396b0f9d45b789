package entreztest

import "slices"

// A slot is one place of a phrase: a word, or the words that a truncation covers.
type slot struct {
	word wordID
	any  map[wordID]bool // nil: only word
}

func (s slot) is(w wordID) bool {
	if s.any != nil {
		return s.any[w]
	}
	return s.word == w
}

// slots turns words into slots. The last one may end in "*". ok is false where a
// word is in no record.
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
		id, known := c.words[w]
		if !known {
			return nil, false
		}
		out = append(out, slot{word: id})
	}
	return out, len(out) > 0
}

// phrase finds the records in which the words are next to each other, in
// order, in one segment of the mask; near >= 0 finds them in any order with at
// most near other words between.
func (c *corpus) phrase(words []string, truncated bool, mask segment, near int) []ord {
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
		if c.records[o].has(slots, mask, near) {
			out = append(out, o)
		}
	}
	return out
}

func (r *record) has(slots []slot, mask segment, near int) bool {
	start := 0
	for i, w := range r.text {
		if w >= numMarks {
			continue
		}
		if mask&(1<<w) != 0 && inSegment(r.text[start:i], slots, near) {
			return true
		}
		start = i + 1
	}
	return false
}

func inSegment(text []wordID, slots []slot, near int) bool {
	if near >= 0 && len(slots) > 1 {
		return isNear(text, slots, near)
	}
	for i := 0; i+len(slots) <= len(text); i++ {
		match := true
		for j, s := range slots {
			if !s.is(text[i+j]) {
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

// isNear: some window of len(slots)+near words holds every slot (PubMed User
// Guide, "Proximity searching").
func isNear(text []wordID, slots []slot, near int) bool {
	for start := range text {
		window := text[start:min(start+len(slots)+near, len(text))]
		found := 0
		for _, s := range slots {
			if slices.ContainsFunc(window, s.is) {
				found++
			}
		}
		if found == len(slots) {
			return true
		}
	}
	return false
}
