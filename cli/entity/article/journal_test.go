package article_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A reference with the right DOI and another journal disagrees with its record. An abbreviation and
// initials are the same journal.
func TestReferenceWithAnotherJournalDisagrees(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for journal, want := range map[string]string{
		"Nature": "disagrees", "Annals of Invented Genes": "disagrees",
		"Journal of Synthetic Nutrition": "found", "J. Synth. Nutr.": "found", "J Synthetic Nutr": "found", "JSN": "found",
	} {
		t.Run(journal, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "my.bib")
			bib := "@article{a, title={Ergothioneine in cultivated mushrooms: a randomised trial of TNF-α and O2 uptake}, " +
				"doi={10.9999/synth.2023.101}, year={2023}, journal={" + journal + "}}\n"
			if err := os.WriteFile(file, []byte(bib), 0o600); err != nil {
				t.Fatal(err)
			}
			text, code := clitest.Ask(t, app, command.Person, "search citation --from "+file+" --json")
			var got struct{ References []struct{ Outcome string } }
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || len(got.References) != 1 {
				t.Fatalf("exit %d, %v: %s", code, err, text)
			}
			if got.References[0].Outcome != want {
				t.Errorf("the outcome is %q, want %q", got.References[0].Outcome, want)
			}
		})
	}
}
