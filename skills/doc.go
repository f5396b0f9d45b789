// Package skills is what an agent or a newcomer reads to use biomcp well: the
// overview in SKILL.md, and worked examples of what a researcher does, each with the
// commands in order. The texts are part of the program.
//
// A worked example is a file use-cases/NN-slug.md. NN is its number, which stays its
// own when others are added. Its front matter has the title, a sentence of summary,
// what the example is about, which it lends to a question that does not name it (example),
// and the sections of an answer with the words that ask for each. What an agent can follow
// step by step has a slug.ladder.json as well.
//
// The questions that lead to it, with the commands to begin with, are in package asks, which
// makes asks.json of them: [Route] goes by that. Names, dates and settings of a question are
// found by the patterns of words.yaml. Nothing that Route has read changes or grows.
//
// To add one, write its file and its questions; the catalogue, the commands and the
// resources follow, the table of SKILL.md and asks.json by `go run ./build`.
//
// It is not for running anything: package cli does that, and tests that every command
// in these files can be typed.
//
//	e := skills.Find("follow-citations")
//	m, sure := skills.Route("Who cites PMID 32051057?", skills.Here{}) // m[0].Commands[0]: get article 32051057 citedby
package skills
