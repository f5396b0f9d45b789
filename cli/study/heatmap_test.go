package study_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/command/commandtest"
)

// The note below a heatmap explains asterisks and dashes only if they occur.
func TestHeatmapExplainsWhatIsDrawn(t *testing.T) {
	app := commandtest.Study(t)
	file := filepath.Join(app.Env.StudyDir, "synthetic_demo", "data_mutations.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder // APC is mutated in the samples of CTNNB1, MET in none
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "MET\t") {
			out.WriteString(line)
		}
		if gene, rest, _ := strings.Cut(line, "\t"); gene == "CTNNB1" {
			_, rest, _ = strings.Cut(rest, "\t")
			out.WriteString("APC\t1014\t" + rest)
		}
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for genes, want := range map[string]struct{ star, dash bool }{
		"TP53,KRAS": {false, false}, "APC,CTNNB1": {true, false}, "TP53,MET": {false, true}, "APC,CTNNB1,MET": {true, true},
	} {
		_, texts := drawn(t, app, "study co-occurrence -s synthetic_demo -g "+genes+" --chart heatmap")
		texts = strings.Join(strings.Fields(texts), " ")
		if strings.Contains(texts, "* q < 0.05 (Fisher, Benjamini-Hochberg).") != want.star || strings.Contains(texts, "-: a gene is mutated in no sample, or in all.") != want.dash {
			t.Errorf("%s: %s", genes, texts)
		}
		if strings.Contains(texts, "No pair shows a tendency") == want.star {
			t.Errorf("%s: says that no pair shows a tendency: %v, want %v: %s", genes, want.star, !want.star, texts)
		}
	}
}
