package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// planets returns an entity for tests that use only its description.
func planets() entity.Entity {
	has := func(*struct{}) bool { return false }
	return entity.Define(entity.Spec[struct{}]{
		Name: "planet", Plural: "planets", IDs: entity.IDs{Placeholder: "<name>...", Max: 3},
		Get: command.Command{Short: "Read planets", Examples: []command.Example{{Line: "biomcp get planet mars moons", Explanation: "a planet"}}},
		Fetch: func(context.Context, *command.Input, []string, entity.Sections) (*entity.Found[struct{}], error) {
			return nil, nil
		},
		Sections: []entity.Section[struct{}]{{Name: "moons", Label: "Moons", Short: "what goes round it", Has: has}, {Name: "rings", Label: "Rings", Short: "what is round it", Has: has}},
		Search: entity.Search(entity.SearchSpec[struct{}]{
			Name: "planet", Placeholder: "[word]", Source: "Sky", Sources: []string{"sky"}, Key: "results", Label: "Planets",
			Command: command.Command{Short: "Find planets", Examples: []command.Example{{Line: "biomcp search planet red", Explanation: "planets"}}},
			Filters: []entity.Filter{{Flag: "kind", Usage: "what it is made of", Values: []string{"rock", "gas"}}},
			Strict:  true, Pages: entity.Pages{Limit: 1, Max: 2},
		}),
		Sync: []*command.Command{{
			Use: "planet <name>", Short: "Keep a planet here", Effect: command.Stores, Args: command.Args{Min: 1, Max: 1, Name: "a planet"},
			Examples: []command.Example{{Line: "biomcp sync planet mars", Explanation: "a planet on this machine"}},
			Run:      func(context.Context, *command.Input) (*result.Result, error) { return nil, nil },
		}},
	})
}

// The text of a small tree contains an entity, a member of a group that reads, and a command with
// a ReadsWith switch. It does not contain commands that store data.
func TestDescriptionFollowsFromTheTree(t *testing.T) {
	leaf := func(use string, effect command.Effect, members ...*command.Command) *command.Command {
		name, _, _ := strings.Cut(use, " ")
		return &command.Command{
			Use: use, Short: "Run " + name, Effect: effect, Noun: strings.Repeat("member", len(members)), Commands: members,
			Examples: []command.Example{{Line: "biomcp " + name, Explanation: "run it"}},
			Run:      func(context.Context, *command.Input) (*result.Result, error) { return nil, nil },
		}
	}
	download := leaf("download", command.Stores)
	download.ReadOnlySwitch, download.Flags = "list", func(f *command.Flags) { f.Bool("list", false, "list what there is") }
	text := Description(command.NewTree(cli.Root([]entity.Entity{planets()})))
	if want := "\n- planet <name>: moons rings; --kind <rock|gas> --strict\n"; !strings.Contains(text, want) {
		t.Errorf("%q is missing in\n%s", want, text)
	}
	if strings.Contains(text, "sync planet") {
		t.Errorf("a command that stores is in\n%s", text)
	}
	text = Description(command.NewTree(&command.Command{Use: "biomcp", Short: "Run", Noun: "command", Commands: []*command.Command{
		leaf("skill [slug]", command.Reads, leaf("list", command.Reads)),
		leaf("library", command.Stores, leaf("read", command.Reads)),
		leaf("study", command.Stores, download),
	}}))
	want := "\nother commands:\n- skill [slug], skill list: Run skill.\n- library read: Run read.\n- study download --list: List what there is.\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("an agent is offered\n%s", text)
	}
}

// The description contains each command that an agent may run, and no other.
func TestDescriptionNamesExactlyTheCommandsAnAgentMayRun(t *testing.T) {
	tree := cli.NewTree()
	text := Description(tree)
	_, study, found := strings.Cut(text, "\nstudy <analysis> --study <id>\n")
	study, others, more := strings.Cut(study, "\n\nother commands:\n")
	if !found {
		t.Fatalf("the part about studies is missing in\n%s", text)
	}
	if !more {
		t.Fatalf("the part about other commands is missing in\n%s", text)
	}
	allowed, forbidden := 0, 0
	for _, c := range cli.Runnable(tree, tree.Root, command.Person) {
		path := command.Path(c)
		where, named := others, strings.Join(path, " ")
		switch {
		case path[0] == "search", path[0] == "get":
			where, named = strings.NewReplacer("- get ", "- ", "- search ", "- ").Replace(text), "- "+c.Name()
		case path[0] == "study":
			where, named = study, "- "+c.Name()
		case inGrammar(c):
			where, named = grammar, "`"
		}
		may := tree.Command(c).MayRead()
		if may {
			allowed++
		} else {
			forbidden++
		}
		if is := regexp.MustCompile(`(?m)` + regexp.QuoteMeta(named) + `\b`).MatchString(where); is != may {
			t.Errorf("%s (%s): named is %v", strings.Join(path, " "), tree.Command(c).Effect, is)
		}
	}
	if allowed < 5 {
		t.Errorf("%d commands are allowed, want at least 5", allowed)
	}
	if forbidden < 5 {
		t.Errorf("%d commands are forbidden, want at least 5", forbidden)
	}
}

// Twenty more entities with many sections and filters each add at most maxLine bytes to the text,
// and each has a line.
func TestDescriptionHasRoomForFurtherEntities(t *testing.T) {
	before := len(Description(cli.NewTree()))
	if before > maxDescription {
		t.Errorf("%d bytes today, over %d", before, maxDescription)
	}
	all := cli.Entities()
	for i := range 20 {
		toy := planets()
		name := fmt.Sprintf("toy%d", i)
		search, get := *toy.Search, *toy.Get
		search.Use, get.Use = name+" [word]", name+" <symbol|identifier>... [section...]"
		for j := range 12 {
			get.Sections = append(slices.Clip(get.Sections), command.Section{Name: fmt.Sprintf("section%d", j), Short: "more"})
		}
		all = append(all, entity.Entity{Name: name, Search: &search, Get: &get})
	}
	text := Description(command.NewTree(cli.Root(all)))
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

// "Lists take --limit and --offset" is true of each search except the listed exceptions.
func TestSearchesTakeThePageThatTheDescriptionPromises(t *testing.T) {
	tree := cli.NewTree()
	text := Description(tree)
	for _, c := range tree.Commands(tree.Member(tree.Root, "search")) {
		flags := tree.Flags(c)
		paged := flags.Lookup("limit") != nil && flags.Lookup("offset") != nil
		if excepted := regexp.MustCompile(`--offset N \(but [^)]*\b` + c.Name() + `\b`).MatchString(text); excepted == paged {
			t.Errorf("search %s: takes pages is %v, is excepted is %v", c.Name(), paged, excepted)
		}
	}
}

func TestDescriptionSaysHowToAskWithFewTokens(t *testing.T) {
	text := Description(cli.NewTree())
	for _, want := range []string{"is a third of JSON", " --count`.", " fulltext --part 2-3`.", "--type <mutations|cna|expression|sv>", "--by <mutation|cna|expression|ATTRIBUTE>"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing", want)
			}
		})
	}
}
