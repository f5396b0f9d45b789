// Package words splits one line into the words of a command as a POSIX shell
// would, and quotes words back into such a line. It runs no shell and expands
// nothing.
//
// It is what the MCP tool reads its command with, and what every suggested
// follow-up command is printed with, so that an id which holds quotes, spaces
// or a semicolon stays one word on both sides.
//
// It is not a shell: no variables, no globs, no tilde, no comments. A character
// that would make a shell do something (a pipe, a redirection, a second
// command, a substitution) is refused with an [Error] instead of being passed
// on as text.
//
//	words.Split(`get article 22663011 --style 'bibtex'`)
//	// [get article 22663011 --style bibtex]
//	words.Quote([]string{"search", "article", "Alzheimer's disease"})
//	// search article 'Alzheimer'\''s disease'
package words
