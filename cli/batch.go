package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// mostAlone is how many ids are asked for one by one, for an entity that does not take
// as many at once.
const mostAlone = 10

func batch(entities []entity.Entity) *command.Command {
	var names []string
	for _, e := range entities {
		if e.Get != nil && e.Get.Args.Max < 0 {
			names = append(names, e.Name)
		}
	}
	return &command.Command{
		Use: "batch <entity> <id>... [section...]", Short: "Read many ids at once",
		Help: command.Help{
			About:     "What get reads, for many ids in as few requests as can be. An id that fails does not stop the others.",
			Input:     fmt.Sprintf("One of %s, then ids: up to %d, or as many as get takes at once.", strings.Join(names, ", "), mostAlone),
			Output:    "A row for each id, in the order given: found or failed, and why.",
			Surprises: "Exit status 1 only where no id is found.",
		},
		Effect: command.Reads, Args: command.Args{Min: 2, Max: -1, Name: "an entity and at least one id"},
		Examples: []command.Example{{Line: "biomcp batch article 32051057 23193287", Does: "two articles, and which of them there are"}},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			name := in.Args[0]
			at := slices.IndexFunc(entities, func(e entity.Entity) bool { return e.Name == name && slices.Contains(names, name) })
			if at < 0 {
				near := cmp.Or(command.Nearest(name, names), names[0])
				return nil, result.Invalid(fmt.Sprintf("no entity %q; entities: %s", command.Clip(name), strings.Join(names, ", ")),
					in.Line(append([]string{near}, in.Args[1:]...))...)
			}
			return runBatch(ctx, in, entities[at])
		},
	}
}

// item is one id of a batch.
type item struct {
	Input  string          `json:"input"`
	Status string          `json:"status"` // found, failed
	Result json.RawMessage `json:"result"`
	Error  *problem        `json:"error"`

	notices []string
	try     result.Argv
}

type batched struct {
	Entity  string `json:"entity"`
	Items   []item `json:"items"`
	Summary struct {
		Total  int `json:"total"`
		Found  int `json:"found"`
		Failed int `json:"failed"`
	} `json:"summary"`
}

func (*batched) Kind() string { return "batch" }

func runBatch(ctx context.Context, in *command.Input, e entity.Entity) (*result.Result, error) {
	var ids, sections []string
	for _, w := range in.Args[1:] {
		section := w == "all" && len(e.Get.Sections) > 0 || slices.ContainsFunc(e.Get.Sections, func(s command.Section) bool { return s.Name == w })
		switch {
		case section:
			sections = append(sections, w)
		case !slices.Contains(ids, w):
			ids = append(ids, w)
		}
	}
	most := max(mostAlone, e.MaxIDs)
	switch {
	case len(ids) == 0:
		return nil, result.Invalid("which "+e.Name+"? Give ids before the section", "get", e.Name, "--help")
	case len(ids) > most:
		return nil, result.Invalid(fmt.Sprintf("%d ids at once; batch %s takes at most %d", len(ids), e.Name, most), in.Line(append([]string{e.Name}, ids[:most]...))...)
	}
	b := &batched{Entity: e.Name, Items: make([]item, len(ids))}
	res := &result.Result{Payload: b, Next: []result.Argv{}}
	for i, id := range ids {
		b.Items[i].Input = id
	}
	if len(ids) > 1 && len(ids) <= e.MaxIDs {
		res.Notices = b.atOnce(ctx, in, sections)
	}
	var asking conc.WaitGroup
	for i := range b.Items {
		if it := &b.Items[i]; it.Status == "" && len(ids) <= mostAlone {
			asking.Go(func() { it.alone(ctx, in, e.Name, sections) })
		}
	}
	asking.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return res, b.sum(res)
}

// get is the command line for some ids.
func getLine(entity string, ids, sections []string) result.Argv {
	return append(append(result.Argv{"get", entity}, ids...), sections...)
}

// atOnce asks for all ids in one command, and gives each what was found for it. Where
// that cannot be seen, nothing is given.
func (b *batched) atOnce(ctx context.Context, in *command.Input, sections []string) []string {
	var ids []string
	for _, it := range b.Items {
		ids = append(ids, it.Input)
	}
	out := runPart(ctx, in, getLine(b.Entity, ids, sections))
	if out.Failure != nil || out.Result == nil {
		if len(ids) > mostAlone {
			for i := range b.Items {
				b.Items[i].fail(out.Failure)
			}
		}
		return nil
	}
	got, err := members(out.Result)
	var requested, missing []string
	if err != nil || json.Unmarshal(got["requested"], &requested) != nil || json.Unmarshal(got["not_found"], &missing) != nil || !slices.Equal(requested, ids) {
		return nil
	}
	records := recordsOf(got)
	if len(records) != len(ids)-len(missing) { // two ids of one record
		return nil
	}
	for i := range b.Items {
		switch it := &b.Items[i]; {
		case !slices.Contains(missing, it.Input):
			it.Status, it.Result, records = "found", records[0], records[1:]
		case len(ids) > mostAlone:
			it.fail(result.Missing(fmt.Sprintf("no %s found for %s", b.Entity, command.Clip(it.Input)), getLine(b.Entity, []string{it.Input}, nil)...))
		}
	}
	return out.Result.Notices
}

// recordsOf is the one list of objects of an answer of get.
func recordsOf(got map[string]json.RawMessage) (records []json.RawMessage) {
	for key, raw := range got {
		if key != "requested" && key != "not_found" && json.Unmarshal(raw, &records) == nil {
			return records
		}
	}
	return nil
}

func (it *item) alone(ctx context.Context, in *command.Input, entity string, sections []string) {
	out := runPart(ctx, in, getLine(entity, []string{it.Input}, sections))
	if out.Failure != nil || out.Result == nil {
		it.fail(out.Failure)
		return
	}
	got, err := members(out.Result)
	if records := recordsOf(got); err == nil && len(records) == 1 {
		it.Status, it.Result, it.notices = "found", records[0], out.Result.Notices
		return
	}
	it.fail(bug())
}

func (it *item) fail(f *result.Failure) { it.Status, it.Error, it.try = "failed", problemOf(f), f.Try }

// sum counts, and makes an error of a batch in which nothing is found.
func (b *batched) sum(res *result.Result) error {
	b.Summary.Total = len(b.Items)
	var failed []string
	for i := range b.Items {
		if it := &b.Items[i]; it.Status == "found" {
			b.Summary.Found++
		} else {
			if it.Error == nil {
				it.fail(bug())
			}
			failed = append(failed, it.Input)
		}
		for _, n := range b.Items[i].notices {
			if !slices.Contains(res.Notices, n) {
				res.Notice(n)
			}
		}
	}
	b.Summary.Failed = len(failed)
	state := result.Data
	if len(failed) > 0 {
		state = result.Degraded
		res.Notice(fmt.Sprintf("%d of %d failed: %s", len(failed), len(b.Items), entity.Some(failed)))
	}
	res.Sections = []result.SectionSource{{Key: "items", Label: "Items", Outcome: state, Sources: []string{"get " + b.Entity}}}
	if b.Summary.Found > 0 {
		return nil
	}
	first := b.Items[0].Error
	f := &result.Failure{Code: first.Code, Message: fmt.Sprintf("none of %d ids is found; %s: %s", len(b.Items), command.Clip(b.Items[0].Input), first.Message),
		Details: map[string]any{"items": b.Items}, Try: b.Items[0].try}
	return f
}

// Doc is a row for each id.
func (b *batched) Doc() result.Doc {
	t := result.Table{Columns: result.Columns("Id", "Status", "What"), Main: true}
	for _, it := range b.Items {
		what := ""
		if it.Error != nil {
			what = it.Error.Message
		}
		t.Rows = append(t.Rows, []string{it.Input, it.Status, cmp.Or(what, labelOf(it.Result))})
	}
	return result.Doc{
		result.Heading{Level: 1, Text: "Batch: " + b.Entity},
		result.Fields{{Name: "Found", Value: fmt.Sprintf("%d of %d", b.Summary.Found, b.Summary.Total)}}, t,
	}
}

// labelOf is what a record is called.
func labelOf(raw json.RawMessage) string {
	var r struct{ Symbol, Title, Name string }
	_ = json.Unmarshal(raw, &r) // a record without these members has no label
	if r.Symbol != "" && r.Name != "" {
		return r.Symbol + ": " + r.Name
	}
	return cmp.Or(r.Title, r.Name, r.Symbol)
}
