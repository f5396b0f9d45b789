// Package cli holds the command tree and runs every command, in the same way for a
// person, a script or an agent over MCP.
//
// Follow one command through the program, `biomcp get article 32051057 mesh`:
//
//  1. cmd/biomcp passes the words to [Main], which reads the environment into a
//     [command.App] and detects whether standard output is a terminal or a pipe.
//  2. parse reads the words with a fresh tree from [Root], built for each call
//     (0.2 ms, no disk, no network).
//  3. It finds the command, word by word. If a word is unknown, it suggests the
//     nearest valid one. Words that are no command, such as an ID, a question or a
//     name, run the command that they imply (implied.go).
//  4. It authorises the command by its declared effect. An agent may run only
//     commands with the effect command.Reads, or with the one switch that makes
//     a command read.
//  5. It parses flags and arguments, once. The output format, the log and the
//     command all use this call, even if the line cannot be run.
//  6. The command runs. For an entity this is package cli/entity, which separates
//     ids from sections, fetches the records, then each section.
//  7. Package entrez queries NCBI, sharing one rate limit with every other biomcp
//     on the machine, and package entrez/pubmed parses the reply.
//  8. The command returns a [result.Result]. If it fails, errors.go converts the
//     error to a [result.Failure].
//  9. [result.Render] turns the outcome into bytes: markdown, a terminal layout
//     or JSON. An agent also receives the pictures of the answer's figures and
//     the notices that a terminal prints on standard error. The MCP server runs
//     steps 2 to 9, or returns a stored answer whose source replies have not
//     changed (kept.go).
//
// Help, the command reference, completion, the MCP tool's description and the
// tables of the README are generated from the tree (list.go; build/generate/describe.go) by
// `go run ./build`. house_test.go enforces the layers: a package imports only lower
// ones.
//
// The comment of [Root] says where to add a command, an entity or a source. The end of
// this file explains the terms.
package cli

// Terms:
//
//   - agent, person: the kinds of caller; a [command.Policy];
//   - chunk: an indexed passage of an abstract, about 325 words (package rag);
//   - corpus: the documents that sync has stored on this machine (package store);
//   - effect: the changes that a command makes; it decides whether an agent may run it;
//   - entity: a kind of record that can be searched or read: article, mesh;
//   - ladder: the commands of a worked example in order (package skills); the answer
//     to the first one lists the others in its _meta;
//   - local table: a data set of an institution, such as GTR, that sync stores on this
//     machine (package store/table);
//   - lane: a group of sources that share one rate limit (package entrez/httpclient);
//   - notice: a sentence about changed, dropped or missing parts of an answer;
//   - project: a folder of markdown files in the research library (store/library);
//   - query key: the name under which one PubMed query is synced;
//   - section: a part of a record, requested by name after the ids;
//   - segment: an immutable part of the word index, written by one commit and
//     later merged with others (package store);
//   - slot: the time of one request, reserved across all processes of the machine;
//   - tombstone: the mark of a deleted record, which older versions of the record
//     cannot overwrite;
//   - watermark: the date up to which a query key is completely stored.
