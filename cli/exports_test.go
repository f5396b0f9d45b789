package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/spf13/cobra"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/bulk"
)

// exported holds the words of searches with hits, and of one without hits as the last, for each search
// that has data formats.
var exported = map[string][]string{
	"citation":   {"--journal X --year 2020"},
	"article":    {"ergothioneine", "ergothioneine --date-from 1801 --date-to 1802"},
	"gene":       {"kinase", "BRAF", "qqzzxv"},
	"disease":    {"--gene BRAF", "noonan", "qqzzxv"},
	"variant":    {"-g BRAF", "-g BRAF --review-stars 1", "-g BRAF --significance benign,pathogenic", "-g QQZZXV"},
	"mesh":       {"ergothioneine", "qqzzxv"},
	"trial":      {"melanoma", "-c melanoma", "melanoma --mutation V600E", "qqzzxv"},
	"drug":       {"fictinib", "--class 'kinase inhibitor'", "fictinib --region us", "imaginavir --region who", "qqzzxv"},
	"diagnostic": {"BRCA1", "synthetic --source all", "qqzzxv"},
	"vaccine":    {"measles", "qqzzxv"},
	"pgx":        {"fictinib", "--gene BRAF", "qqzzxv"},
	"corpus":     {"ergothioneine", "mushrooms", "ergothioneine --journal Nonesuch"},
	"library":    {"", "notes", "qqzzxv"},
}

// exportsApp returns an App of every source, with each local table, a corpus and a library.
func exportsApp(t *testing.T) *command.App {
	t.Helper()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	lines := []string{"sync pubmed --from " + commandtest.Records(t)}
	for _, set := range bulk.Sets() {
		lines = append(lines, "sync "+set.Name)
	}
	for _, line := range lines {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 0 {
			t.Fatal(text)
		}
	}
	for _, name := range []string{"README.md", "one.md", "two.md"} {
		commandtest.WriteLibraryFile(t, app, "project/"+name, "# Notes of "+name+"\n\nnotes\n")
	}
	return app
}

// exportLines returns the lines of every listing of the tree by its name: of each search with data
// formats, and of each section of each record in withSections.
func exportLines(t *testing.T) map[string][]string {
	t.Helper()
	tree, lines := cli.NewTree(), map[string][]string{}
	for _, group := range tree.Commands(tree.Root) {
		if group.Name() != "search" {
			continue
		}
		for _, cc := range tree.Commands(group) {
			if tree.Flags(cc).Lookup("csv") != nil {
				lines["search "+cc.Name()] = searchLines(t, cc)
			}
		}
	}
	for _, e := range cli.Entities() {
		if e.Get != nil && len(e.Get.Sections) > 0 && len(withSections[e.Name]) == 0 {
			t.Errorf("get %s has sections and no record in withSections", e.Name)
		}
		for i := 0; e.Get != nil && i < len(e.Get.Sections); i++ {
			name := e.Get.Sections[i].Name
			for _, id := range withSections[e.Name] {
				of := "get " + e.Name + " " + name
				lines[of] = append(lines[of], "get "+e.Name+" "+id+" "+name)
			}
		}
	}
	return lines
}

func searchLines(t *testing.T, cc *cobra.Command) (lines []string) {
	t.Helper()
	if len(exported[cc.Name()]) == 0 {
		t.Errorf("search %s has no line in this test", cc.Name())
	}
	for _, words := range exported[cc.Name()] {
		lines = append(lines, strings.TrimSpace("search "+cc.Name()+" "+words))
	}
	return lines
}

// readTable returns the header and the rows of a line with --csv, and its notices.
func readTable(t *testing.T, app *command.App, line string) (header string, rows int, notices string) {
	t.Helper()
	stdout, stderr, code := clitest.RunForPerson(t, app, line)
	if code != 0 {
		t.Errorf("%s: exit %d: %s", line, code, stderr)
		return "", 0, ""
	}
	table, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(table) == 0 {
		t.Errorf("%s: %v: %s", line, err, stdout)
		return "", 0, ""
	}
	return strings.Join(table[0], ","), len(table) - 1, stderr
}

// totals matches the total of a JSON answer or of a section.
var totals = regexp.MustCompile(`"(?:[a-z_]+_)?total":(\d+)`)

// Every listing of the tree is exported whole, its columns do not depend on its rows, and a shorter
// export says how many rows there are.
func TestEveryListingIsExportedWhole(t *testing.T) {
	app := exportsApp(t)
	for name, lines := range exportLines(t) {
		t.Run(name, func(t *testing.T) {
			var headers []string
			for _, line := range lines {
				header, rows, notices := readTable(t, app, line+" --csv")
				if !slices.Contains(headers, header) {
					headers = append(headers, header)
				}
				if shown := regexp.MustCompile(`\d+ of \d+ shown|these are `).FindString(notices); shown != "" {
					t.Errorf("%s: %q about a whole listing", line, shown)
				}
				testOtherForms(t, app, line, rows)
				testTotal(t, app, line, rows)
				testRetractedRows(t, app, line)
				if rows > 1 {
					testShortExport(t, app, line, header, rows)
				}
			}
			if len(headers) > 1 {
				t.Errorf("%s: the columns are\n%s, want the same for %d lines", name, strings.Join(headers, "\n"), len(lines))
			}
		})
	}
}

// testOtherForms checks that other data formats have as many records.
func testOtherForms(t *testing.T, app *command.App, line string, rows int) {
	t.Helper()
	jsonl, _, _ := clitest.RunForPerson(t, app, line+" --jsonl")
	tsv, _, _ := clitest.RunForPerson(t, app, line+" --tsv")
	if n, m := strings.Count(jsonl, "\n"), strings.Count(tsv, "\n")-1; n != rows || m != rows {
		t.Errorf("%s: %d records in JSONL and %d in TSV, want %d", line, n, m, rows)
	}
}

// A list of objects in a record is one column, and not a column for each member: the members of one object would
// stand in several lists.
func TestRecordsHaveNoParallelColumns(t *testing.T) {
	app := exportsApp(t)
	lines := []string{}
	for name, all := range exportLines(t) {
		if strings.HasPrefix(name, "search ") {
			lines = append(lines, all...)
		}
	}
	for entity, ids := range withSections {
		for _, id := range ids {
			lines = append(lines, "get "+entity+" "+id)
		}
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) { testParallelColumns(t, app, line) })
	}
}

func testParallelColumns(t *testing.T, app *command.App, line string) {
	t.Helper()
	csv, _, _ := clitest.RunForPerson(t, app, line+" --csv")
	header, _, _ := strings.Cut(csv, "\n")
	jsonl, _, _ := clitest.RunForPerson(t, app, line+" --jsonl")
	lists := map[string]bool{}
	for record := range strings.Lines(jsonl) {
		listsOfObjects(gjson.Parse(record), "", lists)
	}
	for list := range lists {
		var members []string
		for column := range strings.SplitSeq(header, ",") {
			if member, isMember := strings.CutPrefix(column, list+"."); isMember {
				members = append(members, member)
			}
		}
		if len(members) > 1 {
			t.Errorf("%s: columns for the members %q of %s, want one column for the list", line, members, list)
		}
	}
}

// listsOfObjects adds the paths of the lists of objects in a record to lists, except those inside such lists.
func listsOfObjects(value gjson.Result, path string, lists map[string]bool) {
	if value.IsArray() {
		if value.Get("0").IsObject() {
			lists[path] = true
		}
		return
	}
	if value.IsObject() {
		value.ForEach(func(key, member gjson.Result) bool {
			listsOfObjects(member, strings.TrimPrefix(path+"."+key.String(), "."), lists)
			return true
		})
	}
}

// testRetractedRows checks that a notice names the retracted articles of a listing whose columns do not.
func testRetractedRows(t *testing.T, app *command.App, line string) {
	t.Helper()
	jsonl, _, _ := clitest.RunForPerson(t, app, line+" --jsonl")
	for row := range strings.Lines(jsonl) {
		r := gjson.Parse(row)
		if !r.Get("retracted").Bool() {
			continue
		}
		field := "title"
		if !r.Get(field).Exists() {
			field = "citation"
		}
		for _, form := range []string{" --csv", " --tsv", " --jsonl"} {
			_, notices, _ := clitest.RunForPerson(t, app, line+form+" --fields "+field)
			if strings.Count(notices, "RETRACTED: ") != 1 || !strings.Contains(notices, strings.TrimPrefix(r.Get("pmid").String(), "pmid:")) {
				t.Errorf("%s%s --fields %s: want one notice that names the retracted article %s, got %s", line, form, field, r.Get("pmid"), notices)
			}
		}
	}
}

// testTotal compares the rows of an export with the total of the JSON answer.
func testTotal(t *testing.T, app *command.App, line string, rows int) {
	t.Helper()
	text, _ := clitest.Ask(t, app, command.Person, line+" --json")
	var answer struct{ Total *int }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	total := answer.Total
	if found := totals.FindStringSubmatch(text); total == nil && found != nil && !strings.Contains(line, "adverse-events") {
		n, _ := strconv.Atoi(found[1])
		total = &n
	}
	if total != nil && *total != rows && !strings.Contains(line, "--source all") {
		t.Errorf("%s: %d rows are exported, want the total %d", line, rows, *total)
	}
}

// testShortExport checks that a listing of rows rows is cut by --limit, and that a notice counts the rest.
func testShortExport(t *testing.T, app *command.App, line, header string, rows int) {
	t.Helper()
	cut, n, notices := readTable(t, app, line+" --csv --limit 1")
	switch {
	case strings.Contains(notices, "--limit has no effect here"):
	case n != 1:
		t.Errorf("%s --limit 1: %d rows, want 1", line, n)
	case cut != header:
		t.Errorf("%s --limit 1: the columns are %s, want %s", line, cut, header)
	case strings.Contains(notices, "more match: "): // a ranked search has no total
	case !strings.Contains(notices, fmt.Sprintf(" of %d", rows)) && !strings.Contains(notices, fmt.Sprintf("%d more", rows-1)):
		t.Errorf("%s --limit 1: no notice says that there are %d rows, or %d more: %s", line, rows, rows-1, notices)
	}
}
