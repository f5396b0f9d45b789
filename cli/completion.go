package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
	cohorts "biomcp/cli/study"
)

// script is the completion script of a shell.
type script struct {
	Shell string `json:"shell"`
	Text  string `json:"script"`
}

var shells = []string{"bash", "zsh", "fish", "powershell"}

func completion() *command.Command {
	return &command.Command{
		Use: "completion <shell>", Purpose: command.Start,
		Synonyms: []string{"autocomplete", "complete"},
		Short:    "Print a completion script for your shell",
		Help: command.Help{
			Input: "One of " + strings.Join(shells, ", ") + ".",
			Output: "A script that completes commands, entities, sections, flags and their values. Source it from " +
				"your shell's start-up file.",
		},
		Effect:   command.Local,
		Args:     command.Args{Min: 1, Max: 1, Name: "a shell: " + strings.Join(shells, ", ")},
		Examples: []command.Example{{Line: "biomcp completion bash", Explanation: "the script for bash"}},
		Suggest:  func(*command.Tree, []string) []string { return shells },
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			root := in.Tree().Expand().Root
			write := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return bashCompletion(root, w) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}[in.Args[0]]
			if write == nil {
				return nil, result.Invalid(
					fmt.Sprintf("no shell %q; available: %s%s", command.Clip(in.Args[0]), strings.Join(shells, ", "),
						command.DidYouMean(in.Args[0], shells)),
					"completion", "bash")
			}
			var b bytes.Buffer
			if err := write(&b); err != nil {
				return nil, err
			}
			return &result.Result{Payload: result.Text{Value: script{Shell: in.Args[0], Text: b.String()},
				Text: b.String()}}, nil
		},
	}
}

// Cobra's script reads the words of the line with the bash-completion package, which
// many systems do not have. bashWords reads them from Bash itself.
const (
	packageWords = `    _get_comp_words_by_ref "$@" cur prev words cword
`
	bashWords = `    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local typed="${COMP_LINE:0:COMP_POINT}" IFS=$' \t\n'
    read -r -a words <<< "$typed"
    if [[ $typed == *[[:space:]] ]]; then
        words+=("")
    fi
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=${words[cword-1]}
`
)

// bashCompletion writes a completion script that needs no package besides Bash.
func bashCompletion(root *cobra.Command, w io.Writer) error {
	var b bytes.Buffer
	if err := root.GenBashCompletionV2(&b, true); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(b.String(), packageWords, bashWords, 1))
	return err
}

// localCompletions returns completions for the value of a flag from data on this machine: studies,
// attributes of the study on the line, keys of synced queries, and projects of the library.
func localCompletions(app *command.App, c *cobra.Command, flag string) (words []string) {
	switch flag {
	case "query-key":
		if corpus, err := app.Corpus(context.Background()); err == nil {
			keys, _ := corpus.QueryKeys(context.Background()) // none if the corpus cannot be read
			for _, k := range keys {
				words = append(words, k.Key)
			}
		}
	case "project":
		if searcher, err := app.Library(); err == nil {
			words, _ = searcher.Library.Projects() // none if the library cannot be read
		}
	case "study":
		words = studyIDs(app)
	case "by", "target", "adjust", "strata":
		studies, err := cohorts.Library(app)
		typed := c.Flag("study")
		if err != nil || typed == nil {
			return nil
		}
		s, err := studies.Study(typed.Value.String())
		if err != nil {
			return nil
		}
		attributes, _ := s.Attributes() // none if they cannot be read
		for _, a := range attributes {
			words = append(words, a.ID)
		}
	}
	return words
}
