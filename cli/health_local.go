package cli

import (
	"context"
	"errors"
	"fmt"

	"biomcp/cli/command"
	"biomcp/store"
)

// corpusChecks are the rows for the corpus on this machine and its engine.
func corpusChecks(ctx context.Context, app *command.App) []check {
	row := check{Name: "local corpus", Kind: "data", Status: "ok"}
	corpus, err := app.Corpus(ctx)
	var missing *store.Error
	switch {
	case errors.As(err, &missing) && missing.Kind == store.NotFound:
		row.Status, row.Detail = "absent", "none yet"
		return []check{row}
	case err != nil:
		row.Status, row.Detail = "down", failureOf(ctx, err).Message
		return []check{row}
	}
	stats, err := corpus.Stats(ctx)
	if err != nil {
		row.Status, row.Detail = "down", failureOf(ctx, err).Message
		return []check{row}
	}
	row.Detail = fmt.Sprintf("%d documents, %s", stats.Documents, bytesText(stats.Bytes))
	model := check{Name: "vectors", Kind: "data", Status: "absent", Detail: "none: the corpus is searched by words alone"}
	for _, m := range stats.Models {
		if m.InUse {
			model.Status, model.Detail = "ok", fmt.Sprintf("%s, %d dimensions", m.Name, m.Dim)
		}
	}
	rows := []check{row, model}
	if app.Env.Index == "embedded" {
		return rows
	}
	engine := check{Name: "index " + app.Env.Index, Kind: "source", Status: "ok", Detail: "answers"}
	index, err := app.Engine(ctx, corpus)
	if err == nil {
		err = index.Check(ctx)
	}
	if err != nil {
		engine.Status, engine.Detail = "down", failureOf(ctx, err).Message
	}
	return append(rows, engine)
}
