package mcpshell

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"biomcp/cli/result"
	"biomcp/cli/words"
)

// input holds the arguments of a tool call, as far as they could be parsed.
type input struct {
	command string // as received, for the log
	json    bool   // the argument json or the command's --json is set
	ignored string // notice about arguments that the tool does not have; "" if there are none
	call    Call
}

// parseInput parses the arguments of a tool call. An error is a *result.Failure that the caller
// can correct, or errPanic. Hosts add arguments of their own, such as toolCallId, and send null or
// "" for an absent one; such arguments are ignored.
func (s *Shell) parseInput(id, tool string, arguments any) (in input, err error) {
	args, ok := arguments.(map[string]any)
	if !ok && arguments != nil {
		return in, result.Invalid(`arguments must be an object, such as {"command": "list"}`)
	}
	args = maps.Clone(args)
	maps.DeleteFunc(args, func(_ string, v any) bool { return v == nil || v == "" })
	defer s.recoverPanic(id, &err)
	if t := s.tools[tool]; t.Parse != nil {
		return t.parseArguments(args)
	}
	v, given := args["json"]
	if in.json, ok = toBool(v); given && !ok {
		return in, result.Invalid(fmt.Sprintf("json must be true or false, not %s", kindOf(v)))
	}
	v, given = args["command"]
	if in.command, ok = v.(string); given && !ok {
		return in, result.Invalid(fmt.Sprintf("command must be one string, such as \"list\", not %s", kindOf(v)))
	}
	delete(args, "command")
	delete(args, "json")
	if !ok {
		return in, s.missingCommand(args)
	}
	if failure := s.parseCommand(&in); failure != nil {
		return in, failure
	}
	if in.call.WithArguments != nil && !in.call.Refused && len(args) > 0 {
		if line, names := in.call.WithArguments(args); len(names) > 0 {
			return in, result.Invalid("part of command, not arguments of their own: "+strings.Join(names, ", "),
				s.suggest(line)...)
		}
	}
	in.ignored = ignoredArguments(args, "command and json")
	return in, nil
}

// parseCommand parses the command line of a call.
func (s *Shell) parseCommand(in *input) error {
	list, bad := splitCommand(in.command)
	if len(list) > 0 {
		in.call = s.parse(list)
		in.json = in.json || in.call.JSON
	}
	if bad == nil {
		return nil
	}
	if len(bad.Try) > 0 || len(in.command) > maxCommandBytes {
		return bad
	}
	corrected := words.WithoutProgram(words.Repair(in.command))
	parts := words.Parts(in.command)
	for i, part := range parts {
		parts[i] = words.WithoutProgram(part)
	}
	isCommand := func(part []string) bool { return len(part) > 0 && slices.Equal(s.suggest(part), part) }
	switch {
	case words.IsSubstitution(in.command) && !isCommand(corrected): // the words of another program are not ours
		corrected = nil
	case len(parts) < 2:
	case slices.ContainsFunc(parts[1:], isCommand):
		corrected = parts[0]
		for _, part := range parts[1:] { // one line for each call
			if try := s.suggest(part); len(try) > 0 {
				bad.Alternatives = append(bad.Alternatives, try)
			}
		}
	case !slices.ContainsFunc(slices.Concat(parts[1:]...), s.parse(parts[0]).mayBeCommand):
		corrected = slices.Concat(parts...) // IDs, one a line: the line that has them all
	default:
		corrected = parts[0]
	}
	bad.Try = s.suggest(corrected)
	return bad
}

// mayBeCommand reports whether a word of a part after an operator may belong to another command: it is neither an ID
// nor a section of the command.
func (c Call) mayBeCommand(word string) bool {
	return !words.IsID(word) && !slices.Contains(c.Sections, word)
}

// suggest returns candidate if it can be run, and otherwise a line to try instead, or nil.
func (s *Shell) suggest(candidate []string) []string {
	if len(candidate) == 0 {
		return nil
	}
	call := s.parse(candidate)
	switch {
	case call.Suggest != nil:
		return call.Suggest()
	case call.Refused:
		return nil
	}
	return candidate
}

// missingCommand returns the failure for a call without a command. If another argument holds a command
// line or several words, the failure suggests a line for them.
func (s *Shell) missingCommand(others map[string]any) *result.Failure {
	message, try := "command is missing", []string{"list"}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		text, _ := others[name].(string)
		list, bad := splitCommand(text)
		if bad != nil || len(list) == 0 {
			continue
		}
		line := s.suggest(list)
		if isCommand := slices.Equal(line, list); len(line) > 0 && (isCommand || len(list) > 1) {
			try, message = line, fmt.Sprintf("command is missing; no argument %.40q; arguments: command, json", name)
			if isCommand {
				break
			}
		}
	}
	return result.Invalid(message, try...)
}

// toBool converts true and false, also as strings, to a bool.
func toBool(v any) (value, ok bool) {
	if text, is := v.(string); is {
		text = strings.ToLower(strings.TrimSpace(text))
		return text == "true", text == "true" || text == "false"
	}
	value, ok = v.(bool)
	return value, ok
}

// ignoredArguments returns a notice about the arguments that a tool does not have, or "" if there
// are none.
func ignoredArguments(args map[string]any, known string) string {
	if len(args) == 0 {
		return ""
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		names = append(names, fmt.Sprintf("%.40q", name))
	}
	more := ""
	if n := len(names) - 5; n > 0 {
		names, more = names[:5], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("ignored arguments: %s%s; this tool takes %s", strings.Join(names, ", "), more, known)
}

// withNotice returns r with one more notice. An empty text adds none. The answer of a [Tool] has
// notices only in _meta, because research clients expect a single text block.
func (r Reply) withNotice(text string) Reply {
	if text == "" {
		return r
	}
	r.Notices = append(slices.Clone(r.Notices), text)
	if r.Structured == nil {
		r.Stderr += "notice: " + text + "\n"
	}
	return r
}

func kindOf(v any) string {
	switch v.(type) {
	case bool:
		return "true or false"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	default:
		return "an object"
	}
}
