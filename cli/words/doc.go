// Package words splits one line into the words of a command as a POSIX shell
// would, and quotes words back into such a line. It neither runs a shell nor
// expands anything.
//
// The MCP tool parses its command with this package, and every suggested
// follow-up command is printed with it. An id that contains quotes, spaces or a
// semicolon therefore stays one word on both sides.
//
// There are no variables, globs, tildes or comments. A character that would make
// a shell do something (a pipe, a redirection, a second command, a substitution)
// is an [Error] rather than text.
//
//	words.Split(`get article 22663011 --style 'bibtex'`)
//	// [get article 22663011 --style bibtex]
//	words.Quote([]string{"search", "article", "Alzheimer's disease"})
//	// search article 'Alzheimer'\''s disease'
package words
