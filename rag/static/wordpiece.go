package static

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordPiece splits text as BERT does. White space and punctuation end a word. A word is split
// into the longest pieces of the vocabulary from left to right, or is unknown.
type wordPiece struct {
	ids       map[string]int
	prefix    string // prefix of pieces that continue a word
	longest   int    // maximum number of runes of a word; longer words are unknown
	lowercase bool
	strip     bool // whether to remove accents
	chinese   bool // whether each ideograph is a word
	unknown   int  // ID of the unknown token, or -1
}

// A file is the part of tokenizer.json that is read.
type file struct {
	Model *struct {
		Prefix  *string        `json:"continuing_subword_prefix"`
		Longest *int           `json:"max_input_chars_per_word"`
		Unknown string         `json:"unk_token"`
		Vocab   map[string]int `json:"vocab"`
	} `json:"model"`
	Normalizer *struct {
		Type      string `json:"type"`
		Lowercase *bool  `json:"lowercase"`
		Strip     *bool  `json:"strip_accents"`
		Chinese   *bool  `json:"handle_chinese_chars"`
	} `json:"normalizer"`
	PreTokenizer *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
}

// readTokenizer parses tokenizer.json. It returns an error that names the tokenizer, unless
// that is WordPiece with BERT's rules.
func readTokenizer(text []byte) (*wordPiece, error) {
	var kind struct {
		Model struct {
			Type string `json:"type"`
		} `json:"model"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, formatError("tokenizer.json is not JSON")
	}
	if kind.Model.Type != "WordPiece" {
		return nil, formatError("its tokenizer is %.40q; only WordPiece is supported", kind.Model.Type)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, formatError("tokenizer.json does not describe a WordPiece tokenizer")
	}
	w := &wordPiece{ids: f.Model.Vocab, prefix: "##", longest: 100, unknown: -1}
	if len(w.ids) == 0 {
		return nil, formatError("its tokenizer has no vocabulary")
	}
	if f.Model.Prefix != nil {
		w.prefix = *f.Model.Prefix
	}
	if f.Model.Longest != nil {
		w.longest = min(max(*f.Model.Longest, 1), 1000)
	}
	if id, ok := w.ids[f.Model.Unknown]; ok {
		w.unknown = id
	}
	if n := f.Normalizer; n != nil {
		if n.Type != "BertNormalizer" {
			return nil, formatError("its tokenizer normalises by %.40q; only BertNormalizer is supported", n.Type)
		}
		w.lowercase = n.Lowercase == nil || *n.Lowercase
		w.strip = w.lowercase
		if n.Strip != nil {
			w.strip = *n.Strip
		}
		w.chinese = n.Chinese == nil || *n.Chinese
	}
	if p := f.PreTokenizer; p == nil || p.Type != "BertPreTokenizer" {
		name := "nothing"
		if p != nil {
			name = p.Type
		}
		return nil, formatError("its tokenizer finds words by %.40q; only BertPreTokenizer is supported", name)
	}
	return w, nil
}

// tokens returns the IDs of the tokens of a text, without the unknown ones.
func (w *wordPiece) tokens(text string) []int {
	var ids []int
	word := make([]rune, 0, 32)
	end := func() {
		ids = w.pieces(ids, word)
		word = word[:0]
	}
	for _, r := range w.normalize(text) {
		switch {
		case unicode.IsSpace(r):
			end()
		case isPunctuation(r), w.chinese && unicode.Is(unicode.Han, r):
			end()
			word = append(word, r)
			end()
		default:
			word = append(word, r)
		}
	}
	end()
	return ids
}

// normalize applies BERT's normalisation.
func (w *wordPiece) normalize(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r == 0 || r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			return -1
		}
		return r
	}, text)
	if w.strip {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	if w.lowercase {
		text = strings.ToLower(text)
	}
	return text
}

func isPunctuation(r rune) bool {
	return r < 128 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) || unicode.IsPunct(r)
}

// pieces appends the IDs of the pieces of a word.
func (w *wordPiece) pieces(ids []int, word []rune) []int {
	if len(word) == 0 || len(word) > w.longest {
		return ids
	}
	whole := len(ids)
	for from := 0; from < len(word); {
		id, to := -1, len(word)
		for ; to > from; to-- {
			piece := string(word[from:to])
			if from > 0 {
				piece = w.prefix + piece
			}
			if found, ok := w.ids[piece]; ok {
				id = found
				break
			}
		}
		if id < 0 {
			return ids[:whole]
		}
		if id != w.unknown {
			ids = append(ids, id)
		}
		from = to
	}
	return ids
}
