package cli

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
)

// helpPages returns the help of every command, by its name, for a terminal of the given width.
func helpPages(t *testing.T, width int) map[string]string {
	t.Helper()
	tree, pages := NewTree(), map[string]string{}
	for _, c := range Runnable(tree, tree.Root, command.Person) {
		var b bytes.Buffer
		out := result.Outcome{Result: &result.Result{Payload: Explain(tree, c, command.Person)}}
		if err := result.Render(&b, &b, out, result.Format{Terminal: true, Width: width}); err != nil {
			t.Fatal(err)
		}
		pages[strings.Join(command.Path(c), " ")] = b.String()
	}
	if len(pages) < 70 {
		t.Fatalf("%d pages of help", len(pages))
	}
	return pages
}

// helpTexts returns the texts of a help that describe the command and its flags.
func helpTexts(e Explanation) []string {
	texts := []string{e.Short, e.About, e.Input, e.Output, e.Surprises}
	for _, f := range e.Flags {
		texts = append(texts, f.Does)
	}
	for _, x := range e.Examples {
		texts = append(texts, x.Explanation)
	}
	return texts
}

// eachHelp calls check with the help of every command.
func eachHelp(t *testing.T, check func(t *testing.T, name string, c *cobra.Command, def *command.Command, e Explanation)) {
	t.Helper()
	tree := NewTree()
	for _, c := range Runnable(tree, tree.Root, command.Person) {
		name := strings.Join(command.Path(c), " ")
		t.Run(name, func(t *testing.T) { check(t, name, c, tree.Command(c), Explain(tree, c, command.Person)) })
	}
}

// Every page of help fits the terminal, except for usages and commands, which are copied. On a terminal
// of at least 60 columns the explanations of a group of flags begin in one column.
func TestHelpFitsTheTerminal(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		for name, page := range helpPages(t, width) {
			aligned := 0
			for l := range strings.SplitSeq(page, "\n") {
				isCommand := strings.HasPrefix(l, "  biomcp ") || strings.HasPrefix(l, "      --")
				if w := runewidth.StringWidth(l); w > width && !isCommand {
					t.Errorf("%s at %d columns: a line of %d: %s", name, width, w, l)
				}
				if strings.HasPrefix(l, "  biomcp ") && runewidth.StringWidth(l) > 80 && !strings.Contains(page[strings.Index(page, "\nExamples"):], l) {
					t.Errorf("%s: a usage over 80 columns: %s", name, l)
				}
				m := flagLine.FindStringSubmatch(l)
				switch {
				case m == nil:
					if !strings.HasPrefix(l, "   ") {
						aligned = 0 // another group
					}
				case width >= 60 && aligned > 0 && len(m[1]) != aligned:
					t.Errorf("%s at %d columns: column %d, want %d: %s", name, width, len(m[1]), aligned, l)
				default:
					aligned = len(m[1])
				}
			}
		}
	}
}

// flagLine matches a flag and the beginning of its explanation.
var flagLine = regexp.MustCompile(`^(  (?:-\w, )?--[\w-]+(?: <[^>]*>(?:\.\.\.)?)?  +)\S`)

// A flag without which a command is refused stands in its usage.
func TestHelpUsageNamesRequiredFlags(t *testing.T) {
	app := diskApp(t)
	if text, code := ask(t, app, command.Person, "study download synthetic_demo"); code != 0 {
		t.Fatal(text)
	}
	refused := func(args []string) bool {
		t.Chdir(t.TempDir()) // for the files that examples write
		c := parse(NewTree(), append(slices.Clone(args), "--offline"), command.Person)
		switch c.def().Effect {
		case command.Reads, command.Stores, command.Local:
			return ExitStatus(c.run(t.Context(), app, command.IO{Err: &bytes.Buffer{}})) == 2
		}
		return c.refusal != nil
	}
	checked := 0
	eachHelp(t, func(t *testing.T, name string, c *cobra.Command, _ *command.Command, e Explanation) {
		if slices.Contains([]string{"demo", "uninstall", "update", "sync pubmed"}, name) {
			t.Skip("it would change this machine, or has alternatives")
		}
		for _, x := range e.Examples {
			args, err := words.Split(strings.TrimPrefix(x.Line, "biomcp "))
			if err != nil {
				t.Fatal(err)
			}
			if refused(args) {
				continue // an example with a file that does not exist here
			}
			for at := len(args) - 1; at > 0; at-- { // drop what is not required, the last first
				if without := withoutFlag(c, args, at); without != nil && !refused(without) {
					args, at = without, len(without)
				}
			}
			for _, word := range args {
				if f := flagOf(c, word); f != nil {
					checked++
					if !strings.Contains(e.Usage, "--"+f.Name) && !strings.Contains(e.Usage, "[filters]") {
						t.Errorf("usage %q does not name --%s, without which %q is refused", e.Usage, f.Name, x.Line)
					}
				}
			}
		}
	})
	if checked < 20 {
		t.Errorf("%d required flags; the test no longer finds them", checked)
	}
}

// flagOf returns the flag that a word of a command line names, or nil.
func flagOf(c *cobra.Command, word string) *pflag.Flag {
	name, long := strings.CutPrefix(word, "--")
	switch {
	case long:
		return c.Flags().Lookup(name)
	case len(word) == 2 && word[0] == '-' && word != "--":
		return c.Flags().ShorthandLookup(word[1:])
	}
	return nil
}

// withoutFlag returns args without the flag at a position and its value, or nil if there is none.
func withoutFlag(c *cobra.Command, args []string, at int) []string {
	f := flagOf(c, args[at])
	if f == nil {
		return nil
	}
	end := at + 1
	if f.NoOptDefVal == "" {
		end++
	}
	return slices.Delete(slices.Clone(args), at, min(end, len(args)))
}

// A page explains the data formats in one short line.
func TestHelpExplainsDataFormatsOnce(t *testing.T) {
	eachHelp(t, func(t *testing.T, _ string, _ *cobra.Command, _ *command.Command, e Explanation) {
		for _, phrase := range []string{"comma-separated values", "apostrophe before"} {
			var found []string
			for _, text := range helpTexts(e) {
				if strings.Contains(text, phrase) {
					found = append(found, text)
				}
			}
			if len(found) > 1 || len(found) == 1 && len(found[0]) > 110 {
				t.Errorf("%q: got %q, want one text of at most 110 bytes", phrase, found)
			}
		}
	})
}

// Only a search has hits. A page names only flags that its command has.
func TestHelpSpeaksOfTheCommandOnly(t *testing.T) {
	hits := regexp.MustCompile(`\bhits?\b`)
	flags := regexp.MustCompile(`(^|[^\w-])--([a-z][a-z-]+)`)
	other := regexp.MustCompile(`(search|get|sync|study|biomcp|systemd-run) [^.;:]*$`) // the flag of another command
	eachHelp(t, func(t *testing.T, name string, c *cobra.Command, _ *command.Command, e Explanation) {
		for _, text := range helpTexts(e) {
			if m := hits.FindString(text); m != "" && !strings.HasPrefix(name, "search") {
				t.Errorf("it searches nothing, and speaks of %s: %q", m, text)
			}
			for _, m := range flags.FindAllStringSubmatchIndex(text, -1) {
				flag := text[m[4]:m[5]]
				if c.Flags().Lookup(flag) == nil && !other.MatchString(text[:m[4]]) {
					t.Errorf("it has no --%s: %q", flag, text)
				}
			}
		}
	})
}

// A command that reads or writes many records has an example of it.
func TestHelpShowsABulkExample(t *testing.T) {
	checked := 0
	eachHelp(t, func(t *testing.T, name string, c *cobra.Command, def *command.Command, e Explanation) {
		flags, args := c.Flags(), def.Args
		single := strings.HasPrefix(name, "get ") && args.Max == 1 // one record
		if single || flags.Lookup("csv") == nil && flags.Lookup("ids-from") == nil {
			return
		}
		checked++
		if !slices.ContainsFunc(e.Examples, command.Example.IsBulk) {
			t.Errorf("none of its examples is bulk: %+v", e.Examples)
		}
	})
	if checked < 25 {
		t.Errorf("%d commands have data formats", checked)
	}
}

// Searches and charts group their flags, and no group is empty or unknown.
func TestHelpGroupsFlags(t *testing.T) {
	eachHelp(t, func(t *testing.T, name string, _ *cobra.Command, _ *command.Command, e Explanation) {
		groups := map[command.FlagGroup]int{}
		for _, f := range e.Flags {
			groups[f.Group]++
			if !slices.Contains(command.FlagGroups, f.Group) {
				t.Errorf("%s is in the group %q", f.Flag, f.Group)
			}
			if strings.HasPrefix(name, "search ") && f.Group == "" {
				t.Errorf("%s is in no group", f.Flag)
			}
		}
		if has := slices.ContainsFunc(e.Flags, func(f FlagHelp) bool { return strings.HasPrefix(f.Flag, "--chart ") }); has &&
			groups[command.ChartFlags] < 8 {
			t.Errorf("groups %v", groups)
		}
	})
	for name, page := range helpPages(t, 80) {
		if !strings.HasPrefix(name, "search article") {
			continue
		}
		for _, title := range []string{"what to find", "filters", "output"} {
			if want := fmt.Sprintf("\nFlags: %s\n", title); !strings.Contains(page, want) {
				t.Errorf("%s: no %q:\n%s", name, want, page)
			}
		}
	}
}
