// Package cli is the command tree, and the one path on which every command runs
// for a person, a script or an agent over MCP.
//
// Follow one command through the program, `biomcp get article 32051057 mesh`:
//
//  1. cmd/biomcp hands the words to [Main], which reads the environment into a
//     [command.App] and finds out whether it writes to a terminal or a pipe.
//  2. parse builds a fresh tree from [Root] (0.2 ms, no disk, no network), once
//     for each call.
//  3. It finds the command, word by word; an unknown word is refused with the
//     nearest valid one.
//  4. It authorises the command by the effect it declares. An agent may go on
//     only with command.Reads, or with the one switch that makes a command read.
//  5. It parses flags and arguments, once. The answer's format, the log and the
//     command all go by this call, also where the line cannot be run.
//  6. The command runs. For an entity this is package cli/entity, which separates
//     ids from sections, fetches the records, then each section.
//  7. Package entrez asks NCBI, in turn with every other biomcp on the machine,
//     and package entrez/pubmed reads the answer.
//  8. The command returns a [result.Result]; an error becomes a
//     [result.Failure] by errors.go alone.
//  9. [result.Render] turns the outcome into bytes: markdown, a terminal layout
//     or JSON. For an agent it is followed by the pictures of the answer's
//     figures and by the notices that a terminal gets on standard error. The MCP
//     server does steps 2 to 9, or gives the answer of an earlier call again that
//     follows from replies which are still the same (kept.go).
//
// # Where to add
//
// A file without a folder is here; the comment of a package says more.
//
//   - an entity: a folder of cli/entity with a function that returns its value,
//     and a line in the function Entities (root.go);
//   - a section or a filter: the Spec of its entity;
//   - another command: a file here, and a line in [Root];
//   - a source: a package entrez/<service> with its simulator in <service>test, a line
//     in entrez/sources and one in entrez/sources/sourcestest;
//   - a local table, which sync brings: a value in entrez/bulk and its name in Sets
//     there, a reader in store/table/sets, and a line in cli/entity/local that pairs them;
//   - an analysis of a study: a file of cli/study, and a line in its Group;
//   - a kind of chart: a file of package charts; commands and gallery offer it wherever
//     there is data of the form that it shows;
//   - a worked example, or skill: a file NN-slug.md of skills/use-cases, and
//     slug.ladder.json where an agent can follow it step by step; there is no list;
//     the questions that suggest answers with it are skills/asks/slug.yaml;
//   - another block of an answer, such as a figure or a list: package cli/result;
//   - a transport for agents: a file of mcpshell next to stdio.go, its command in a file
//     next to serve_http.go, and a line in [Root];
//   - an error code: the table in errors.go.
//
// Help, the command reference, completion, the MCP tool's description and the
// tables of the README follow from the tree (list.go; build/describe.go); after a
// change `go run ./build` writes them. house_test.go holds the floors: imports go
// down.
//
// # Terms
//
//   - agent, person: who runs a command; a [command.Policy];
//   - chunk: a passage of an abstract, about 325 words, that is indexed and found
//     (package rag);
//   - corpus: the documents that sync has stored on this machine (package store);
//   - effect: what a command changes, by which an agent may run it or not;
//   - entity: a kind of record that can be searched or read: article, mesh;
//   - ladder: the commands of a worked example in order (package skills); the answer
//     to the first of them has the others in its _meta;
//   - local table: a data set of an institution, such as GTR, that sync keeps on this
//     machine (package store/table);
//   - lane: sources that share one rate of requests (package entrez/polite);
//   - notice: a sentence about an answer: what was changed, dropped or is missing;
//   - project: a folder of markdown files in the research library (store/library);
//   - query key: the name under which one PubMed query is synced;
//   - section: a part of a record that is asked for by name, after the ids;
//   - segment: an immutable part of the word index, written by one commit and
//     later merged with others (package store);
//   - slot: the time of one request, reserved for all processes of the machine;
//   - tombstone: the mark of a deleted record, which an older version of it does
//     not overwrite;
//   - watermark: the date up to which a query key is completely stored.
package cli
