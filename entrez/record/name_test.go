package record

import "testing"

func TestFoldName(t *testing.T) {
	for name, want := range map[string]string{
		"Smith": "smith", "O'Brien": "obrien", "O’Brien": "obrien", "van der Hoek": "van der hoek",
		"Müller-Straße": "muller strasse", "Łukasz": "lukasz", "St. John": "st john", "  Ørsted, H. ": "orsted h",
		"李": "李", "": "", "--": "",
	} {
		if got := FoldName(name); got != want {
			t.Errorf("FoldName(%q): got %q, want %q", name, got, want)
		}
	}
}
