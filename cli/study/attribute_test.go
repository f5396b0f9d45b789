package study_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// asks runs study commands and checks that each answer contains the given parts, separated by
// &&. A part that begins with ! must be absent.
func asks(t *testing.T, app *command.App, lines map[string]string) {
	t.Helper()
	for line, want := range lines {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study "+line)
			for part := range strings.SplitSeq(want, " && ") {
				if unwanted, not := strings.CutPrefix(part, "!"); not == strings.Contains(text, strings.TrimSpace(unwanted)) {
					t.Errorf("%s: %q in\n%s", line, part, text)
				}
			}
		})
	}
}

// samplesOf returns a sample file with two samples for each of n patients and the columns of
// header.
func samplesOf(n int, header string, value func(patient, sample int) string) string {
	text := header + "\n"
	for i := range 2 * n {
		text += fmt.Sprintf("S%d\tP%d\t%s\n", i, i/2, value(i/2, i%2))
	}
	return text
}

// A patient has the mean of the samples' numbers: the mean of 2 and 50 is above 10, whichever
// comes first.
func TestNumbersOfSeveralSamples(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "several", times(8, func(i int) string { return fmt.Sprint(i % 2) }), "0 1", func(file, text string) string {
		if file == "samples.txt" {
			return samplesOf(8, "SAMPLE_ID\tPATIENT_ID\tTMB\tGRADE", func(patient, sample int) string {
				return fmt.Sprintf("%d\tG%d", []int{2, 50}[sample]*b2i(patient < 6)+patient, sample*b2i(patient < 2))
			})
		}
		return text
	})
	asks(t, app, map[string]string{
		"survival -s several --by TMB --cut 10":      "| ≤ 10 | 2 | && | > 10 | 6 | && 6 patients have samples with different values of TMB: their mean is used",
		"survival -s several -g TP53 --adjust TMB":   "6 patients have samples with different values of TMB: their mean is used",
		"survival -s several -g TP53 --adjust GRADE": "- 2: samples with different values of GRADE",
		"compare -s several -g TP53 -t clinical --target TMB": "| TP53-mutant | 2 | && 4 patients have several of the samples compared, which the test treats as independent && " +
			"Each patient counted once: Mann-Whitney p 0.500 (4 patients, of whom 4 have several samples)", // wilcox.test(26, c(27, 28, 29))
		"survival -s several TMB":        "study survival --study several --by TMB", // there is no gene list that excludes it
		"survival -s several -g TMB":     "TMB is a clinical attribute of several, not a gene in its data",
		"survival -s several --by GRADE": "- 2: samples with different values of GRADE && !mean is used",
	})
}

// If the samples of a patient have different times or statuses, the answer says which are used.
func TestFollowUpOfSeveralSamples(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "followed", times(4, func(int) string { return "" }), "0 1", func(file, text string) string {
		switch file {
		case "patients.txt":
			return "PATIENT_ID\tARM\nP0\tA\n"
		case "samples.txt":
			return samplesOf(4, "SAMPLE_ID\tPATIENT_ID\tOS_MONTHS\tOS_STATUS", func(patient, sample int) string {
				return []string{fmt.Sprintf("%d\tNA", 5+patient), fmt.Sprintf("%d\t1:DECEASED", 50+patient)}[sample]
			})
		}
		return text
	})
	const said = "4 patients have samples with different values of OS_MONTHS or OS_STATUS: the first sample with both is used"
	asks(t, app, map[string]string{
		"survival -s followed -g TP53":        said + " && | TP53-mutant | 1 | 1 | 0 | 100.0 % | 50.0",
		"survival -s followed -g TP53 --json": said + ` && "km_median_months":50,`,
		"summary -s followed":                 said,
	})
}

// A bound joins a group only if it certainly belongs there. An analysis of numbers excludes it.
func TestBoundsOfAnAttribute(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "bounds", times(12, func(i int) string { return fmt.Sprint(i % 2) }), "0 1 2 3", func(file, text string) string {
		if file != "patients.txt" {
			return text
		}
		rows := strings.Split(strings.TrimSpace(text), "\n")
		for i, age := range strings.Fields("AGE >89 >89 <18 95 20 30 40 50 60 70 NA Unknown") {
			rows[i] += "\t" + age
		}
		return "#a\ta\ta\ta\ta\n#a\ta\ta\ta\ta\n#STRING\tSTRING\tSTRING\tSTRING\tNUMBER\n#1\t1\t1\t1\t1\n" + strings.Join(rows, "\n") + "\n"
	})
	const bounds, word = "3 values of AGE excluded: only a bound is known, such as >89", "1 value of AGE excluded: not a number, such as Unknown"
	asks(t, app, map[string]string{
		"survival -s bounds --by AGE --cut 50":                     "| ≤ 50 | 5 | && | > 50 | 5 | && - 2: no value of AGE && !divides && !a bound && " + word,
		"survival -s bounds --by AGE --cut 92":                     "| ≤ 92 | 7 | && | > 92 | 1 | && - 2: a bound of AGE that a cut divides",
		"survival -s bounds --by AGE --cut 10":                     "| > 10 | 9 | && - 1: a bound of AGE that a cut divides",
		"survival -s bounds --by AGE --quantiles 2":                "| 5 | && !divides",
		"survival -s bounds -g TP53 --adjust AGE":                  "- 5: no value of AGE && " + bounds + " && " + word,
		"compare -s bounds -g TP53 -t clinical --target AGE":       "| TP53-mutant | 1 | 95.000 | && | TP53-wildtype | 6 | && - 5: no value of AGE && " + bounds + " && " + word,
		"summary -s bounds":                                        "| AGE | patient | 10 | 2 | 20.00 to 95.00, median 50.00 | && " + bounds,
		"compare -s bounds -g TP53 -t clinical --target OS_MONTHS": "!excluded: ",
	})
}

// A variant in an unknown sample is not counted as one in a sample that was not profiled.
func TestVariantsOfNoSample(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "unnamed", times(8, func(i int) string { return fmt.Sprint(i % 2) }), "0 1 X9", nil)
	const note = "1 variant of TP53 in a sample that is not in the study (such as SX9) is not counted"
	asks(t, app, map[string]string{"query -s unnamed -g TP53": note + " && !not profiled", "top-mutated -s unnamed": "1 variant in a sample that is not in the study && !not profiled"})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
