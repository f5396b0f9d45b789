// Package library keeps a person's research as markdown files in a folder.
//
// The folder holds projects. A project is a folder of files whose names end in .md; folders are not
// nested. A file may begin with front matter, YAML between two lines of three dashes:
//
//	---
//	title: Semaglutide and weight
//	category: obesity
//	tags: [glp-1, weight loss]
//	created: 2026-11-22
//	---
//	# Semaglutide and weight
//
// Missing values come from the project's README.md (category, tags), from the file's first heading
// (title) or from the disk (created). The URI of a file is research://<project>/<file>.
//
// Files are opened through [os.Root], so that no path leads out of the folder. Links are not
// followed, and a name must be spelled exactly as on the disk, including case. A file has at most
// [MaxFile] bytes. Writing replaces it atomically.
//
// Files are read again when they have changed. Package rag/library ranks them for a query.
//
//	files, problems, err := library.New(dir).Files(ctx)
package library
