package entity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/sourcegraph/conc/pool"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// maxBatches is the maximum number of batches that are fetched concurrently.
const maxBatches = 3

// fetchAll returns the records of any number of ids. It calls Fetch once for each batch of at most
// IDs.Max ids. After a batch has failed it begins no other one, and the ids of those batches are
// unavailable. It returns an error if no batch has an answer.
func (s *SpecOf[R]) fetchAll(
	ctx context.Context, in *command.Input, ids []string, sections Sections,
) (*FoundOf[R], error) {
	if s.IDs.Unbatched || !s.IDs.several() || len(ids) <= s.IDs.Max {
		return s.Fetch(ctx, in, ids, sections)
	}
	batches := slices.Collect(slices.Chunk(ids, s.IDs.Max))
	found := make([]*FoundOf[R], len(batches))
	step := httpclient.BeginTask(ctx, s.Plural, len(ids))
	var mu sync.Mutex // guards failed
	var failed error
	failure := func() error {
		mu.Lock()
		defer mu.Unlock()
		return failed
	}
	group := pool.New().WithMaxGoroutines(maxBatches)
	for i, batch := range batches {
		if failure() != nil || ctx.Err() != nil {
			break
		}
		group.Go(func() {
			got, err := s.Fetch(ctx, in, batch, sections)
			if found[i] = got; err != nil {
				mu.Lock()
				defer mu.Unlock()
				found[i], failed = nil, err
				return
			}
			for range batch {
				step()
			}
		})
	}
	group.Wait()
	if err := failure(); ctx.Err() != nil || validationFailure(err) != nil || errors.Is(err, context.Canceled) {
		return nil, errors.Join(ctx.Err(), err)
	}
	return s.mergeBatches(in, batches, found, failed)
}

// mergeBatches returns the records of all batches. A batch that was not fetched is nil, because of
// failed.
func (s *SpecOf[R]) mergeBatches(
	in *command.Input, batches [][]string, found []*FoundOf[R], failed error,
) (*FoundOf[R], error) {
	all, read, total, answered := &FoundOf[R]{}, 0, 0, false
	seen := map[string]R{} // by the identity of a record, which two batches may have
	for i, batch := range batches {
		total += len(batch)
		if found[i] == nil {
			for _, id := range batch {
				all.Failed(id, failed)
			}
			continue
		}
		answered = true
		read += len(batch) - len(found[i].Failures)
		if err := s.merge(all, found[i], seen); err != nil {
			return nil, err
		}
	}
	if !answered {
		return nil, failed
	}
	if failed != nil && !in.Nested {
		all.Notices = append(all.Notices, PartialNotice(in, read, total))
	}
	return all, nil
}

// PartialNotice returns the notice that only some ids were read, with the command that reads the rest. The
// command writes to no file that this one writes.
func PartialNotice(in *command.Input, read, total int) string {
	again := in.KeepFiles(in.LineWith())
	return fmt.Sprintf("%d of %d ids were read; the same command reads the rest, and takes these from the "+
		"response cache: %s", read, total, again[0])
}

// merge adds the records and the missing ids of one batch to all.
func (s *SpecOf[R]) merge(all, batch *FoundOf[R], seen map[string]R) error {
	identities, err := members(batch.Records, s.Identity)
	if err != nil {
		return err
	}
	all.Sources = Unique(append(all.Sources, batch.Sources...))
	first := map[any]R{} // by record of the batch
	for i, r := range batch.Records {
		key := string(identities[i])
		if _, is := seen[key]; !is {
			seen[key] = r
			all.Records = append(all.Records, r)
		}
		first[r] = seen[key]
	}
	if all.byID == nil {
		all.byID = map[string][]R{}
	}
	for id, records := range batch.byID {
		all.byID[id] = result.Map(records, func(r R) R { return first[r] })
	}
	for _, id := range batch.Missing {
		if reason := batch.Failures[id]; reason != nil {
			all.Failed(id, reason)
		} else {
			all.NotFound(id, batch.explanations[id])
		}
	}
	for _, n := range batch.Notices {
		if !slices.Contains(all.Notices, n) {
			all.Notices = append(all.Notices, n)
		}
	}
	if batch.Problem != nil {
		all.Problem = batch.Problem
	}
	return nil
}

// A sectionLoader loads sections of any number of records.
type sectionLoader[R any] struct {
	in       *command.Input
	spec     *SpecOf[R]
	sections []SectionOf[R]
	only     func(names ...string) *command.Input // the command line with only some of the sections
	got      []LoadResult                         // by section
	errs     []error
}

// load loads the sections of all records. For a person, it loads at most as many records at once as
// each section accepts. It returns an error only if ctx was cancelled.
func (l *sectionLoader[R]) load(ctx context.Context, records []R) error {
	size := len(records)
	for _, sec := range l.sections {
		if sec.maxRecords > 0 && l.in.Policy == command.Person {
			size = min(size, sec.maxRecords)
		}
	}
	if size == len(records) {
		var err error
		l.got, l.errs, err = l.loadBatch(ctx, records, make([]error, len(l.sections)))
		return err
	}
	ctx = httpclient.WithoutEnd(ctx)
	step := httpclient.BeginTask(ctx, l.spec.Plural, len(records))
	down := make([]error, len(l.sections)) // errors of the sections whose source does not answer
	l.got, l.errs = make([]LoadResult, len(l.sections)), make([]error, len(l.sections))
	whole := make([]int, len(l.sections)) // number of batches with an answer
	n := 0
	for batch := range slices.Chunk(records, size) {
		got, errs, err := l.loadBatch(ctx, batch, down)
		if err != nil {
			return err
		}
		for i := range l.sections {
			if errs[i] != nil {
				got[i].Problem, got[i].MissingIDs, l.errs[i] = errs[i], result.Map(batch, l.spec.ID), errs[i]
				if validationFailure(errs[i]) == nil {
					down[i] = errs[i]
				}
			} else {
				whole[i]++
			}
			if n == 0 {
				l.got[i] = got[i]
			} else {
				l.got[i].merge(got[i])
			}
		}
		n += len(batch)
		for range batch {
			step()
		}
	}
	for i := range l.sections {
		if whole[i] > 0 {
			l.errs[i] = nil
		}
	}
	return nil
}

// loadBatch loads the sections of some records concurrently, except those whose source is down.
func (l *sectionLoader[R]) loadBatch(
	ctx context.Context, records []R, down []error,
) (got []LoadResult, errs []error, err error) {
	got, errs = make([]LoadResult, len(l.sections)), slices.Clone(down)
	err = httpclient.FetchAll(ctx, 0, len(l.sections), func(ctx context.Context, i int) {
		sec, in := l.sections[i], l.in
		if sec.Limited {
			in = l.only(sec.Name)
		}
		switch {
		case down[i] != nil && sec.linked != nil:
			got[i], errs[i] = sec.linked(ctx, in, records, l.spec.ID, func(R) error { return down[i] })
		case down[i] != nil:
		case sec.linked != nil:
			got[i], errs[i] = sec.linked(ctx, in, records, l.spec.ID, sec.precondition)
		case sec.Load != nil:
			got[i], errs[i] = sec.Load(ctx, in, records)
		}
		errs[i] = httpclient.StragglerError(ctx, sec.Source, errs[i])
		got[i].Problem = httpclient.StragglerError(ctx, sec.Source, got[i].Problem)
	})
	for i, sec := range l.sections {
		if sec.Lists != nil && errs[i] == nil { // after all have loaded, because another section may use the whole list
			errs[i] = cutLists(l.only(sec.Name), sec, records, l.spec.ID, &got[i])
		}
	}
	return got, errs, err
}

// merge adds the outcome of a further batch of records.
func (l *LoadResult) merge(o LoadResult) {
	incomplete := func(s result.State) bool { return s == result.Degraded || s == result.Unavailable }
	switch {
	case l.State == o.State:
	case incomplete(l.State) || incomplete(o.State):
		l.State = result.Degraded
	default:
		l.State = "" // depends on the records
	}
	for _, n := range o.Notices {
		if !slices.Contains(l.Notices, n) {
			l.Notices = append(l.Notices, n)
		}
	}
	for _, source := range o.Sources {
		if !slices.Contains(l.Sources, source) {
			l.Sources = append(l.Sources, source)
		}
	}
	if o.Problem != nil {
		l.Problem = o.Problem
	}
	for id, text := range o.InapplicableText {
		if l.InapplicableText == nil {
			l.InapplicableText = map[string]string{}
		}
		l.InapplicableText[id] = text
	}
	l.MissingIDs = append(l.MissingIDs, o.MissingIDs...)
	l.Inapplicable = append(l.Inapplicable, o.Inapplicable...)
	l.parts = append(l.parts, o.parts...)
	l.add(o.Parts)
}
