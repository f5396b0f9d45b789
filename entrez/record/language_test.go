package record

import "testing"

func TestLanguageName(t *testing.T) {
	for tag, want := range map[string]string{
		"fr": "French", "fr-CA": "French", "PT_br": "Portuguese", "ger": "German", "xx": "xx", "": "",
	} {
		if got := LanguageName(tag); got != want {
			t.Errorf("LanguageName(%q) = %q, want %q", tag, got, want)
		}
	}
}

// The codes are NLM's (https://www.nlm.nih.gov/bsd/language_table.html); some are not the first letters of a name.
func TestLanguageCode(t *testing.T) {
	for name, want := range map[string]string{
		"Latvian": "lav", "latin": "lat", "Esperanto": "epo", "Japanese": "jpn", "Romanian": "rum", "Croatian": "hrv", "Serbian": "srp",
		"Slovenian": "slv", "Slovak": "slo", "Malay": "may", "Malayalam": "mal", "Scottish Gaelic": "gla", "Welsh": "wel", "Bosnian": "bos",
		"eng": "eng", "en": "eng", " ENGLISH ": "eng", "deu": "ger", "fra": "fre", "zho": "chi", "scr": "hrv",
		"Klingon": "", "engl": "", "": "", "alb": "alb",
	} {
		if got := LanguageCode(name); got != want {
			t.Errorf("LanguageCode(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestEveryLanguageHasItsOwnCodes(t *testing.T) {
	seen := map[string]string{}
	for row := range Languages() {
		for _, word := range []string{row.Code, row.ISO, row.Name} {
			if other := seen[word]; other != "" && other != row.Name {
				t.Errorf("%q means %s and %s", word, other, row.Name)
			}
			seen[word] = row.Name
			if got := LanguageCode(word); got != row.Code {
				t.Errorf("LanguageCode(%q) = %q, want %q", word, got, row.Code)
			}
		}
		if iso, name := Language(row.Code); iso != row.ISO || name != row.Name {
			t.Errorf("Language(%q) = %q, %q, want %q, %q", row.Code, iso, name, row.ISO, row.Name)
		}
	}
	for range Languages() {
		break
	}
}
