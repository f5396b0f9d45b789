package rag

import (
	"strings"
	"unicode"
)

// wordStarts returns the offsets at which the words of a text begin.
func wordStarts(text string) (starts []int) {
	blank := true
	for i, r := range text {
		if blank && !unicode.IsSpace(r) {
			starts = append(starts, i)
		}
		blank = unicode.IsSpace(r)
	}
	return starts
}

// lastWord returns the offset of the last word of words.
func lastWord(_ *reader, words string) (start int, note string) {
	starts := append([]int{0}, wordStarts(words)...)
	return starts[len(starts)-1], ""
}

// longestTail returns the offset of the longest sequence of last words that is accepted. ok is false if
// there is none.
func longestTail(words string, accepts func(tail string) bool) (start int, ok bool) {
	for _, i := range wordStarts(words) {
		if accepts(words[i:]) {
			return i, true
		}
	}
	return 0, false
}

// dateTail returns the offset of the date or the range of dates at the end of words, or of the last word.
func dateTail(r *reader, words string) (start int, note string) {
	start, ok := longestTail(words, func(tail string) bool {
		_, _, ok := parseDates(r, tail)
		return ok
	})
	if ok {
		return start, ""
	}
	return lastWord(r, words)
}

// pmidTail returns the offset of the PMIDs at the end of words, or of the last word.
func pmidTail(r *reader, words string) (start int, note string) {
	start, ok := longestTail(words, func(tail string) bool {
		_, _, ok := pmidFilter(r, tail, "")
		return ok
	})
	if ok {
		return start, ""
	}
	return lastWord(r, words)
}

// codeTail returns the offset of the date or the last word if it has a digit. Several words without a
// digit in the last are not a value.
func codeTail(r *reader, words string) (start int, note string) {
	starts := wordStarts(words)
	n, _ := lastWord(r, words)
	switch {
	case strings.ContainsFunc(words[n:], unicode.IsDigit):
		return dateTail(r, words)
	case len(starts) > 1:
		return len(words), ""
	}
	return 0, ""
}
