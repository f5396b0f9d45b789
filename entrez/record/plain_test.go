package record_test

import (
	"testing"

	"biomcp/entrez/record"
)

// A power of ten, a unit with an exponent and the mark of a footnote do not run into the number before them.
func TestPlainKeepsSuperscripts(t *testing.T) {
	for markup, want := range map[string]string{
		"1.1 x 10<sup>14</sup> vg/kg":                            "1.1 x 10¹⁴ vg/kg",
		"below 0.5 x 10<sup><content>9</content></sup>/L":        "below 0.5 x 10⁹/L",
		"1-2 X 10<sup>-10</sup>M":                                "1-2 X 10⁻¹⁰M",
		"1000 cells/mm<sup >3</sup >":                            "1000 cells/mm³",
		"age 65.<sup>1</sup> Rates":                              "age 65.¹ Rates",
		"12%<sup>a</sup>":                                        "12%ᵃ",
		"10<sup>2.5</sup> of 7<sup>&lt;1</sup>":                  "10^(2.5) of 7^(<1)",
		"C<sub>max</sub> of <sup></sup>4 <sup>\n</sup>":          "Cmax of 4",
		"<support>a</support><table><tr><td>10<sup>3</sup></td>": "a10³ |",
	} {
		if got := record.Plain(markup); got != want {
			t.Errorf("Plain(%q) = %q, want %q", markup, got, want)
		}
	}
}

func TestScripts(t *testing.T) {
	for text, want := range map[string][2]string{
		"2": {"²", "₂"}, "-/-": {"⁻/⁻", "₋/₋"}, "1/2": {"^(1/2)", "_(1/2)"}, "D": {"ᴰ", "_(D)"}, "a b": {"ᵃ ᵇ", "_(a b)"}, "/": {"^(/)", "_(/)"},
	} {
		if got := [2]string{record.SuperscriptText(text), record.SubscriptText(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
