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

// typedLine finds the commands of a worked example, which have a line to themselves,
// and those within a sentence.
var typedLine = regexp.MustCompile("(?m)^ +biomcp (.*)$|`biomcp ([^`]*)`")

// Every command in the worked examples, their ladders and the overview can be typed;
// a ladder's also by an agent.
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
			t.Errorf("%s: %d commands", e.Slug, n)
		}
		if e.Ladder == nil {
			continue
		}
		ladders++
		if e.Ladder.Workflow != e.Slug || e.Ladder.Rationale == "" || len(e.Ladder.Steps) < 3 {
			t.Errorf("%s: %+v", e.Slug, e.Ladder)
		}
		check(e.Slug, strings.TrimPrefix(e.Ladder.Playbook, "biomcp "), command.Agent)
		for i, s := range e.Ladder.Steps {
			if s.Step != i+1 || s.Gives == "" {
				t.Errorf("%s: %+v", e.Slug, s)
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
		t.Errorf("%d ladders", ladders)
	}
}

// The answer in JSON of a workflow's first command has its steps, and no answer of
// another form has them.
func TestTheFirstCommandOfAWorkflowHasItsSteps(t *testing.T) {
	at := func(line string) string {
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
		if got := at(strings.TrimPrefix(e.Ladder.Steps[0].Command, "biomcp ")); got != e.Slug {
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
			if got := at(line); got != want {
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
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || got.Meta.Workflow != want {
				t.Errorf("%s: exit %d, %v: %s", line, code, err, text)
			}
			if want == "" {
				return
			}
			if l := got.Meta.Ladder; len(l) != 3 || l[0].Step != 1 || l[0].Command != "biomcp search mesh asthma" || l[1].Command != "biomcp search article asthma --count" || l[2].Command != "biomcp skill map-to-mesh" || l[0].Gives == "" {
				t.Errorf("%+v", l)
			}
		})
	}
}

// The commands of a ladder are for what was asked; those that cannot be are left out, and
// the worked example comes last.
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
			"get variant 'EGFR L858R' clinvar articles", "get variant 'EGFR L858R' population", "search trial --mutation 'EGFR L858R' --status RECRUITING",
			"search variant -g EGFR --significance pathogenic --review-stars 2", "search article --variant 'EGFR L858R' --review --last 3y --limit 5",
		},
		"get variant rs1 clinvar articles": {
			"get variant rs1 clinvar articles", "get variant rs1 population", "search trial --mutation rs1 --status RECRUITING", "search article --variant rs1 --review --last 3y --limit 5", "skill variant-to-evidence",
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
			for _, r := range workflowStartedBy(parse(NewTree(), words, command.Agent)).Ladder {
				got = append(got, strings.TrimPrefix(r.Command.String(), "biomcp "))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s:\n%q, want\n%q", line, got, want)
			}
		})
	}
}

// What a ladder's file says that its example is about is in its commands, and is every id
// and every text that they look for.
func TestALadderSaysWhatItIsAbout(t *testing.T) {
	openings.once.Do(readOpenings)
	for _, o := range openings.list {
		all := ""
		for i, rung := range o.workflow.Ladder {
			all += " " + strings.Join(rung.Command, " ")
			for _, arg := range parse(NewTree(), rung.Command, command.Agent).subjects().args {
				if arg != "all[sb]" && arg != "gene" && !slices.ContainsFunc(o.exampleWords, func(own string) bool { return strings.Contains(arg, own) }) {
					t.Errorf("%s, step %d: %q is not said to be the example's", o.workflow.Name, i+1, arg)
				}
			}
		}
		for _, own := range o.exampleWords {
			if !strings.Contains(all, own) {
				t.Errorf("%s: %q is in no command", o.workflow.Name, own)
			}
		}
	}
}

// The overview and the worked examples are the first resources, with the text of the
// commands.
func TestSkillResources(t *testing.T) {
	app := diskApp(t)
	l := library{app: app}
	list := l.List(t.Context())
	if list[0].URI != "biomcp://help" || list[0].Name != "BioMCP Overview" {
		t.Errorf("%+v", list[0])
	}
	for i, e := range skills.Catalogue() {
		if r := list[i+1]; r.URI != "biomcp://skill/"+e.Slug || r.Name != "Pattern: "+e.Title || r.Description != e.Summary {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if after := list[len(skills.Catalogue())+1]; after.URI != infoURI {
		t.Errorf("%+v", after)
	}
	for uri, line := range map[string]string{"biomcp://help": "skill", "biomcp://skill/map-to-mesh": "skill map-to-mesh"} {
		t.Run(uri, func(t *testing.T) {
			r, found, err := l.Read(t.Context(), uri)
			if !found || err != nil || r.MIME != "text/markdown" {
				t.Fatal(uri, r.MIME, found, err)
			}
			if text, _ := ask(t, app, command.Agent, line); text != r.Text {
				t.Errorf("%s is not what biomcp %s prints", uri, line)
			}
		})
	}
	one, _ := ask(t, app, command.Person, "skill")
	if rendered, _ := ask(t, app, command.Agent, "skill render"); rendered != one || strings.Contains(one, "](") || strings.Contains(one, "<!--") {
		t.Errorf("skill render differs, or has links or marks: %s", rendered)
	}
	for _, e := range skills.Catalogue() {
		bySlug, _ := ask(t, app, command.Person, "skill "+e.Slug)
		if byNumber, code := ask(t, app, command.Person, fmt.Sprint("skill ", e.Number)); byNumber != bySlug || code != 0 {
			t.Errorf("skill %d is not skill %s", e.Number, e.Slug)
		}
	}
	for _, uri := range []string{"biomcp://skill/", "biomcp://skill/none", "biomcp://skill/1", "biomcp://skill/../SKILL.md", "biomcp://HELP"} {
		t.Run(uri, func(t *testing.T) {
			if _, found, err := l.Read(t.Context(), uri); found || err != nil {
				t.Errorf("%s: %v %v", uri, found, err)
			}
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
	if got := run(""); len(got.WrittenFiles) != all || len(got.KeptFiles)+len(got.UnchangedFiles)+len(got.RemovedFiles) != 0 {
		t.Errorf("%+v", got)
	}
	if got := run(""); len(got.UnchangedFiles) != all || len(got.WrittenFiles) != 0 {
		t.Errorf("%+v", got)
	}
	changed := filepath.Join(dir, "biomcp", "SKILL.md")
	own := filepath.Join(dir, "biomcp", "use-cases", "99-own.md")
	for _, f := range []string{changed, own} {
		t.Run(f, func(t *testing.T) {
			if err := os.WriteFile(f, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	if got := run(""); !slices.Equal(got.KeptFiles, []string{"SKILL.md"}) || len(got.UnchangedFiles) != all-1 {
		t.Errorf("%+v", got)
	}
	if got := run(""); len(got.KeptFiles) != 1 { // also the second time
		t.Errorf("%+v", got)
	}
	// A file of an earlier version is removed, and one of it that was not changed is replaced.
	m := manifest{Files: map[string]string{"use-cases/98-old.md": sha256Hex([]byte("old")), "use-cases/99-own.md": sha256Hex([]byte("theirs")),
		"use-cases/10-map-to-mesh.md": sha256Hex([]byte("old")), "../outside.md": sha256Hex([]byte("old")), "SKILL.md": sha256Hex([]byte("old"))}}
	body, _ := json.Marshal(m)
	for name, text := range map[string]string{"manifest.json": string(body), "use-cases/98-old.md": "old", "use-cases/10-map-to-mesh.md": "old", "../outside.md": "old"} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "biomcp", name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	if got := run(""); !slices.Equal(got.RemovedFiles, []string{"use-cases/98-old.md"}) || !slices.Equal(got.WrittenFiles, []string{"use-cases/10-map-to-mesh.md"}) || len(got.KeptFiles) != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "outside.md")); err != nil {
		t.Error("a file outside the folder was removed")
	}
	if got := run(" --force"); !slices.Equal(got.WrittenFiles, []string{"SKILL.md"}) {
		t.Errorf("%+v", got)
	}
	if b, err := os.ReadFile(own); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := os.ReadFile(changed); err != nil || string(b) != skills.File() || !strings.HasPrefix(string(b), "---\nname: biomcp\n") {
		t.Errorf("%v: %.80s", err, b)
	}
}

func TestInstallFindsTheFolderOfAnAgent(t *testing.T) {
	app := diskApp(t)
	t.Chdir(t.TempDir())
	if text, code := ask(t, app, command.Person, "skill install"); code != 2 || !strings.Contains(text, "try:   biomcp skill install .claude/skills") {
		t.Errorf("exit %d: %s", code, text)
	}
	home := filepath.Join(app.Env.HomeDir, ".codex")
	for _, d := range []string{".claude", home} {
		t.Run(d, func(t *testing.T) {
			if err := os.Mkdir(d, 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
	text, code := ask(t, app, command.Person, "skill install")
	if _, err := os.Stat(".claude/skills/biomcp/SKILL.md"); err != nil || code != 0 || !strings.Contains(text, "biomcp skill install "+home) {
		t.Errorf("exit %d, %v: %s", code, err, text)
	}
	if text, code := ask(t, app, command.Agent, "skill install"); code != 2 || !strings.Contains(text, command.Refused) {
		t.Errorf("an agent: exit %d: %s", code, text)
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, code := ask(t, app, command.Person, "skill install file --json"); code != 1 || !strings.Contains(text, `"STORE"`) {
		t.Errorf("exit %d: %s", code, text)
	}
}
