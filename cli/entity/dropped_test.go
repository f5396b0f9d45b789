package entity

import "testing"

func TestWithoutWordsThatAreNotSearchedFor(t *testing.T) {
	for _, c := range []struct{ text, phrase, want string }{
		{"the role of The heart", "the", "role of heart"},
		{"role of the heart", "of the", "role heart"},
		{"heart AND the", "the", "heart AND the"},
		{"the AND heart", "the", "the AND heart"},
		{`"over the heart" the lung`, "the", `"over the heart" the lung`},
		{`lung the "heart failure"`, "the", `lung "heart failure"`},
		{"the", "the", "the"},
		{"theory", "the", "theory"},
		{"heart", "", "heart"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := without(c.text, c.phrase); got != c.want {
				t.Errorf("%q without %q is %q, not %q", c.text, c.phrase, got, c.want)
			}
		})
	}
}
