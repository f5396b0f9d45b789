package command_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

func TestValuesOfALine(t *testing.T) {
	in := call(t, "find paper P1 P2 --mesh 'A, B' -m C --kind trial,review,trial --limit 7 --offset 3 --csv --sort 'by relevance' -o x.bib")
	limit, notice, err := in.Limit()
	offset, _ := in.Offset()
	for name, c := range map[string][2]any{
		"arguments": {in.Args, "[P1 P2]"}, "path": {in.Path(), "[find paper]"}, "--mesh": {strings.Join(in.Strings("mesh"), "|"), "A, B|C"},
		"--kind": {in.List("kind"), "[trial review]"}, "a list that is not set": {call(t, "find paper P1").List("kind"), "[]"},
		"--limit": {[]any{limit, notice, err}, "[7  <nil>]"}, "--offset": {offset, 3}, "--csv": {in.Bool("csv"), true},
		"--sort": {in.String("sort"), "relevance"}, "values of --sort": {in.Values("sort"), "[date relevance]"},
		"given": {in.Given("mesh"), true}, "not given": {in.IsSet("count"), false}, "unknown flag": {in.Changed("magic"), false},
		"line": {in.WithArgs([]string{"P3"}, "mesh", "csv").LineWith("--limit", "9", "--offset", "", "--count", "true", "--target", "-x"),
			"biomcp find paper P3 --kind trial,review --sort relevance --output x.bib --limit 9 --count --target=-x"},
	} {
		equal(t, name, c[0], c[1])
	}
	high := call(t, "find paper P1 --limit 999")
	limit, notice, err = high.Limit()
	equal(t, "a limit that is too high", []any{limit, notice, err}, []any{100, "limit lowered from 999 to 100, the most this command gives at once", nil})
	_, _, err = call(t, "find paper P1 --limit 0").Limit()
	refused(t, "--limit 0", err, "--limit must be at least 1, not 0", "biomcp find paper P1 --limit 20")
	_, err = call(t, "find paper P1 --offset -4").Offset()
	refused(t, "--offset -4", err, "--offset must not be negative", "biomcp find paper P1 --offset 0")
	refused(t, "an unused flag", in.RejectUnused("has no effect", "count", "csv"), "--csv has no effect",
		"biomcp find paper P1 P2 '--mesh=A, B' --mesh=C --kind trial,review --limit 7 --offset 3 --sort relevance --output x.bib")
	equal(t, "no unused flag", in.RejectUnused("has no effect", "count"), nil)
	equal(t, "notice of the owner", in.IsOwnerNotice(in.OwnerNotice("sync first")), true)
	equal(t, "other notice", in.IsOwnerNotice("sync"), false)
}

func TestExclusions(t *testing.T) {
	if f := call(t, "find paper P1 --count --csv=false").CheckExclusions(); f != nil {
		t.Errorf("a switch that is off: got %v, want no failure", f)
	}
	refused(t, "two flags", call(t, "find paper P1 --count --csv --limit 3").CheckExclusions(),
		"--count cannot be used with --limit, --csv: it has no rows", "biomcp find paper P1 --count")
}

func TestFlagTakesItsValues(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"sort=newst", `"newst" is not one of date, relevance`}, {"sort=relevanse", "; did you mean relevance?"},
		{"only=that", `"that" is not this, its only value`}, {"mesh= ", "the value is empty"},
		{"output=x.pdf", `"x.pdf" does not end in one of .csv, .bib, .xlsx`}, {"rows=7", ""}, {"magic=1", "no such flag"},
		{"sort=date sort=Date", ""}, {"kind=trial kind=review", ""}, {"mesh=a mesh=b", ""},
		{"sort=date sort=relevance", `--sort takes one value and is given twice, "date" and "relevance"`},
	} {
		in, got := call(t, "find paper P1"), ""
		for flag := range strings.FieldsSeq(strings.ReplaceAll(c.flags, "mesh= ", "mesh=\u2003")) {
			name, value, _ := strings.Cut(flag, "=")
			if err := command.SetFlag(in.tree.Flags(in.cmd), name, strings.ReplaceAll(value, "\u2003", " ")); err != nil {
				got = err.Error()
			}
		}
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got the error %q, want one with %q", c.flags, got, c.want)
		}
	}
}

func TestWrongValueIsCorrected(t *testing.T) {
	in := call(t, "find paper P1")
	flag := func(name string) *pflag.Flag { return in.tree.Flags(in.cmd).Lookup(name) }
	correct := func(name, wrong string) any {
		value, certain := command.CorrectValue(flag(name), wrong)
		return []any{value, certain}
	}
	for name, c := range map[string][2]any{
		"a synonym": {correct("sort", "newest"), "[date true]"}, "a prefix": {correct("sort", "rel"), "[relevance true]"},
		"a misspelling": {correct("sort", "relevanse"), "[relevance false]"}, "anything else": {correct("sort", "colour"), "[ false]"},
		"a list": {correct("kind", "Trials,review"), "[trial,review true]"}, "a synonym of free text": {correct("target", "Variants"), "[mutations true]"},
		"free text": {correct("target", "colour"), "[ false]"},
		"values":    {command.ValuesWithPrefix(flag("target"), "sur"), "[survival]"}, "no values": {command.ValuesWithPrefix(flag("mesh"), ""), "[]"},
		"file names": {command.FileNames(flag("output"), "x.pdf"), "[x.csv x.bib x.xlsx]"}, "no file": {command.FileNames(flag("sort"), "x.pdf"), "[]"},
		"another table": {command.WritesOtherTable(flag("rows"), "csv"), true}, "the answer's table": {command.WritesOtherTable(flag("output"), "csv"), false},
		"a synonym of a flag": {command.IsFlag(flag("limit"), "Page_Size"), true}, "a letter": {command.IsFlag(flag("mesh"), "m"), true},
		"no flag": {command.IsFlag(flag("limit"), "mesh"), false}, "rare": {command.IsRare(flag("offset")), true},
		"group": {command.GroupOf(flag("offset")), command.OutputFlags}, "no group": {command.GroupOf(flag("sort")), ""},
		"for an agent":  {command.Agent.WrongValue(flag("output"), "wrong"), command.RefusalPrefix + ": --output reads or writes files of the server's machine"},
		"for a person":  {command.Person.WrongValue(flag("output"), "wrong"), "wrong"},
		"a bulk line":   {command.Example{Line: "biomcp find paper --ids-from x"}.IsBulk(), true},
		"bulk examples": {len(command.WithBulk([]command.Example{{Line: "biomcp find paper"}}, "biomcp find paper --csv", "")), 2},
		"bulk already":  {len(command.WithBulk([]command.Example{{Line: "biomcp find paper --csv"}}, "x", "")), 1},
	} {
		equal(t, name, c[0], c[1])
	}
}

func TestNearestWords(t *testing.T) {
	tree := toy()
	group := tree.Member(tree.Root, "find")
	names := strings.Fields("article gene drug trial uninstall not")
	for name, c := range map[string][2]any{
		"a misspelling": {command.Nearest("artcle", names), "article"}, "a swap": {command.Nearest("geen", names), "gene"},
		"a prefix": {command.Nearest("tri", names), "trial"}, "a run of letters": {command.Nearest("geeeene", names), "gene"},
		"the opposite": {command.Nearest("install", names), ""}, "a long word": {command.Nearest(strings.Repeat("ab", 40), names), ""},
		"a question": {command.DidYouMean("artcle", names), "; did you mean article?"}, "no question": {command.DidYouMean("colour", names), ""},
		"similar names": {command.SimilarNames("ticle", names, 3), "[article]"}, "a distant name": {command.SimilarNames("drag", names, 3), "[drug]"},
		"one edit": {command.IsOneEdit("Trail", "trial"), true}, "two edits": {command.IsOneEdit("trl", "trial"), false},
		"article": {command.WithArticle("entity") + ", " + command.WithArticle("group"), "an entity, a group"},
		"owner":   {tree.Owner("P1"), "paper"}, "no owner": {tree.Owner("x"), ""},
		"a section": {tree.CommandsWith("summary"), "[find paper]"}, "a value": {tree.CommandsWith("relevance"), "[find paper --sort relevance]"},
		"counterpart": {tree.Counterpart(tree.Member(group, "publication"), "keep") == nil, true},
		"cut":         {command.ClipTo(3, "a  bcde"), "a b…"}, "a letter with its mark": {command.ClipTo(2, "ax\u0304y"), "a…"}, "few names": {command.Abbreviate(names), strings.Join(names, ", ")},
		"many names": {command.Abbreviate(append(names, "x")), "article, gene, drug, trial, uninstall and 2 more"},
	} {
		equal(t, name, c[0], c[1])
	}
	r := tree.UnknownMember(command.Person, group, "papre")
	refused(t, "for a person", r.Unwrap(), `no entity "papre"; did you mean paper?`, "biomcp find paper --help")
	equal(t, "nearest word", r.Near, "paper")
	refused(t, "for an agent", tree.UnknownMember(command.Agent, tree.Root, "xyz").Unwrap(),
		command.RefusalPrefix+`: no command "xyz"; allowed: find, keep`, "biomcp --help")
}

func TestAgentOnlyReads(t *testing.T) {
	for line, want := range map[string][2]string{
		"find paper P1 --mesh x": {}, "keep fetch --list": {}, "find paper P1 --rows 7": {}, "find": {},
		"drop wipe":  {"wipe is for the owner", "biomcp list"},
		"drop":       {"wipe is for the owner", "biomcp list"},
		"keep notes": {"keep notes is not one of them", "biomcp list"},
		"keep fetch": {"allowed only as keep fetch --list", "biomcp keep fetch --list"}, "keep fetch x --list": {"allowed only as", "biomcp keep fetch --list"},
		"find paper -":                         {"the argument - reads or writes files", "biomcp find paper --help"},
		"find paper P1 -":                      {"the argument - reads", "biomcp find paper --help"},
		"find paper P1 P2 --ids-from list.txt": {"--ids-from reads or writes", "biomcp find paper P1 P2"},
		"find paper P1 -o x.xlsx":              {"--output reads", "biomcp find paper P1 --csv"},
		"find paper P1 -o x.bib":               {"--output reads", "biomcp find paper P1 citation --style bibtex"},
		"find paper P1 --rows x.csv":           {"--rows reads", "biomcp find paper P1"},
	} {
		in := call(t, line)
		failure := in.tree.Allow(command.Agent, in.cmd)
		if failure == nil {
			failure = in.tree.AllowInput(command.Agent, in.cmd, in.Args)
		}
		switch {
		case want[0] != "":
			refused(t, line, failure, want[0], want[1])
		case failure != nil && len(in.Path()) > 1:
			t.Errorf("%s: got the failure %v, want none", line, failure)
		}
		if f := in.tree.AllowInput(command.Person, in.cmd, in.Args); f != nil {
			t.Errorf("%s, for a person: got the failure %v, want none", line, f)
		}
	}
}

// A line made from a long list of ids names the list instead.
func TestLineNamesItsList(t *testing.T) {
	var ids []string
	for i := range 12 {
		ids = append(ids, "P"+string(rune('a'+i)))
	}
	in := call(t, "find paper P1 abstract --sort date")
	for name, c := range map[string][2]any{
		"a file":           {in.WithList(ids, "list.txt").LineWith(), "find paper P1 abstract --sort date --ids-from list.txt"},
		"a pipe":           {in.WithList(ids, "-").LineWith(), "find paper P1 abstract - --sort date"},
		"few ids":          {in.WithList(ids[:1], "-").LineWith(), "find paper P1 abstract Pa --sort date"},
		"no ids":           {in.WithList(nil, "-").LineWith(), "find paper P1 abstract --sort date"},
		"shortened":        {in.WithList(ids, "-").Shorten(append(result.Argv{"find", "paper"}, ids...)), "find paper -"},
		"one word":         {in.WithList(ids, "x").Shorten(result.Argv{"find", "paper", strings.Join(ids, " ")}), "find paper --ids-from x"},
		"a word of a pipe": {in.WithList(ids, "-").Shorten(result.Argv{"find", "paper", strings.Join(ids, " ")}), "find paper -"},
		"ids in a text":    {in.WithList(ids, "-").Shorten(result.Argv{"find", "paper", "x " + strings.Join(ids, " ")}), "find paper 'x " + strings.Join(ids, " ") + "'"},
		"no flag":          {in.WithList(ids, "x").Shorten(append(result.Argv{"keep", "fetch"}, ids...)), "keep fetch --help"},
		"no list":          {in.Shorten(append(result.Argv{"find", "paper"}, ids[:2]...)), "find paper Pa Pb"},
	} {
		equal(t, name, c[0], "biomcp "+strings.TrimPrefix(c[1].(string), "biomcp "))
	}
	all := []result.Argv{slices.Concat(result.Argv{"find", "paper"}, ids), {"find"}}
	in.WithList(ids, "-").ShortenAll(all)
	equal(t, "all lines", all, "[biomcp find paper - biomcp find]")
}

func TestConfirmation(t *testing.T) {
	for name, c := range map[string]struct {
		line, answer string
		tty          bool
		want         string
	}{
		"a switch": {"keep fetch --yes", "", false, ""}, "yes": {"keep fetch", "Yes\n", true, ""},
		"no": {"keep fetch", "n\n", true, "nothing was removed"}, "no answer": {"keep fetch", "", true, "nothing was removed"},
		"a pipe": {"keep fetch", "y\n", false, "removing requires --yes"},
	} {
		in := call(t, c.line)
		var asked strings.Builder
		in.IO = command.IO{In: strings.NewReader(c.answer), Err: &asked, InTTY: c.tty}
		err := in.Confirm("removing", "Remove it?", "keep", "fetch", "--yes")
		if c.want == "" {
			equal(t, name, err, nil)
		} else {
			refused(t, name, err, c.want, "biomcp keep fetch --yes")
		}
		equal(t, name+", question", asked.String() != "", c.tty)
	}
}

// A tree with a command that cannot be run or authorised panics.
func TestBadCommandPanics(t *testing.T) {
	for name, c := range map[string]*command.Command{
		"has no name": {}, "has no Noun": {Use: "x", Short: "X", Commands: []*command.Command{{}}}, "declares no effect": {Use: "x", Short: "X"},
		"has nothing to run": {Use: "x", Short: "X", Effect: command.Reads}, "shows no example": {Use: "x", Short: "X", Effect: command.Reads, Run: run},
		"is not a switch": {Use: "x", Short: "X", Effect: command.Stores, Run: run, ReadOnlySwitch: "y", Examples: []command.Example{{Line: "x"}}},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, name) {
					t.Errorf("got the panic %q, want one with %q", got, name)
				}
			}()
			command.NewTree(&command.Command{Use: "r", Short: "R", Noun: "command", Commands: []*command.Command{c}}).Expand()
		}()
	}
}

func TestCompletion(t *testing.T) {
	tree := toy().Expand()
	for line, want := range map[string]string{
		"find paper ": "P1,local:paper", "find paper P1 --sort ": "date,relevance,local:sort", "find paper P1 --target ": "mutations,local:target",
		"keep fetch ": "", "keep ": "fetch\tFetch papers,notes\tStore notes",
	} {
		tree := tree.Clone().Expand()
		tree.Complete(func(_ *cobra.Command, flag string) []string { return []string{"local:" + flag} })
		var out strings.Builder
		tree.Root.SetOut(&out)
		tree.Root.SetErr(io.Discard)
		tree.Root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, strings.Split(line, " ")...))
		if err := tree.Root.Execute(); err != nil {
			t.Error(err)
		}
		var got []string
		for word := range strings.Lines(out.String()) {
			if word = strings.TrimSuffix(word, "\n"); !strings.HasPrefix(word, ":") {
				got = append(got, word)
			}
		}
		equal(t, line, strings.Join(got, ","), want)
	}
}
