package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/rag/intake"
	"biomcp/store"
)

// syncCommands returns the commands that fill the local corpus and keep it current.
func syncCommands() []*command.Command {
	return []*command.Command{
		{
			Use: "pubmed --query-key <key> [--term <query>] | --all-keys | --from <path>... | --all",
			Synonyms: []string{
				"article", "medline", "corpus", "baseline", "update", "refresh", "watch", "subscribe", "alert",
			},
			Short: "Bring PubMed records into the local corpus",
			Help: command.Help{
				Purpose: "--query-key and --term keep a query current: they fetch the records that NCBI has added, " +
					"changed or dated back since the last time (a delta). A key that was synced before needs no " +
					"--term, and --all-keys syncs all of them.\n" +
					"--from imports files without a network: baseline, update files or EFetch replies, plain or " +
					"gzipped.\n" +
					"--all keeps all of PubMed: the baseline of the year from NLM's file server, then the " +
					"update files of each day.",
				Input: "One of the four forms above; files and folders after --from.",
				Output: "How many records were inserted, updated and skipped, and what a delta added, changed or " +
					"found retracted since the last one. If stopped, it keeps the records already stored, and " +
					"the next run continues.",
				Surprises: "Every day by cron: @daily biomcp sync pubmed --all-keys --quiet; or by systemd: systemd-run " +
					"--user --on-calendar=daily biomcp sync pubmed --all-keys --quiet.\n" +
					"--all-keys goes on after a key that fails, and then exits 1 with its name.\n" +
					"A delta moves its watermark only when the whole window was stored; otherwise it exits 1 and lists " +
					"the missing records. An import moves no watermark.\n" +
					"Citations that PubMed deleted are removed by its update files, in whatever order they are " +
					"imported. A delta only names the documents that PubMed no longer has.\n" +
					"--all first prints the size of the download and of the disk space needed (" +
					intake.MirrorDiskText() + ").\n" +
					"In a new year the new baseline replaces the old one record by record; records that it no longer " +
					"holds are removed after the whole import.",
			},
			Effect: command.Stores, OwnProgress: true,
			Check: func(in *command.Input) error {
				subjects := []string{"query-key", "term", "all-keys", "from", "all"}
				if len(in.Args) == 0 && !slices.ContainsFunc(subjects, in.Given) {
					return noQueryError("--all-keys") // sync update means --all-keys
				}
				if len(in.Args) > 0 && !in.Given("from") && !in.Bool("all") && !in.Bool("all-keys") {
					return bareWordsError(context.Background(), in)
				}
				named := slices.ContainsFunc([]string{"query-key", "all-keys", "from", "all"}, in.Given)
				if term := strings.TrimSpace(in.String("term")); term != "" && !named {
					return bareWordsError(context.Background(), in.WithArgs([]string{term}))
				}
				return nil
			},
			Args: command.Args{Max: -1, Name: "files and folders after --from"},
			Flags: func(f *command.Flags) {
				f.String("query-key", "", "the name of a query to keep current")
				f.String("term", "", "the query, in PubMed's syntax")
				f.AddSynonyms("query-key", "key", "name", "id")
				f.AddSynonyms("term", "query", "q", "search")
				f.Bool("all-keys", false, "a delta of every query that was synced before, one after the other")
				f.AddSynonyms("all-keys", "every-key", "update-all")
				f.Excludes("all-keys", "it syncs the queries that were synced before", "query-key", "term", "from", "all")
				f.Int("overlap-days", intake.DefaultOverlapDays, "how many days before its watermark a delta begins")
				f.Strings("from", "a file or folder of PubMed XML")
				f.HostOnly("from")
				f.Excludes("from", "it reads files", "query-key", "term")
				mirrorFlags(f)
				f.Bool("no-vectors", false,
					"do not make vectors; sync embeddings makes them later, which is faster for a large import")
			},
			Examples: []command.Example{
				{
					Line:        `biomcp sync pubmed --query-key glp1 --term "GLP-1 receptor agonist AND obesity"`,
					Explanation: "keep a query on this machine",
				},
				{Line: "biomcp sync pubmed --all-keys", Explanation: "bring every query up to date"},
				{Line: "biomcp sync pubmed --from baseline/", Explanation: "import a folder of PubMed's baseline"},
				{Line: "biomcp sync pubmed --all --no-vectors", Explanation: "all of PubMed; run again, only new records"},
			},
			Run: runSyncPubMed,
		},
		{
			Use: "embeddings", Synonyms: []string{"vectors", "embed", "model", "reembed"},
			Short: "Make the vectors of the local corpus",
			Help: command.Help{
				Purpose: "The local model is fitted on the corpus itself, without a download. A sync fits it again " +
					"when the corpus has grown by half; this command does when any record has changed, so that " +
					"the same records give the same answers in whatever order they came.\n" +
					"With BIOMCP_EMBEDDINGS=openai or hf a service makes vectors next to it, and with static a " +
					"table of token vectors (BIOMCP_EMBEDDINGS_MODEL); after such a change this command makes " +
					"every vector again.",
				Output: "The model, and how many vectors were made. The model takes two thirds of the disk space " +
					"of a few thousand records, but at most 40 MB.",
				Surprises: "Searches use the old vectors until the last new one is made. If stopped, the next run " +
					"continues.\n" +
					"From 100,000 passages on, a search compares only the likeliest vectors, and which these " +
					"are depends a little on the order of import.",
			},
			Effect: command.Stores, OwnProgress: true,
			Flags: func(f *command.Flags) {
				f.Bool("refit", false, "fit the local model again even if no record has changed")
			},
			Examples: []command.Example{{Line: "biomcp sync embeddings", Explanation: "bring the vectors up to date"}},
			Run:      runSyncEmbeddings,
		},
		{
			Use: "index", Synonyms: []string{"weaviate"},
			Short: "Copy the local corpus to a Weaviate server",
			Help: command.Help{
				Purpose: "With BIOMCP_INDEX=weaviate and WEAVIATE_URL set, copies every chunk of the corpus " +
					"with its vector to the server, and removes chunks there that the corpus does not hold. " +
					"Later syncs update both.",
				Output: "How many documents were copied.",
				Surprises: "The corpus file keeps everything: BIOMCP_INDEX=embedded searches it again. If " +
					"stopped, the next run continues.",
			},
			Effect: command.Stores, OwnProgress: true,
			Examples: []command.Example{{Line: "biomcp sync index", Explanation: "search in Weaviate from now on"}},
			Run:      runSyncIndex,
		},
		listCommand(),
		repairCommand(),
	}
}

// syncReport is the answer of pubmed.sync_delta.
type syncReport struct {
	intake.Report

	key     string // query key of a delta
	preview *news  // first documents of each kind; nil if there are none
}

func (syncReport) SchemaBound() {}

// next returns the commands of a delta that lists every record, if the query lost documents that are
// not known.
func (r syncReport) next() []result.Argv {
	if r.Unlisted == 0 {
		return nil
	}
	return []result.Argv{{"sync", "checkpoint", r.key, "1900-01-01T00:00:00Z"}, {"sync", "pubmed", "--query-key", r.key}}
}

func (r syncReport) records() result.Fields {
	return result.Fields{{
		Name:  "Records",
		Value: fmt.Sprintf("%d: %d inserted, %d updated, %d skipped", r.Processed, r.Inserted, r.Updated, r.Skipped),
	}}
}

// news renders the first changes, with headings level levels below the second.
func (r syncReport) news(level int) result.Doc {
	if r.preview == nil {
		return nil
	}
	return r.preview.doc(level, result.Argv{"sync", "list", r.key}.String(), len(r.News.Added),
		len(r.News.Changed), len(r.News.Retracted))
}

func (r syncReport) Doc() result.Doc {
	fields := r.records()
	if r.Deleted > 0 {
		fields = append(fields, result.Field{Name: "Deleted", Value: fmt.Sprint(r.Deleted)})
	}
	if r.MaxEDAT != nil {
		fields = append(fields, result.Field{Name: "Newest entry date", Value: *r.MaxEDAT})
	}
	fields = append(fields,
		result.Field{Name: "Watermark", Value: r.Watermark}, result.Field{Name: "Vectors", Value: r.Vectors},
		result.Field{Name: "Job", Value: r.JobID})
	doc := append(result.Doc{result.Heading{Level: 1, Text: "Sync"}, fields}, r.news(0)...)
	return append(doc, r.notes(0)...)
}

// notes renders the warnings, with a heading level levels below the second.
func (r syncReport) notes(level int) result.Doc {
	if len(r.Warnings) == 0 {
		return nil
	}
	return result.Doc{result.Heading{Level: 2 + level, Text: "Notes"}, result.List{Items: r.Warnings}}
}

// noQueryError returns an error for a sync that names nothing to sync; it suggests flag.
func noQueryError(flag string) error {
	return result.Invalid("sync pubmed requires --query-key and --term, or --all-keys, or --from, or --all",
		"sync", "pubmed", flag)
}

// bareWordsError rejects bare words and suggests their flags: --from for files, --query-key
// for a stored query, and --term for a new query.
func bareWordsError(ctx context.Context, in *command.Input) *result.Failure {
	word, text := in.Args[0], strings.Join(in.Args, " ")
	if _, err := os.Stat(word); !in.Given("term") && (err == nil || strings.ContainsAny(word, "/.")) {
		return result.Invalid(fmt.Sprintf("files must follow --from: %q", command.Clip(word)), "sync", "pubmed",
			"--from", word)
	}
	key := cmp.Or(in.String("query-key"), strings.ReplaceAll(strings.ToLower(text), " ", "-"))
	pairs := []string{"--query-key", key}
	term, _ := storedTerm(ctx, in, key) // "" also if the corpus cannot be read
	switch {
	case in.Given("query-key") && (in.Given("term") || term != ""):
		return result.Invalid(fmt.Sprintf("the whole query must follow --term, in quotes: %q is outside of it",
			command.Clip(text)), "sync", "pubmed", "--help")
	case in.Given("term") || term == "":
		pairs = append(pairs, "--term", cmp.Or(in.String("term"), text))
	}
	line := in.WithArgs(nil, "query-key", "term").LineWith(pairs...)
	return result.Invalid(fmt.Sprintf("a query must follow --term, and its name --query-key: %q", command.Clip(word)),
		line...)
}

// storedTerm returns the stored term of a query key, or "" if it was never synced.
func storedTerm(ctx context.Context, in *command.Input, key string) (string, error) {
	corpus, err := in.App.Corpus(ctx)
	if store.IsKind(err, store.NotFound) {
		return "", nil
	}
	var keys []store.QueryKey
	if err == nil {
		keys, err = corpus.QueryKeys(ctx)
	}
	k, _ := keyOf(keys, key)
	return k.Term, err
}

// checkSync returns an error unless the line names what to sync: every key, files, or a query with its
// name. The flags that exclude each other were checked before.
func checkSync(ctx context.Context, in *command.Input, key, term string) error {
	switch {
	case in.Bool("all"):
		return nil
	case in.Bool("all-keys") && len(in.Args) > 0:
		return result.Invalid(fmt.Sprintf("--all-keys takes no file, folder or query: %q", command.Clip(in.Args[0])),
			"sync", "pubmed", "--all-keys")
	case in.Bool("all-keys"):
		return checkOverlap(in)
	case in.Given("from"):
		return checkFiles(in)
	case len(in.Args) > 0:
		return bareWordsError(ctx, in)
	case in.Given("term") && !in.Given("query-key") && strings.TrimSpace(term) != "":
		return bareWordsError(ctx, in.WithArgs([]string{term}))
	case key == "" || strings.TrimSpace(term) == "":
		return noQueryError("--help")
	}
	return cmp.Or(checkOverlap(in), checkReserved(key, "sync", "pubmed", "--all"))
}

func checkOverlap(in *command.Input) error {
	if n := in.Int("overlap-days"); n < 0 || n > 36500 {
		return result.Invalid(fmt.Sprintf("--overlap-days must be between 0 and 36500, not %d", n), "sync", "pubmed", "--help")
	}
	return nil
}

// checkFiles returns an error unless --from and the arguments are files and folders that exist.
func checkFiles(in *command.Input) error {
	from := append(in.Strings("from"), in.Args...)
	if len(from) == 0 {
		return result.Invalid("--from requires a file or a folder", "sync", "pubmed", "--help")
	}
	if err := checkOverlap(in); err != nil {
		return err
	}
	for _, f := range from {
		if _, err := os.Stat(f); err != nil {
			return result.Invalid(fmt.Sprintf("there is no file or folder %q to read", command.Clip(f)),
				"sync", "pubmed", "--help")
		}
	}
	return nil
}

func runSyncPubMed(ctx context.Context, in *command.Input) (*result.Result, error) {
	from := append(in.Strings("from"), in.Args...)
	if err := checkMirror(in); err != nil {
		return nil, err
	}
	key, term := strings.TrimSpace(in.String("query-key")), in.String("term")
	if key != "" && !in.Given("term") {
		var err error
		if term, err = storedTerm(ctx, in, key); err != nil {
			return nil, err
		}
	}
	if err := checkSync(ctx, in, key, term); err != nil {
		return nil, err
	}
	options, err := in.App.Intake(ctx)
	if err != nil {
		return nil, err
	}
	show, done := progress(in)
	options.Progress, options.NoVectors = show, in.Bool("no-vectors")
	var report intake.Report
	switch {
	case in.Bool("all"):
		report, err = runMirror(ctx, in, options)
	case in.Bool("all-keys"):
		res, err := syncAllKeys(ctx, in, options, in.App.Entrez())
		done()
		return res, err
	case len(from) > 0:
		report, err = intake.Import(ctx, options, from...)
	default:
		report, err = intake.Delta(ctx, options, in.App.Entrez(), intake.Query{
			Key: key, Term: term, OverlapDays: in.Int("overlap-days"),
		})
	}
	done()
	if _, incomplete := errors.AsType[*intake.Incomplete](err); err != nil && !incomplete {
		return nil, err
	}
	answer := syncReport{Report: report, key: key}
	if answer.key != "" {
		var failed error
		answer.preview, failed = readNews(context.WithoutCancel(ctx), options.Store, report.News, maxNews)
		if failed != nil {
			return nil, failed
		}
	}
	return &result.Result{Payload: answer, Next: answer.next()}, err // an incomplete sync also reports the part it stored
}

// embeddingsAnswer is the answer of sync embeddings.
type embeddingsAnswer struct{ intake.EmbedResult }

func (v embeddingsAnswer) Doc() result.Doc {
	fields := result.Fields{{Name: "Vectors", Value: v.EmbedResult.String()}}
	if v.Model != "" {
		fields = append(fields,
			result.Field{Name: "Model", Value: fmt.Sprintf("%s, %d dimensions", v.Model, v.Dimension)},
			result.Field{Name: "In all", Value: fmt.Sprint(v.Vectors)},
			result.Field{Name: "Replaced", Value: v.Replaced})
	}
	return result.Doc{result.Heading{Level: 1, Text: "Embeddings"}, fields}
}

func runSyncEmbeddings(ctx context.Context, in *command.Input) (*result.Result, error) {
	options, err := in.App.Intake(ctx)
	if err != nil {
		return nil, err
	}
	show, done := progress(in)
	options.Progress = show
	made, err := intake.UpdateVectors(ctx, options, in.Bool("refit"))
	done()
	if err != nil {
		return nil, err
	}
	return &result.Result{Payload: embeddingsAnswer{made}}, nil
}

// indexAnswer is the answer of sync index.
type indexAnswer struct{ intake.MoveResult }

func (m indexAnswer) Doc() result.Doc {
	return result.Doc{result.Heading{Level: 1, Text: "Index"}, result.Fields{
		{Name: "Copied to the engine", Value: english.Plural(int(m.Documents), "document", "")},
		{Name: "Copied by an earlier run", Value: fmt.Sprint(m.Before)},
		{Name: "Removed there", Value: fmt.Sprint(m.Removed)},
	}}
}

func runSyncIndex(ctx context.Context, in *command.Input) (*result.Result, error) {
	if in.App.Env.Index == "embedded" {
		return nil, result.Invalid("the corpus file is the index; set BIOMCP_INDEX=weaviate and WEAVIATE_URL to "+
			"copy it to Weaviate",
			"sync", "index", "--help")
	}
	options, err := in.App.Intake(ctx)
	if err != nil {
		return nil, err
	}
	show, done := progress(in)
	options.Progress = show
	moved, err := intake.Move(ctx, options)
	done()
	if err != nil {
		return nil, err
	}
	return &result.Result{Payload: indexAnswer{moved}}, nil
}
