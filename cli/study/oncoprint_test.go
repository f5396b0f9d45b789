package study_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

type oncoprint struct {
	Query                           string
	Unit                            string
	Total, Shown, Altered, Profiled int
	Tracks                          []struct {
		Name        string `json:"track"`
		Altered     int
		Profiled    int
		Share       *float64 `json:"altered_share"`
		NotProfiled int      `json:"not_profiled"`
		Partly      int      `json:"partly_profiled"`
		Groups      []struct {
			Name     string `json:"group_name"`
			Altered  int
			Profiled int
		}
	}
	Rows []struct {
		Sample   string `json:"sample_id"`
		Patient  string `json:"patient_id"`
		Group    string
		Clinical []any
		Cells    []*string
	}
	Excluded []struct {
		Reason string
		N      int
	}
	Notices []string
}

// tableOf reads a table of the synthetic study without its comments.
func tableOf(t *testing.T, app *command.App, file string) (head map[string]int, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(app.Env.StudyDir, "synthetic_demo", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case head == nil:
			head = map[string]int{}
			for i, name := range fields {
				head[name] = i
			}
		default:
			rows = append(rows, fields)
		}
	}
	return head, rows
}

// The matrix has the mutations and amplifications of the files of the study, sample by sample.
func TestOncoprintMatrix(t *testing.T) {
	app := commandtest.Study(t)
	var a oncoprint
	line := "study oncoprint -s synthetic_demo -g 'TP53: MUT; EGFR: AMP' --clinical SEX"
	askJSON(t, app, line, &a)
	head, rows := tableOf(t, app, "data_mutations.txt")
	changes := map[string][]string{}
	for _, r := range rows {
		class := r[head["Variant_Classification"]]
		if r[head["Hugo_Symbol"]] == "TP53" && class != "Silent" && class != "Intron" && !strings.Contains(class, "UTR") && !strings.Contains(class, "Flank") {
			id := r[head["Tumor_Sample_Barcode"]]
			changes[id] = append(changes[id], strings.TrimPrefix(r[head["HGVSp_Short"]], "p."))
		}
	}
	copies := map[string]string{}
	head, rows = tableOf(t, app, "data_cna.txt")
	for id, i := range head {
		for _, r := range rows {
			if r[0] == "EGFR" {
				copies[id] = r[i]
			}
		}
	}
	altered := [2]int{}
	for _, r := range a.Rows {
		for k, cell := range r.Cells {
			if cell != nil && *cell != "" {
				altered[k]++
			}
		}
		if cell := r.Cells[0]; cell == nil && len(changes[r.Sample]) > 0 && !strings.HasSuffix(r.Sample, "-02") {
			continue // a mutation in a sample that was not sequenced
		} else if got := cell != nil && *cell != ""; got != (len(changes[r.Sample]) > 0) && cell != nil {
			t.Errorf("%s: want the mutations %q, got %v", r.Sample, changes[r.Sample], *cell)
		} else if got && !strings.Contains(*cell, changes[r.Sample][0]) {
			t.Errorf("%s: want %s in the cell, got %s", r.Sample, changes[r.Sample][0], *cell)
		}
		want := map[string]string{"2": "AMP"}[copies[r.Sample]]
		if cell, measured := r.Cells[1], copies[r.Sample] != ""; measured != (cell != nil) || measured && *cell != want {
			t.Errorf("%s: copy number %q: want the cell %q, got %v", r.Sample, copies[r.Sample], want, cell)
		}
	}
	for k, track := range a.Tracks {
		if track.Altered != altered[k] || track.Profiled+track.NotProfiled != a.Shown || a.Shown != len(a.Rows) || a.Total != 162 {
			t.Errorf("%s: want %d altered and %d columns, got %+v", track.Name, altered[k], a.Total, track)
		}
		if want := float64(track.Altered) / float64(track.Profiled); track.Share == nil || math.Abs(*track.Share-want) > 1e-12 {
			t.Errorf("%s: want the share %g of the profiled, got %v", track.Name, want, track.Share)
		}
	}
	if first := a.Rows[0].Cells[0]; first == nil || *first == "" {
		t.Error("want an altered sample first")
	}
}

// The split by groups, the columns for patients, the sorting and the formats agree with each other.
func TestOncoprintForms(t *testing.T) {
	app := commandtest.Study(t)
	var all, split, patients, sorted oncoprint
	line := "study oncoprint -s synthetic_demo -g TP53,KRAS,EGFR --clinical AGE,SEX"
	askJSON(t, app, line, &all)
	askJSON(t, app, line+" --group F=SEX=Female --group M=SEX=Male", &split)
	n := 0
	for _, e := range split.Excluded {
		n += e.N
	}
	if split.Shown+n != all.Total {
		t.Errorf("groups: want columns and excluded samples to be all %d, got %d and %d", all.Total, split.Shown, n)
	}
	for _, track := range split.Tracks {
		if got := track.Groups[0].Altered + track.Groups[1].Altered; got != track.Altered {
			t.Errorf("%s: want %d altered in the groups together, got %d", track.Name, track.Altered, got)
		}
	}
	if first, last := split.Rows[0].Group, split.Rows[len(split.Rows)-1].Group; first != "F" || last != "M" {
		t.Errorf("want the columns of F before those of M, got %s and %s", first, last)
	}
	askJSON(t, app, line+" --patients", &patients)
	if patients.Shown != 150 || patients.Unit != "patients" || patients.Tracks[0].Altered > all.Tracks[0].Altered {
		t.Errorf("--patients: want 150 columns and no more alterations, got %d, %+v", patients.Shown, patients.Tracks[0])
	}
	askJSON(t, app, line+" --sort AGE", &sorted)
	last := 0.0
	for _, r := range sorted.Rows {
		if age, is := r.Clinical[0].(float64); is {
			if age < last {
				t.Errorf("--sort AGE: want ascending numbers, got %g after %g", age, last)
			}
			last = age
		} else if r.Clinical[0] == nil {
			last = math.Inf(1) // missing ones are last
		}
	}
	text, code := clitest.Ask(t, app, command.Person, line+" --csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if code != 0 || err != nil || len(rows) != all.Shown+1 {
		t.Fatalf("--csv: want %d rows, got %d, %v: %.300s", all.Shown+1, len(rows), err, text)
	}
	if want := "sample_id,patient_id,AGE,SEX,TP53,KRAS,EGFR"; strings.Join(rows[0], ",") != want {
		t.Errorf("--csv: want the columns %s, got %v", want, rows[0])
	}
	for i, r := range all.Rows {
		for k, cell := range r.Cells {
			want := ""
			if cell != nil {
				want = map[bool]string{true: "none", false: *cell}[*cell == ""]
			}
			if got := rows[i+1][4+k]; got != want || rows[i+1][0] != r.Sample {
				t.Errorf("--csv: %s: want %q, got %q", r.Sample, want, got)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "a.svg")
	if text, code := clitest.Ask(t, app, command.Person, line+" -o "+file+" --rows "+strings.Replace(file, ".svg", ".csv", 1)); code != 0 {
		t.Fatalf("-o: %s", text)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "Oncoprint (synthetic_demo)") {
		t.Errorf("-o: want the picture without --chart, got %v", err)
	}
	if !slices.ContainsFunc(all.Notices, func(n string) bool { return strings.Contains(n, "MUT FUSION AMP HOMDEL") }) {
		t.Errorf("want a notice of the meaning of a gene alone, got %q", all.Notices)
	}
}

// Each wrong query is an error that suggests a line which runs, at each door.
func TestWrongOncoprints(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study oncoprint -s synthetic_demo":                              "the genes mutated most often",
		"study oncoprint -s synthetic_demo -g TP5":                       "did you mean TP53",
		"study oncoprint -s synthetic_demo -g 'TP53 R273H'":              "column 6",
		"study oncoprint -s synthetic_demo -g 'TP53: MUTATED; KRAS'":     "did you mean MUT",
		"study oncoprint -s synthetic_demo -g 'TP53 & KRAS'":             "--group",
		"study oncoprint -s synthetic_demo -g 'AGE>60'":                  "",
		"study oncoprint -s synthetic_demo -g 'HER2: AMP'":               "alias of ERBB2",
		"study oncoprint -s synthetic_demo -g TP53 --clinical AGES":      "no clinical attribute",
		"study oncoprint -s synthetic_demo -g TP53 --sort AGES":          "no clinical attribute",
		"study oncoprint -s synthetic_demo -g 'TP53: MUT_DRIVER'":        "cbp_driver",
		"study oncoprint -s synthetic_demo -g TP53 --chart bar":          "oncoprint",
		"study oncoprint -s synthetic_demo -g TP53 --group 'A=TP53 MUT'": "column 6",
		"study oncoprint TP53 KRAS":                                      "",
		"study oncoprint synthetic_demo 'TP53: MUT = R273H; ERBB2: AMP'": "",
		"study oncoprint synthetic_demo 'TP53: SOMATIC_MUT; ERBB2: AMP'": "",
	} {
		for _, may := range policies {
			text, code := clitest.Ask(t, app, may, line)
			_, try, found := strings.Cut(text, "try:   biomcp ")
			if code == 0 || !strings.Contains(text, want) || !found {
				t.Errorf("%s: want an error with %q and a line to type, got %s", line, want, text)
			} else if text, code := clitest.Ask(t, app, may, strings.TrimSpace(try)); code != 0 && !strings.Contains(line, "SOMATIC") {
				t.Errorf("%s: want a suggestion that runs, got for %s: %s", line, try, text)
			}
		}
	}
}

// With --overlap keep a sample has a column in each of its groups, and counts once in the totals.
func TestOncoprintCountsSamplesOnce(t *testing.T) {
	app := commandtest.Study(t)
	for _, flags := range []string{"", " --patients"} {
		type counted struct {
			Altered, Profiled, Shown int
			Tracks                   []struct {
				Altered, Profiled int
				Share             float64 `json:"altered_share"`
				NotProfiled       int     `json:"not_profiled"`
			}
			Rows []struct {
				Sample  string `json:"sample_id"`
				Patient string `json:"patient_id"`
				Cells   []*string
			}
		}
		line := "study oncoprint -s synthetic_demo -g TP53,KRAS --group A=TP53 --group B=KRAS --overlap keep" + flags
		var a counted
		askJSON(t, app, line, &a)
		altered, profiled := map[string][3]bool{}, map[string][3]bool{}
		for _, row := range a.Rows {
			id := row.Sample + " " + row.Patient
			is, was := altered[id], profiled[id]
			for k, cell := range row.Cells {
				is[k], was[k] = is[k] || cell != nil && *cell != "", was[k] || cell != nil
				is[2], was[2] = is[2] || is[k], was[2] || was[k]
			}
			altered[id], profiled[id] = is, was
		}
		count := func(of map[string][3]bool, k int) (n int) {
			for _, is := range of {
				if is[k] {
					n++
				}
			}
			return n
		}
		if a.Shown != len(a.Rows) || len(altered) >= a.Shown {
			t.Fatalf("%s: want more columns than %d samples or patients, got %d shown", line, len(altered), a.Shown)
		}
		if want := [2]int{count(altered, 2), count(profiled, 2)}; want != [2]int{a.Altered, a.Profiled} {
			t.Errorf("%s: want %v altered and profiled, got %d and %d", line, want, a.Altered, a.Profiled)
		}
		for k, track := range a.Tracks {
			want := [3]int{count(altered, k), count(profiled, k), len(altered) - count(profiled, k)}
			if got := [3]int{track.Altered, track.Profiled, track.NotProfiled}; got != want {
				t.Errorf("%s: track %d: want %v altered, profiled and not, got %v", line, k, want, got)
			}
			if want := float64(want[0]) / float64(want[1]); math.Abs(track.Share-want) > 1e-9 {
				t.Errorf("%s: track %d: want the share %g, got %g", line, k, want, track.Share)
			}
		}
		want := fmt.Sprintf("shown %d of ", len(altered))
		for _, may := range policies {
			text, _ := clitest.Ask(t, app, may, line)
			if !strings.Contains(text, want) || !strings.Contains(text, fmt.Sprintf("in %d columns", a.Shown)) {
				t.Errorf("%s: want %q and the columns, got %.200s", line, want, text)
			}
		}
	}
}

// A notice about the genes without alterations stands once, however many flags have one.
func TestOncoprintNoticesOnce(t *testing.T) {
	app := commandtest.Study(t)
	line := "study oncoprint -s synthetic_demo -g TP53,KRAS --group A=TP53 --group B=KRAS"
	for _, may := range policies {
		text, _ := clitest.Ask(t, app, may, line)
		if n := strings.Count(text, "a gene without alterations stands for"); n != 1 {
			t.Errorf("%s: want the notice once, got %d: %s", line, n, text)
		}
	}
}
