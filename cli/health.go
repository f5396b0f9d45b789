package cli

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
)

// check is one row of health.
type check struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`   // source, key, cache, data
	Status string `json:"status"` // ok, down, absent
	Detail string `json:"detail"`
}

type checks struct {
	Rows []check `json:"rows"`
}

func (checks) Kind() string { return "health" }

func (c checks) Doc() result.Doc {
	t := result.Table{Columns: result.Columns("What", "Kind", "Status", "Detail")}
	for _, r := range c.Rows {
		t.Rows = append(t.Rows, []string{r.Name, r.Kind, r.Status, r.Detail})
	}
	return result.Doc{result.Heading{Level: 1, Text: "Health"}, t}
}

// pingTime bounds a source's smallest call, its retries included.
const pingTime = 10 * time.Second

func health() *command.Command {
	return &command.Command{
		Use:   "health",
		Short: "Ask each source for its smallest answer, and say how key, cache and corpus stand",
		Help: command.Help{
			Output: "One row for each source, the NCBI key, the cache and the local corpus. A source that is down is a row, not a failure.",
		},
		Effect: command.Reads,
		Flags:  func(f *command.Flags) { f.Bool("fail-on-error", false, "exit 1 when something is down") },
		Examples: []command.Example{
			{Line: "biomcp health", Does: "what works from here"},
			{Line: "biomcp health --json --fail-on-error", Does: "the same for a monitor"},
		},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			all := checks{Rows: append(pingAll(ctx, in.App), keyCheck(in.App), cacheCheck(ctx, in.App))}
			all.Rows = append(all.Rows, corpusChecks(ctx, in.App)...)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			res := &result.Result{Payload: all}
			var down []string
			for _, r := range all.Rows {
				if r.Status == "down" {
					down = append(down, r.Name)
				}
			}
			if len(down) > 0 && in.Bool("fail-on-error") {
				return res, &result.Failure{
					Code: result.Upstream, Message: "down: " + strings.Join(down, ", "), Details: map[string]any{"rows": all.Rows},
				}
			}
			return res, nil
		},
	}
}

func pingAll(ctx context.Context, app *command.App) []check {
	services := []entrez.Service{entrez.Entrez, entrez.PubTator, entrez.IDConverter}
	rows := make([]check, len(services))
	client, err := app.Entrez()
	var wg sync.WaitGroup
	for i, s := range services {
		rows[i] = check{Name: string(s), Kind: "source", Status: "ok", Detail: "answers"}
		if err != nil {
			rows[i].Status, rows[i].Detail = "down", err.Error()
			continue
		}
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(entrez.WithoutCache(ctx), pingTime)
			defer cancel()
			if err := client.Ping(ctx, s); err != nil {
				rows[i].Status, rows[i].Detail = "down", err.Error()
			}
		})
	}
	wg.Wait()
	return rows
}

func keyCheck(app *command.App) check {
	c := check{Name: "NCBI_API_KEY", Kind: "key", Status: "absent", Detail: "3 requests a second; a free key gives 10"}
	if app.Env.APIKey != "" {
		c.Status, c.Detail = "ok", "set: 10 requests a second"
	}
	return c
}

func cacheCheck(ctx context.Context, app *command.App) check {
	c := check{Name: "response cache", Kind: "cache", Status: "ok"}
	cache, err := app.Cache()
	if err != nil {
		c.Status, c.Detail = "down", failureOf(ctx, err).Message
		return c
	}
	stats, err := cache.Stats(ctx)
	if err != nil {
		c.Status, c.Detail = "down", failureOf(ctx, err).Message
		return c
	}
	c.Detail = fmt.Sprintf("%d replies, %s", stats.Entries, bytesText(stats.Bytes))
	return c
}
