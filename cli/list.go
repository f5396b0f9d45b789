package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// reference is the answer of `list`: every command, or those of one topic.
type reference struct {
	Topic    string        `json:"topic"`
	Commands []Explanation `json:"commands"`
	Sections []sectionHelp `json:"sections"`

	tree   *command.Tree
	policy command.Policy
}

type sectionHelp struct {
	Entity  string `json:"entity"`
	Section string `json:"section"`
	Short   string `json:"short"`
}

func list() *command.Command {
	return &command.Command{
		Use: "list [entity]", Purpose: command.Start,
		Synonyms: []string{"commands", "ls", "help-all", "usage"},
		Short:    "List all commands, or everything about one entity",
		Help: command.Help{
			Input: "Nothing, or the name of an entity (article, mesh, ...) or of another command (cache, ...).",
			Output: "The command reference; for one entity, its commands with flags, sections and examples. An agent " +
				"sees only commands that it may run.",
		},
		LocalOnly: true,
		Effect:    command.Reads,
		Args:      command.Args{Max: 1, Name: "at most one entity"},
		Examples: []command.Example{
			{Line: "biomcp list", Explanation: "a line for each entity and group"},
			{Line: "biomcp list --long", Explanation: "every command and every section on one page; with --json, their flags too"},
			{Line: "biomcp list article", Explanation: "flags, sections and examples for articles"},
		},
		Suggest: func(tree *command.Tree, _ []string) []string { return topics(tree, command.Person) },
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			topic := strings.Join(in.Args, "") // at most one word
			for _, name := range topics(in.Tree(), in.Policy) {
				if command.MatchesName(topic, name, nil) {
					topic = name
				}
			}
			ref := Reference(in.Tree(), topic, in.Policy)
			if len(ref.Commands) == 0 {
				names := topics(in.Tree(), in.Policy)
				return nil, result.Invalid(
					fmt.Sprintf("no topic %q%s; available: %s", command.Clip(topic), command.DidYouMean(topic, names),
						strings.Join(names, ", ")),
					"list")
			}
			switch {
			case topic != "":
				return &result.Result{Payload: ref}, nil
			case in.Bool("long"):
				return &result.Result{Payload: everyCommand{ref}}, nil
			}
			return &result.Result{Payload: commandOverview{ref}}, nil
		},
	}
}

// topics returns the words that `list` accepts: entities, then other commands.
func topics(tree *command.Tree, policy command.Policy) []string {
	names := []string{}
	for _, c := range Runnable(tree, tree.Root, policy) {
		if name := topicOf(c); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// topicOf returns the topic that c belongs to: the entity for `get article`, and the group for
// `cache path`.
func topicOf(c *cobra.Command) string {
	path := command.Path(c)
	if len(path) == 2 && (path[0] == "get" || path[0] == "search") {
		return path[1]
	}
	return path[0]
}

// Reference returns the reference of the commands that the caller may run, derived from the
// tree. If topic is not empty, it contains only the commands of that topic.
func Reference(tree *command.Tree, topic string, policy command.Policy) reference {
	ref := reference{Topic: topic, tree: tree, policy: policy}
	for _, c := range Runnable(tree, tree.Root, policy) {
		if topic != "" && topicOf(c) != topic {
			continue
		}
		ref.Commands = append(ref.Commands, Explain(tree, c, policy))
		for _, s := range tree.Command(c).Sections {
			ref.Sections = append(ref.Sections, sectionHelp{Entity: topicOf(c), Section: s.Name, Short: s.Short})
		}
	}
	return ref
}

func (r reference) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: r.Topic}}
	for _, c := range r.Commands {
		for _, b := range c.Doc() {
			if h, ok := b.(result.Heading); ok {
				b = result.Heading{Level: h.Level + 1, Text: h.Text}
			}
			doc = append(doc, b)
		}
	}
	return append(doc, r.sections()...)
}

// commandOverview is the reference of all commands without their flags and examples. It is short enough for an
// agent as JSON, too.
type commandOverview struct{ reference }

// MarshalJSON leaves out what `list <entity>` says of each command.
func (o commandOverview) MarshalJSON() ([]byte, error) {
	type brief struct {
		Command string `json:"command"`
		Usage   string `json:"usage"`
		Short   string `json:"short"`
	}
	return json.Marshal(struct {
		Topic    string        `json:"topic"`
		Commands []brief       `json:"commands"`
		Sections []sectionHelp `json:"sections"`
	}{
		o.Topic, result.Map(o.Commands, func(c Explanation) brief { return brief{c.Command, c.Usage, c.Short} }), o.Sections,
	})
}

// Doc lays out one row for each entity and each other group of commands.
func (o commandOverview) Doc() result.Doc {
	return o.parts("Search an entity to find ids, get an id to read it, name sections to read more. list with the "+
		"name of an entity or of a group, such as list article or list study, shows everything about it, and --long "+
		"every command; --json makes any answer one JSON document.",
		func(part []*cobra.Command) [][]string { return rows(o.tree, part, o.policy) })
}

// parts lays out a table of the commands that only read, then one of the other commands.
func (r reference) parts(intro string, rows func([]*cobra.Command) [][]string) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "biomcp commands"}, result.Para{Text: intro}}
	reads, others := []*cobra.Command{}, []*cobra.Command{}
	for _, c := range Runnable(r.tree, r.tree.Root, r.policy) {
		if r.policy == command.Agent || r.tree.Command(c).Effect == command.Reads {
			reads = append(reads, c)
		} else {
			others = append(others, c)
		}
	}
	for _, part := range []struct {
		title    string
		commands []*cobra.Command
	}{{"Reading (also over MCP)", reads}, {"On this machine only", others}} {
		if len(part.commands) > 0 {
			t := result.Table{Columns: result.Columns("Command", "What it does"), Rows: rows(part.commands)}
			doc = append(doc, result.Heading{Level: 2, Text: part.title}, t)
		}
	}
	return doc
}

// everyCommand is a reference laid out with one row per command and one per section.
type everyCommand struct{ reference }

func (w everyCommand) Doc() result.Doc {
	intro, short := "Search an entity by words or filters for ids, get an id to read it, name sections for more.",
		[]string{"biomcp ", "", " [query]", "", " [filters]", "", " [section...]", ""}
	for _, c := range w.tree.Commands(w.tree.Root) {
		if def := w.tree.Command(c); def.SharedFlags != "" {
			intro += fmt.Sprintf(" %s <%s> takes %s.", c.Name(), def.Noun, def.SharedFlags)
			short = append(short, " "+def.SharedFlags, "")
		}
	}
	replacer := strings.NewReplacer(short...)
	doc := w.parts(intro,
		func(part []*cobra.Command) [][]string {
			return result.Map(part, func(c *cobra.Command) []string {
				return []string{replacer.Replace(usage(w.tree, c)), c.Short}
			})
		})
	return append(doc, w.sections()...)
}

func (r reference) sections() result.Doc {
	if len(r.Sections) == 0 {
		return nil
	}
	return result.Doc{result.Heading{Level: 2, Text: "Sections"},
		result.Table{Columns: result.Columns("Section", "What it adds"),
			Rows: result.Map(r.Sections, func(s sectionHelp) []string {
				return []string{s.Entity + " " + s.Section, s.Short}
			})}}
}

// ReferenceText returns every command and section with its description, as markdown.
func ReferenceText(tree *command.Tree) string {
	text, _ := RenderAnswer(
		result.Outcome{Result: &result.Result{Payload: everyCommand{Reference(tree, "", command.Person)}}}, false, 0)
	return text
}

// rows returns one table row per searchable entity, which includes its get command, and one row
// per other group of commands.
func rows(tree *command.Tree, commands []*cobra.Command, policy command.Policy) (rows [][]string) {
	for _, c := range tree.Commands(tree.Root) {
		all := slices.DeleteFunc(Runnable(tree, c, command.Person), func(member *cobra.Command) bool {
			read := c.Name() == "get" && tree.Counterpart(member, "search") != nil // listed with its search command
			return read || !slices.Contains(commands, member)
		})
		switch {
		case len(all) == 0:
		case c.Name() == "search":
			for _, member := range all {
				if read := tree.Counterpart(member, "get"); read != nil {
					rows = append(rows, []string{"search|get " + member.Name(), member.Short + ". " + read.Short})
					continue
				}
				rows = append(rows, []string{"search " + member.Name(), member.Short})
			}
		case len(all) == 1:
			rows = append(rows, []string{strings.TrimPrefix(usage(tree, all[0]), "biomcp "), all[0].Short})
		default:
			var names []string
			for _, member := range all {
				name := strings.TrimPrefix(member.CommandPath(), c.CommandPath()+" ")
				if reads := tree.Command(member).ReadOnlySwitch; reads != "" && policy == command.Agent {
					name += " --" + reads
				}
				if member != c {
					names = append(names, name)
				}
			}
			members := strings.Join(names, "|")
			if len(names) < len(all) {
				members = "[" + members + "]" // the group runs by itself
			}
			rows = append(rows, []string{c.Name() + " " + members, c.Short})
		}
	}
	return rows
}
