package mcpshell

import (
	"errors"
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
	call    Call
}

// parseInput parses the arguments of a tool call. An error is a *result.Failure that the caller
// can correct, or errPanic.
func (s *Shell) parseInput(id, tool string, arguments any) (in input, err error) {
	if t := s.tools[tool]; t.Parse != nil {
		defer s.recoverPanic(id, &err)
		return t.parseArguments(arguments)
	}
	args, ok := arguments.(map[string]any)
	if !ok && arguments != nil {
		return in, result.Invalid(`arguments must be an object, such as {"command": "list"}`)
	}
	in.json, ok = args["json"].(bool)
	if v, given := args["json"]; given && !ok {
		return in, result.Invalid(fmt.Sprintf("json must be true or false, not %s", kindOf(v)))
	}
	in.command, ok = args["command"].(string)
	if v, given := args["command"]; given && !ok {
		return in, result.Invalid(fmt.Sprintf("command must be one string, such as \"list\", not %s", kindOf(v)))
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if name != "command" && name != "json" {
			return in, result.Invalid(fmt.Sprintf("no argument %.40q; arguments: command, json", name))
		}
	}
	if !ok {
		return in, result.Invalid("command is missing", "list")
	}
	list, bad := splitCommand(in.command)
	defer s.recoverPanic(id, &err)
	if len(list) > 0 {
		in.call = s.parse(list)
		in.json = in.json || in.call.JSON
	}
	if bad == nil {
		return in, nil
	}
	if len(bad.Try) > 0 || len(in.command) > maxCommandBytes {
		return in, bad
	}
	if corrected := withoutName(words.Repair(in.command)); len(corrected) > 0 && !s.parse(corrected).Refused {
		bad.Try = corrected
	}
	return in, bad
}

// withoutName removes the program's name from the words of a line.
func withoutName(line []string) []string {
	if len(line) > 0 && strings.EqualFold(line[0], toolName) {
		return line[1:]
	}
	return line
}

// splitCommand splits a command line into words and removes the program's name. If it returns a
// failure, the words are only good for detecting the output format.
func splitCommand(command string) ([]string, *result.Failure) {
	var failure *result.Failure
	list, err := words.Split(strings.Trim(command, " \t\r\n"))
	if bad, ok := errors.AsType[*words.Error](err); ok {
		list, failure = bad.Words, result.Invalid(bad.Error())
	}
	if n := len(command); n > maxCommandBytes {
		failure = result.Invalid(fmt.Sprintf("command has %d bytes; at most %d are allowed", n, maxCommandBytes))
	}
	if list = withoutName(list); len(list) == 0 && failure == nil {
		failure = result.Invalid("command is empty", "list")
	}
	return list, failure
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
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

// refusal renders a failure of the shell as a command's failure is rendered.
func refusal(f *result.Failure, json bool) Reply {
	if len(f.Try) == 0 {
		f.Try = result.Argv{"list"}
	}
	var text strings.Builder
	// Writing to a strings.Builder does not fail.
	_ = result.Render(&text, &text, result.Outcome{Failure: f}, result.Format{JSON: json})
	return Reply{Text: text.String(), IsError: true}
}
