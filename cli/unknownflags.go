package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/result"
)

// maxNamedFlags is the maximum number of flags of a command that a message lists.
const maxNamedFlags = 12

// flagsText tells what a message about an unknown flag lacks if no line can be suggested: the other
// unknown flags, and the flags of the command if they are few.
func (c *call) flagsText() (text string) {
	set := c.tree.Flags(c.cmd)
	for i, w := range c.words {
		_, _, err := parseFlag(set, c.words[i:])
		unknown, is := errors.AsType[*pflag.NotExistError](err)
		switch {
		case w == "--":
			return text
		case !isFlag(w) || !is || w == c.refusal.Word:
		default:
			if name := strings.TrimLeft(unknown.GetSpecifiedName(), "-"); c.synonymOf(name) == "" {
				text += fmt.Sprintf("; there is no %q either", command.Clip(withDashes(name)))
			}
		}
	}
	var own []string // the same for a person and an agent
	n, both := 0, c.tree.Allow(command.Agent, c.cmd) == nil
	set.VisitAll(func(f *pflag.Flag) {
		if c.cmd.InheritedFlags().Lookup(f.Name) != nil || f.Name == "help" || f.Hidden {
			return
		}
		if n++; !both || !command.IsHostOnly(f) {
			own = append(own, "--"+f.Name)
		}
	})
	if len(own) > 0 && n <= maxNamedFlags {
		text += "; its flags: " + strings.Join(own, ", ")
	}
	return text
}

// synonymOf returns the flag that a name is a synonym of, or "".
func (c *call) synonymOf(name string) (flag string) {
	c.tree.Flags(c.cmd).VisitAll(func(f *pflag.Flag) {
		if flag == "" && len(name) > 1 && command.IsFlag(f, name) {
			flag = f.Name
		}
	})
	return flag
}

// isHelp reports whether a failure suggests nothing or only help.
func isHelp(try []string) bool { return len(try) == 0 || correct.IsHelp(try) }

// faultOf returns why the line is rejected with near instead of the misspelt word, in parentheses. It returns "" if
// near is the last word.
func (c *call) faultOf(app *command.App, io command.IO, near string) string {
	at := slices.Index(c.words, c.refusal.Word)
	if at < 0 || at+1 == len(c.words) {
		return ""
	}
	line := slices.Concat(c.words[:at], []string{near}, c.words[at+1:])
	next := c.parseNext(app, io, line)
	if next.refusal == nil || next.refusal.Reason != command.Other {
		return ""
	}
	return fmt.Sprintf(" (%s: %s)", result.Argv(line).String(), next.refusal.Message)
}
