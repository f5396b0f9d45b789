package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/replace"
)

// manPages is the answer of `man` after it has written pages.
type manPages struct {
	Folder string `json:"folder"`
	Pages  int    `json:"pages"`
}

func (m manPages) Doc() result.Doc {
	return result.Doc{result.Para{Text: fmt.Sprintf("%d man pages are in %s. Read the first with: man -l %s", m.Pages,
		m.Folder, filepath.Join(m.Folder, "biomcp.1"))}}
}

func man() *command.Command {
	return &command.Command{
		Use: "man [command|dir]", Purpose: command.Start,
		Synonyms: []string{"manpages", "manual"},
		Short:    "Show the page of a command, or write all",
		Help: command.Help{
			Input: "A command, or nothing for the whole program; or a folder with a slash in its name, such as " +
				"~/.local/share/man/man1, where man finds the pages. A missing folder is created.",
			Output: "The help of the command; or biomcp.1, biomcp-search-article.1 and so on, and how many.",
			Surprises: "The pages depend only on the program and carry no date, so the same program writes the same " +
				"bytes.",
		},
		Effect: command.Exports,
		Args: command.Args{Max: -1, Name: "a command or a folder",
			Synonyms: "dir directory folder output path out", Completion: command.Folder},
		Examples: []command.Example{
			{Line: "biomcp man search article", Explanation: "its help"},
			{Line: "biomcp man ~/.local/share/man/man1", Explanation: "then man biomcp, man biomcp-search-article"},
		},
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			if page := pageOf(in); page != nil {
				return &result.Result{Payload: Explain(in.Tree(), page, in.Policy)}, nil
			}
			words := strings.Join(in.Args, " ")
			isFolder := strings.ContainsAny(words, `/\.`) || strings.HasPrefix(words, "man")
			if _, err := os.Stat(words); err != nil && !isFolder {
				message := fmt.Sprintf("no command %q; write a folder with a slash", command.Clip(words))
				return nil, result.Invalid(message, "list")
			}
			dir, err := filepath.Abs(words)
			if err == nil {
				err = os.MkdirAll(dir, 0o755)
			}
			pages := 0
			if err == nil {
				pages, err = writeMan(in.Tree().Expand(), in.Tree().Root, in.App.Version, dir)
			}
			if err != nil {
				return nil, &result.Failure{Code: result.Store,
					Message: "the man pages cannot be written: " + err.Error(), Try: result.Argv{"man", "--help"}}
			}
			return &result.Result{Payload: manPages{Folder: dir, Pages: pages}}, nil
		},
	}
}

// pageOf returns the command whose page the arguments name, such as "search article", "biomcp search article"
// or, as a file of man, biomcp-search-article. Without arguments it is the root. It returns nil if there
// is no such command.
func pageOf(in *command.Input) *cobra.Command {
	tree, words := in.Tree(), in.Args
	name := tree.Root.Name()
	if len(words) == 1 && strings.HasPrefix(words[0], name+"-") {
		return memberNamed(tree, tree.Root, words[0])
	}
	if len(words) > 0 && words[0] == name {
		words = words[1:]
	}
	page := tree.Root
	for _, word := range words {
		if page != nil {
			page = tree.Member(page, word)
		}
	}
	return page
}

// memberNamed returns the command below c whose page has the given name, or nil if there is none.
func memberNamed(tree *command.Tree, c *cobra.Command, name string) *cobra.Command {
	for _, member := range tree.Commands(c) {
		if pageName(member) == name {
			return member
		}
		if found := memberNamed(tree, member, name); found != nil {
			return found
		}
	}
	return nil
}

// writeMan writes the pages of a command and its subcommands and returns their number. Each
// page is replaced atomically.
func writeMan(tree *command.Tree, c *cobra.Command, version, dir string) (pages int, err error) {
	if tree.Command(c) == nil || c.Hidden {
		return 0, nil
	}
	for _, member := range tree.Commands(c) {
		n, err := writeMan(tree, member, version, dir)
		if err != nil {
			return 0, err
		}
		pages += n
	}
	tree.Flags(c)
	name := pageName(c)
	text := manPage(tree, c, version)
	return pages + 1, replace.File(filepath.Join(dir, name+".1"), writeText(text))
}
