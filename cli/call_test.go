package cli

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
)

// split returns the words of a line that must be valid.
func split(t testing.TB, line string) []string {
	t.Helper()
	list, err := words.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestJSONFlagIsRecognised(t *testing.T) {
	app := toyApp()
	for line, want := range map[string]bool{
		`version --json`:                             true,
		`--json version`:                             true,
		`version --json=1`:                           true,
		`version --json=false`:                       false,
		`search corpus "statin --json safety"`:       false,
		`search corpus -- --json`:                    false,
		`search article x --gene --json`:             false, // the value of --gene
		`search article x --gene=y --json`:           true,
		`get article 1 --limit three --json`:         true,
		`get article 1 --nope --json`:                true,
		`get article 1 --nope=--json`:                false,
		`get --nope article 1 --json`:                true,
		`get artcle 1 --json`:                        true,
		`artcle --json`:                              true,
		`--json`:                                     true,
		`search article --limit --json --sort nope`:  false, // the value of --limit
		`version now --json`:                         true,
		`help get article --json`:                    true,
		`--json help get`:                            true,
		`get article 1 -x --json`:                    true,
		`search article x --sort --json -v --json=1`: true,
	} {
		t.Run(line, func(t *testing.T) {
			list := split(t, line)
			if got := parse(NewTree(), list, command.Person).format(command.Env{}, screen{}).JSON; got != want {
				t.Errorf("a terminal: %s: JSON %v", line, got)
			}
			if got := Parser(app)(list).JSON; got != want {
				t.Errorf("over MCP: %s: JSON %v", line, got)
			}
		})
	}
}

func TestVerboseRaisesTheLogLevel(t *testing.T) {
	for line, want := range map[string]slog.Level{
		"version":                       slog.LevelWarn,
		"version -v":                    slog.LevelInfo,
		"--verbose version":             slog.LevelInfo,
		"version -vv":                   slog.LevelDebug,
		"-v version -v":                 slog.LevelDebug,
		"version -vvv":                  slog.LevelDebug,
		"version --verbose=2":           slog.LevelDebug,
		"version --verbose=3":           slog.LevelDebug,
		"version -- -vv":                slog.LevelWarn,
		"get article x --nope -vv":      slog.LevelDebug,
		"search article --gene -vv abc": slog.LevelWarn, // the value of --gene
	} {
		t.Run(line, func(t *testing.T) {
			log, closing := newLog(command.Env{}, parse(NewTree(), strings.Fields(line), command.Person))
			for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn} {
				if got := log.Enabled(t.Context(), level); got != (level >= want) {
					t.Errorf("%s: %s is logged: %v", line, level, got)
				}
			}
			closing()
		})
	}
	text, _ := RenderAnswer(run(t, command.Person, "version", "--verbose=many"), false, 0)
	if !strings.Contains(text, `--verbose: "many" is not a whole number`) {
		t.Error(text)
	}
}

func TestVersionFlag(t *testing.T) {
	for flag, cmd := range map[string]string{"--version": "version", "--version --json": "version --json", "--json --version": "version --json"} {
		t.Run(flag, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				got, code := ask(t, toyApp(), may, flag)
				if want, _ := ask(t, toyApp(), may, cmd); got != want || code != 0 {
					t.Errorf("%s: exit %d, %s", flag, code, got)
				}
			}
		})
	}
	if text, code := ask(t, toyApp(), command.Person, "--version=false"); code != 2 || !strings.Contains(text, "needs a command") {
		t.Errorf("exit %d, %s", code, text)
	}
}

// groupTree returns a tree with groups that also run by themselves, and a command that only
// reads with one of its flags.
func groupTree() *command.Tree {
	leaf := func(use string, effect command.Effect, args command.Args, members ...*command.Command) *command.Command {
		name, _, _ := strings.Cut(use, " ")
		c := &command.Command{
			Use: use, Short: "Run " + name, Effect: effect, Args: args, Commands: members,
			Examples: []command.Example{{Line: "biomcp " + name, Explanation: "run it"}},
			Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
				return &result.Result{Payload: said{fmt.Sprintf("%s ran with %q", name, in.Args)}}, nil
			},
		}
		if len(members) > 0 {
			c.Noun = "member"
		}
		return c
	}
	one := command.Args{Max: 1, Name: "at most one name"}
	serve := leaf("serve-http", command.Serves, command.Args{}, leaf("token", command.Local, command.Args{}))
	serve.Flags = func(f *command.Flags) { f.Int("port", 8080, "the port") }
	mixed := leaf("library", command.Stores, command.Args{}, leaf("read", command.Reads, command.Args{}))
	download := leaf("download [id]", command.Stores, one)
	download.ReadOnlySwitch = "list"
	download.Flags = func(f *command.Flags) {
		f.Bool("list", false, "list what there is")
		f.Bool("force", false, "even so")
	}
	download.Examples = []command.Example{{Line: "biomcp study download x", Explanation: "get x"}}
	return command.NewTree(&command.Command{
		Use: "biomcp", Short: "Toy", Noun: "command",
		Commands: []*command.Command{
			leaf("skill [slug]", command.Reads, one, leaf("list", command.Reads, command.Args{}), leaf("install", command.Exports, one)),
			serve, mixed,
			{Use: "study", Short: "Studies", Noun: "analysis", Commands: []*command.Command{download}},
		},
	})
}

func TestGroupsAndEffects(t *testing.T) {
	for _, c := range []struct {
		line, person, agent string
	}{
		{"skill", "skill ran with []", "skill ran with []"},
		{"skill list", "list ran with []", "list ran with []"},
		{"skill some-slug", `skill ran with ["some-slug"]`, `skill ran with ["some-slug"]`},
		{"skill a b", "got 2 words", "got 2 words"},
		{"skill install", "install ran", command.RefusalPrefix},
		{"skill --nope", `no flag "--nope" for biomcp skill`, `no flag "--nope" for biomcp skill`},
		{"serve-http", "serve-http ran", command.RefusalPrefix},
		{"serve-http --port 1", "serve-http ran", command.RefusalPrefix},
		{"serve-http token", "token ran", command.RefusalPrefix},
		{"serve-http tokn", `no member "tokn"; did you mean token?`, command.RefusalPrefix},
		{"serve-http --port 1 token", `no flag "--port"`, command.RefusalPrefix},
		{"library", "library ran", command.RefusalPrefix},
		{"library read", "read ran", "read ran"},
		{"study", "study needs an analysis: download", "study needs an analysis: download"},
		{"study download", "download ran", "study download is allowed only as study download --list"},
		{"study download --list", "download ran with []", "download ran with []"},
		{"--json study download --list", "download ran with []", "download ran with []"},
		{"study download --list=false", "download ran", "allowed only as study download --list"},
		{"study download --list x", "download ran", "allowed only as study download --list"},
		{"study download --list --force", "download ran", "allowed only as study download --list"},
		{"study download x", "download ran", "allowed only as study download --list"},
		{"study download --help", "# biomcp study download", "# biomcp study download"},
		{"skill --help", "skill list", "skill list"},
	} {
		t.Run(c.line, func(t *testing.T) {
			for may, want := range map[command.Policy]string{command.Person: c.person, command.Agent: c.agent} {
				out := runIn(t.Context(), groupTree(), toyApp(), command.IO{}, strings.Fields(c.line), may)
				if text, _ := RenderAnswer(out, false, 0); !strings.Contains(text, want) {
					t.Errorf("%s (policy %d): %s", c.line, may, text)
				}
			}
		})
	}
	out := runIn(t.Context(), groupTree(), toyApp(), command.IO{}, []string{"study", "download", "x"}, command.Agent)
	if !slices.Equal(out.Failure.Try, result.Argv{"study", "download", "--list"}) {
		t.Errorf("try %q", out.Failure.Try)
	}
}

func TestReadsWithNeedsADeclaredSwitch(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a tree was built for an unknown flag")
		}
	}()
	command.NewTree(&command.Command{
		Use: "x", Short: "x", Effect: command.Stores, ReadOnlySwitch: "list", Examples: []command.Example{{}},
		Run: func(context.Context, *command.Input) (*result.Result, error) { return nil, nil },
	}).Expand()
}

// heap returns the bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC() // collects the memory that finalisers released
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestTreesAreFreed(t *testing.T) {
	trees := 3_000
	if testing.Short() {
		trees = 500
	}
	for range trees / 50 {
		NewTree().Expand()
	}
	before := heap()
	for range trees {
		NewTree().Expand()
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("%d trees left %d bytes on the heap", trees, grown)
	}
}

// The tree of a call has the commands, flags and help of the complete tree.
func TestTreeForCallIsTheWhole(t *testing.T) {
	whole := NewTree().Expand()
	want := ReferenceText(whole)
	if got := ReferenceText(whole.Clone()); got != want {
		t.Errorf("the reference of a tree for a call is\n%s", got)
	}
	for _, c := range Runnable(whole, whole.Root, command.Person) {
		words := append(command.Path(c), "--help")
		want, got := parse(NewTree().Expand(), words, command.Person), parse(whole.Clone(), words, command.Person)
		if a, b := Explain(want.tree, want.cmd, want.policy), Explain(got.tree, got.cmd, got.policy); !reflect.DeepEqual(a, b) || len(a.Command) == 0 {
			t.Errorf("%v\n%v\nwant %v", words, b, a)
		}
	}
	first := parse(whole.Clone(), []string{"search", "article", "x", "--gene", "BRAF", "--limit", "3"}, command.Agent)
	next := parse(whole.Clone(), []string{"search", "article", "x"}, command.Agent)
	if first.refusal != nil || next.refusal != nil || next.cmd.Flags().Changed("gene") || next.cmd.Flags().Changed("limit") {
		t.Error("a call sees the flags of the one before")
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{"", "--", "- -- -", "get article 1 mesh --style ris", "-vvv=3 --json=x", "search --gene", "--=x -=", "help help", "--limit=5 search article x", "-test.v list", "serve --call-timeout"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		list := strings.Fields(line)
		for _, may := range []command.Policy{command.Person, command.Agent} {
			c := parse(NewTree(), list, may)
			if c.refusal == nil && !c.help && c.def().Run == nil {
				t.Errorf("%q: nothing to run and no failure", line)
			}
			if may == command.Agent && c.refusal == nil && !c.help && c.def().Effect != command.Reads {
				t.Errorf("%q: an agent may run %s", line, c.cmd.Name())
			}
		}
	})
}

func TestEntityMayComeFirst(t *testing.T) {
	c := parse(NewTree(), split(t, "article abstract 123"), command.Agent)
	if c.refusal != nil || strings.Join(command.Path(c.cmd), " ") != "get article" || !slices.Equal(c.args, []string{"123", "abstract"}) {
		t.Errorf("%+v", c)
	}
}
