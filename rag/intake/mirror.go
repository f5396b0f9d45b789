package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez/polite"
	"biomcp/entrez/pubmedfiles"
	"biomcp/store"
)

// MirrorKey is the query key of all of PubMed, whose watermark Mirror moves.
const MirrorKey = "pubmed-all"

// mirrorFolder begins the names under which the corpus knows the files of Mirror.
const mirrorFolder = MirrorKey + "/"

// maxUnpacked limits the bytes read of one file. A real one has about 200 MB.
const maxUnpacked = 4 << 30

// Mirrored says what Mirror is to do, and how.
type Mirrored struct {
	Files       *pubmedfiles.Client
	Dir         string // where downloads are put
	Keep        bool   // and stay; otherwise each is removed once it is stored
	From, To    int    // numbers of the first and last file wanted; To 0: no last one
	Connections int    // 1 to pubmedfiles.MaxConnections
	// Begin is called before anything is downloaded, with what will be. Its error
	// ends the run. May be nil.
	Begin func(Plan) error
}

// Mirror keeps all of PubMed in the corpus: it downloads the files of the newest
// baseline and the update files after it, those that were not imported before or have
// changed, checks each by its MD5 and imports them in the order of their numbers, while
// the next ones are downloaded. At the end it asks again for files that have appeared
// meanwhile.
//
// A new year's baseline is imported over what is there, so no record is ever missing.
// When all of its files, and all update files there are, have been imported, the
// documents that files of earlier years held and none of the new ones holds are removed.
// When all files are imported, the watermark of MirrorKey moves to the newest entry
// date that was seen, or the time the run began, whichever is less.
//
// A file that cannot be downloaded, has a wrong checksum twice or cannot be read to its end is
// a cause of the Incomplete that is returned at the end; the others are imported, unless
// the server or the disk fails as it would for the next file too. The next run goes on
// from there. Other errors: *InputError, *store.HeldError if another run is under
// way, *polite.Error if there is no index of files, *store.Error, and that of Begin.
func Mirror(ctx context.Context, o Options, m Mirrored) (Report, error) {
	switch {
	case m.Connections < 1 || m.Connections > pubmedfiles.MaxConnections:
		return Report{Warnings: []string{}}, &InputError{fmt.Sprintf("there are 1 to %d connections", pubmedfiles.MaxConnections)}
	case m.From < 0 || m.To != 0 && m.To < m.From:
		return Report{Warnings: []string{}}, &InputError{"the last file comes before the first"}
	}
	s, lease, err := begin(ctx, o, mirrorLease)
	if err != nil {
		return s.report, err
	}
	defer lease.Release()
	if err := s.setUp(ctx); err != nil {
		return s.report, err
	}
	r := &mirror{session: s, Mirrored: m}
	if err := r.look(ctx); err != nil {
		return s.report, err
	}
	if m.Begin != nil {
		plan, err := r.plan(ctx)
		if err == nil {
			err = m.Begin(plan)
		}
		if err != nil {
			return s.report, err
		}
	}
	if err := s.startJob(ctx, store.Job{Key: MirrorKey}); err != nil {
		return s.report, err
	}
	return r.run(ctx)
}

// mirrorLease is the lease of Mirror. No query key can be it, as a flag is no value.
const mirrorLease = "--all"

// mirror is one run of Mirror.
type mirror struct {
	*session
	Mirrored
	index  pubmedfiles.Index
	todo   []pubmedfiles.File
	before int    // files that were imported by earlier runs
	last   string // the file that was imported last
}

// look asks for the index, and finds what of it is not imported. A file that was and
// is listed with another date or size counts as not imported; its checksum decides when
// its turn comes.
func (r *mirror) look(ctx context.Context) (err error) {
	if r.index, err = r.Files.Index(ctx); err != nil {
		return err
	}
	r.todo, r.before = nil, 0
	for _, f := range slices.Concat(r.index.Baseline, r.index.Updates) {
		done, err := r.o.Store.FileDone(ctx, known(f, ""))
		switch {
		case err != nil:
			return err
		case done:
			r.before++
		case f.Number >= r.From && (r.To == 0 || f.Number <= r.To):
			r.todo = append(r.todo, f)
		}
	}
	return nil
}

// known is a file as the corpus knows it.
func known(f pubmedfiles.File, sum string) store.File {
	return store.File{Path: mirrorFolder + f.Name, Size: f.Size, ModTime: f.Modified, Hash: sum}
}

func (r *mirror) run(ctx context.Context) (Report, error) {
	if err := r.clean(ctx); err != nil {
		return r.report, err
	}
	p := r.start(ctx, importBatch, false)
	defer p.finish()
	imported := 0
	for len(r.todo) > 0 {
		n, stopped := r.files(ctx, p)
		imported += n
		if stopped || n == 0 || len(r.causes) > 0 {
			break
		}
		before := r.before
		if p.flush() != nil {
			break // finish says why
		}
		if err := r.look(ctx); err != nil {
			r.fail(err)
			break
		}
		r.before = before
	}
	whole, err := r.whole(ctx, p)
	if err == nil && whole {
		err = r.removeVanished(ctx, p)
	}
	if err != nil {
		r.fail(err)
	}
	r.completeIndex(ctx, p.finish())
	if err := r.clean(ctx); err != nil {
		r.fail(err)
	}
	if whole && len(r.causes) == 0 {
		if err := r.advance(ctx); err != nil {
			r.fail(err)
		}
	}
	r.describe(imported)
	return r.end(ctx)
}

// describe puts the files into the warnings, as the schema has room for them there.
func (r *mirror) describe(imported int) {
	text := fmt.Sprintf("%s of 20%02d imported, %d by earlier runs", english.Plural(imported, "file", ""), r.index.Year, r.before)
	if r.last != "" {
		text += "; the last one is " + r.last
	}
	r.warn("%s", text)
	if lacks := r.index.Lacks(); lacks != "" {
		r.warn("%s; what is there is imported, and the watermark stays until the rest is", lacks)
	}
}

// whole reports whether all files of the year are imported.
func (r *mirror) whole(ctx context.Context, p *pipeline) (bool, error) {
	if len(r.causes) > 0 || r.index.Lacks() != "" || ctx.Err() != nil {
		return false, nil
	}
	if p.flush() != nil {
		return false, nil // finish says why
	}
	for _, f := range slices.Concat(r.index.Baseline, r.index.Updates) {
		if done, err := r.o.Store.FileDone(ctx, known(f, "")); !done || err != nil {
			return false, err
		}
	}
	return true, nil
}

// removeVanished removes what PubMed removed between the baselines.
func (r *mirror) removeVanished(ctx context.Context, p *pipeline) error {
	gone, err := r.o.Store.Vanished(ctx, r.index.Year)
	if err != nil {
		return err
	}
	// As old as the baseline: what an update file brings back is newer.
	last := numberOf(r.index.Baseline[len(r.index.Baseline)-1].Name)
	if err := p.begin("", last); err != nil {
		return nil // finish says why
	}
	for _, pmid := range gone {
		if p.remove(pmid, "") != nil {
			return nil
		}
	}
	p.mark(func(b *store.Batch) { b.ForgetFiles(r.index.Year) })
	if len(gone) > 0 {
		r.warn("%s that the files of 20%02d no longer hold removed", english.Plural(len(gone), "document", ""), r.index.Year)
	}
	return nil
}

// advance moves the watermark.
func (r *mirror) advance(ctx context.Context) error {
	if r.report.MaxEDAT == nil {
		return nil
	}
	before, _, err := r.o.Store.Checkpoint(ctx, MirrorKey)
	if err != nil {
		return err
	}
	r.report.Watermark, err = r.o.Store.AdvanceCheckpoint(ctx, MirrorKey, before, min(*r.report.MaxEDAT, rfc3339(r.began)))
	return err
}

// files imports what is to be done. It returns how many files were imported to their
// end, and whether the run is over.
func (r *mirror) files(ctx context.Context, p *pipeline) (imported int, stopped bool) {
	r.step(func(now *Progress) {
		now.TotalBytes = now.Bytes
		for _, f := range r.todo {
			now.TotalBytes += f.Size
		}
	})
	ctx, cancel := context.WithCancel(ctx)
	down := r.download(ctx)
	defer down.group.Wait()
	defer cancel()
	failed := 0 // files in a row that could not be had
	for i, f := range r.todo {
		got := <-down.ready[i]
		if got.err != nil {
			if ctx.Err() != nil {
				return imported, true
			}
			r.fail(got.err)
			if failed++; failed == patience || failsForAll(got.err) {
				return imported, true
			}
			<-down.ahead
			continue
		}
		failed = 0
		ended, stopped := r.file(ctx, p, got)
		if stopped {
			return imported, true
		}
		if ended {
			imported++
			r.last = f.Name
		}
		<-down.ahead
	}
	return imported, false
}

// file imports one file. ended says that it was read to its end.
func (r *mirror) file(ctx context.Context, p *pipeline, got fetched) (ended, stopped bool) {
	as := known(got.file, got.sum)
	if got.same {
		p.mark(func(b *store.Batch) { b.FileDone(as) })
		return true, false
	}
	broken := r.report.Broken
	stopped, err := r.importFile(ctx, p, source{File: as, at: got.path, most: maxUnpacked})
	if err != nil {
		r.fail(err)
	}
	if stopped || err != nil || r.report.Broken > broken {
		return false, stopped
	}
	if !r.Keep {
		p.after(func() { _ = os.Remove(got.path) }) // clean tries again
	}
	return true, false
}

// failsForAll reports whether the next file would fail as this one did.
func failsForAll(err error) bool {
	var disk *polite.FileError
	return errors.As(err, &disk) || errors.Is(err, context.Canceled) || polite.IsKind(err, polite.Unreachable)
}
