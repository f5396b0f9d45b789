package textcodec

// phrase is a symbol with two parts: another symbol and the token that follows it.
type phrase struct{ symbol, token uint32 }

// phraseTable maps phrases to symbols. It is looked up for each token of a text, so it is an open
// hash table, at most half full, without pointers.
type phraseTable struct {
	slots  []phraseSlot // length is a power of two
	n      int
	begins []bool // by symbol: whether a phrase begins with it
}

type phraseSlot struct {
	phrase
	number uint32 // 0 if the slot is free, as no phrase is symbol 0
}

func (t *phraseTable) find(p phrase) (uint32, bool) {
	if int(p.symbol) >= len(t.begins) || !t.begins[p.symbol] {
		return 0, false
	}
	s := t.slots[t.look(p)]
	return s.number, s.number > 0
}

// look returns the index of the slot of a phrase, or of the free slot for it.
func (t *phraseTable) look(p phrase) int {
	mask := len(t.slots) - 1
	at := int((uint64(p.symbol)<<32|uint64(p.token))*0x9e3779b97f4a7c15>>32) & mask
	for t.slots[at].number > 0 && t.slots[at].phrase != p {
		at = (at + 1) & mask
	}
	return at
}

// slot returns the slot of a phrase. If the phrase is new, the number is 0 and the caller sets it.
func (t *phraseTable) slot(p phrase) *phraseSlot {
	if 2*t.n >= len(t.slots) {
		old := t.slots
		t.slots = make([]phraseSlot, max(2*len(old), 64))
		for _, s := range old {
			if s.number > 0 {
				t.slots[t.look(s.phrase)] = s
			}
		}
	}
	s := &t.slots[t.look(p)]
	if s.number == 0 {
		s.phrase = p
		t.n++
	}
	return s
}

func (t *phraseTable) add(p phrase, is uint32) {
	t.slot(p).number = is
	if missing := int(p.symbol) + 1 - len(t.begins); missing > 0 {
		t.begins = append(t.begins, make([]bool, missing)...)
	}
	t.begins[p.symbol] = true
}
