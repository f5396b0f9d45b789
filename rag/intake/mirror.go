package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
	"biomcp/store"
)

// MirrorKey is the query key of all of PubMed. Mirror moves its watermark.
const MirrorKey = "pubmed-all"

// mirrorFolder is the prefix of the paths under which the corpus records the files of Mirror.
const mirrorFolder = MirrorKey + "/"

// maxUnpacked is the maximum number of unpacked bytes of a file. Real files have about 200 MB.
const maxUnpacked = 4 << 30

// MirrorOptions holds the options of Mirror.
type MirrorOptions struct {
	Files       *pubmedfiles.Client
	Dir         string // folder for downloads
	Keep        bool   // keep downloads instead of removing each once it is stored
	From, To    int    // numbers of the first and last file; a zero To means no limit
	Connections int    // 1 to pubmedfiles.MaxConnections
	// Begin, if not nil, is called with the plan before anything is downloaded. If it returns
	// an error, Mirror stops with that error.
	Begin func(Plan) error
}

// Mirror keeps all of PubMed in the corpus. It downloads the files of the newest baseline and
// its update files if they are new or have changed, checks the MD5 of each, and imports them in
// the order of their numbers while it downloads the next ones. At the end it looks for files
// that have appeared meanwhile.
//
// A new year's baseline is imported over the existing records, so no record is ever absent.
// When all of its files and all update files have been imported, Mirror removes the documents
// that files of earlier years held and none of the new ones holds. When all files are imported,
// the watermark of MirrorKey moves to the newest entry date or the start time of the run,
// whichever is earlier.
//
// A file that cannot be downloaded, has a wrong checksum twice or cannot be read to its end is
// a cause of the returned *Incomplete, and so is a gap in the list of files. The other files are still imported, unless the server or
// the disk fails in a way that would affect them too. The next run continues from there. Other
// errors are *InputError, *store.HeldError if another run is in progress, *httpclient.Error if the
// server has no index of files, *store.Error, and the error of Begin.
func Mirror(ctx context.Context, o Options, m MirrorOptions) (Report, error) {
	switch {
	case m.Connections < 1 || m.Connections > pubmedfiles.MaxConnections:
		message := fmt.Sprintf("the number of connections must be 1 to %d", pubmedfiles.MaxConnections)
		return Report{Warnings: []string{}}, &InputError{message}
	case m.From < 0 || m.To != 0 && m.To < m.From:
		return Report{Warnings: []string{}}, &InputError{"the last file comes before the first"}
	}
	s, lease, err := begin(ctx, o, mirrorLease)
	if err != nil {
		return s.report, err
	}
	defer lease.Release()
	if err := s.setup(ctx); err != nil {
		return s.report, err
	}
	r := &mirror{session: s, MirrorOptions: m}
	if err := r.readIndex(ctx); err != nil {
		return s.report, err
	}
	if last := r.index.Last(); r.From > last {
		return s.report, &InputError{fmt.Sprintf("the server lists only the files 1 to %d of 20%02d", last, r.index.Year)}
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

// mirrorLease is the lease of Mirror. It cannot be a query key, because it looks like a flag.
const mirrorLease = "--all"

// A mirror is one run of Mirror.
type mirror struct {
	*session
	MirrorOptions
	index  pubmedfiles.Index
	todo   []pubmedfiles.File
	before int // number of files imported by earlier runs
}

// readIndex fetches the index and lists the files that are not imported. An imported file that
// is now listed with another date or size is on the list too; fetch compares its checksum
// later.
func (r *mirror) readIndex(ctx context.Context) (err error) {
	if r.index, err = r.Files.Index(ctx); err != nil {
		return err
	}
	r.todo, r.before = nil, 0
	for _, f := range slices.Concat(r.index.Baseline, r.index.Updates) {
		done, err := r.o.Store.FileDone(ctx, storeFile(f, ""))
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

// storeFile converts a file of the index to the form that the corpus records.
func storeFile(f pubmedfiles.File, sum string) store.File {
	return store.File{Path: mirrorFolder + f.Name, Size: f.Size, ModTime: f.Modified, Hash: sum}
}

func (r *mirror) run(ctx context.Context) (Report, error) {
	if err := r.clean(ctx); err != nil {
		return r.report, err
	}
	p := r.start(ctx, importBatch, false)
	defer p.finish()
	for len(r.todo) > 0 {
		n, stopped := r.importTodo(ctx, p)
		if stopped || n == 0 || len(r.causes) > 0 {
			break
		}
		before := r.before
		if p.flush() != nil {
			break // finish returns the reason
		}
		if err := r.readIndex(ctx); err != nil {
			r.fail(err)
			break
		}
		r.before = before
	}
	whole, err := r.allImported(ctx, p)
	if err == nil && whole {
		err = r.removeVanished(ctx, p)
	}
	if err != nil {
		r.fail(err)
	}
	r.completeIndex(ctx, p.finish())
	if lacks := r.index.Missing(r.From, r.To); lacks != "" {
		r.fail(&IndexError{lacks})
	}
	if err := r.clean(ctx); err != nil {
		r.fail(err)
	}
	if whole && len(r.causes) == 0 {
		if err := r.advance(ctx); err != nil {
			r.fail(err)
		}
	}
	r.describe()
	return r.end(ctx)
}

// describe adds the numbers of files to the warnings, because the schema has no other place for
// them.
func (r *mirror) describe() {
	text := fmt.Sprintf("%s of 20%02d imported, %d by earlier runs",
		english.Plural(r.report.Files, "file", ""), r.index.Year, r.before)
	if r.lastFile != "" {
		text += "; the last one is " + r.lastFile
	}
	r.warn("%s", text)
	if text := r.index.Unfinished(); text != "" {
		r.warn("%s; the watermark stays until there is one", text)
	}
}

// allImported reports whether all files of the year are imported.
func (r *mirror) allImported(ctx context.Context, p *pipeline) (bool, error) {
	if len(r.causes) > 0 || r.index.Missing(0, 0)+r.index.Unfinished() != "" || ctx.Err() != nil {
		return false, nil
	}
	if p.flush() != nil {
		return false, nil // finish returns the reason
	}
	for _, f := range slices.Concat(r.index.Baseline, r.index.Updates) {
		if done, err := r.o.Store.FileDone(ctx, storeFile(f, "")); !done || err != nil {
			return false, err
		}
	}
	return true, nil
}

// removeVanished removes documents that are no longer in any file of the year.
func (r *mirror) removeVanished(ctx context.Context, p *pipeline) error {
	gone, err := r.o.Store.VanishedPMIDs(ctx, r.index.Year)
	if err != nil {
		return err
	}
	// Date the deletions as the baseline, so that an update file can bring a record back.
	last := fileNumber(r.index.Baseline[len(r.index.Baseline)-1].Name)
	if err := p.begin("", last); err != nil {
		return nil // finish returns the reason
	}
	for _, pmid := range gone {
		if p.remove(pmid, "") != nil {
			return nil
		}
	}
	p.mark(func(b *store.Batch) { b.DropFilePMIDs(r.index.Year) })
	if len(gone) > 0 {
		r.warn("%s removed that the files of 20%02d no longer contain",
			english.Plural(len(gone), "document", ""), r.index.Year)
	}
	return nil
}

// advance moves the watermark.
func (r *mirror) advance(ctx context.Context) error {
	before, _, err := r.o.Store.Checkpoint(ctx, MirrorKey)
	if err == nil {
		err = CheckWatermark(ctx, r.o.Store, MirrorKey, before, r.startTime)
	}
	if err != nil || r.report.MaxEDAT == nil {
		return err
	}
	next := min(*r.report.MaxEDAT, rfc3339(r.startTime))
	r.report.Watermark, err = r.o.Store.AdvanceCheckpoint(ctx, MirrorKey, before, next)
	return err
}

// importTodo imports the files of r.todo. It returns how many files were imported completely,
// and whether the run must stop.
func (r *mirror) importTodo(ctx context.Context, p *pipeline) (imported int, stopped bool) {
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
	failed := 0 // number of consecutive files that could not be downloaded
	for i := range r.todo {
		got := <-down.ready[i]
		if got.err != nil {
			if ctx.Err() != nil {
				return imported, true
			}
			r.fail(got.err)
			if failed++; failed == maxAttempts || failsForAll(got.err) {
				return imported, true
			}
			<-down.ahead
			continue
		}
		failed = 0
		ended, stopped := r.importOne(ctx, p, got)
		if stopped {
			return imported, true
		}
		if ended {
			imported++
		}
		<-down.ahead
	}
	return imported, false
}

// importOne imports one file. ended reports whether it was read to its end.
func (r *mirror) importOne(ctx context.Context, p *pipeline, got downloadResult) (ended, stopped bool) {
	as := storeFile(got.file, got.sum)
	if got.alreadyImported {
		p.mark(func(b *store.Batch) { b.FileDone(as) })
		p.after(func() { r.countFile(got.file.Name) })
		return true, false
	}
	broken := r.report.Broken
	stopped, err := r.importFile(ctx, p, source{File: as, readPath: got.path, checked: true, maxBytes: maxUnpacked})
	if err != nil {
		r.fail(err)
	}
	if stopped || err != nil || r.report.Broken > broken {
		return false, stopped
	}
	if !r.Keep {
		p.after(func() { _ = os.Remove(got.path) }) // on failure, clean tries again
	}
	return true, false
}

// failsForAll reports whether err would affect the next file too.
func failsForAll(err error) bool {
	var disk *httpclient.FileError
	return errors.As(err, &disk) || errors.Is(err, context.Canceled) || httpclient.IsKind(err, httpclient.Unreachable)
}
