package corpus

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/rag/weaviate"
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
	if err != nil {
		row.Err = err
		return []entity.Check{row}
	}
	stats, err := corpus.Stats(ctx)
	if err != nil {
		row.Err = err
		return []entity.Check{row}
	}
	var checked store.CheckProgress
	if in.Bool("deep") {
		show, done := progress(in)
		checked, err = corpus.CheckDeep(ctx, func(parts, of int) {
			show(intake.Progress{Parts: parts, TotalParts: of})
		})
		done()
	} else {
		checked, err = corpus.Check(ctx, store.CheckOptions{TimeLimit: checkTime})
	}
	if err != nil {
		row.Err = err
		return []entity.Check{row}
	}
	if row.Err = rag.CheckAnalysis(ctx, corpus); row.Err != nil { // every search is refused
		return []entity.Check{row}
	}
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
	model := entity.Check{
		Name: "vectors", Kind: "data", Status: "absent", Detail: "none: the corpus is searched by words alone",
	}
	if reason := intake.TooFewText(stats.Documents); reason != "" && ownModel(&app.Env) {
		model.Detail += " (" + reason + ")"
	}
	for _, m := range stats.Models {
		if m.InUse {
			model.Status, model.Detail = "ok", fmt.Sprintf("%s, %d dimensions", m.Name, m.Dim)
		}
	}
	rows := []entity.Check{row, model}
	if all, ok := mirrorRow(ctx, app); ok {
		rows = append(rows, all)
	}
	if app.Env.Index == "embedded" {
		return rows
	}
	engine := entity.Check{Name: "index " + app.Env.Index, Kind: "source", Status: "ok", Detail: "answers"}
	index, err := app.Engine(ctx, corpus, command.SearchWait)
	if err == nil {
		err = index.Check(ctx)
	}
	if err == nil || weaviate.IsKind(err, weaviate.Missing) { // an engine without the class lacks every document
		var n int64
		if n, err = intake.CountMissing(ctx, corpus, index); n > 0 {
			engine.Status, engine.Detail = "behind", intake.MissingText(n)
		}
	}
	engine.Err = err
	return append(rows, engine)
}
