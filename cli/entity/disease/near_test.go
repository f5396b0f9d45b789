package disease_test

import (
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// A misspelt name of a disease, gene or drug suggests the closest name, in every format, and
// with the requested sections.
func TestNameWithASlip(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for line, want := range map[string]string{
		"get disease melnoma genes": "get disease melanoma genes",
		"get disease melnoma":       "get disease melanoma",
		"get gene BRFA":             "get gene BRAF",
		"get gene EFGR":             "get gene EGFR", // FGR is similar too
		"get gene braff variants":   "get gene BRAF variants",
		"get gene BRXF":             "discover BRXF",
		"get drug fictin label":     "get drug fictinib label",
		"get drug fictin0":          "discover fictin0",
	} {
		t.Run(line, func(t *testing.T) {
			for door, text := range clitest.AnswersByFormat(t, app, line) {
				if !strings.Contains(text, "try:   biomcp "+want+"\n") && !strings.Contains(text, `"try":"biomcp `+want+` --json"`) && !strings.Contains(text, `"try":"biomcp `+want+`"`) {
					t.Errorf("%s: %s", door, text)
				}
			}
		})
	}
	for line, want := range map[string]string{
		"search gene BRAFF": "search gene BRAF", "search variant BRAFF": "search variant BRAF", "search gene 'BRAF pathways'": "get gene BRAF pathways",
		"search variant p.V600E": "search variant V600E",
	} {
		for door, text := range clitest.AnswersByFormat(t, app, line) {
			if !strings.Contains(text, "biomcp "+want+"\n") && !strings.Contains(text, `"biomcp `+want+`"`) && !strings.Contains(text, `"biomcp `+want+` --json"`) {
				t.Errorf("%s: %s: %s", door, line, text)
			}
		}
	}
	for line, want := range map[string]string{"get gene BRAFF TP53": "not found: BRAFF; did you mean BRAF?", "get gene TP53 BRXF": "not found: BRXF"} {
		for door, got := range clitest.Notices(t, app, line) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q", door, got)
			}
		}
	}
}
