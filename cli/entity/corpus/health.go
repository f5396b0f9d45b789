package corpus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/store"
)

// checkTime limits the check of the file; it is enough to read some hundred MB.
const checkTime = 3 * time.Second

// health returns the rows for the local corpus and its index.
func health(ctx context.Context, in *command.Input) []entity.Check {
	app := in.App
	row := entity.Check{Name: "local corpus", Kind: "data", Status: "ok"}
	corpus, err := app.Corpus(ctx)
	if store.IsKind(err, store.NotFound) {
		row.Status, row.Detail = "absent", "none yet"
		return []entity.Check{row}
	}
	var stats store.Stats
	if err == nil {
		stats, err = corpus.Stats(ctx)
	}
	var checked store.CheckProgress
	if err == nil {
		checked, err = checkFile(ctx, in, corpus)
	}
	if err == nil { // otherwise every search is refused
		err = rag.CheckAnalysis(ctx, corpus)
	}
	if err != nil {
		row.Err = err
		return []entity.Check{row}
	}
	describeFile(ctx, corpus, stats, checked, &row)
	if n, err := countDeleted(ctx, corpus); err != nil || n > 0 {
		row.Status, row.Err = "behind", err
		row.Detail += "; PubMed no longer has " + english.Plural(n, "document", "")
	}
	rows := []entity.Check{row, vectorRow(&app.Env, stats)}
	if all, ok := mirrorRow(ctx, app); ok {
		rows = append(rows, all)
	}
	if app.Env.Index == "embedded" {
		return rows
	}
	return append(rows, engineRow(ctx, app, corpus))
}

// checkFile looks for damage in the file of the corpus: in all of it with --deep, otherwise for checkTime.
func checkFile(ctx context.Context, in *command.Input, corpus *store.Store) (store.CheckProgress, error) {
	if !in.Bool("deep") {
		return corpus.Check(ctx, store.CheckOptions{TimeLimit: checkTime})
	}
	show, done := progress(in)
	defer done()
	return corpus.CheckDeep(ctx, func(parts, of int) { show(intake.Progress{Parts: parts, TotalParts: of}) })
}

// describeFile adds the size of the corpus to its row, the outcome of its checks, and what it still lacks.
func describeFile(
	ctx context.Context, corpus *store.Store, stats store.Stats, checked store.CheckProgress, row *entity.Check,
) {
	row.Detail = fmt.Sprintf("%s, %s, %s checked", english.Plural(int(stats.Documents), "document", ""),
		result.Size(stats.Bytes), checked.Coverage())
	if checked.Parts < checked.Total {
		row.Detail += fmt.Sprintf(" (as much as %.0f s allow), no damage found", checkTime.Seconds())
	}
	if before := corpus.CheckHistory(); before.Damage != "" {
		row.Status, row.Detail = "down", row.Detail+"; a check before: "+before.Damage
	} else if !before.Deep.IsZero() {
		row.Detail += ", deep on " + before.Deep.Format(time.DateOnly)
	}
	if lost, err := corpus.Outstanding(ctx); err != nil || lost.Any() {
		row.Status, row.Err = "behind", err
		row.Detail += "; " + outstandingText(lost)
	}
}

// countDeleted counts the documents that PubMed no longer had when their query was last synced.
func countDeleted(ctx context.Context, corpus *store.Store) (int, error) {
	deleted, err := intake.Deleted(ctx, corpus)
	if err != nil {
		return 0, err
	}
	docs, err := corpus.DocumentsByPMID(ctx, deleted)
	return len(docs), err
}

// vectorRow returns the row for the model whose vectors are in use.
func vectorRow(env *command.Env, stats store.Stats) entity.Check {
	row := entity.Check{
		Name: "vectors", Kind: "data", Status: "absent", Detail: "none: the corpus is searched by words alone",
	}
	if reason := intake.TooFewText(stats.Documents); reason != "" && ownModel(env) {
		row.Detail += " (" + reason + ")"
	}
	for _, m := range stats.Models {
		if m.InUse {
			row.Status, row.Detail = "ok", fmt.Sprintf("%s, %d dimensions", m.Name, m.Dim)
		}
	}
	return row
}

// engineRow returns the row for the search engine that indexes the corpus.
func engineRow(ctx context.Context, app *command.App, corpus *store.Store) entity.Check {
	row := entity.Check{Name: "index " + app.Env.Index, Kind: "source", Status: "ok", Detail: "answers"}
	index, err := app.Engine(ctx, corpus, command.SearchWait)
	if err == nil {
		err = index.Check(ctx)
	}
	if err == nil || errors.Is(err, rag.ErrNoIndex) { // an engine without the class lacks every document
		var n int64
		if n, err = intake.CountMissing(ctx, corpus, index); n > 0 {
			row.Status, row.Detail = "behind", intake.MissingText(n)
		}
	}
	row.Err = err
	return row
}
