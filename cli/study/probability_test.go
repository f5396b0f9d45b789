package study_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

var isProbability = regexp.MustCompile(`^(p|q|p_value|[a-z_]+_p)$`)

// checkProbabilities checks each p and q of a JSON value against the logarithm beside it, and
// returns their number and the least logarithm.
func checkProbabilities(t *testing.T, line string, v any) (n int, least float64) {
	t.Helper()
	visit := func(inner any) {
		more, low := checkProbabilities(t, line, inner)
		n, least = n+more, min(least, low)
	}
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			visit(inner)
		}
	case map[string]any:
		for key, inner := range v {
			visit(inner)
			if !isProbability.MatchString(key) {
				continue
			}
			log, has := v["log10_"+key]
			if !has {
				t.Errorf("%s: %s: want log10_%s beside it, got none", line, key, key)
				continue
			}
			if inner == nil || log == nil {
				if inner != log {
					t.Errorf("%s: %s is %v: want the logarithm null too, got %v", line, key, inner, log)
				}
				continue
			}
			l, err := log.(json.Number).Float64()
			if err != nil {
				t.Fatal(err)
			}
			n, least = n+1, min(least, l)
			text := inner.(json.Number).String()
			mantissa, exponent, _ := strings.Cut(text, "e")
			m, _ := strconv.ParseFloat(mantissa, 64)
			e, _ := strconv.Atoi(exponent)
			if got := math.Log10(m) + float64(e); math.Abs(got-l) > 1e-8 {
				t.Errorf("%s: %s: want 10^%.17g, got %s", line, key, l, text)
			}
		}
	}
	return n, least
}

// A p or q is never 0. JSON has its logarithm beside it, which is right below the smallest float64.
func TestNoProbabilityIsZero(t *testing.T) {
	const n = 2000
	patients, mutated, expression := [][3]string{}, []string{}, []string{"Hugo_Symbol", "EGFR"}
	for i := range n {
		status, months, arm := "0:LIVING", 40.0, "treated"
		if i%2 == 0 {
			status, months, arm = "1:DECEASED", 5+float64(i)/100, "control"
			mutated = append(mutated, strconv.Itoa(i))
		}
		patients = append(patients, [3]string{status, fmt.Sprint(months), arm})
		expression[0] += fmt.Sprintf("\tS%d", i)
		expression[1] += fmt.Sprintf("\t%g", float64(i%2*n+i))
	}
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "clear", patients, strings.Join(mutated, " "), func(file, text string) string {
		if file == "mutations.txt" {
			text += strings.ReplaceAll(strings.SplitN(text, "\n", 2)[1], "TP53", "KRAS")
		}
		return text
	})
	addFiles(t, app.Env.StudyDir+"/clear", map[string]string{
		"meta_e.txt": "stable_id: rna\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: Z-SCORE\ndata_filename: rna.txt\n",
		"rna.txt":    strings.Join(expression, "\n") + "\n",
	})
	for _, line := range []string{
		"survival -g TP53", "survival --by ARM", "co-occurrence -g TP53,KRAS", "compare -g TP53 -t mutations --target KRAS",
		"compare -g TP53 -t clinical --target ARM", "compare -g TP53 --target EGFR", "compare -g TP53 --genes all",
		"compare -g TP53 -t mutations --genes all",
	} {
		text, _ := clitest.Ask(t, app, command.Agent, "study "+line+" -s clear --json")
		var answer any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&answer); err != nil {
			t.Fatal(line, err, text)
		}
		if found, least := checkProbabilities(t, line, answer); found == 0 || least > -308 {
			t.Errorf("%s: want a p below 1e-308, got %d, the least 10^%g: %s", line, found, least, text)
		}
		if text, _ := clitest.Ask(t, app, command.Agent, "study "+line+" -s clear"); !strings.Contains(text, "< 1e-300") {
			t.Errorf("%s: want < 1e-300, got %s", line, text)
		}
	}
	table, _ := clitest.Ask(t, app, command.Agent, "study compare -g TP53 --genes all -s clear --csv")
	if !regexp.MustCompile(`EGFR,.*e-3\d\d,-3\d\d\.`).MatchString(table) {
		t.Errorf("want p and its logarithm, got %s", table)
	}
}

// Each p and q of the example study has its logarithm beside it.
func TestProbabilitiesHaveALogarithm(t *testing.T) {
	app := commandtest.Study(t)
	total := 0
	for _, line := range []string{
		"survival -g TP53 --adjust AGE,SEX", "survival --by STAGE --trend", "co-occurrence -g TP53,KRAS,EGFR",
		"compare -g TP53 --target EGFR --chart scatter", "compare --by STAGE --target EGFR", "compare -g TP53 -t clinical --target STAGE",
		"compare -g TP53 -t mutations --target KRAS", "compare -g TP53 --genes all", "compare -g TP53 -t mutations --genes all",
	} {
		text, _ := clitest.Ask(t, app, command.Agent, "study "+line+" -s synthetic_demo --json")
		var answer any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&answer); err != nil {
			t.Fatal(line, err, text)
		}
		found, _ := checkProbabilities(t, line, answer)
		if total += found; found == 0 {
			t.Errorf("%s: want a p, got %s", line, text)
		}
	}
	if total < 100 {
		t.Errorf("want at least 100 numbers, got %d", total)
	}
}
