package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
	"biomcp/skills"
)

// typedLine matches the commands of a worked example, on lines of their own or within a
// sentence.
var typedLine = regexp.MustCompile("(?m)^ +biomcp (.*)$|`biomcp ([^`]*)`")

// A person can type every command in the worked examples, their ladders and the overview. An
// agent can type those of the ladders.
func TestEveryCommandOfTheSkillParses(t *testing.T) {
	check := func(where, line string, may command.Policy) {
		t.Helper()
		if strings.Contains(line, "<") { // a placeholder
			return
		}
		args, err := words.Split(line)
		if err != nil {
			t.Errorf("%s: %q: %v", where, line, err)
		} else if failure := parse(NewTree(), args, may).refusal; failure != nil {
			t.Errorf("%s: %q cannot be typed: %s", where, line, failure.Message)
		}
	}
	ladders := 0
	texts := map[string]string{"SKILL.md": skills.Overview()}
	for _, e := range skills.Catalogue() {
		texts[e.Slug] = e.Text
		if n := len(typedLine.FindAllString(e.Text, -1)); n < 4 {
			t.Errorf("%s: %d commands, want at least 4", e.Slug, n)
		}
		if e.Ladder == nil {
			continue
		}
		ladders++
		wantEqual(t, "the workflow", e.Ladder.Workflow, e.Slug)
		if e.Ladder.Rationale == "" {
			t.Errorf("%s: the ladder has no rationale", e.Slug)
		}
		if n := len(e.Ladder.Steps); n < 3 {
			t.Errorf("%s: the ladder has %d steps, want at least 3", e.Slug, n)
		}
		check(e.Slug, strings.TrimPrefix(e.Ladder.Playbook, "biomcp "), command.Agent)
		for i, s := range e.Ladder.Steps {
			wantEqual(t, e.Slug+": the number of a step", s.Step, i+1)
			if s.Description == "" {
				t.Errorf("%s: step %d does not say what it gives", e.Slug, s.Step)
			}
			check(e.Slug, strings.TrimPrefix(s.Command, "biomcp "), command.Agent)
		}
	}
	for where, text := range texts {
		for _, m := range typedLine.FindAllStringSubmatch(text, -1) {
			check(where, m[1]+m[2], command.Person)
		}
	}
	if ladders < 6 {
		t.Errorf("%d ladders, want at least 6", ladders)
	}
}

// The JSON answer to the first command of a workflow lists its steps. Answers to commands of
// another form do not.
func TestTheFirstCommandOfAWorkflowHasItsSteps(t *testing.T) {
	workflowOf := func(line string) string {
		args, err := words.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		c := parse(NewTree(), args, command.Agent)
		if c.refusal != nil {
			t.Fatalf("%s: %s", line, c.refusal.Message)
		}
		if w := workflowStartedBy(c); w != nil {
			return w.Name
		}
		return ""
	}
	for _, e := range skills.Catalogue() {
		if e.Ladder == nil {
			continue
		}
		if got := workflowOf(strings.TrimPrefix(e.Ladder.Steps[0].Command, "biomcp ")); got != e.Slug {
			t.Errorf("the first command of %s starts %q", e.Slug, got)
		}
	}
	for line, want := range map[string]string{
		"search article cancer":                                   "",
		"search article cancer --json --limit 3":                  "",
		"get article 1":                                           "",
		"get article 1 2 citedby":                                 "follow-citations",
		"get article 1 citedby --limit 3 --json":                  "follow-citations",
		"search mesh asthma":                                      "map-to-mesh",
		"search article x y z --strict --count --json --no-cache": "systematic-search",
		"search article x y z --count":                            "",
		"get article fulltext":                                    "read-full-text",
		"list":                                                    "",
	} {
		t.Run(line, func(t *testing.T) {
			if got := workflowOf(line); got != want {
				t.Errorf("%s starts %q, want %q", line, got, want)
			}
		})
	}
}

func TestAWorkflowIsInTheAnswerAsJSON(t *testing.T) {
	app := ncbiApp(t, entreztest.New(t))
	for line, want := range map[string]string{"search mesh asthma --json": "map-to-mesh", "skill list --json": ""} {
		t.Run(line, func(t *testing.T) {
			text, code := ask(t, app, command.Agent, line)
			var got struct {
				Meta struct {
					Workflow string
					Ladder   []struct {
						Step    int
						Command string
						Gives   string `json:"what_it_gives"`
					}
				} `json:"_meta"`
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			wantEqual(t, "the exit status", code, 0)
			wantEqual(t, "the workflow", got.Meta.Workflow, want)
			if want == "" {
				return
			}
			ladder := got.Meta.Ladder
			if len(ladder) != 3 {
				t.Fatalf("%d steps, want 3: %+v", len(ladder), ladder)
			}
			wantEqual(t, "the first number", ladder[0].Step, 1)
			wantEqual(t, "the first command", ladder[0].Command, "biomcp search mesh asthma")
			wantEqual(t, "the second command", ladder[1].Command, "biomcp search article asthma --count")
			wantEqual(t, "the third command", ladder[2].Command, "biomcp skill map-to-mesh")
			if ladder[0].Gives == "" {
				t.Error("the first step does not say what it gives")
			}
		})
	}
}

// The commands of a ladder use the subjects of the call. Commands that would need other
// subjects are dropped, and the worked example comes last.
func TestALadderFollowsTheCall(t *testing.T) {
	for line, want := range map[string][]string{
		"get drug fictinib label": {
			"get drug fictinib label", "get drug fictinib interactions", "get drug fictinib classes pgx",
			"get drug fictinib regulatory adverse-events", "search trial -i fictinib --status RECRUITING --limit 10",
			"search article --drug fictinib --meta-analysis --last 5y --limit 5",
		},
		"search trial --condition 'lung cancer' --status RECRUITING": {
			"search trial -c 'lung cancer' --status RECRUITING", "search trial -c 'lung cancer' --status COMPLETED --sort last_update --limit 10", "skill find-trials",
		},
		"search trial --condition a --condition b --status RECRUITING": {"skill find-trials"},
		"get article 2 citedby":                        {"get article 2 citedby --limit 20", "get article 2 references --limit 50", "get article 2 similar --limit 20", "skill follow-citations"},
		"get article 2 3 citedby":                      {"get article 2 3 citedby --limit 20", "get article 2 3 references --limit 50", "get article 2 3 similar --limit 20", "skill follow-citations"},
		"get disease 'Crohn disease' genes phenotypes": {"get disease 'Crohn disease' genes phenotypes", "get disease 'Crohn disease' trials articles", "get disease 'Crohn disease' diagnostics", "skill disease-dossier"},
		"get disease MONDO:0007947 genes phenotypes":   {"get disease MONDO:0007947 genes phenotypes", "search disease -g FBN1", "get disease MONDO:0007947 trials articles", "get disease MONDO:0007947 diagnostics"},
		"get variant 'EGFR L858R' clinvar articles": {
			"get variant 'EGFR L858R' clinvar articles", "get variant 'EGFR L858R' evidence", "get variant 'EGFR L858R' population", "search trial --mutation 'EGFR L858R' --status RECRUITING",
			"search variant -g EGFR --significance pathogenic --review-stars 2", "search article --variant 'EGFR L858R' --review --last 3y --limit 5",
		},
		"get variant rs1 clinvar articles": {
			"get variant rs1 clinvar articles", "get variant rs1 evidence", "get variant rs1 population", "search trial --mutation rs1 --status RECRUITING", "search article --variant rs1 --review --last 3y --limit 5", "skill variant-to-evidence",
		},
		"get gene A1 B2 diseases pathways go": {"get gene A1 B2 diseases pathways go", "get gene A1 B2 proteins orthologs", "get gene A1 B2 drugs pgx trials", "skill gene-dossier"},
		"study co-occurrence --study s --genes A1,B2": {
			"study co-occurrence --study s --genes A1,B2", "study query --study s --gene A1,B2", "study filter --study s --mutated A1 --mutated B2",
			"study compare --study s --gene A1 --type mutations --genes all",
		},
		"search mesh -- -x": {"skill map-to-mesh"},
	} {
		t.Run(line, func(t *testing.T) {
			words, err := words.Split(line)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range workflowStartedBy(parse(NewTree(), words, command.Agent)).Steps {
				got = append(got, strings.TrimPrefix(r.Command.String(), "biomcp "))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s:\n%q, want\n%q", line, got, want)
			}
		})
	}
}

// The subjects that a ladder file declares occur in its commands, and cover every id and search
// text of the commands.
func TestALadderSaysWhatItIsAbout(t *testing.T) {
	openings.once.Do(readOpenings)
	for _, o := range openings.list {
		all := ""
		for i, rung := range o.workflow.Steps {
			all += " " + strings.Join(rung.Command, " ")
			for _, arg := range parse(NewTree(), rung.Command, command.Agent).subjects().args {
				isSubject := slices.ContainsFunc(o.exampleWords, func(word string) bool { return strings.Contains(arg, word) })
				if arg != "all[sb]" && arg != "gene" && !isSubject {
					t.Errorf("%s, step %d: %q is not declared as a subject", o.workflow.Name, i+1, arg)
				}
			}
		}
		wantParts(t, all, o.exampleWords...)
	}
}

// The overview and the worked examples are the first resources. They have the same texts as the
// commands print.
func TestSkillResources(t *testing.T) {
	app := diskApp(t)
	l := library{app: app}
	list := l.List(t.Context())
	wantEqual(t, "the first URI", list[0].URI, "biomcp://help")
	wantEqual(t, "the first name", list[0].Name, "BioMCP Overview")
	for i, e := range skills.Catalogue() {
		r := list[i+1]
		wantEqual(t, e.Slug+": the URI", r.URI, "biomcp://skill/"+e.Slug)
		wantEqual(t, e.Slug+": the name", r.Name, "Pattern: "+e.Title)
		wantEqual(t, e.Slug+": the description", r.Description, e.Summary)
	}
	wantEqual(t, "the URI after the examples", list[len(skills.Catalogue())+1].URI, infoURI)
	for uri, line := range map[string]string{"biomcp://help": "skill", "biomcp://skill/map-to-mesh": "skill map-to-mesh"} {
		t.Run(uri, func(t *testing.T) {
			r, found, err := l.Read(t.Context(), uri)
			if !found || err != nil {
				t.Fatalf("found %v, error %v", found, err)
			}
			wantEqual(t, "the MIME type", r.MIME, "text/markdown")
			if text, _ := ask(t, app, command.Agent, line); text != r.Text {
				t.Errorf("%s is not what biomcp %s prints", uri, line)
			}
		})
	}
	overview, _ := ask(t, app, command.Person, "skill")
	rejectParts(t, overview, "](", "<!--")
	if rendered, _ := ask(t, app, command.Agent, "skill render"); rendered != overview {
		t.Errorf("skill render prints %q, want %q", rendered, overview)
	}
	for _, e := range skills.Catalogue() {
		bySlug, _ := ask(t, app, command.Person, "skill "+e.Slug)
		byNumber, code := ask(t, app, command.Person, fmt.Sprint("skill ", e.Number))
		wantEqual(t, fmt.Sprintf("the exit status of skill %d", e.Number), code, 0)
		if byNumber != bySlug {
			t.Errorf("skill %d is not skill %s", e.Number, e.Slug)
		}
	}
	for _, uri := range []string{"biomcp://skill/", "biomcp://skill/none", "biomcp://skill/1", "biomcp://skill/../SKILL.md", "biomcp://HELP"} {
		t.Run(uri, func(t *testing.T) {
			_, found, err := l.Read(t.Context(), uri)
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, "found", found, false)
		})
	}
}

func TestInstallKeepsWhatAPersonChanged(t *testing.T) {
	app := diskApp(t)
	dir := t.TempDir()
	run := func(flags string) (got installReport) {
		t.Helper()
		text, code := ask(t, app, command.Person, words.Quote([]string{"skill", "install", dir})+" --json"+flags)
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
			t.Fatalf("exit %d, %v: %s", code, err, text)
		}
		return got
	}
	all := len(skillFiles())
	first := run("")
	wantEqual(t, "the number of written files", len(first.WrittenFiles), all)
	wantEqual(t, "the number of other files", len(first.KeptFiles)+len(first.UnchangedFiles)+len(first.RemovedFiles), 0)
	second := run("")
	wantEqual(t, "the number of unchanged files", len(second.UnchangedFiles), all)
	wantEqual(t, "the number of written files", len(second.WrittenFiles), 0)
	changed := filepath.Join(dir, "biomcp", "SKILL.md")
	own := filepath.Join(dir, "biomcp", "use-cases", "99-own.md")
	for _, f := range []string{changed, own} {
		t.Run(f, func(t *testing.T) {
			if err := os.WriteFile(f, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	third := run("")
	wantEqual(t, "the kept files", third.KeptFiles, []string{"SKILL.md"})
	wantEqual(t, "the number of unchanged files", len(third.UnchangedFiles), all-1)
	wantEqual(t, "the kept files of a repeated run", run("").KeptFiles, []string{"SKILL.md"})
	// The next run removes an obsolete file of an earlier version, and replaces an outdated one
	// that the user has not changed.
	old := sha256Hex([]byte("old"))
	m := manifest{Files: map[string]string{
		"use-cases/98-old.md": old, "use-cases/99-own.md": sha256Hex([]byte("theirs")),
		"use-cases/10-map-to-mesh.md": old, "../outside.md": old, "SKILL.md": old,
	}}
	body, _ := json.Marshal(m)
	for name, text := range map[string]string{
		"manifest.json": string(body), "use-cases/98-old.md": "old",
		"use-cases/10-map-to-mesh.md": "old", "../outside.md": "old",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "biomcp", name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	updated := run("")
	wantEqual(t, "the removed files", updated.RemovedFiles, []string{"use-cases/98-old.md"})
	wantEqual(t, "the written files", updated.WrittenFiles, []string{"use-cases/10-map-to-mesh.md"})
	wantEqual(t, "the number of kept files", len(updated.KeptFiles), 1)
	if _, err := os.Stat(filepath.Join(dir, "outside.md")); err != nil {
		t.Error("a file outside the folder was removed")
	}
	wantEqual(t, "the files written with --force", run(" --force").WrittenFiles, []string{"SKILL.md"})
	read := func(file string) string {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	wantEqual(t, "the user's own file", read(own), "mine")
	if text := read(changed); text != skills.File() {
		t.Errorf("SKILL.md is not the overview: %.80s", text)
	} else if !strings.HasPrefix(text, "---\nname: biomcp\n") {
		t.Errorf("SKILL.md has no front matter: %.80s", text)
	}
}

func TestInstallFindsTheFolderOfAnAgent(t *testing.T) {
	app := diskApp(t)
	t.Chdir(t.TempDir())
	text, code := ask(t, app, command.Person, "skill install")
	wantEqual(t, "the exit status without a folder", code, 2)
	wantParts(t, text, "try:   biomcp skill install .claude/skills")
	home := filepath.Join(app.Env.HomeDir, ".codex")
	for _, d := range []string{".claude", home} {
		t.Run(d, func(t *testing.T) {
			if err := os.Mkdir(d, 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
	text, code = ask(t, app, command.Person, "skill install")
	wantEqual(t, "the exit status", code, 0)
	wantParts(t, text, "biomcp skill install "+home)
	if _, err := os.Stat(".claude/skills/biomcp/SKILL.md"); err != nil {
		t.Error(err)
	}
	text, code = ask(t, app, command.Agent, "skill install")
	wantEqual(t, "the exit status for an agent", code, 2)
	wantParts(t, text, command.RefusalPrefix)
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	text, code = ask(t, app, command.Person, "skill install file --json")
	wantEqual(t, "the exit status for a file", code, 1)
	wantParts(t, text, `"STORE"`)
}
