package cite

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
