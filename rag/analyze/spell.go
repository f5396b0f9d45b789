package analyze

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// spellings replaces British medical spelling with American, except for analyze: analys is the
// stem that it shares with analysis.
var spellings = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"haem", "hem", "aemi", "emi", "anaes", "anes", "aetiol", "etiol", "paed", "ped",
		"gynaec", "gynec", "faec", "fec", "caesar", "cesar",
		"oedem", "edem", "oesoph", "esoph", "oestr", "estr", "foet", "fet", "rhoea", "rhea",
		"pnoea", "pnea", "coeliac", "celiac", "homoeo", "homeo",
		"tumour", "tumor", "behaviour", "behavior", "colour", "color", "labour", "labor",
		"favour", "favor", "odour", "odor", "neighbour", "neighbor",
		"alyz", "alys", "olyz", "olys", "sulph", "sulf", "fibre", "fiber", "centre", "center", "litre", "liter",
	)
})

// stemmer is Porter's second English stemmer (M. F. Porter, Snowball, 2001), with additional
// spellings and inflections of medicine.
type stemmer struct{ env *snowballstem.Env }

// stem returns the stem of a word in lower case. It returns a word with a digit or a letter
// outside a-z, or with fewer than three letters, unchanged, except for nuclides.
func (s *stemmer) stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return nuclide(word)
		}
	}
	if len(word) > 4 {
		word = american(word)
	}
	if s.env == nil {
		s.env = snowballstem.NewEnv("")
	}
	s.env.SetCurrent(word)
	english.Stem(s.env)
	return latin(word, s.env.Current())
}

// latin gives the singular and plural of Latin and Greek nouns one stem, if at least four
// letters remain.
func latin(word, stem string) string {
	cut := 0
	switch {
	case strings.HasSuffix(word, "sis"): // diagnosis diagnoses, metastasis metastases
		cut = len(stem) - len(strings.TrimSuffix(stem, "i"))
	case strings.HasSuffix(stem, "ium"): // bacterium bacteria, epithelium epithelial
		cut = 2
	case strings.HasSuffix(stem, "ia"):
		cut = 1
	case strings.HasSuffix(stem, "us") && !strings.HasSuffix(stem, "ous"): // thrombus thrombi
		cut = 2
	case strings.HasSuffix(word, "i"):
		cut = len(stem) - len(strings.TrimSuffix(stem, "i"))
	}
	if len(stem)-cut < 4 {
		return stem
	}
	return stem[:len(stem)-cut]
}

// american returns the American spelling of a word.
func american(word string) string {
	word = spellings().Replace(word)
	for _, end := range [...]string{"ised", "ising", "isation", "isations"} {
		// randomised, hospitalisation
		if head, ok := strings.CutSuffix(word, end); ok && len(head) > 3 {
			i := strings.IndexByte(end, 's')
			return head + end[:i] + "z" + end[i+1:]
		}
	}
	return word
}
