package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/rag/intake"
	"biomcp/store"
)

// checkpoint is the answer of corpus.checkpoint.get.
type checkpoint struct {
	QueryKey string  `json:"query_key"`
	LastEDAT *string `json:"last_edat"`

	lastFile string                 // last file imported by sync pubmed --all
	wrong    *intake.WatermarkError // error of a watermark in the future, or nil
}

func (checkpoint) SchemaBound() {}

func (c checkpoint) Doc() result.Doc {
	at := cmp.Or(entity.Deref(c.LastEDAT), "never synced")
	return result.Doc{result.Fields{
		{Name: "Query key", Value: c.QueryKey}, {Name: "Watermark", Value: at},
		{Name: "Files", Value: c.lastFile},
	}}
}

// Checkpoint returns the definition of the checkpoint entity.
func Checkpoint() entity.Entity {
	return entity.Define(entity.Spec[checkpoint]{
		Name: "checkpoint", IDs: entity.IDs{Placeholder: "<query-key>", Max: 1},
		Get: command.Command{
			LocalOnly: true,
			Args:      command.Args{Min: 1, Max: 1, Name: "one query key", Completion: "query-key"},
			Short:     "Show how far a query has been synced",
			Help: command.Help{Output: "The watermark, an entry date of PubMed (EDAT). It is empty for a " +
				"key that was never synced, which is not an error."},
			Examples: []command.Example{
				{Line: "biomcp get checkpoint glp1", Explanation: "the watermark of a query"},
				{Line: "biomcp get checkpoint pubmed-all", Explanation: "how far all of PubMed is"},
			},
		},
		Fetch: func(ctx context.Context, in *command.Input, keys []string, _ entity.Sections) (*entity.Found[checkpoint], error) {
			c, err := readCheckpoint(ctx, in.App, strings.TrimSpace(keys[0]))
			if err != nil {
				return nil, err
			}
			found := &entity.Found[checkpoint]{Records: []*checkpoint{c}, Payload: c}
			if c.wrong != nil {
				found.Notices = append(found.Notices, futureText(c.wrong))
			}
			return found, nil
		},
		Sync: []*command.Command{{
			Use: "checkpoint <query-key> <timestamp>", Short: "Set the watermark of a query",
			Help: command.Help{
				Input: "The query key and a time: 2024-05-11 or 2024-05-11T06:00:00Z. A time in the future " +
					"is an error.",
				Surprises: "Every manual set is kept in an audit table. Records older than the watermark, less " +
					"the overlap, are not fetched again.",
			},
			Effect: command.Stores,
			Args: command.Args{
				Min: 2, Max: 2, Name: "a query key and a timestamp",
				Synonyms: "date time timestamp since query-key key", Completion: "query-key",
			},
			Examples: []command.Example{{
				Line: "biomcp sync checkpoint glp1 2024-01-01", Explanation: "fetch again all records since then",
			}},
			Run: runSetCheckpoint,
		}},
	})
}

// readCheckpoint returns the watermark of a query. It is null in JSON before the first sync.
func readCheckpoint(ctx context.Context, app *command.App, key string) (*checkpoint, error) {
	if err := query.CheckTerm(key, "get", "checkpoint", "--help"); err != nil {
		return nil, err
	}
	c := &checkpoint{QueryKey: key}
	corpus, err := app.Corpus(ctx)
	if store.IsKind(err, store.NotFound) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	at, ok, err := corpus.Checkpoint(ctx, key)
	if ok {
		c.LastEDAT = &at
		err = intake.CheckWatermark(ctx, corpus, key, at, app.Now())
	}
	if wrong, ok := errors.AsType[*intake.WatermarkError](err); ok {
		c.wrong, err = wrong, nil
	}
	if err != nil || key != intake.MirrorKey {
		return c, err
	}
	m, ok, err := intake.ReadMirrorState(ctx, corpus)
	if ok {
		c.lastFile = lastFileText(m, app.Now().Sub(m.Modified))
	}
	return c, err
}

// futureText describes a watermark in the future and the command that sets it right.
func futureText(e *intake.WatermarkError) string {
	return e.Error() + " with: " + result.Argv{"sync", "checkpoint", e.Key, e.Right}.String()
}

// checkReserved rejects the key of sync pubmed --all, which only that command may move.
func checkReserved(key string, try ...string) error {
	if strings.TrimSpace(key) != intake.MirrorKey {
		return nil
	}
	return result.Invalid(fmt.Sprintf("%q is the key of sync pubmed --all; choose another one", intake.MirrorKey),
		try...)
}

// checkpointSet is the answer of corpus.checkpoint.set.
type checkpointSet struct {
	OK bool `json:"ok"`

	key, to string
}

func (checkpointSet) SchemaBound() {}

func (c checkpointSet) Doc() result.Doc {
	return result.Doc{result.Para{Text: "The watermark of " + c.key + " is now " + c.to + "."}}
}

// timestamp parses a day or an RFC 3339 time not later than now, and returns it in UTC
// with whole seconds.
func timestamp(s string, now time.Time) (string, error) {
	layout := time.RFC3339
	if len(s) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1500 {
		return "", result.Invalid(fmt.Sprintf("%q is not a time such as 2024-05-11 or 2024-05-11T06:00:00Z",
			command.Clip(s)),
			"sync", "checkpoint", "--help")
	}
	if t.After(now) {
		return "", result.Invalid(fmt.Sprintf("%q is in the future: the next sync would fetch nothing",
			command.Clip(s)),
			"sync", "checkpoint", "--help")
	}
	return t.UTC().Truncate(time.Second).Format(time.RFC3339), nil
}

func runSetCheckpoint(ctx context.Context, in *command.Input) (*result.Result, error) {
	key := strings.TrimSpace(in.Args[0])
	if key == "" {
		return nil, result.Invalid("the query key is empty", "sync", "checkpoint", "--help")
	}
	if key == intake.MirrorKey {
		now, err := readCheckpoint(ctx, in.App, key)
		if err == nil && now.wrong == nil { // the command may only set it right
			err = checkReserved(key, "sync", "pubmed", "--all")
		}
		if err != nil {
			return nil, err
		}
	}
	at, err := timestamp(in.Args[1], in.App.Now())
	if err != nil {
		return nil, err
	}
	corpus, err := in.App.CorpusToWrite(ctx)
	if err != nil {
		return nil, err
	}
	if err := corpus.SetCheckpoint(ctx, key, at); err != nil {
		return nil, err
	}
	return &result.Result{Payload: checkpointSet{OK: true, key: key, to: at}}, nil
}
