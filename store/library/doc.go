// Package library keeps a person's research as markdown files in a folder.
//
// The folder holds projects, each a folder of files whose names end in .md; there
// is one level of folders. A file may begin with front matter, YAML between two
// lines of three dashes:
//
//	---
//	title: Semaglutide and weight
//	category: obesity
//	tags: [glp-1, weight loss]
//	created: 2026-11-22
//	---
//	# Semaglutide and weight
//
// What a file does not say comes from the project's README.md (category, tags),
// from its first heading (title) or from the disk (created). A file has the URI
// research://<project>/<file>.
//
// Files are reached by name through [os.Root], and by no other spelling of the
// name: no path leads out of the folder, links are not followed, and a name must
// be written as the folder has it, case included. A file is at most [MaxFile]
// bytes; writing replaces it at once or not at all.
//
// Files are read again when they have changed. Ranking them for a query is the work
// of package rag/library.
//
//	files, problems, err := library.New(dir).Files(ctx)
package library
