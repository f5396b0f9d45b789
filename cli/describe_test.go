package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/entity"
)

// An agent reads of each command that it may run, and of no other.
func TestDescriptionNamesExactlyTheCommandsAnAgentMayRun(t *testing.T) {
	tree := NewTree()
	text := Description(tree)
	_, study, found := strings.Cut(text, "\nstudy <analysis> --study <id>\n")
	study, others, more := strings.Cut(study, "\n\nother commands:\n")
	if !found || !more {
		t.Fatal(text)
	}
	allowed, forbidden := 0, 0
	for _, c := range leaves(tree, tree.Root, command.Person) {
		path := command.Path(c)
		where, named := others, strings.Join(path, " ")
		switch {
		case path[0] == "search", path[0] == "get":
			where, named = text, "- "+c.Name()
		case path[0] == "study":
			where, named = study, "- "+c.Name()
		case inGrammar(c):
			where, named = grammar, "`"
		}
		may := tree.Def(c).MayRead()
		if may {
			allowed++
		} else {
			forbidden++
		}
		if is := regexp.MustCompile(`(?m)` + regexp.QuoteMeta(named) + `\b`).MatchString(where); is != may {
			t.Errorf("%s (%s): named is %v", strings.Join(path, " "), tree.Def(c).Effect, is)
		}
	}
	if allowed < 5 || forbidden < 5 {
		t.Errorf("%d commands allowed, %d forbidden", allowed, forbidden)
	}
}

// Twenty further entities, of many sections and filters, lengthen the text by no more
// than a short line each, and the first of them have their line too.
func TestDescriptionHasRoomForFurtherEntities(t *testing.T) {
	before := len(Description(NewTree()))
	if before > maxDescription {
		t.Errorf("%d bytes today, over %d", before, maxDescription)
	}
	all := entities()
	for i := range 20 {
		toy := toyEntity()
		name := fmt.Sprintf("toy%d", i)
		search, get := *toy.Search, *toy.Get
		search.Use, get.Use = name+" [word]", name+" <symbol|identifier>... [section...]"
		for j := range 12 {
			get.Sections = append(slices.Clip(get.Sections), command.Section{Name: fmt.Sprintf("section%d", j), Short: "more"})
		}
		all = append(all, entity.Entity{Name: name, Search: &search, Get: &get})
	}
	text := Description(command.NewTree(Root(all)))
	t.Logf("%d bytes today, %d with twenty more entities", before, len(text))
	if each := float64(len(text)-maxDescription) / 20; each > maxLine {
		t.Errorf("a further entity takes %.0f bytes; it may take %d", each, maxLine)
	}
	for i := range 20 {
		if line := fmt.Sprintf("\n- toy%d <symbol|identifier>: moons rings ", i); !strings.Contains(text, line) {
			t.Errorf("%q is missing", line)
		}
	}
	if !strings.Contains(text, "- article <pmid|pmcid|doi>: abstract mesh ") {
		t.Error("the line of articles says too little")
	}
}

// "Lists take --limit and --offset" is true of each search but those it excepts, and these
// name what bounds them.
func TestSearchesTakeThePageThatTheDescriptionPromises(t *testing.T) {
	tree := NewTree()
	text := Description(tree)
	for _, c := range tree.Commands(tree.Member(tree.Root, "search")) {
		flags := tree.Flags(c)
		paged := flags.Lookup("limit") != nil && flags.Lookup("offset") != nil
		if excepted := regexp.MustCompile(`--offset N \(but [^)]*\b` + c.Name() + `\b`).MatchString(text); excepted == paged {
			t.Errorf("search %s: takes pages is %v, is excepted is %v", c.Name(), paged, excepted)
		}
	}
}

// What list and help answer an agent is what it may run, and nothing else of what
// they answer a person.
func TestAnAgentIsShownOnlyWhatItMayRun(t *testing.T) {
	tree := NewTree()
	app := &command.App{Version: "test"}
	narrowed := func(line string) bool { // the form of a command in which it only reads
		return slices.ContainsFunc(leaves(tree, tree.Root, command.Person), func(c *cobra.Command) bool {
			def := tree.Def(c)
			return def.ReadsWith != "" && strings.Contains(line, c.Name()+" --"+def.ReadsWith+" ")
		})
	}
	for _, line := range []string{"list", "list article", "list ids", "list list", "--help", "get --help", "get article --help"} {
		t.Run(line, func(t *testing.T) {
			person, agent := map[string]bool{}, ""
			for _, json := range []string{"", " --json"} {
				text, code := ask(t, app, command.Agent, line+json)
				if code != 0 {
					t.Fatalf("%s: %s", line, text)
				}
				for _, c := range leaves(tree, tree.Root, command.Person) {
					name := strings.Join(command.Path(c), " ")
					if !tree.Def(c).MayRead() && (strings.Contains(text, "| "+name+" ") || strings.Contains(text, `"usage":"biomcp `+name)) {
						t.Errorf("%s names %s", line+json, name)
					}
				}
				if strings.Contains(text, "--ids-from") {
					t.Errorf("%s names a flag that reads a file", line+json)
				}
				if json == "" {
					agent = text
				}
			}
			text, _ := ask(t, app, command.Person, line)
			for l := range strings.Lines(text) {
				person[l] = true
			}
			for l := range strings.Lines(agent) {
				if !person[l] && !narrowed(l) {
					t.Errorf("%s: only an agent reads %q", line, l)
				}
			}
		})
	}
	text, code := ask(t, app, command.Agent, "list cache")
	if code != 2 || strings.Contains(text, ", cache") {
		t.Errorf("list cache: exit %d, %s", code, text)
	}
}

func TestDescriptionSaysHowToAskWithFewTokens(t *testing.T) {
	text := Description(NewTree())
	for _, want := range []string{"is a third of JSON", " --count`.", " fulltext --part 2-3`.", "--type <mutations|cna|expression|sv>", "--by <mutation|cna|expression|ATTRIBUTE>"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing", want)
			}
		})
	}
}
