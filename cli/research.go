package cli

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	cohorts "biomcp/cli/study"
	"biomcp/entrez/cite"
	"biomcp/mcpshell"
	"biomcp/skills"
	"biomcp/store"
	files "biomcp/store/library"
)

const markdownMIME = "text/markdown"

// research lists the files of the research library as resources. Files that cannot be served
// are logged.
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

// maxCompletions is the maximum number of PMIDs to look up: one more than a client receives.
const maxCompletions = 101

// Complete completes a PMID of the corpus, the name of an NCBI database, or an argument of a
// prompt. A prompt argument is completed from the worked example, the studies and PMIDs on this
// machine, and the citation styles. A source that fails adds no completions.
func (l library) Complete(ctx context.Context, ref, argument, prefix string) (values []string, ok bool) {
	e := skills.Find(ref)
	switch {
	case ref == paperURI+"{pmid}" && argument == "pmid":
		return l.pmids(ctx, prefix), true
	case ref == statsURI+"{database}" && argument == "database":
		names, err := l.app.Entrez().Databases(ctx)
		if err != nil {
			l.app.Log.Debug("no completions", "error", err)
		}
		values = slices.Sorted(slices.Values(names))
	case e == nil || e.Slug != ref || !slices.Contains(e.DefaultKinds(), argument):
		return nil, false
	default:
		values = []string{e.DefaultArg(argument)}
		switch argument {
		case "study":
			values = append(values, studyIDs(l.app)...)
		case "style":
			values = append(values, cite.Styles...)
		case "id", "ids":
			values = append(values, l.pmids(ctx, prefix)...)
		}
	}
	prefix = strings.ToLower(prefix)
	values = slices.DeleteFunc(values, func(v string) bool { return !strings.HasPrefix(strings.ToLower(v), prefix) })
	slices.Sort(values)
	return slices.Compact(values), true
}

func (l library) pmids(ctx context.Context, prefix string) (list []string) {
	corpus, err := l.app.Corpus(ctx)
	if err != nil {
		return nil
	}
	pmids, err := corpus.PMIDs(ctx, prefix, maxCompletions)
	if err != nil {
		l.app.Log.Debug("no completions", "error", err)
	}
	for _, p := range pmids {
		list = append(list, p.String())
	}
	return list
}

// studyIDs returns the ids of the studies on this machine, or none if they cannot be read.
func studyIDs(app *command.App) (ids []string) {
	found, err := cohorts.Local(app)
	if err != nil {
		app.Log.Debug("no completions", "error", err)
	}
	for _, s := range found {
		ids = append(ids, s.ID)
	}
	return ids
}
