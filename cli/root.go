package cli

import (
	"sync"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/article"
	"biomcp/cli/entity/corpus"
	"biomcp/cli/entity/database"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/disease"
	"biomcp/cli/entity/drug"
	"biomcp/cli/entity/gene"
	research "biomcp/cli/entity/library"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/mesh"
	"biomcp/cli/entity/pgx"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/entity/trial"
	"biomcp/cli/entity/vaccine"
	"biomcp/cli/entity/variant"
	cohorts "biomcp/cli/study"
)

// Entities returns every entity, in the order of the help.
func Entities() []entity.Entity {
	return []entity.Entity{
		article.Entity(),
		gene.Entity(),
		disease.Entity(),
		variant.Entity(),
		mesh.Entity(),
		article.Citation(),
		spelling.Entity(),
		article.IDs(),
		database.Entity(),
		trial.Entity(),
		drug.Entity(),
		corpus.Entity(),
		corpus.Document(),
		corpus.Checkpoint(),
		research.Entity(),
		diagnostic.Entity(),
		vaccine.Entity(),
		pgx.Entity(),
		local.Entity(),
	}
}

// NewTree builds a fresh tree of all commands. It reads no disk, environment or network.
func NewTree() *command.Tree {
	declared.once.Do(func() { declared.root = Root(Entities()) })
	return command.NewTree(declared.root)
}

// declared holds the root command with all entities. All trees share it, and none changes it.
var declared struct {
	once sync.Once
	root *command.Command
}

// Root returns the root command, which holds every command of the given entities and all
// others.
//
// # Where to add
//
// A file named without a folder is in this package; see also the package comments.
//
//   - an entity: a folder of cli/entity with a function that returns its value,
//     and a line in [Entities];
//   - a section or a filter: the Spec of its entity;
//   - another command: a file here, and a line in Root;
//   - a source: a package entrez/<service> with its simulator in <service>test, a line
//     in entrez/sources and one in entrez/sources/sourcestest;
//   - a local table, downloaded by sync: a value in entrez/bulk and its name in Sets
//     there, a reader in store/table/sets, and a line in cli/entity/local that pairs them;
//   - an analysis of a study: a file of cli/study, and a line in its Group;
//   - a kind of chart: a file of package charts; every command whose data has the form
//     that the chart shows offers it, and so does the gallery;
//   - a worked example, or skill: a file NN-slug.md in skills/use-cases, slug.ladder.json
//     if an agent can follow it step by step, and the questions that it answers in
//     skills/intents/slug.yaml;
//   - a new block of an answer, such as a figure or a list: package cli/result;
//   - a transport for agents: a file of mcpshell next to stdio.go, its command in a file
//     next to serve_http.go, and a line in Root;
//   - an error code: the table in errors.go.
func Root(entities []entity.Entity) *command.Command {
	return &command.Command{
		Use:   "biomcp",
		Short: "Search and read the biomedical literature, for people, scripts and agents",
		Help: command.Help{
			Purpose: "One grammar for everything: search an entity to find ids, get an id to read it, " +
				"name sections to read more. The same commands run in a terminal, in a script with --json, " +
				"and over MCP through one read-only tool.",
			Output: "Markdown when piped, a layout for reading on a terminal, exactly one JSON document with --json. " +
				"Exit status 0 for an answer (even an empty or a partial one), 1 for a failure, 2 for an invalid " +
				"command line.",
		},
		Examples: []command.Example{
			{Line: `biomcp suggest "Is TP53 mutated in breast cancer?"`, Explanation: "the commands for a question"},
			{Line: "biomcp search article melanoma --gene BRAF --review --last 5y", Explanation: "recent reviews"},
			{Line: "biomcp get gene BRAF diseases", Explanation: "a record, with a section of it"},
		},
		Flags: func(f *command.Flags) { f.Bool("version", false, "print the version, as the command does") },
		Noun:  "command",
		Commands: append(entity.Groups(append(entities, searchAll())),
			cohorts.Group(), research.Commands(), suggest(), discover(), batch(entities), skillGroup(), cacheGroup(),
			demo(), list(), health(entities), configGroup(), version(), serve(), serveHTTP(), mcpConfig(), completion(), man(),
			selfUpdate(), uninstall(),
		),
	}
}
