package postings

import "math/bits"

// LiveDF returns the number of chunks of the list that are not in dead.
func (v *View) LiveDF(l *List, dead Bits) (int64, error) {
	n := int64(l.DF)
	c := &cursor{v: v, l: l, loaded: -1, tfsOf: -1, posOf: -1}
	for w, word := range dead {
		for ; word != 0; word &= word - 1 {
			d := uint32(w)<<6 | uint32(bits.TrailingZeros64(word))
			found := c.find(d)
			if v.err != nil {
				return 0, v.err
			}
			if found == noChunk {
				return n, nil
			}
			if found == d {
				n--
			}
		}
	}
	return n, nil
}

// AddTo adds the chunks of the list to set.
func (v *View) AddTo(set Bits, l *List) error {
	c := &cursor{v: v, l: l, loaded: -1, tfsOf: -1, posOf: -1}
	for ; c.block < l.blocks(); c.block++ {
		if !c.load() {
			return v.err
		}
		for _, d := range c.docs {
			set.Set(d)
		}
	}
	return nil
}
