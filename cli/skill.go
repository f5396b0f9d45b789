package cli

import (
	"context"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/skills"
)

func skillGroup() *command.Command {
	return &command.Command{
		Use: "skill [name|number]", Synonyms: []string{"use-case", "usecase", "example", "workflow", "guide"},
		Purpose: command.Start, Noun: "worked example", Short: "Show how to use biomcp: the overview, or a worked example",
		Help: command.Help{
			Purpose: "For an agent or a newcomer: when to use which command, how to answer, and worked examples of " +
				"research tasks.",
			Input:  "Nothing, or a worked example's name or number, as skill list shows them.",
			Output: "The overview, or the worked example with its commands.",
		},
		LocalOnly: true,
		Effect:    command.Reads,
		Args:      command.Args{Max: 1, Name: "at most one worked example"},
		Examples: []command.Example{
			{Line: "biomcp skill", Explanation: "the overview"},
			{Line: "biomcp skill follow-citations", Explanation: "one worked example"},
		},
		Suggest: func(*command.Tree, []string) []string { return slugs() },
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			if len(in.Args) == 0 {
				return overview()
			}
			e := skills.Find(in.Args[0])
			if e == nil {
				return nil, unknownSkill(in.Args[0], in.Tree().Members(in.Policy, in.Tree().Member(in.Tree().Root, "skill")))
			}
			example := workedExample{Number: e.Number, Slug: e.Slug, Title: e.Title, Summary: e.Summary, Text: e.Text}
			return &result.Result{Payload: result.Text{Value: example, Text: e.Text}}, nil
		},
		Commands: []*command.Command{
			{
				Use: "list", Short: "List the worked examples", Effect: command.Reads,
				Examples: []command.Example{{Line: "biomcp skill list", Explanation: "name and summary of each"}},
				Run: func(context.Context, *command.Input) (*result.Result, error) {
					return &result.Result{Payload: catalogue{Skills: entries()},
						Next: []result.Argv{{"skill", skills.Catalogue()[0].Slug}}}, nil
				},
			},
			{
				Use: "render", Short: "Print the overview, as the resource biomcp://help has it", Effect: command.Reads,
				Examples: []command.Example{{Line: "biomcp skill render", Explanation: "the text for a system prompt"}},
				Run:      func(context.Context, *command.Input) (*result.Result, error) { return overview() },
			},
			skillInstall(),
		},
	}
}

// unknownSkill returns the failure of a name that no worked example and no member of the group has.
func unknownSkill(name string, members []string) *result.Failure {
	near := command.Nearest(name, slices.Concat(members, slugs()))
	failure := result.Invalid(fmt.Sprintf("no worked example %q%s", command.Clip(name), command.Guess(near)), "skill", "list")
	if near != "" {
		failure.Try = result.Argv{"skill", near}
	}
	return failure
}

func slugs() []string {
	return result.Map(skills.Catalogue(), func(e *skills.Example) string { return e.Slug })
}

// guide is the overview as data.
type guide struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

func overview() (*result.Result, error) {
	text := skills.Overview()
	return &result.Result{Payload: result.Text{Value: guide{Title: overviewName, Text: text}, Text: text}}, nil
}

// workedExample is one worked example as data.
type workedExample struct {
	Number  int    `json:"number"`
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Text    string `json:"text"`
}

// catalogue is the answer of `skill list`.
type catalogue struct {
	Skills []catalogueEntry `json:"skills"`
}

type catalogueEntry struct {
	Number  int    `json:"number"`
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Ladder  bool   `json:"ladder"` // the JSON answer to its first command lists the steps
}

func entries() []catalogueEntry {
	return result.Map(skills.Catalogue(), func(e *skills.Example) catalogueEntry {
		return catalogueEntry{e.Number, e.Slug, e.Title, e.Summary, e.Ladder != nil}
	})
}

func (c catalogue) Doc() result.Doc {
	rows := result.Map(c.Skills, func(e catalogueEntry) []string {
		return []string{e.Slug, fmt.Sprint(e.Number), e.Summary}
	})
	return result.Doc{
		result.Heading{Level: 1, Text: "Worked examples"},
		result.Table{Columns: result.Columns("Name", ">No.", "What it shows"), Rows: rows},
		result.Para{Text: "biomcp skill with a name or a number prints one."},
	}
}
