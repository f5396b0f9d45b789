package study_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// arms lists 40 patients in four arms. The last arm has two patients and no event.
func arms(prefix string) (patients [][3]string, mutated string) {
	for i := range 40 {
		arm := []string{"2", "9", "10", "2"}[(i*7)%4]
		if i == 3 || i == 9 {
			arm = "11"
		}
		patients = append(patients, [3]string{fmt.Sprint(min(1, i%3)), fmt.Sprint((i*17)%40 + 1), prefix + arm})
		if i%2 == 0 {
			mutated += fmt.Sprint(" ", i)
		}
	}
	return patients, mutated
}

// A rare category does not affect the other terms. Numeric categories are sorted by size. The
// reference is the largest category, or --reference. A small group does not limit the
// restricted mean. The numbers come from R 4.2.2 with survival 3.5-3, which gives NA for arm 11:
//
//	i <- 0:39; t <- (i*17)%%40+1; e <- as.numeric(i%%3!=0); mut <- as.numeric(i%%2==0)
//	arm <- c("2","9","10","2")[(i*7)%%4+1]; arm[i%in%c(3,9)] <- "11"; a <- factor(arm, levels=c("2","9","10","11"))
//	summary(coxph(Surv(t,e)~mut+a))$conf.int; summary(coxph(Surv(t,e)~relevel(a, ref="9")))$conf.int
//	anova(coxph(Surv(t,e)~a), coxph(Surv(t,e)~mut+a)); survdiff(Surv(t,e)~a); summary(survfit(Surv(t,e)~a), rmean=38)$table
func TestRareCategory(t *testing.T) {
	app := commandtest.Disk(t)
	numbers, mutated := arms("")
	words, _ := arms("arm ")
	handmade(t, app.Env.StudyDir, "numbers", numbers, mutated, nil)
	handmade(t, app.Env.StudyDir, "words", words, mutated, nil)
	for line, want := range map[string]string{
		"-s words -g TP53 --adjust ARM": "| TP53-mutant vs TP53-wildtype | 20 vs 20 | 13 vs 13 | 0.730 (0.245 to 2.177) | 0.572 | && | ARM: arm 9 vs arm 2 | 9 vs 19 | 6 vs 13 | 0.476 (0.149 to 1.526) | 0.212 | && | ARM: arm 10 vs arm 2 | 10 vs 19 | 7 vs 13 | 0.949 (0.314 to 2.867) | 0.926 | && " +
			"| ARM: arm 11 vs arm 2 | 2 vs 19 | 0 vs 13 | - | not available | && ARM: arm 11 vs arm 2: no hazard ratio: no finite estimate && TP53, adjusted for ARM: likelihood ratio p 0.571 (chi-square 0.321, 1 df)",
		"-s numbers --by ARM --reference 9": "| 2 vs 9 | 19 vs 9 | 13 vs 6 | 1.792 (0.628 to 5.114) | 0.275 | && | 10 vs 9 | 10 vs 9 | 7 vs 6 | 1.453 (0.460 to 4.588) | 0.524 | && Log-rank p-value: 0.4 && 3 df) && caution: 11 has 2 patients and 0 events; " +
			"&& caution: 9 has 9 patients and 6 events && RMST: restricted mean up to 38.0 months, ignoring groups with fewer than 10 patients: 9, 11 && | 23.5 (18.8 to 28.3) |",
		"-s numbers --by ARM --reference 9 --trend": "Trend p-value: 0.",
		"-s numbers --by ARM --reference 3":         "--reference 3 is not a group; available: 2, 9, 10, 11",
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study survival "+line)
			for part := range strings.SplitSeq(want, " && ") {
				if !strings.Contains(text, part) {
					t.Errorf("%s: no %q in\n%s", line, part, text)
				}
			}
		})
	}
	text, _ := clitest.Ask(t, app, command.Agent, "study survival -s numbers --by ARM --json")
	var got struct {
		Groups []struct {
			Name string `json:"group_name"`
			RMST *float64
		}
		RMST    float64  `json:"rmst_months"`
		Without []string `json:"rmst_without"`
		Cox     struct {
			Terms []struct {
				Name   string
				HR     *float64
				Reason *string
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	var names []string
	for _, g := range got.Groups {
		names = append(names, g.Name)
	}
	if !slices.Equal(names, []string{"2", "9", "10", "11"}) || got.RMST != 38 || !slices.Equal(got.Without, []string{"9", "11"}) || got.Groups[3].RMST != nil || *got.Groups[0].RMST < 23.53 {
		t.Errorf("%+v", got)
	}
	if terms := got.Cox.Terms; len(terms) != 3 || terms[0].Name != "9 vs 2" || terms[0].Reason != nil || terms[2].HR != nil || terms[2].Reason == nil {
		t.Errorf("%+v", terms)
	}
}

// A forest chart requires at least one hazard ratio.
func TestForestWithoutHazardRatioIsAnError(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "no_events", times(8, func(int) string { return "0:LIVING" }), "0 2", nil)
	handmade(t, app.Env.StudyDir, "one_side", times(8, func(i int) string { return fmt.Sprint(i % 2) }), "0 2 4 6", nil)
	for id, want := range map[string]string{"no_events": "no hazard ratio can be drawn: no events", "one_side": "no hazard ratio can be drawn: none has a finite estimate"} {
		t.Run(id, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "study survival -s "+id+" -g TP53 --chart forest")
			if code != 1 || !strings.Contains(text, want) || !strings.Contains(text, "--chart survival") {
				t.Errorf("%s: %d, %s", id, code, text)
			}
		})
	}
}

// For copy number the reference is the diploid group. A notice names a reference without events.
func TestReferenceToCompareWith(t *testing.T) {
	app := commandtest.Study(t)
	const none = "the reference group Deep deletion has no events: choose another one with --reference"
	for more, want := range map[string]string{
		"":                             "| Gain vs Diploid | 9 vs 59 | 5 vs 32 | 0.823 (0.319 to 2.122) |",
		" --chart forest":              "| Amplification vs Diploid |",
		" --cut 1":                     "| > 1 vs ≤ 1 |",
		" --reference 'Deep deletion'": none,
	} {
		t.Run(more, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "study survival -s synthetic_demo -g ERBB2 --by cna"+more)
			if code != 0 || !strings.Contains(text, want) || strings.Contains(text, none) != (want == none) {
				t.Errorf("exit %d: no %q in\n%s", code, want, text)
			}
		})
	}
}

// Groups of copy number are compared with diploid. The numbers come from lifelines 0.30.3, for
// the patients of synthetic_demo whose samples in the case list have one code of TP53:
//
//	multivariate_logrank_test(t, g, e)
//	CoxPHFitter().fit(d, 't', 'e', fit_options={'precision': 1e-12})   # hazard ratio, limits, p
//	KaplanMeierFitter().fit(t, e).predict(12), its confidence_interval_ and median_survival_time_
func TestCopyNumberAgainstDiploid(t *testing.T) {
	text, _ := clitest.Ask(t, commandtest.Study(t), command.Agent, "study survival -s synthetic_demo -g TP53 --by cna --months 12 --json")
	var got struct {
		Groups []struct {
			Name      string  `json:"group_name"`
			N         int     `json:"n_patients"`
			Events    int     `json:"n_events"`
			Median    float64 `json:"km_median_months"` // 0 if not reached
			Landmarks []struct{ Survival, Low, High float64 }
		}
		LogRank struct{ Chi2, P float64 } `json:"log_rank"`
		Cox     struct {
			Terms []struct {
				Name             string
				HR, Low, High, P float64
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Groups) != 5 || len(got.Cox.Terms) != 4 {
		t.Fatal(err, text)
	}
	same := func(what string, got, want []float64) {
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6*want[i] {
				t.Errorf("%s: %v, lifelines has %v", what, got, want)
			}
		}
	}
	for i, want := range [][]float64{
		{3, 2, 81.69, 0.6666666666666666, 0.05407342678651668, 0.945206387272047},
		{17, 5, 0, 0.8823529411764705, 0.6059788995290967, 0.9692092969361855},
		{55, 33, 31.02, 0.740166690639867, 0.6005729455772353, 0.8373173846546283},
		{8, 5, 24.11, 0.875, 0.38700001403202483, 0.9813929658789661},
		{6, 2, 33.28, 0.8333333333333334, 0.27312284992835606, 0.9747124266908934},
	} {
		g := got.Groups[i]
		same(g.Name, []float64{float64(g.N), float64(g.Events), g.Median, g.Landmarks[0].Survival, g.Landmarks[0].Low, g.Landmarks[0].High}, want)
	}
	for i, want := range [][]float64{
		{0.6045611515799829, 0.13651405157440905, 2.677337473941259, 0.5074326582801059},
		{0.335453792993977, 0.1296410900686564, 0.8680060247445607, 0.024335367812344456},
		{1.1133711176197345, 0.43175052184400253, 2.8710914818481674, 0.824162033365946},
		{0.6117375357107204, 0.1465450359860185, 2.5536369081319727, 0.5002659401849121},
	} {
		c := got.Cox.Terms[i]
		same(c.Name, []float64{c.HR, c.Low, c.High, c.P}, want)
	}
	same("log-rank", []float64{got.LogRank.Chi2, got.LogRank.P}, []float64{6.226805332165928, 0.18283849060982005})
}

// Copy-number codes have no mean: a patient with samples in two states is in neither group.
func TestPatientWithSeveralSamples(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"--by cna -g EGFR":               "- 7: samples with different copy number of EGFR",
		"--by cna -g EGFR --cut 1":       "| > 1 | 21 |",
		"--by cna -g EGFR --quantiles 3": "--quantiles does not apply to copy number",
		"--by SAMPLE_TYPE":               "- 5: samples with different values of SAMPLE_TYPE",
	} {
		t.Run(line, func(t *testing.T) {
			if text, _ := clitest.Ask(t, app, command.Agent, "study survival -s synthetic_demo "+line); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", line, want, text)
			}
		})
	}
}
