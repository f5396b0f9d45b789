package study_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/store/study/stats"
)

// exported holds the columns of a --rows or --curve file by name, "" for missing cells.
type exported map[string][]string

// rowsOf runs a line with --rows FILE, or another flag, and reads the file.
func rowsOf(t *testing.T, app *command.App, line, flag, file string) (rows exported, answer string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	answer, code := clitest.Ask(t, app, command.Person, "study "+line+" --json --"+flag+" "+path)
	if code != 0 {
		t.Fatalf("%s: exit %d: %s", line, code, answer)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows = exported{}
	if strings.HasSuffix(file, ".jsonl") {
		for one := range strings.Lines(string(text)) {
			var object map[string]any
			if err := json.Unmarshal([]byte(one), &object); err != nil {
				t.Fatalf("%s: %v", one, err)
			}
			for name, v := range object {
				if rows[name] = append(rows[name], fmt.Sprint(v)); v == nil {
					rows[name][len(rows[name])-1] = ""
				}
			}
		}
		return rows, answer
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range records[0] {
		for _, record := range records[1:] {
			rows[name] = append(rows[name], record[k])
		}
	}
	return rows, answer
}

func (r exported) numbers(t *testing.T, name string) []float64 {
	t.Helper()
	var list []float64
	for _, text := range r[name] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, v)
	}
	if list == nil {
		t.Fatalf("no column %q in %v", name, r)
	}
	return list
}

// of returns the row numbers of a word in a column.
func (r exported) of(name, word string) (list []int) {
	for i, text := range r[name] {
		if text == word {
			list = append(list, i)
		}
	}
	return list
}

func (r exported) obs(t *testing.T) (obs []stats.Obs) {
	times, status := r.numbers(t, "time"), r.numbers(t, "status")
	for i := range times {
		obs = append(obs, stats.Obs{Time: times[i], Event: status[i] == 1})
	}
	return obs
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// The file is sufficient to reproduce the numbers of the answer, here with package stats.
func TestSurvivalIsRecomputedFromItsRows(t *testing.T) {
	app := commandtest.Study(t)
	for _, file := range []string{"rows.csv", "rows.jsonl"} {
		t.Run(file, func(t *testing.T) {
			const line = "survival -s synthetic_demo -g TP53 --adjust AGE,STAGE --strata SEX"
			rows, answer := rowsOf(t, app, line, "rows", file)
			var got struct {
				Groups []struct {
					Name   string  `json:"group_name"`
					N      int     `json:"n_patients"`
					Median float64 `json:"km_median_months"`
				}
				LogRank struct{ Chi2, P float64 } `json:"log_rank"`
				Cox     struct {
					Terms    []struct{ HR, P float64 }
					Adjusted struct{ Chi2 float64 }
				}
			}
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				t.Fatal(err)
			}
			obs, mutant := rows.obs(t), make([]float64, len(rows["group"]))
			groups, strata := make([]int, len(obs)), make([]int, len(obs))
			for i := range obs {
				groups[i] = 1
				if rows["group"][i] == "TP53-mutant" {
					mutant[i], groups[i] = 1, 0
				}
				strata[i] = len(rows["SEX"][i])
			}
			test, err := stats.LogRank(obs, groups, strata)
			if err != nil || !near(test.Chi2, got.LogRank.Chi2) || !near(test.P, got.LogRank.P) {
				t.Errorf("log-rank %+v, %v, want %+v", test.Test, err, got.LogRank)
			}
			adjusters := [][]float64{rows.numbers(t, "AGE")}
			for _, stage := range []string{"II", "III", "IV"} {
				column := make([]float64, len(obs))
				for _, i := range rows.of("STAGE", stage) {
					column[i] = 1
				}
				adjusters = append(adjusters, column)
			}
			model, err := stats.Cox(obs, append([][]float64{mutant}, adjusters...), strata)
			if err != nil || math.Abs(model.Terms[0].HR.Estimate/got.Cox.Terms[0].HR-1) > 1e-8 || math.Abs(model.Terms[0].P/got.Cox.Terms[0].P-1) > 1e-6 {
				t.Errorf("hazard ratio %+v, %v, want %+v", model.Terms[0], err, got.Cox.Terms[0])
			}
			small, err := stats.Cox(obs, adjusters, strata)
			if err != nil || math.Abs(model.LikelihoodRatioTest(small).Chi2-got.Cox.Adjusted.Chi2) > 1e-8 {
				t.Errorf("adjusted %v, %v, want %v", model.LikelihoodRatioTest(small), err, got.Cox.Adjusted)
			}
			steps, _ := rowsOf(t, app, line, "curve", strings.Replace(file, "rows", "curve", 1))
			for _, g := range got.Groups {
				var own []stats.Obs
				for _, i := range rows.of("group", g.Name) {
					own = append(own, obs[i])
				}
				curve, err := stats.KaplanMeier(own)
				if err != nil || len(own) != g.N || curve.Median().Estimate != g.Median {
					t.Fatalf("%s: %v, %d patients", g.Name, err, len(own))
				}
				at := steps.of("group", g.Name)
				if len(at) != len(curve.Points) {
					t.Fatalf("%s: %d steps, want %d", g.Name, len(at), len(curve.Points))
				}
				times, survival, risk := steps.numbers(t, "time"), steps.numbers(t, "survival"), steps.numbers(t, "at_risk")
				for k, p := range curve.Points {
					if i := at[k]; times[i] != p.Time || !near(survival[i], p.Survival) || risk[i] != float64(p.AtRisk) {
						t.Errorf("%s at %g: %g of %g", g.Name, p.Time, survival[i], risk[i])
					}
				}
			}
		})
	}
}

func TestComparisonsAreRecomputedFromTheirRows(t *testing.T) {
	app := commandtest.Study(t)
	decode := func(answer string, into any) {
		if err := json.Unmarshal([]byte(answer), into); err != nil {
			t.Fatal(err, answer)
		}
	}
	split := func(rows exported, column, first string) (x, y []float64) {
		for i, v := range rows.numbers(t, column) {
			if rows["group"][i] == first {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		return x, y
	}
	for line, column := range map[string]string{"compare -s synthetic_demo -g TP53 --target EGFR": "EGFR", "compare -s synthetic_demo -g TP53 -t clinical --target AGE": "AGE"} {
		rows, answer := rowsOf(t, app, line, "rows", "rows.csv")
		var got struct {
			P float64 `json:"mann_whitney_p"`
			U float64 `json:"mann_whitney_u"`
		}
		decode(answer, &got)
		x, y := split(rows, column, "TP53-mutant")
		if test, err := stats.MannWhitney(x, y); err != nil || !near(test.P, got.P) || test.U != got.U {
			t.Errorf("%s: %+v, %v, want %+v", line, test.P, err, got)
		}
	}
	rows, answer := rowsOf(t, app, "compare -s synthetic_demo -g TP53 -t mutations --target KRAS", "rows", "rows.jsonl")
	var got struct {
		P      float64 `json:"fisher_p"`
		Groups []struct {
			N       int `json:"sample_count"`
			Mutated int `json:"mutated_count"`
		}
	}
	decode(answer, &got)
	x, y := split(rows, "KRAS", "TP53-mutant")
	a, b := int(sum(x)), int(sum(y))
	if test, err := stats.Fisher(a, len(x)-a, b, len(y)-b); err != nil || !near(test.P, got.P) || len(x) != got.Groups[0].N || b != got.Groups[1].Mutated {
		t.Errorf("%+v %v, want %+v", test.P, err, got)
	}
	rows, answer = rowsOf(t, app, "compare -s synthetic_demo -g TP53 -t clinical --target STAGE", "rows", "rows.csv")
	var counted struct {
		Categories []string
		Groups     []struct {
			Name   string `json:"group_name"`
			Counts []int
		}
	}
	decode(answer, &counted)
	for _, g := range counted.Groups {
		for k, category := range counted.Categories {
			n := 0
			for _, i := range rows.of("group", g.Name) {
				if rows["STAGE"][i] == category {
					n++
				}
			}
			if n != g.Counts[k] {
				t.Errorf("%s, %s: %d rows, %d counted", g.Name, category, n, g.Counts[k])
			}
		}
	}
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// The other analyses write the samples that they counted.
func TestCountsAreThoseOfTheRows(t *testing.T) {
	app := commandtest.Study(t)
	for line, c := range map[string]struct {
		column   string
		rows     int
		profiled int // samples with a value in the column
		sum      float64
		want     string // in the answer
	}{
		"query -s synthetic_demo -g TP53":                                   {"TP53", 154, 154, 65, `"unique_samples":65,"total_samples":154`},
		"query -s synthetic_demo -g TP53,KRAS":                              {"KRAS", 154, 154, 36, `"unique_samples":36,"total_samples":154`},
		"query -s synthetic_demo -g ALK -t sv":                              {"ALK", 50, 50, 0, `"n":50`},
		"top-mutated -s synthetic_demo":                                     {"TP53", 154, 154, 65, `"mutated_samples":65`},
		"cohort -s synthetic_demo -g TP53":                                  {"mutated", 154, 154, 65, `"total_samples":154`},
		"co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR":                 {"TP53", 154, 154, 65, `"total_samples":154`},
		"filter -s synthetic_demo --mutated TP53 --expression-above EGFR:1": {"mutated TP53", 159, 154, 65, `"matched_count":65,"profiled_count":154`},
		"compare -s synthetic_demo -g TP53 -t mutations --genes all":        {"", 154, 0, 0, `"tested_genes"`},
		"query -s synthetic_demo -g TP53 -t expression":                     {"TP53", 109, 109, math.NaN(), `"sample_count":109`},
		"query -s synthetic_demo -g TP53 -t cna":                            {"TP53", 110, 110, math.NaN(), `"total_samples":110`},
	} {
		t.Run(line, func(t *testing.T) {
			rows, answer := rowsOf(t, app, line, "rows", "rows.csv")
			filled := rows
			if c.column != "" {
				filled = exported{c.column: slices.DeleteFunc(slices.Clone(rows[c.column]), func(s string) bool { return s == "" })}
			}
			if len(rows["sample_id"]) != c.rows || c.column != "" && len(filled[c.column]) != c.profiled || !strings.Contains(answer, c.want) {
				t.Errorf("%d rows, %d with %s, want %+v: %s", len(rows["sample_id"]), len(filled[c.column]), c.column, c, answer)
			}
			if c.sum == c.sum && c.column != "" && sum(filled.numbers(t, c.column)) != c.sum {
				t.Errorf("the sum of %s is %g", c.column, sum(filled.numbers(t, c.column)))
			}
		})
	}
}

// A file that cannot be written or does not have a table's extension is an error. An agent may not
// write files. A number given to --rows is the height of a chart at a terminal.
func TestRowsAreRefused(t *testing.T) {
	app := commandtest.Study(t)
	const line = "study survival -s synthetic_demo -g TP53"
	for _, c := range []struct {
		may        command.Policy
		line, want string
		code       int
	}{
		{command.Person, line + " --rows x.txt", `--rows: "x.txt" does not end in one of .csv, .tsv, .jsonl, .xlsx`, 2},
		{command.Person, line + " --curve 30", `--curve: "30" does not end in one of .csv`, 2},
		{command.Person, line + " --rows /nowhere/x.csv", "the table was not written to /nowhere/x.csv: no such file", 1},
		{command.Person, line + " --rows 30", "--rows requires --chart with one of survival", 2},
		{command.Person, line + " --chart survival --terminal --rows 300", "--rows must be 8-200, not 300", 2},
		{command.Person, "study cohort -s synthetic_demo -g TP53 --rows 30", `--rows: "30" does not end in`, 2},
		{command.Agent, line + " --rows x.csv", "--rows reads or writes files of the server's machine", 2},
		{command.Agent, line + " --curve x.csv", "--curve reads or writes files of the server's machine", 2},
		{command.Agent, line + " --chart survival --terminal --rows 20", "At risk", 0},
	} {
		t.Run(c.line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, c.may, c.line); code != c.code || !strings.Contains(text, c.want) {
				t.Errorf("exit %d, want %q: %s", code, c.want, text)
			}
		})
	}
	if _, err := os.Stat("x.csv"); err == nil {
		t.Error("an agent wrote a file")
	}
}

// --csv writes the table of an answer, at a terminal and over MCP; --rows and --curve write the analyzed
// samples or curves.
func TestValuesOfAnAnswer(t *testing.T) {
	app := commandtest.Study(t)
	for _, c := range charted {
		for _, may := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, app, may, c.line+" --csv")
			if header, rows, _ := strings.Cut(text, "\n"); code != 0 || rows == "" || !strings.Contains(header, ",") {
				t.Errorf("%s: exit %d, want a table: %s", c.line, code, text)
			}
		}
	}
}
