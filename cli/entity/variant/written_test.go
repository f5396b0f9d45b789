package variant_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestVariantsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	inClinVar(srv, "3520", "NM_005957.5(MTHFR):c.665C>T (p.Ala222Val)", "NC_000001.11:11796320:G:A", map[string]any{"genes": []any{map[string]any{"symbol": "MTHFR"}}}, map[string][]string{"GENE": {"MTHFR"}, "VARNAM": {"c.665C>T", "665C>T"}})
	inClinVar(srv, "44602", "NM_004448.4(ERBB2):c.2264T>C (p.Leu755Ser)", "NC_000017.11:39723966:T:C", map[string]any{"genes": []any{map[string]any{"symbol": "ERBB2"}}}, map[string][]string{"GENE": {"ERBB2"}, "VARNAM": {"Leu755Ser", "p.Leu755Ser"}})
	for line, want := range map[string]struct{ id, notice string }{
		"7-140753336-A-T":                             {v600e, "was read on GRCh38"},
		"7 140753336 A T":                             {v600e, "was read on GRCh38"},
		"hg19 chr7:140453136 A/T":                     {v600e, ""},
		"BRAFV600E":                                   {v600e, ""},
		"BRAF V600E mutation":                         {v600e, ""},
		"NP_004324.2:p.V600E":                         {v600e, ""},
		"NP_004324:p.V600E":                           {v600e, "NP_004324:p.V600E was read on the newest version, NP_004324.2"},
		"NM_004333:c.1799T'>'A":                       {v600e, "NM_004333:c.1799T>A was read on the newest version, NM_004333.6"},
		"'NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)'": {v600e, ""},
		"ENST00000646891.2:c.1799T'>'A":               {v600e, ""},
		"LRG_299t1:c.1799T'>'A":                       {v600e, ""},
		"MTHFR C677T":                                 {"VCV3520", "MTHFR C677T is a familiar name, not numbered as in HGVS: it is c.665C>T"},
		"B-Raf V600E":                                 {v600e, "B-RAF is an alias of the gene BRAF"},
		"HER2 L755S":                                  {"VCV44602", "HER2 is an alias of the gene ERBB2"},
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get variant "+line+" --json")
			got := variantJSON(t, text)
			if code != 0 || len(got.Variants) != 1 || got.Variants[0].ID != want.id || fmt.Sprint(got.Notices) != "[]" && want.notice == "" || !strings.Contains(fmt.Sprint(got.Notices), want.notice) {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
	for line, want := range map[string]string{
		"ENSP00000493543.1:p.Leu505Phe": "may be 2 changes: [NC_000007.14:140777990:C:A NC_000007.14:140777990:C:G]",
		"NM_999999:c.1A'>'G":            "NOT_FOUND",
		"chr7:140453136A'>'T":           `it was read on GRCh38","details":{"try":"biomcp get variant 'chr7:140453136A>T' --assembly GRCh37`,
	} {
		t.Run(line, func(t *testing.T) {
			if text, code, _ := clitest.AskUncached(t, srv, "get variant "+line+" --json"); code == 0 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

// A variant that a text may not mean is neither read nor suggested; a suggestion with a
// ClinVar id could be another variant.
func TestNoLineLeadsToAnotherVariant(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]struct{ says, try string }{
		"ABCB1 C3435T":            {"write ABCB1 c.3435C>T or ABCB1 p.C3435T", "biomcp search variant -g ABCB1 --hgvsc 'c.3435C>T'"},
		"CYP2C19*2":               {"is a star allele", "biomcp get gene CYP2C19 pgx"},
		"CYP2C19 *1/*2 clinvar":   {"is a star allele", "biomcp get gene CYP2C19 pgx"},
		"rs4244285 CYP2D6*4 x":    {"is a star allele", "biomcp get gene CYP2D6 pgx"},
		"CFTR 2183AA'>'G":         {"is not numbered as in HGVS", "biomcp search article 'CFTR 2183AA>G'"},
		"BRAF V600 clinvar":       {"BRAF V600 is a position", "biomcp search variant -g BRAF"},
		"BRAF exon 15":            {"BRAF exon 15 is a position", "biomcp search variant -g BRAF"},
		"V600E":                   {"does not name its gene", "biomcp search variant V600E"},
		"7 140753336 A":           {"no section", ""},
		"13961 140753336 hello x": {"not", ""},
		"chr7 140753336":          {"not", ""},
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				app := commandtest.NCBI(t, srv)
				text, code := clitest.Ask(t, app, may, "get variant "+line+" --json")
				var got struct {
					Error struct {
						Message string
						Details struct{ Try string }
					}
				}
				if err := json.Unmarshal([]byte(text), &got); err != nil || code != 2 || !strings.Contains(got.Error.Message, want.says) || want.try != "" && got.Error.Details.Try != want.try {
					t.Errorf("exit %d, %v: %s", code, err, text)
				}
				if try := got.Error.Details.Try; strings.HasPrefix(try, "biomcp get variant") && !strings.HasSuffix(try, "--help") {
					t.Errorf("try: %s", try)
				}
				if plain, _ := clitest.Ask(t, app, may, "get variant "+line); !strings.Contains(plain, got.Error.Details.Try) {
					t.Errorf("%s: %s", got.Error.Details.Try, plain)
				}
				if next, code := clitest.Ask(t, app, may, strings.TrimPrefix(got.Error.Details.Try, "biomcp ")); code == 2 {
					t.Errorf("%s: %s", got.Error.Details.Try, next)
				}
			}
		})
	}
}
