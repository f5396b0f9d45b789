package corpus

import (
	"context"
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// health is the rows for the corpus on this machine and its index.
func health(ctx context.Context, app *command.App) []entity.Check {
	row := entity.Check{Name: "local corpus", Kind: "data", Status: "ok"}
	corpus, err := app.Corpus(ctx)
	if isAbsent(err) {
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
	row.Detail = fmt.Sprintf("%d documents, %s", stats.Documents, result.Size(stats.Bytes))
	model := entity.Check{Name: "vectors", Kind: "data", Status: "absent", Detail: "none: the corpus is searched by words alone"}
	for _, m := range stats.Models {
		if m.InUse {
			model.Status, model.Detail = "ok", fmt.Sprintf("%s, %d dimensions", m.Name, m.Dim)
		}
	}
	rows := []entity.Check{row, model}
	if app.Env.Index == "embedded" {
		return rows
	}
	engine := entity.Check{Name: "index " + app.Env.Index, Kind: "source", Status: "ok", Detail: "answers"}
	index, err := app.Engine(ctx, corpus)
	if err == nil {
		err = index.Check(ctx)
	}
	engine.Err = err
	return append(rows, engine)
}
