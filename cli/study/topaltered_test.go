package study_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// withAlterations writes a study of 8 patients. TP53 is mutated in S0 and S3. The copy numbers name NSD2 by
// its old name WHSC1, and the structural variants by its new one.
func withAlterations(t *testing.T, dir, id string, listed bool) {
	t.Helper()
	handmade(t, dir, id, times(8, func(int) string { return "" }), "0 3", nil)
	files := map[string]string{
		"meta_cna.txt": "genetic_alteration_type: COPY_NUMBER_ALTERATION\ndatatype: DISCRETE\nstable_id: gistic\ndata_filename: cna.txt\n",
		"cna.txt": "Hugo_Symbol\tEntrez_Gene_Id\tS0\tS1\tS2\tS3\tS4\tS5\n" +
			"TP53\t7157\t-2\t-2\t0\t-1\t2\tNA\nWHSC1\t7468\t2\t2\t2\t0.5\t0\t1\nKRAS\t3845\t1\t0\t-1\t0\t0\t0\n",
		"meta_sv.txt": "genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\nstable_id: structural_variants\ndata_filename: sv.txt\n",
		"sv.txt":      "Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\nS0\tIGH\tNSD2\nS7\tNSD2\tNSD2\nS9\tNSD2\tNSD2\n",
	}
	if listed {
		files["case_lists/sv.txt"] = "stable_id: " + id + "_sv\ncase_list_ids: S0\tS1\tS6\tS7\n"
	}
	handwrite(t, dir, id, files)
}

type alteredRow struct {
	Gene               string
	Samples            int `json:"altered_samples"`
	Profiled           int `json:"profiled_samples"`
	Mutations          *of `json:"mutations"`
	Amplifications     *of `json:"amplifications"`
	DeepDeletions      *of `json:"deep_deletions"`
	StructuralVariants *of `json:"structural_variants"`
}

type of struct {
	Samples  int
	Profiled *int `json:"profiled_samples"`
}

func (o *of) text() string {
	switch {
	case o == nil:
		return "-"
	case o.Profiled == nil:
		return strings.TrimSpace(strings.Repeat("x", o.Samples) + " of ?")
	}
	return strings.Repeat("x", o.Samples) + " of " + strings.Repeat("x", *o.Profiled)
}

// Each kind of event is counted among the samples profiled for it, under one name of the gene.
func TestTopAltered(t *testing.T) {
	app := commandtest.Disk(t)
	withAlterations(t, app.Env.StudyDir, "listed", true)
	withAlterations(t, app.Env.StudyDir, "unlisted", false)
	ask := func(line string) (rows []alteredRow) {
		t.Helper()
		text, code := clitest.Ask(t, app, command.Agent, "study top-altered --json "+line)
		var got struct{ Rows []alteredRow }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
			t.Fatalf("exit %d, %v: %s", code, err, text)
		}
		return got.Rows
	}
	rows := ask("-s listed")
	equal(t, "genes", len(rows), 3)
	for i, want := range []struct {
		gene                     string
		altered, profiled        int
		mut, amp, deleted, fused string
	}{
		// S0, S1, S3 and S4; S5 has no copy number but was sequenced
		{"TP53", 4, 8, "xx of xxxxxxxx", "x of xxxxx", "xx of xxxxx", " of xxxx"},
		// S0, S1, S2 and S7; the 0.5 of S3 is no state
		{"NSD2", 4, 8, " of xxxxxxxx", "xxx of xxxxx", " of xxxxx", "xx of xxxx"},
		{"IGH", 1, 8, " of xxxxxxxx", "-", "-", "x of xxxx"},
	} {
		got := rows[i]
		if got.Gene == "WHSC1" {
			got.Gene = "NSD2"
		}
		equal(t, "gene", got.Gene, want.gene)
		equal(t, "altered, "+want.gene, got.Samples, want.altered)
		equal(t, "profiled, "+want.gene, got.Profiled, want.profiled)
		equal(t, "mutations, "+want.gene, got.Mutations.text(), want.mut)
		equal(t, "amplifications, "+want.gene, got.Amplifications.text(), want.amp)
		equal(t, "deep deletions, "+want.gene, got.DeepDeletions.text(), want.deleted)
		equal(t, "structural variants, "+want.gene, got.StructuralVariants.text(), want.fused)
	}
	cna := ask("-s listed --type homdel")
	equal(t, "genes with a deep deletion", len(cna), 1)
	equal(t, "deep deletions", cna[0].DeepDeletions.text(), "xx of xxxxx")
	equal(t, "amplifications, not asked for", cna[0].Amplifications.text(), "-")
	fused := ask("-s unlisted --type sv")
	equal(t, "structural variants without a list", fused[0].StructuralVariants.text(), "xx of ?")
	asks(t, app, map[string]string{
		"top-altered -s listed":                            "| TP53 | 4 of 8 (50.0 %) | 2 of 8 (25.0 %) | 1 of 5 (20.0 %) | 2 of 5 (40.0 %) | 0 of 4 (0.0 %) | && 1 structural variant not counted",
		"top-altered -s unlisted --type sv":                "| NSD2 | 2 | && there are counts and no rate",
		"top-altered -s unlisted --type sv --chart bar":    "no rates to draw && try:   biomcp study top-altered",
		"top-altered -s listed --type cna":                 "| TP53 | 3 of 5 (60.0 %) | 1 of 5 (20.0 %) | 2 of 5 (40.0 %) | && study query --study listed --gene",
		"top-altered -s listed --type sv --include-silent": "requires --type mutations or all",
		"top-altered -s listed --type gain":                "all, mutations, cna, amp, homdel, sv",
		"top-cna -s listed":                                "study top-altered --type cna -s listed",
		"top-fusions listed":                               "study top-altered --type sv --study listed",
	})
	handmade(t, app.Env.StudyDir, "mutations", times(8, func(int) string { return "" }), "0 3", nil)
	asks(t, app, map[string]string{
		"top-altered -s mutations":            "not counted: study mutations has no structural-variant data && | TP53 | 2 of 8 (25.0 %) |",
		"top-altered -s mutations --type sv":  "study mutations has no structural-variant data && !# Study",
		"top-altered -s mutations --type cna": "no discrete copy number data && study summary --study mutations",
	})
}

// The rows name the events of each profiled sample.
func TestTopAlteredRows(t *testing.T) {
	app := commandtest.Disk(t)
	withAlterations(t, app.Env.StudyDir, "listed", true)
	rows, _ := rowsOf(t, app, "top-altered -s listed --limit 1", "rows", "events.csv")
	equal(t, "events of TP53", strings.Join(rows["TP53"], ","),
		"mutation; deep deletion,deep deletion,none,mutation,amplification,none,none,none")
}
