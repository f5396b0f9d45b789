package cli

import (
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/datasets"
)

// correct replaces the suggestion for a refused line, where that would be refused too,
// by what is suggested for it, at most n times.
func (c *call) correct(app *command.App, io command.IO, n int) {
	def := c.def()
	if def.Meant != nil && def.Args.Max == 0 && len(c.args) > 0 && isHelp(c.failure.Try) {
		in := command.NewInput(app, c.tree, io, command.Path(c.cmd), c.args, c.tree.Flags(c.cmd))
		if line := def.Meant(in); line != nil {
			c.failure.Try = line
		}
	}
	if n == 0 || len(c.failure.Try) == 0 || isHelp(c.failure.Try) {
		return
	}
	next := parse(command.NewTree(c.tree.Def(c.tree.Root)), c.failure.Try, c.may)
	if next.failure == nil {
		return
	}
	if next.correct(app, io, n-1); !isHelp(next.failure.Try) && parse(command.NewTree(c.tree.Def(c.tree.Root)), next.failure.Try, c.may).failure == nil {
		c.failure.Try = next.failure.Try
	}
}

// inQuery reports whether a flag that there is not names what the words of the command's
// query are, and has a value: --query, or an entity, as in search vaccine --disease measles.
func (c *call) inQuery(name, value, typed string) bool {
	if !c.def().Args.FreeText {
		return false
	}
	if next := slices.Index(c.words, typed) + 1; value == "" && (next == 0 || next == len(c.words) || isFlag(c.words[next])) {
		return false
	}
	words := []string{"query", "q", "term", "keyword", "keywords", "text", "name"}
	return slices.Contains(words, name) || c.tree.Member(c.tree.Member(c.tree.Root, "search"), name) != nil
}

// question is the line that answers a question typed without a command: of "what is" it
// is discover.
func (c *call) question(words []string) result.Argv {
	if c.cmd != c.tree.Root || len(words) < 3 || slices.ContainsFunc(words, isFlag) {
		return nil
	}
	first, second := strings.ToLower(words[0]), strings.ToLower(words[1])
	if first == "what" && (second == "is" || second == "are") && len(words) < 6 {
		return result.Argv{"discover", strings.TrimRight(strings.Join(words[2:], " "), "?")}
	}
	if slices.Contains([]string{"what", "which", "who", "how", "why", "when", "where", "is", "are", "does", "do", "can"}, first) {
		return result.Argv{"suggest", strings.Join(words, " ")}
	}
	return nil
}

// otherGroup is the line with search in the place of get, or the other way round, where
// that has the word: get vaccine.
func (c *call) otherGroup(word string) result.Argv {
	group := c.cmd.Name()
	other, is := map[string]string{"get": "search", "search": "get"}[group]
	if !is || c.tree.Member(c.tree.Member(c.tree.Root, other), word) == nil {
		return nil
	}
	return c.corrected([]string{group, word}, other, word)
}

// nameAlone is the line that says what a name is which was typed without its entity: any
// after "get", else a single one that may be a gene's symbol; nil where words are none.
func (c *call) nameAlone(words []string) result.Argv {
	group := strings.Join(command.Path(c.cmd), " ")
	i := slices.IndexFunc(words, isFlag)
	if i < 0 {
		i = len(words)
	}
	name := strings.Join(words[:i], " ")
	symbol := i == 1 && len(name) <= 12 && datasets.IsSymbol(name) && name == strings.ToUpper(name) && strings.ContainsFunc(name, unicode.IsLetter)
	if len(name) >= 100 || group != "get" && (group != "" || !symbol) || c.tree.Owner(name) != "" || c.tree.Owner(words[0]) != "" || strings.Trim(words[0], "0123456789") == "" {
		return nil
	}
	return result.Argv{"discover", name}
}

// isHelp reports a line that asks for help.
func isHelp(line result.Argv) bool { return slices.Contains(line, "--help") }

// corrected is the line as it was typed with some words replaced.
func (c *call) corrected(old []string, by ...string) result.Argv {
	for i := range c.words {
		if i+len(old) <= len(c.words) && slices.Equal(c.words[i:i+len(old)], old) {
			return slices.Concat(c.words[:i], by, c.words[i+len(old):])
		}
	}
	return nil
}
