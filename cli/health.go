package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
	"biomcp/store"
)

// healthReport is the answer of `health`.
type healthReport struct {
	Rows []entity.Check `json:"rows"`

	long bool // show a row for each source
}

func (c healthReport) Doc() result.Doc {
	rows := c.Rows
	if !c.long {
		rows = joinAlike(rows)
	}
	return result.Doc{result.Heading{Level: 1, Text: "Health"},
		result.Table{
			Columns: result.Columns("What", "Kind", "Status", "Detail"),
			Rows: result.Map(rows, func(r entity.Check) []string {
				return []string{r.Name, r.Kind, r.Status, r.Detail}
			}),
			Terms: true,
			Brief: &result.Table{Columns: result.Columns("What", "Status"),
				Rows: result.Map(rows, func(r entity.Check) []string { return []string{r.Name, r.Status + ": " + r.Detail} })},
		}}
}

// minAlike is the number of sources of one status and detail that a report joins to one row.
const minAlike = 3

// joinAlike joins the sources with the same status and detail to one row. It names them unless they
// are ok.
func joinAlike(rows []entity.Check) []entity.Check {
	detail := func(r entity.Check) string { return strings.TrimPrefix(r.Detail, r.Name+" ") }
	type alike struct{ status, detail string }
	names := map[alike][]string{}
	for _, r := range rows {
		if r.Kind == "source" {
			key := alike{r.Status, detail(r)}
			names[key] = append(names[key], r.Name)
		}
	}
	var joined []entity.Check
	for _, r := range rows {
		key := alike{r.Status, detail(r)}
		group := names[key]
		switch {
		case r.Kind != "source" || len(group) < minAlike:
			joined = append(joined, r)
		case r.Name == group[0]:
			r.Name, r.Detail = fmt.Sprintf("%d sources", len(group)), key.detail
			if r.Status != "ok" {
				r.Detail += ": " + strings.Join(group, ", ")
			}
			joined = append(joined, r)
		}
	}
	return joined
}

// pingTimeout bounds the smallest request to a source, including its retries.
const pingTimeout = 10 * time.Second

func health(entities []entity.Entity) *command.Command {
	return &command.Command{
		Use: "health [--contract [source]]", Purpose: command.Start,
		Synonyms: []string{"status", "doctor", "check", "ping", "diagnose"},
		Short:    "Check data sources, API key, cache and corpus",
		Help: command.Help{
			Input: "Nothing, except with --contract: a source, named as in BIOMCP_<SOURCE>_URL in lower case; " +
				"without a name, all sources.",
			Surprises: "--contract takes up to two minutes. It was written without access to the live services, so its " +
				"first findings may be mistakes of ours: please report them.\n" +
				"A source that is down is a row, not a failure, except with --fail-on-error.",
			Output: "What is down or needs attention, the API keys, the cache and the local corpus; --long shows a " +
				"row for each source.\n" +
				"The pages of the corpus are checked for at most 3 seconds. --deep checks all of it: the sums " +
				"of all rows, the order of keys, every document, and whether documents, words, vectors and " +
				"counts agree. Its result is stored with its date, and a sync checks a thirtieth a day.",
		},
		Effect: command.Reads, Check: checkHealth,
		Args: command.Args{Max: 1, Name: "a source, with --contract"},
		Flags: func(f *command.Flags) {
			f.Bool("fail-on-error", false, "exit 1 when something is down or drifted")
			f.Bool("deep", false, "check the whole corpus, however long it takes")
			f.Bool("contract", false, "send each source requests with known answers, and report differences")
			f.Rare("fail-on-error", "contract", "deep")
			f.Excludes("contract", "", "deep")
		},
		Examples: []command.Example{
			{Line: "biomcp health", Explanation: "what works from here"},
			{Line: "biomcp health --json --fail-on-error", Explanation: "a check for a monitor"},
			{Line: "biomcp health --deep", Explanation: "whether the corpus is intact"},
			{Line: "biomcp health --contract rxnav", Explanation: "whether a source still answers as it did"},
		},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			if err := checkHealth(in); err != nil {
				return nil, err
			}
			if in.Bool("contract") {
				return checkContracts(ctx, in, selectedSources(in))
			}
			all := healthReport{long: in.Bool("long"), Rows: slices.Concat(pingAll(ctx, in.App), keyChecks(in.App),
				settingChecks(in.App), []entity.Check{cacheCheck(ctx, in.App)})}
			for _, e := range entities {
				if e.Health != nil {
					all.Rows = append(all.Rows, e.Health(ctx, in)...)
				}
			}
			res := &result.Result{Payload: all}
			var down []string
			for i := range all.Rows {
				r := &all.Rows[i]
				if r.Err != nil {
					r.Status, r.Detail = "down", failureOf(ctx, r.Err).Message+damagedFile(in, r.Err)
					if store.IsDamagedCorpus(r.Err) {
						res.Next = append(res.Next, result.Argv{"sync", "repair"})
					}
				}
				if r.Status == "down" {
					down = append(down, r.Name)
				}
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if len(down) > 0 && in.Bool("fail-on-error") {
				f := &result.Failure{
					Code: result.Upstream, Message: "down: " + strings.Join(down, ", "),
					Details: map[string]any{"rows": all.Rows},
				}
				if len(res.Next) > 0 {
					f.Try = res.Next[0]
				}
				return res, f
			}
			if len(down) > 0 {
				res.Notice("health succeeds whatever is down; --fail-on-error makes it fail, with exit status 1")
				res.Trailing = 1
			}
			return res, nil
		},
	}
}

// checkHealth rejects arguments and flags that cannot be used together.
func checkHealth(in *command.Input) error {
	known := len(selectedSources(in)) > 0
	switch name := strings.Join(in.Args, ""); {
	case in.Bool("contract") && known:
		return nil
	case in.Bool("contract"):
		var names []string
		for _, s := range in.App.Env.Sources {
			names = append(names, s.Name)
		}
		return result.Invalid(fmt.Sprintf("no source %q; available: %s", command.Clip(name), strings.Join(names, ", ")),
			"health", "--contract")
	case name != "":
		r := &command.Refusal{Reason: command.TooManyWords, Word: name,
			Failure: result.Invalid(fmt.Sprintf("health takes no arguments without --contract: %q", command.Clip(name)),
				"health", "--help")}
		if known {
			r.Try = result.Argv{"health", name, "--contract"}
		}
		return r
	}
	return nil
}

// pingAll sends the smallest request to each source and returns one row per source.
func pingAll(ctx context.Context, app *command.App) []entity.Check {
	rows := make([]entity.Check, len(app.Env.Sources))
	client := app.Network()
	_ = httpclient.Parallel(ctx, pingTimeout, len(rows), func(ctx context.Context, i int) { // the caller checks ctx
		s := app.Env.Sources[i]
		err := client.Service(s).Ping(ctx)
		rows[i] = entity.Check{Name: s.Label, Kind: "source", Status: "ok", Detail: "answers"}
		if err != nil {
			rows[i].Status, rows[i].Detail = "down", err.Error()
		}
	})
	return rows
}

// keyChecks returns one row for each API key that a source accepts.
func keyChecks(app *command.App) (rows []entity.Check) {
	for _, s := range app.Env.SourcesWithKey() {
		c := entity.Check{Name: s.Key.Variable, Kind: "key", Status: "absent",
			Detail: fmt.Sprintf("%s; a key gives %d", s.Rate.Text(false), s.Rate.WithKey)}
		if app.Env.Network.Keys[s.Key.Variable] != "" {
			c.Status, c.Detail = "ok", "set: "+s.Rate.Text(true)
		}
		rows = append(rows, c)
	}
	return rows
}

// settingChecks returns rows that say where the values of settings come from. They show no values.
func settingChecks(app *command.App) (rows []entity.Check) {
	names := map[command.Origin][]string{}
	for _, s := range app.Env.AllSettings() {
		names[s.Origin] = append(names[s.Origin], s.Name)
	}
	for _, origin := range []command.Origin{command.FromEnvironment, command.FromFile} {
		if list := names[origin]; len(list) > 0 {
			rows = append(rows, entity.Check{Name: "settings from the " + string(origin), Kind: "setting", Status: "ok",
				Detail: strings.Join(list, ", ")})
		}
	}
	if app.Env.Settings.Err != nil {
		rows = append(rows, entity.Check{Name: "settings file", Kind: "setting", Status: "down",
			Detail: "it is damaged and ignored: biomcp config list names it"})
	}
	return append(rows, entity.Check{Name: "other settings", Kind: "setting", Status: "ok",
		Detail: fmt.Sprintf("%d have their defaults", len(names[command.FromDefault]))})
}

func cacheCheck(ctx context.Context, app *command.App) entity.Check {
	c := entity.Check{Name: "response cache", Kind: "cache", Status: "ok"}
	cache, err := app.Cache()
	if err != nil {
		c.Err = err
		return c
	}
	stats, err := cache.Stats(ctx)
	c.Err, c.Detail = err, english.Plural(int(stats.Entries), "reply", "")+", "+result.Size(stats.Bytes)
	return c
}
