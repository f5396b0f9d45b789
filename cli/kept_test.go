package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
	"biomcp/store/replies"
)

// asker sends calls to a server over an App, one after another.
type asker struct {
	t      *testing.T
	app    *command.App
	kept   *answerCache
	parsed int // parsed lines
	all    *command.Tree
}

func newAsker(t *testing.T, app *command.App) *asker {
	return &asker{t: t, app: app, kept: &answerCache{}, all: NewTree()}
}

func (a *asker) tree() *command.Tree {
	a.parsed++
	return a.all.Clone()
}

// ask returns the answer to a line, and whether it was a stored one.
func (a *asker) ask(line string, json bool) (r mcpshell.Reply, again bool) {
	a.t.Helper()
	before := a.parsed
	r = a.kept.call(a.app, a.tree, split(a.t, line)).Run(a.t.Context(), json)
	return r, before == a.parsed
}

// A stored answer equals that of a new run of the command, counts the same cache replies and
// sends no request.
func TestKeptAnswerIsThatOfANewRun(t *testing.T) {
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	a := newAsker(t, app)
	network := app.Network()
	cached := func() (n int64) {
		for _, s := range network.Activity() {
			n += s.Cached
		}
		return n
	}
	for _, line := range []string{
		"get article 90100001", "get article 90100001 90100002 mesh", "get article 90100001 --json",
		"get article 90100001 similar --limit 9999", "get article 90100001 citation --style bibtex",
	} {
		t.Run(line, func(t *testing.T) {
			for _, json := range []bool{strings.Contains(line, "--json"), true} {
				a.ask(line, json) // sends the requests
				a.kept = &answerCache{}
				first := cached()
				want, again := a.ask(line, json)
				second := cached()
				got, held := a.ask(line, json)
				if again || !held {
					t.Errorf("%s, JSON %v: the first answer is an older one: %v, the second: %v", line, json, again, held)
				}
				if got.Text != want.Text || got.Stderr != want.Stderr || !slices.Equal(got.Notices, want.Notices) || got.IsError {
					t.Errorf("%s, JSON %v:\n%+v\nwant\n%+v", line, json, got, want)
				}
				if n, m := second-first, cached()-second; n == 0 || n != m {
					t.Errorf("%s: %d replies of the cache are counted, then %d", line, n, m)
				}
				if json == strings.Contains(line, "--json") {
					if text, _ := RenderAnswer(Run(t.Context(), app, agentIO(), split(t, line), command.Agent), json, maxAnswer); text != got.Text {
						t.Errorf("%s: kept\n%s\nnew\n%s", line, got.Text, text)
					}
				}
			}
		})
	}
	for _, json := range []bool{false, true, true, false, false} {
		if r, _ := a.ask("get article 90100001", json); json != strings.HasPrefix(r.Text, "{") {
			t.Errorf("JSON %v is answered with %s", json, r.Text)
		}
	}
	a.ask("get article 90100001 --json", true)
	call := a.kept.call(app, a.tree, split(t, "get article 90100001 --json"))
	if !call.JSON || call.Family != "get article" {
		t.Errorf("a line with a kept answer is %+v", call)
	}
}

func TestKeptAnswerGoesWithItsReplies(t *testing.T) {
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	a := newAsker(t, app)
	const line = "get article 90100001"
	for range 2 {
		a.ask(line, false)
	}
	if _, again := a.ask(line, false); !again {
		t.Fatal("no answer is kept")
	}
	if err := srv.Retract("90100001", ""); err != nil {
		t.Fatal(err)
	}
	// Another process empties the cache.
	file := filepath.Join(app.Env.CacheDir, "responses.db")
	cache, err := replies.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	r, again := a.ask(line, false)
	if again || !strings.Contains(r.Text, "retracted") {
		t.Errorf("the answer is kept: %v; a retraction is missing in %s", again, r.Text)
	}
	for range 2 {
		r, again = a.ask(line, false)
	}
	if !again || !strings.Contains(r.Text, "retracted") {
		t.Errorf("the new answer is kept: %v: %s", again, r.Text)
	}
	// The replies expire and the source is down, so the answer says that it is old.
	expire(t, file)
	srv.Close()
	for range 3 {
		if r, again = a.ask(line, false); again || !strings.Contains(r.Text, "3 days old") {
			t.Errorf("the answer is kept: %v; its age is missing in %s", again, r.Text)
		}
	}
}

// An answer from the corpus while PubMed is down is not stored: every call tries PubMed again.
func TestAnswersOfTheCorpusAreNotKept(t *testing.T) {
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	a := newAsker(t, app)
	if text, code := ask(t, app, command.Person, "sync pubmed --query-key k --term ergothioneine"); code != 0 {
		t.Fatal(text)
	}
	if err := srv.Fail(entreztest.Fault{Kind: entreztest.Down503, Times: -1}); err != nil {
		t.Fatal(err)
	}
	lines := []string{"get article 90100001", "get article 90100001 citation", "get article 90100001 references", "get article 90100001 citedby"}
	for _, down := range []bool{true, false} {
		for _, line := range lines {
			for i := range 3 {
				r, again := a.ask(line, false)
				if strings.Contains(r.Text+r.Stderr, "local corpus") != down || again && (down || i == 0) {
					t.Errorf("%s, PubMed down %v, kept %v: %s", line, down, again, r.Text)
				}
			}
		}
		srv.ClearFaults()
	}
}

func TestWhatIsNotKept(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	a := newAsker(t, app)
	for _, line := range []string{
		"get article 90100001 --no-cache", "get article 90100001 --offline", "get article 99999999", "get article 90100001 --nope",
		"get article --help", "search article retina", "list", "version", "search library x",
	} {
		t.Run(line, func(t *testing.T) {
			for range 3 {
				if _, again := a.ask(line, false); again {
					t.Errorf("%s: the answer is kept", line)
				}
			}
		})
	}
	commandtest.WriteLibraryFile(t, app, "p/note.md", "the first text")
	for _, text := range []string{"the first text", "a second text"} {
		t.Run(text, func(t *testing.T) {
			commandtest.WriteLibraryFile(t, app, "p/note.md", text)
			if r, _ := a.ask("get library p/note.md", false); !strings.Contains(r.Text, text) {
				t.Errorf("a file of the library that holds %q is answered with %s", text, r.Text)
			}
		})
	}
}

// Do not add commands that read a file or the time to this list.
func TestCommandsOfRepliesAlone(t *testing.T) {
	tree := NewTree()
	var got []string
	for _, c := range Runnable(tree, tree.Root, command.Person) {
		if def := tree.Command(c); def.Cacheable {
			got = append(got, strings.Join(command.Path(c), " "))
			if def.Effect != command.Reads {
				t.Errorf("%s changes something and is not to be left out", c.Name())
			}
		}
	}
	if want := []string{"get article"}; !slices.Equal(got, want) {
		t.Errorf("answers of %q are kept, want %q", got, want)
	}
}

func TestKeptAnswersAreBounded(t *testing.T) {
	var k answerCache
	made := func(size int) *storedAnswer {
		return &storedAnswer{reply: mcpshell.Reply{Text: strings.Repeat("x", size)}}
	}
	k.add("long", made(maxStoredAnswer))
	if k.lookup("long") != nil {
		t.Error("an answer that is too long is kept")
	}
	for i := range 3 * maxStored / (maxStoredAnswer / 2) {
		k.add(fmt.Sprint(i), made(maxStoredAnswer/2))
		k.add(fmt.Sprint(i), made(maxStoredAnswer/2)) // replaces the first
		if k.lookup(fmt.Sprint(i)) == nil {
			t.Errorf("answer %d is gone at once", i)
		}
	}
	held := 0
	for line, a := range k.byLine {
		held += len(line) + len(a.reply.Text)
	}
	if k.bytes != held || held > maxStored || held < maxStored/2 {
		t.Errorf("%d bytes are held and %d counted", held, k.bytes)
	}
}
