package article_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
)

// TestTheRestOfACutFullTextIsEverything follows the command for the rest, for several texts
// and for one that is longer than an answer.
func TestTheRestOfACutFullTextIsEverything(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ articles, parts int }{{6, 4}, {1, 30}} {
		t.Run(fmt.Sprint(c.articles), func(t *testing.T) {
			srv, ids, marks := commandtest.FullTexts(t, c.articles, c.parts)
			app := commandtest.NCBI(t, srv)
			line := "get article " + strings.Join(ids, " ") + " fulltext --part all"
			var seen strings.Builder
			answers := 0
			for ; answers < 20; answers++ {
				args, err := words.Split(line)
				if err != nil {
					t.Fatal(err)
				}
				text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{}, args, command.Agent), false, 20000)
				if failed || len([]rune(text)) > 20000 {
					t.Fatalf("failed: %v, %d characters: %.300s", failed, len(text), text)
				}
				seen.WriteString(text)
				_, after, cut := strings.Cut(text, "The rest:\n\n```\n")
				if !cut {
					break
				}
				line, _, _ = strings.Cut(strings.TrimPrefix(after, "biomcp "), "\n")
			}
			if answers == 0 {
				t.Error("nothing was cut")
			}
			for _, m := range marks {
				if n := strings.Count(seen.String(), m); n != 1 {
					t.Errorf("%d articles: %s was shown %d times", c.articles, m, n)
				}
			}
		})
	}
}

// A part that one text lacks does not affect the other texts.
func TestPartThatOneTextHas(t *testing.T) {
	srv, ids, marks := commandtest.FullTexts(t, 2, 8)
	if _, err := srv.AddJATS(fmt.Appendf(nil, `<article><front><article-meta><article-id pub-id-type="pmid">%[1]s</article-id><article-id pub-id-type="pmc">%[1]s</article-id>`+
		`</article-meta></front><body><sec><title>All</title><p>Words.</p></sec></body></article>`, ids[1])); err != nil {
		t.Fatal(err)
	}
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get article "+strings.Join(ids, " ")+" fulltext --part 5")
	if code != 0 || !strings.Contains(text, marks[4]) || !strings.Contains(text, "of "+ids[1]+" is missing: ") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestPartsOfAFullText(t *testing.T) {
	srv, ids, marks := commandtest.FullTexts(t, 1, 8)
	app := commandtest.NCBI(t, srv)
	for part, want := range map[string][]string{"3": marks[2:3], "2-4": marks[1:4], "7-": marks[6:], "1-": marks, "8-20": marks[7:],
		"'part 5'": marks[4:5], "'ART 2'": marks[1:2], "part": marks} {
		t.Run(part, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "get article "+ids[0]+" fulltext --part "+part)
			for _, m := range marks {
				if code != 0 || strings.Contains(text, m) != slices.Contains(want, m) {
					t.Errorf("--part %s: exit %d, %s: %v", part, code, m, strings.Contains(text, m))
				}
			}
		})
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article "+ids[0]+" fulltext --part 9"); code != 2 || !strings.Contains(text, "8 parts") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article "+ids[0]+" fulltext --part 'prat 5'"); code != 2 || !strings.Contains(text, "has no part \"prat 5\"; it has: Part 1; Part 2;") || !strings.Contains(text, "--part 'Part 5'") {
		t.Errorf("exit %d: %s", code, text)
	}
	// The suggested smaller request is smaller than the original one.
	for part, want := range map[string]string{"1-": " --part 1-4", "3-5": " --part 3", "all": " --part 1-4", "6-7": " --part 6"} {
		t.Run(part, func(t *testing.T) {
			if rest := clitest.Run(t, app, command.Agent, "get article "+ids[0]+" fulltext --part "+part).Result.Smaller(0.5).String(); !strings.HasSuffix(rest, "fulltext"+want) {
				t.Errorf("--part %s is too long: %s", part, rest)
			}
		})
	}
	if rest := clitest.Run(t, app, command.Agent, "get article "+ids[0]+" fulltext --part 6").Result.Smaller(0.5); rest != nil {
		t.Errorf("one part is too long: %v", rest)
	}
}

// A source that stalls until the deadline is missing; the other sections are complete.
func TestASectionThatTimesOutIsUnavailable(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 30, nil)
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "pubtator", Kind: entreztest.Stall, Times: -1})
	defer srv.Release()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	late := lateContext{ctx, make(chan struct{})}
	go func() { // pass the deadline once all other sources have answered
		if srv.Await(ctx, 1, "pubtator") == nil && srv.Await(ctx, 3, "elink") == nil && srv.Await(ctx, 3, "esummary") == nil {
			close(late.over)
		}
	}()
	args := append([]string{"get", "article"}, append(commandtest.GeneratedPMIDs(2), "annotations", "similar", "citedby", "references", "mesh", "--json")...)
	text, failed := cli.RenderAnswer(cli.Run(late, commandtest.NCBI(t, srv), command.IO{}, args, command.Agent), true, 0)
	var g clitest.Reply
	if err := json.Unmarshal([]byte(text), &g); err != nil || failed {
		t.Fatal(err, text)
	}
	if g.Outcome("annotations") != result.Unavailable || g.Outcome("mesh") != result.Data || g.Outcome("similar") == result.Unavailable ||
		!strings.Contains(text, "Annotations is missing") || !strings.Contains(text, `"annotations":null`) {
		t.Error(text)
	}
}

// lateContext is a context whose deadline passes when over is closed.
type lateContext struct {
	context.Context
	over chan struct{}
}

func (c lateContext) Done() <-chan struct{} { return c.over }

func (c lateContext) Err() error {
	select {
	case <-c.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// After a cancellation there is no answer that reports a missing part.
func TestACancelledSectionCancelsTheCommand(t *testing.T) {
	srv := commandtest.PubMed(t)
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "elink", Kind: entreztest.Stall, Times: -1})
	defer srv.Release()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_ = srv.Await(ctx, 1, "elink") // otherwise the end of the test cancels it
		cancel()
	}()
	out := cli.Run(ctx, commandtest.NCBI(t, srv), command.IO{}, []string{"get", "article", "90100001", "similar", "mesh"}, command.Agent)
	if out.Result != nil || out.Failure == nil || !strings.Contains(out.Failure.Message, "cancelled") {
		t.Errorf("%+v %+v", out.Result, out.Failure)
	}
}
