package cli

import (
	"context"
	"slices"
	"strings"

	"biomcp/mcpshell"
	"biomcp/store"
	files "biomcp/store/library"
)

const markdownMIME = "text/markdown"

// research lists the files of the research library as resources. What cannot be
// served is in the log.
func (l library) research(ctx context.Context) (list []mcpshell.Resource) {
	searcher, err := l.app.Library()
	if err != nil {
		l.app.Log.Warn("the research library is not served", "error", err)
		return nil
	}
	found, problems, err := searcher.Library.Files(ctx)
	if err != nil {
		l.app.Log.Warn("the research library is not served", "error", err)
	}
	if len(problems) > 0 {
		l.app.Log.Debug("files are not served", "problems", problems)
	}
	for i := range found {
		list = append(list, mcpshell.ResearchResource(&found[i]))
	}
	return list
}

// readResearch reads a research:// resource.
func (l library) readResearch(uri string) (text string, found bool, err error) {
	project, name, ok := files.ParseURI(uri)
	if !ok {
		return "", false, nil
	}
	searcher, err := l.app.Library()
	if err != nil {
		return "", true, err
	}
	_, text, err = searcher.Library.Read(project, name)
	if files.IsKind(err, store.NotFound) {
		return "", false, nil
	}
	return text, true, err
}

// maxCompletions is how many PMIDs are looked for: one more than a client gets.
const maxCompletions = 101

// Complete completes a PMID from the corpus, and the name of an NCBI database. Where
// neither can be asked there is nothing to complete with.
func (l library) Complete(ctx context.Context, template, variable, begins string) (values []string, ok bool) {
	switch {
	case template == paperURI+"{pmid}" && variable == "pmid":
		corpus, err := l.app.Corpus(ctx)
		if err != nil {
			return nil, true
		}
		pmids, err := corpus.PMIDs(ctx, begins, maxCompletions)
		if err != nil {
			l.app.Log.Debug("no completions", "error", err)
		}
		for _, p := range pmids {
			values = append(values, p.String())
		}
		return values, true
	case template == statsURI+"{database}" && variable == "database":
		client, err := l.app.Entrez()
		if err != nil {
			return nil, true
		}
		names, err := client.Databases(ctx)
		if err != nil {
			l.app.Log.Debug("no completions", "error", err)
		}
		begins = strings.ToLower(begins)
		return slices.DeleteFunc(slices.Sorted(slices.Values(names)), func(n string) bool { return !strings.HasPrefix(n, begins) }), true
	}
	return nil, false
}
