package study_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// firstLines holds first lines of people who know cBioPortal, and the line that runs in the end: the line
// itself, or one that the suggestions lead to.
var firstLines = []struct{ line, want string }{
	{"study oncoprint demo -g TP53,KRAS", "study oncoprint --genes TP53,KRAS --study synthetic_demo"},
	{"study oncoprint -s synthetic_demo -g TP53,KRAS", ""},
	{"study oncoprint -s synthetic_demo 'TP53: MUT = R273H; ERBB2: AMP'", "study oncoprint -s synthetic_demo --genes 'TP53: MUT = R273H; ERBB2: AMP'"},
	{"study oncoprint synthetic_demo TP53 KRAS", "study oncoprint --study synthetic_demo --genes 'TP53 KRAS'"},
	{"oncoprint of TP53 and KRAS", "study oncoprint --genes 'TP53 KRAS' --study synthetic_demo"},
	{"study coexpression of TP53 in synthetic_demo", "study coexpression --gene TP53 --study synthetic_demo"},
	{"study co-occurrence of TP53 and KRAS", "study co-occurrence --genes TP53,KRAS --study synthetic_demo"},
	{"survival of TP53", "study survival --gene TP53 --study synthetic_demo"},
	{"oncoprint TP53 KRAS EGFR", "study oncoprint --genes 'TP53 KRAS EGFR' --study synthetic_demo"},
	{"study oncoprint -s synthetic_demo -g 'EGFR: MUT = L858R AMP; KRAS: MUT = G12'", ""},
	{"study oncoprint -s synthetic_demo --oql 'DATATYPES: MUT; TP53 KRAS PTEN'", ""},
	{"study oncoprint -s synthetic_demo -g 'CDKN2A: HOMDEL HETLOSS' --tracks SEX,STAGE", ""},
	{"study oncoprint -s synthetic_demo -g TP53 --per-patient", ""},
	{"study oncoprint -s synthetic_demo -g 'KIF5B::RET; RET: FUSION'", ""},
	{"study query -s synthetic_demo -g 'TP53: MUT = R273H'", "study filter --study synthetic_demo --group 'TP53: MUT=R273H'"},
	{"study query -s synthetic_demo -g 'ERBB2: AMP'", "study filter --study synthetic_demo --amplified ERBB2"},
	{"study query -s synthetic_demo -g 'TP53 AND KRAS'", "study filter --study synthetic_demo --group 'TP53 & KRAS'"},
	{"study filter -s synthetic_demo 'TP53: MUT & KRAS: MUT'", ""},
	{"study filter -s synthetic_demo --mutated 'TP53: TRUNC'", "study filter --study synthetic_demo --group 'TP53: MUT=TRUNC'"},
	{"study filter -s synthetic_demo --oql 'EGFR: EXP > 2'", ""},
	{"study survival -s synthetic_demo --group 'TP53: MUT' --group 'KRAS: MUT'", ""},
	{"study survival -s synthetic_demo -g 'TP53: MUT = R273H'", "study survival --study synthetic_demo --group 'TP53: MUT=R273H'"},
	{"study compare -s synthetic_demo --group A=SEX=Female --group B=SEX=Male --target TP53", ""},
	{"study co-occurrence -s synthetic_demo -g TP53,KRAS --group 'Late=STAGE=IV | STAGE=III'", ""},
	{"study mutual-exclusivity -s synthetic_demo TP53 KRAS", "study co-occurrence -s synthetic_demo --genes TP53,KRAS"},
	{"study query -s synthetic_demo -g 'TP53 KRAS'", ""},
}

// First lines run, or lead to the line that was meant, at a terminal, with --json and over MCP.
func TestFirstLines(t *testing.T) {
	app := commandtest.Study(t)
	for _, c := range firstLines {
		for _, door := range []struct {
			may  command.Policy
			json string
		}{{command.Person, ""}, {command.Person, " --json"}, {command.Agent, ""}} {
			if got := strings.Replace(ledTo(t, app, door.may, c.line+door.json), " --json", "", 1); got != c.want {
				t.Errorf("%s%s: want %q, got %q", c.line, door.json, c.want, got)
			}
		}
	}
}

// ledTo follows up to two suggestions and returns the line that runs, "" if the first line does.
func ledTo(t *testing.T, app *command.App, may command.Policy, line string) string {
	t.Helper()
	first := line
	for range 3 {
		text, code := clitest.Ask(t, app, may, line)
		if code == 0 {
			return strings.TrimPrefix(line, first)
		}
		_, try, found := strings.Cut(text, "try:   biomcp ")
		if strings.HasSuffix(first, "--json") {
			_, try, found = strings.Cut(text, `"try":"biomcp `)
			try, _, _ = strings.Cut(try, `"`)
		}
		if !found {
			return "no suggestion: " + text
		}
		line = strings.NewReplacer(`\u0026`, "&", `\u003e`, ">", `\u003c`, "<").Replace(strings.TrimSpace(try))
	}
	return "no line that runs: " + line
}
