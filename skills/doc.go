// Package skills contains the guide for agents and new users and suggests commands for
// questions. The guide consists of an overview, SKILL.md, and worked examples, each with the
// commands for a task in order. The texts are embedded in the program.
//
// A worked example is a file use-cases/NN-slug.md. NN is its permanent number. The front
// matter contains the title, a summary of one sentence, default names for questions
// that name none (example), and the sections of an answer with patterns of the words that
// ask for each. If an agent can follow the example step by step, there is a
// slug.ladder.json as well.
//
// Package intents contains questions for each worked example with the first commands that
// answer them, and compiles them into intents.json, which [Route] uses. The patterns in
// words.yaml find names, dates and settings in a question. Route does not modify any of
// this data.
//
// To add a worked example, write its file and its questions and run `go run ./build`,
// which updates the table of SKILL.md and intents.json.
//
// The package does not run commands. Package cli does, and its tests parse every
// command in these files.
//
//	e := skills.Find("follow-citations")
//	m, sure := skills.Route("Who cites PMID 32051057?", skills.Environment{})
//	// m[0].Commands[0] is "get article 32051057 citedby".
package skills
