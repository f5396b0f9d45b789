package library

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/article"
	"biomcp/cli/result"
	"biomcp/store"
	"biomcp/store/library"
)

// Commands returns the commands that add files to the library.
func Commands() *command.Command {
	return &command.Command{
		Use: "library", Purpose: command.Keep, Noun: "command", Short: "Keep findings as markdown files, in projects",
		Help: command.Help{
			Purpose: "The library is a folder (BIOMCP_LIBRARY_DIR) of projects, each a folder of markdown files. " +
				"Write in it with any editor: " +
				"search library and get library read these files, and an MCP client gets them as " +
				"research:// resources.",
			Input: "Begin with a project: biomcp library init glp1-obesity. Then keep articles in it with " +
				"library add, and notes as files ending in .md, " +
				"which may begin with title, category, tags and created between two lines of ---.",
		},
		Commands: []*command.Command{
			{
				Use: "init <project>", Synonyms: []string{"new", "create", "begin", "project"},
				Short: "Begin a project of your research library",
				Help: command.Help{
					Input: "A name of lower-case letters, digits, - and _.",
					Output: "A folder with a README.md, whose category and tags apply to every file of the " +
						"project without its own.",
				},
				Effect: command.Stores,
				Args:   command.Args{Min: 1, Max: 1, Name: "the name of a project", FreeText: true},
				Flags: func(f *command.Flags) {
					f.String("title", "", "title of the project")
					f.String("category", "", "category of its files")
					f.Strings("tag", "tag of its files")
				},
				Examples: []command.Example{{
					Line:        `biomcp library init glp1-obesity --title "GLP-1 and obesity" --tag glp-1`,
					Explanation: "a project with a README.md",
				}},
				Run: initProject,
			},
			{
				Use: "add <project> --from-articles <pmid|pmcid|doi>...", Synonyms: []string{"save", "keep"},
				Short: "Keep PubMed articles in a project",
				Help: command.Help{
					Input: "A project, and PMIDs, PMCIDs or DOIs, separated by commas or spaces; - reads any " +
						"number from standard input, --ids-from from a file.",
					Output: "One file pmid-<n>.md an article: citation, abstract and terms, a retraction " +
						"first, and its main subjects as tags.",
					Surprises: "A file that exists is not overwritten, because you may have changed it; --force " +
						"overwrites it.",
				},
				Effect: command.Stores,
				Args: command.Args{
					Min: 1, Max: -1, Name: "a project, then articles", Synonyms: "project to into", Completion: "project",
				},
				Flags: func(f *command.Flags) {
					f.Strings("from-articles", "articles to keep: PMIDs, PMCIDs or DOIs")
					entity.DefineIDsFrom(f)
					f.Bool("force", false, "overwrite files that exist")
				},
				Examples: []command.Example{{
					Line:        "biomcp library add glp1-obesity --from-articles 32051057,31452104",
					Explanation: "two articles as markdown files, or as many as you name",
				}},
				Check: checkArticles, Run: addArticles,
			},
		},
	}
}

// filesAnswer is the answer of library init and library add: the files written, and those that
// already existed.
type filesAnswer struct {
	Project string   `json:"project"`
	Files   []string `json:"files"`
	Skipped []string `json:"skipped"`
}

func (f *filesAnswer) Doc() result.Doc {
	written := cmp.Or(strings.Join(f.Files, ", "), "nothing")
	return result.Doc{result.Heading{Level: 1, Text: f.Project}, result.Fields{
		{Name: "Written", Value: written}, {Name: "Already there", Value: strings.Join(f.Skipped, ", ")},
	}}
}

func (f *filesAnswer) add(name string, written bool) {
	if written {
		f.Files = append(f.Files, name)
	} else {
		f.Skipped = append(f.Skipped, name)
	}
}

const readme = "README.md"

func initProject(_ context.Context, in *command.Input) (*result.Result, error) {
	searcher, err := in.App.Library()
	if err != nil {
		return nil, err
	}
	done := &filesAnswer{Project: in.Args[0]}
	written, err := searcher.Library.Init(done.Project, library.FrontMatter{
		Title: in.String("title"), Category: in.String("category"), Tags: in.Strings("tag"), Created: in.App.Now(),
	})
	if library.IsKind(err, store.Invalid) {
		if name := library.ProjectName(done.Project); name != "" {
			return nil, result.Invalid(err.Error(), in.Line([]string{name})...)
		}
		return nil, result.Invalid(err.Error(), "library", "init", "--help")
	}
	if err != nil {
		return nil, err
	}
	done.add(readme, written)
	res := &result.Result{
		Payload: done,
		Next:    []result.Argv{{"get", "library", done.Project + "/" + readme}, {"library", "add", "--help"}},
	}
	res.Notice("your own notes, markdown files, go into " + filepath.Join(in.App.Env.LibraryDir, done.Project))
	if !written {
		res.Notice("the project has a README.md, which was not changed")
	}
	return res, nil
}

// needsArticles is the message for library add without ids.
const needsArticles = "library add requires --from-articles with PMIDs, PMCIDs or DOIs, or - for a list"

// checkArticles requires --from-articles or a list. It suggests the flag for ids among the words.
func checkArticles(in *command.Input) error {
	isList := slices.Contains(in.Args[min(1, len(in.Args)):], "-")
	if in.Given("from-articles") || in.Given("ids-from") || isList {
		return nil
	}
	try := result.Argv{"library", "add", "--help"}
	var ids, project []string
	for _, w := range in.Args {
		if article.IsID(w) {
			ids = append(ids, w)
		} else {
			project = append(project, w)
		}
	}
	if len(ids) > 0 && len(project) == 1 {
		try = in.Line(project, "--from-articles", strings.Join(ids, ","))
	}
	return result.Invalid(needsArticles, try...)
}

// articleIDs returns the ids of the flag --from-articles and of the list that the line names.
func articleIDs(in *command.Input) (ids, notices []string, err error) {
	if from := in.Strings("from-articles"); slices.Contains(from, "-") {
		in = in.WithArgs(append(slices.Clone(in.Args), "-"))
	}
	args, text, _, err := entity.ReadIDList(in)
	if err != nil {
		return nil, nil, err
	}
	list, notices, err := article.ReadIDs(text)
	if err != nil {
		return nil, nil, err
	}
	typed := slices.DeleteFunc(slices.Concat(in.Strings("from-articles"), args[1:]),
		func(w string) bool { return w == "-" })
	ids = entity.Unique(append(entity.SplitIDs(strings.Join(typed, " "), article.IsID), list...))
	bad := slices.DeleteFunc(slices.Clone(ids), article.IsID)
	try := result.Argv{"library", "add", "--help"}
	switch good := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !article.IsID(id) }); {
	case len(ids) == 0:
		return nil, nil, result.Invalid(needsArticles, try...)
	case len(bad) > 0 && len(good) > 0 && text == "":
		try = in.Line(args[:1], "--from-articles", strings.Join(good, ","))
		fallthrough
	case len(bad) > 0:
		return nil, nil, result.Invalid("not a PMID, PMCID or DOI: "+command.Abbreviate(bad), try...)
	}
	return ids, notices, nil
}

func addArticles(ctx context.Context, in *command.Input) (*result.Result, error) {
	project := in.Args[0]
	if err := checkArticles(in); err != nil {
		return nil, err
	}
	searcher, err := in.App.Library()
	if err != nil {
		return nil, err
	}
	if err := checkProject(in, searcher.Library, project); err != nil {
		return nil, err
	}
	ids, notices, err := articleIDs(in)
	if err != nil {
		return nil, err
	}
	found, err := article.Records(ctx, in, ids)
	if err != nil {
		return nil, err
	}
	if len(found.Records) == 0 && found.Problem != nil {
		return nil, found.Problem
	}
	if len(found.Records) == 0 {
		return nil, result.Missing("no article found for "+command.Clip(strings.Join(found.Missing, ", ")), "get",
			"article", "--help")
	}
	res := &result.Result{Notices: slices.Concat(notices, found.Notices, found.LostNotices())}
	if absent := found.Absent(); len(absent) > 0 {
		res.Notice("not found: " + strings.Join(absent, ", "))
	}
	done := &filesAnswer{Project: project}
	res.Payload = done
	for _, a := range found.Records {
		name := "pmid-" + a.PMID + ".md"
		written, err := writeNote(searcher.Library, project, name, a, in)
		if err != nil {
			return nil, err
		}
		done.add(name, written)
	}
	if len(done.Skipped) > 0 {
		// Not suggested as a next command, because running it unread would lose the user's notes.
		res.Notice("not written, because they exist: " + strings.Join(done.Skipped, ", ") +
			"; --force overwrites them and your changes")
	}
	first := slices.Concat(done.Files, done.Skipped)[0]
	res.Next = append(res.Next, result.Argv{"get", "library", project + "/" + first}, result.Argv{
		"search", "library", "--project", project,
	})
	return res, nil
}

// checkProject rejects a project that does not exist.
func checkProject(in *command.Input, l *library.Library, project string) error {
	names, err := l.Projects()
	if err != nil || slices.Contains(names, project) {
		return err
	}
	try := []string{"library", "init", library.ProjectName(project)}
	if try[2] == "" {
		try = []string{"library", "init", "--help"}
	}
	message := fmt.Sprintf("the library has no project %q", command.Clip(project))
	if near := command.Nearest(project, names); near != "" {
		message += command.Guess(near)
		try = in.Line(append([]string{near}, in.Args[1:]...))
	}
	return result.Missing(message, try...)
}

// writeNote writes the note of an article to a file.
func writeNote(
	l *library.Library, project, name string, a *article.Article, in *command.Input,
) (written bool, err error) {
	note, err := article.NoteOf(a)
	if err != nil {
		return false, err
	}
	var body bytes.Buffer
	if err := result.Render(&body, io.Discard, result.Outcome{Result: &result.Result{Payload: note}},
		result.Format{}); err != nil {
		return false, err
	}
	return l.Write(project, name, library.FrontMatter{Title: note.Title, Tags: note.Tags, Created: in.App.Now()},
		body.String(), in.Bool("force"))
}
