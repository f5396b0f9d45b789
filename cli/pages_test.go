package cli

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
)

// listings returns lines whose answers are lists, records and batches of every entity: the
// examples of the help, each section, and random numbers of articles.
func listings(r *rand.Rand) (lines []string) {
	tree := NewTree()
	var walk func(cc *cobra.Command)
	walk = func(cc *cobra.Command) {
		for _, sub := range tree.Commands(cc) {
			if tree.Command(sub) != nil {
				walk(sub)
			}
		}
		def := tree.Command(cc)
		for _, e := range def.Examples {
			lines = append(lines, strings.TrimPrefix(e.Line, "biomcp "))
			if args, err := words.Split(e.Line); err == nil && len(args) > 3 && args[1] == "get" && !strings.Contains(e.Line, "--") {
				for _, s := range def.Sections {
					lines = append(lines, words.Quote([]string{"get", args[2], args[3], s.Name}))
				}
			}
		}
	}
	walk(tree.Root)
	ids := generated(60)
	for _, section := range []string{"", " abstract", " mesh citation", " references"} {
		for range 4 {
			r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			some := strings.Join(ids[:1+r.IntN(12)], " ")
			lines = append(lines, "batch article "+some+section, "get article "+some+section)
		}
	}
	for _, flags := range []string{"", " --abstracts", " --summaries 7"} {
		for range 4 {
			lines = append(lines, fmt.Sprintf("search article synthetic --limit %d --offset %d%s", 1+r.IntN(60), r.IntN(30), flags))
		}
	}
	return lines
}

// unspaced removes all white space.
func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// continues reports whether page is the next part of the remaining answer left, and returns the
// part after it. A page repeats the notices of the answer, and the head of a table, the
// opening of a fence or the marks of a quoted line that was cut.
func continues(left, page string, notices int) (rest string, ok bool) {
	for range notices {
		_, page, _ = strings.Cut(page, "\n\n")
	}
	for range 3 { // try without the first zero, one or two lines
		for _, end := range []string{"", "\n```\n", "\n> ```\n"} { // a fence is closed at the cut
			body := page[:max(0, strings.LastIndex(page, end))]
			if end == "" {
				body = page
			}
			for _, marks := range []string{"", "> "} { // repeated if the cut is within a line of a quote
				if rest, ok = strings.CutPrefix(left, unspaced(strings.TrimPrefix(body, marks))); ok && body != "" {
					return rest, true
				}
			}
		}
		_, page, _ = strings.Cut(page, "\n")
	}
	return left, false
}

// For every line and page size, the pages that an agent gets by following the command for the
// rest add up to the complete answer.
func TestThePagesOfEveryListingAreTheWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in one goroutine")
	}
	withSimulators(t, pagesAreTheWhole, entreztest.File(sampleRecords), entreztest.XML(entreztest.Generate(60, 7)))
}

func pagesAreTheWhole(t *testing.T, _ *entreztest.Server, app *command.App) {
	r := rand.New(rand.NewPCG(24, 3))
	run := func(line string) (result.Outcome, *call) {
		args, err := words.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		c := parse(NewTree(), args, command.Agent)
		return c.run(t.Context(), app, agentIO()), c
	}
	type listing struct {
		line, whole string
		res         *result.Result
	}
	var all []listing
	entities := map[string]bool{}
	for _, line := range listings(r) {
		out, c := run(line)
		if out.Failure != nil || c.json || c.family() == "health" { // health reports the cache, which grows
			continue
		}
		if doc := out.Result.Doc(); len(doc) == 1 {
			if _, is := doc[0].(result.Verbatim); is {
				continue
			}
		}
		out.Result.Next = nil
		whole, _ := RenderAnswer(out, false, 0)
		for range out.Result.Notices {
			_, whole, _ = strings.Cut(whole, "\n\n")
		}
		if len(whole) > 250 { // a shorter answer is rarely cut
			all = append(all, listing{line: line, whole: unspaced(whole), res: out.Result})
			entities[c.family()] = true
		}
	}
	draws, cut, asked := 0, 0, 0
	for ; draws < 2400; draws++ {
		l := all[r.IntN(len(all))]
		notices := utf8.RuneCountInString(strings.Join(l.res.Notices, strings.Repeat(" ", 20)))
		most := 180 + notices + utf8.RuneCountInString(l.line) + len(l.whole)/(1+r.IntN(8))
		out, left := result.Outcome{Result: l.res}, l.whole
		l.res.Offset = 0
		again := draws%40 == 0
		for pages := 1; ; pages++ {
			text, failed := RenderAnswer(out, false, most)
			if failed || utf8.RuneCountInString(text) > most {
				t.Fatalf("%s at %d: %v %.300s", l.line, most, failed, text)
			}
			if strings.Contains(text, "Ask for less at once") && most < 1000 { // not even the command fits
				left = ""
				draws--
				break
			}
			page, after, more := strings.Cut(text, fmt.Sprintf("**Note:** The answer was cut at %d characters. The rest:\n\n```\nbiomcp ", most))
			if !more && again {
				page, _, _ = strings.Cut(page, "\n## Next\n")
			}
			rest, ok := continues(left, page, len(l.res.Notices))
			if !ok || more && rest == left {
				t.Fatalf("%s at %d: after\n%.200s\ncomes\n%s", l.line, most, left, text)
			}
			if left = rest; !more {
				break
			}
			line, _, _ := strings.Cut(after, "\n")
			args, err := words.Split(line)
			if err != nil {
				t.Fatal(err)
			}
			if again {
				asked++
				out, _ = run(line)
			} else if out.Result.Offset, err = strconv.Atoi(args[slices.Index(args, "--"+command.ContinueAt)+1]); err != nil {
				t.Fatalf("%s at %d: the rest is %s", l.line, most, line)
			}
			if pages == 1 {
				cut++
			}
		}
		if left != "" {
			t.Fatalf("%s at %d: %.300q is never shown", l.line, most, left)
		}
	}
	names := slices.Sorted(maps.Keys(entities))
	t.Logf("%d draws of %d listings, %d of them cut, %d pages asked for again; %s", draws, len(all), cut, asked, strings.Join(names, ", "))
	if cut < draws/2 || asked < 100 || len(all) < 60 || len(entities) < 15 {
		t.Error("this proves nothing")
	}
}

// Every command that reads sections with rows takes --limit and --offset.
func TestEveryListOfARecordIsReadByPage(t *testing.T) {
	tree, seen := NewTree(), 0
	for _, e := range Entities() {
		var tables []string
		for i := 0; e.Get != nil && i < len(e.Get.Sections); i++ {
			name := e.Get.Sections[i].Name
			if _, table, err := e.Template([]string{name}); err != nil {
				t.Error(err)
			} else if table {
				tables = append(tables, name)
			}
		}
		if len(tables) == 0 {
			continue
		}
		seen++
		flags := tree.Flags(tree.Member(tree.Member(tree.Root, "get"), e.Name))
		if flags.Lookup("limit") == nil || flags.Lookup("offset") == nil {
			t.Errorf("get %s has the lists %v, and no --limit or --offset", e.Name, tables)
		}
	}
	if seen < 5 {
		t.Errorf("%d entities have lists", seen)
	}
}
