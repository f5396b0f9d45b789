package cli

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/skills"
)

// maxQuestion bounds a question, in bytes.
const maxQuestion = 1000

func suggest() *command.Command {
	return &command.Command{
		Use: "suggest <question>", For: command.Find,
		Also:  []string{"ask", "recommend", "howto"},
		Short: "Name the worked example and the first commands for a question",
		Help: command.Help{
			About:     "Compares a question with the worked examples of biomcp skill list, on this machine and with fixed rules: no network, no model.",
			Input:     "A question in English, as you would ask a colleague.",
			Output:    "The worked example, what it is about, and two commands with the question's own words. No match, where it is not sure, is an answer too.",
			Surprises: "The commands are a beginning and do not answer the question. What the question does not name, such as a PMID, is the worked example's own, and is said.",
		},
		Effect: command.Reads,
		Args:   command.Args{Min: 1, Max: -1, Name: "a question", FreeText: true},
		Examples: []command.Example{
			{Line: `biomcp suggest "Who cites PMID 32051057?"`, Does: "how to follow citations, from this article"},
		},
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			question := strings.TrimSpace(in.Args[0])
			switch {
			case question == "":
				return nil, result.Invalid("the question is empty", "suggest", "--help")
			case len(question) > maxQuestion:
				return nil, result.Invalid(fmt.Sprintf("the question has %d bytes; at most %d are read: ask it in a sentence", len(question), maxQuestion), "skill", "list")
			}
			return suggestion(question), nil
		},
	}
}

// suggested is what `suggest` answers. Where nothing matches, all but the question
// is null or empty.
type suggested struct {
	Question string   `json:"question"`
	Skill    *string  `json:"matched_skill"`
	Summary  *string  `json:"summary"`
	First    []string `json:"first_commands"` // two
	Full     *string  `json:"full_skill"`     // the command that prints the worked example

	title string
}

func suggestion(question string) *result.Result {
	m, ok := skills.Route(question)
	if !ok {
		r := &result.Result{
			Payload: suggested{Question: question, First: []string{}},
			Next:    []result.Argv{{"skill", "list"}, {"list"}},
		}
		if topic := skills.Topic(question); topic != "" {
			r.Next = append([]result.Argv{{"search", "article", topic, "--limit", "5"}}, r.Next...)
		}
		r.Notice("no match: no worked example clearly fits this question; choose one from the list, or search for its words")
		return r
	}
	full := result.Argv{"skill", m.Slug}
	command := full.String()
	r := &result.Result{
		Payload: suggested{
			Question: question, Skill: &m.Slug, Summary: &m.Summary, Full: &command,
			First: []string{result.Argv(m.Commands[0]).String(), result.Argv(m.Commands[1]).String()}, title: m.Title,
		},
		Next: []result.Argv{m.Commands[0], m.Commands[1], full},
	}
	if len(m.Borrowed) > 0 {
		r.Notice(fmt.Sprintf("the question does not name everything that these commands need (%s): what is missing is from the worked example, so put your own in its place", strings.Join(m.Borrowed, ", ")))
	}
	if len(m.Left) > 0 {
		r.Notice("one command takes one place: ask again with " + strings.Join(m.Left, ", with "))
	}
	return r
}

func (suggested) Kind() string { return "suggest" }

// Doc is the worked example; its two commands are the first that follow the answer.
func (s suggested) Doc() result.Doc {
	if s.Skill == nil {
		return result.Doc{result.Heading{Level: 1, Text: "No match"}, result.Fields{{Name: "Question", Value: s.Question}}}
	}
	return result.Doc{
		result.Heading{Level: 1, Text: s.title},
		result.Para{Text: *s.Summary},
		result.Fields{{Name: "Question", Value: s.Question}, {Name: "Worked example", Value: *s.Skill}},
	}
}
