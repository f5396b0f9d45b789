// Package skills is what an agent or a newcomer reads to use biomcp well: the
// overview in SKILL.md, and worked examples of what a researcher does, each with the
// commands in order. The texts are part of the program.
//
// A worked example is a file use-cases/NN-slug.md. NN is its number, which stays its
// own when others are added. Its front matter has the title, a sentence of summary,
// and what [Route] needs to find it for a question: patterns of words (cues), the two
// commands to begin with, with places for the question's own words (first), the sections
// of an answer with the words that ask for each (sections), and words that ask, and are
// not what is asked about (frame). What an agent can follow step by step has a slug.ladder.json as well.
//
// To add one, write its file; the catalogue, the commands, the resources and the
// table of SKILL.md follow, the last by `go run ./build`.
//
// It is not for running anything: package cli does that, and tests that every command
// in these files can be typed.
//
//	e := skills.Find("follow-citations")
//	m, ok := skills.Route("Who cites PMID 32051057?") // m.Commands[0]: get article 32051057 citedby
package skills
