package mcpshell

import (
	"errors"
	"fmt"
	"strings"

	"biomcp/cli/result"
	"biomcp/cli/words"
)

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
	if list = words.WithoutProgram(list); len(list) == 0 && failure == nil {
		failure = result.Invalid("command is empty", "list")
	}
	return list, failure
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
