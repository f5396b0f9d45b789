package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// keyName matches the name of a variable or flag for a key or token in lower case: NCBI_API_KEY, hf-token,
// apikey. The last part may be misspelt, as in NCBI_API_KY.
var keyName = lazyPattern(`^\w+_(?:k[a-z]{0,3}|eky|to?k[a-z]*|secrets?|pass[a-z]*)$` +
	`|api[_-]?k[a-z]{1,3}$` +
	`|(?:^|[_-])(?:hf|auth|access|secret)[_-](?:key|token)$`)

// bareKeyName matches a name that means a key only before "=" or as a flag, since a query may contain it.
var bareKeyName = lazyPattern(`^(?:token|secret|password)$`)

// HideKeys returns a line with mask instead of the value of each key or token, and the first name of one.
// If there is none, it returns the line and "". A value is the text after NAME=, a word with a digit beside
// the name, or, if all is set, every word after the name up to a flag. A lone hyphen, which means
// standard input, is not a value.
func HideKeys(line []string, mask string, all bool) (hidden []string, name string) {
	hidden = slices.Clone(line)
	for i := 0; i < len(hidden); i++ {
		if parts := strings.Fields(hidden[i]); len(parts) > 1 {
			if inside, found := HideKeys(parts, mask, all); found != "" {
				hidden[i], name = strings.Join(inside, " "), first(name, found)
			}
			continue
		}
		key, value, given := cutKey(hidden[i])
		if key == "" {
			continue
		}
		if given {
			if !isHidden(value, mask) {
				hidden[i] = strings.TrimSuffix(hidden[i], value) + mask
				name = first(name, key)
			}
			continue
		}
		end := i + 1
		for end < len(hidden) && !isHidden(hidden[end], mask) && (end == i+1 || !isFlag(hidden[end])) &&
			(all && !isLongFlag(hidden[end]) || end == i+1 && looksSecret(hidden[end])) {
			end++
		}
		if end > i+1 {
			hidden = slices.Replace(hidden, i+1, end, mask)
			name = first(name, key)
		} else if i > 0 && i == len(hidden)-1 && looksSecret(hidden[i-1]) { // the value stands before its name
			hidden[i-1], name = mask, first(name, key)
		}
	}
	if name == "" {
		return line, ""
	}
	return hidden, name
}

// first returns the first of two texts that is not empty.
func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// cutKey returns the name of a key that word is or begins with. If given, its value follows in the word.
func cutKey(word string) (name, value string, given bool) {
	name, value, given = strings.Cut(word, "=")
	if before, after, ok := strings.Cut(word, ":"); ok && !given {
		name, value, given = before, after, true
	}
	trimmed := strings.Trim(name, `-"'$`)
	lower := strings.ToLower(trimmed)
	isBare := (given || isLongFlag(word)) && bareKeyName().MatchString(lower)
	if len(lower) < 3 || !isBare && !keyName().MatchString(lower) {
		return "", "", false
	}
	return trimmed, value, given
}

func isHidden(value, mask string) bool {
	return value == "" || value == "-" || mask != "-" && strings.HasPrefix(value, mask)
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

func isLongFlag(word string) bool { return len(word) > 2 && strings.HasPrefix(word, "--") }

// looksSecret reports whether a word can be a key rather than a word of a text: it has six characters or
// more, letters and digits.
func looksSecret(word string) bool {
	return len(word) >= 6 && strings.ContainsAny(word, "0123456789") &&
		strings.ContainsFunc(word, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' })
}

// lazyPattern returns a function that compiles a pattern when it is first called.
func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
