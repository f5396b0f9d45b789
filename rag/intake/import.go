package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize/english"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/store"
)

// importKey is the lease of imports, which excludes a second import. It cannot be a query key,
// because it looks like a flag.
const importKey = "--from"

// Import stores the records of PubMed XML files, plain or gzipped: baseline files, update
// files, or EFetch replies. For a folder it reads the .xml and .xml.gz files in it and in its
// subfolders, in the order of their names, so that later ones win. It skips files of a folder
// that are unchanged since they were imported completely. A file that paths name directly is
// always read.
//
// Of two records with one PMID it keeps the one with the greater PMID version, then the one
// with the later LR, then the one from the later of PubMed's numbered files, then the later
// record. DeleteCitation removes a document that is not newer than the deletion and leaves a
// tombstone. The age of a deletion is the newest revision in its file or, if the file has no
// records, the number of the file. PubMed's files may therefore be imported in any order.
// Import does not move a watermark.
//
// A record that cannot be read is counted and listed in the warnings, and its file is read
// again next time. A file is a cause (*FileError) of the returned *Incomplete if it cannot be
// read, has no readable record or no record at all, is truncated or is not PubMed XML. Its readable records, and
// the other files, are stored. Other errors are *InputError, *store.HeldError if another import
// is running, and *store.Error.
func Import(ctx context.Context, o Options, paths ...string) (Report, error) {
	files, err := find(paths)
	if err != nil {
		return Report{Warnings: []string{}}, err
	}
	s, lease, err := begin(ctx, o, importKey)
	if err != nil {
		return s.report, err
	}
	defer lease.Release()
	if err := s.setup(ctx); err != nil {
		return s.report, err
	}
	if err := s.startJob(ctx, store.Job{Key: importKey}); err != nil {
		return s.report, err
	}
	return s.importFiles(ctx, files)
}

func (s *session) importFiles(ctx context.Context, files []source) (Report, error) {
	todo, err := s.notDone(ctx, files)
	if err != nil {
		return s.report, err
	}
	p := s.start(ctx, importBatch, false)
	defer p.finish()
	for _, f := range todo {
		stopped, err := s.importFile(ctx, p, f)
		if err != nil {
			s.fail(err)
		}
		if stopped {
			break
		}
	}
	s.completeIndex(ctx, p.finish())
	read := english.Plural(s.report.Files, "file", "") + " stored to the end"
	if passed := len(files) - len(todo); passed > 0 {
		read += fmt.Sprintf(", %d skipped as imported before", passed)
	}
	s.warn("%s", read)
	return s.end(ctx)
}

// notDone returns the files without those found in a folder that were imported before.
func (s *session) notDone(ctx context.Context, files []source) ([]source, error) {
	var todo []source
	for _, f := range files {
		done := false
		if !f.explicit && f.readErr == nil {
			var err error
			if done, err = s.o.Store.FileDone(ctx, f.File); err != nil {
				return nil, err
			}
		}
		if !done {
			todo = append(todo, f)
			s.progress.TotalBytes += f.Size
		}
	}
	return todo, nil
}

// importFile feeds one file to the pipeline. stopped reports that the pipeline has ended or ctx
// is done. err is an error of the file.
func (s *session) importFile(ctx context.Context, p *pipeline, f source) (stopped bool, err error) {
	if f.readErr != nil {
		return false, f.readErr
	}
	r, err := os.Open(f.readPath)
	if err != nil {
		return false, unreadable(f.name(), err)
	}
	defer r.Close()
	s.step(func(now *Progress) { now.File = f.name() })
	in := &input{p: p, name: f.name(), raw: r, maxBytes: f.maxBytes}
	if err = p.begin(f.name(), fileNumber(f.name())); err == nil {
		err = in.feed(ctx)
	}
	if in.broken > 0 {
		s.report.Broken += in.broken
		s.warn("%s: %s could not be read: %s", f.name(), english.Plural(in.broken, "record", ""), joinNames(in.names))
	}
	var bad *FileError
	switch {
	case errors.As(err, &bad):
		return false, bad
	case err != nil:
		return true, nil // finish returns the reason
	case in.broken > 0 && in.taken == 0 && len(in.deleted) == 0:
		reason := fmt.Sprintf("none of its %s could be read", english.Plural(in.broken, "record", ""))
		return false, &FileError{Name: f.name(), Reason: reason}
	case in.broken == 0 && in.taken == 0 && len(in.deleted) == 0 && !f.checked:
		return false, &FileError{Name: f.name(), Reason: "it holds no PubMed record"}
	case in.broken == 0:
		p.mark(func(b *store.Batch) { b.FileDone(f.File) })
	}
	p.after(func() { s.countFile(f.name()) })
	return false, nil
}

// countFile counts a file whose records are stored.
func (s *session) countFile(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Files++
	s.lastFile = name
}

// An input feeds PubMed XML into a pipeline.
type input struct {
	p        *pipeline
	name     string
	raw      io.Reader
	maxBytes int64  // maximum number of bytes of XML; zero means no limit
	bytes    int64  // bytes read from raw and not yet reported
	records  int    // records read and not yet reported
	taken    int    // total number of records
	newest   string // greatest LR of the records so far
	deleted  []record.PMID
	broken   int
	names    []string // errors of the broken records
}

func (in *input) Read(b []byte) (int, error) {
	n, err := in.raw.Read(b)
	in.bytes += int64(n)
	return n, err
}

// feed reads the file to its end. It returns a *FileError if the file is faulty, and any other
// error if the pipeline or ctx has ended.
func (in *input) feed(ctx context.Context) error {
	err := in.scan(ctx)
	if bad := (*FileError)(nil); err != nil && !errors.As(err, &bad) {
		return err
	}
	// Deletions come last, because they take the newest revision of the whole file.
	for _, pmid := range in.deleted {
		if err := in.p.remove(pmid, in.newest); err != nil {
			return err
		}
	}
	return err
}

func (in *input) scan(ctx context.Context) error {
	plain, err := pubmed.NewReader(in)
	if err != nil {
		return in.fault(err)
	}
	if in.maxBytes > 0 {
		plain = &limitedReader{plain, in.maxBytes}
	}
	for item, err := range pubmed.Scan(plain) {
		var bad *pubmed.RecordError
		switch {
		case errors.As(err, &bad):
			in.addBroken(bad)
		case err != nil:
			return in.fault(err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		default:
			if err := in.add(item); err != nil {
				return err
			}
		}
		if in.records == groupSize {
			in.report()
		}
	}
	in.report()
	return nil
}

// A limitedReader fails after a number of bytes.
type limitedReader struct {
	io.Reader
	remaining int64
}

var errTooLarge = errors.New("it unpacks to more than any of PubMed's files")

func (b *limitedReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.remaining -= int64(n); b.remaining < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// add passes a record to the pipeline, or keeps a deletion for later.
func (in *input) add(item pubmed.Item) error {
	if a := item.Article; a != nil {
		in.records++
		pmid, err := record.ParsePMID(a.PMID)
		if err != nil {
			in.addBroken(err)
			return nil
		}
		in.taken++
		in.newest = max(in.newest, timestamp(a.Dates.LastRevised))
		return in.p.put(a, pmid)
	}
	for _, id := range item.Deleted {
		pmid, err := record.ParsePMID(id)
		if err != nil {
			in.addBroken(err)
			continue
		}
		in.deleted = append(in.deleted, pmid)
	}
	return nil
}

// addBroken counts a record that could not be read.
func (in *input) addBroken(err error) {
	in.broken++
	if len(in.names) <= maxNames {
		in.names = append(in.names, err.Error())
	}
}

// report updates the progress.
func (in *input) report() {
	in.p.step(func(now *Progress) {
		now.Records += in.records
		now.Bytes += in.bytes
	})
	in.records, in.bytes = 0, 0
}

// fault returns a FileError that describes err.
func (in *input) fault(err error) *FileError {
	var cut *pubmed.TruncatedError
	var other *pubmed.FormatError
	var reply *pubmed.ReplyError
	e := &FileError{Name: in.name, Err: err}
	switch {
	case errors.As(err, &cut):
		e.Reason = fmt.Sprintf("it is cut short: it ends after %s, in the middle of the document",
			english.Plural(cut.Records, "whole record", ""))
	case errors.As(err, &other):
		e.Reason = "it is not PubMed XML but " + other.Found
	case errors.As(err, &reply):
		e.Reason = "it holds no records but an error message of NCBI"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		e.Reason = "its gzip data is damaged"
	case errors.Is(err, errTooLarge):
		e.Reason = errTooLarge.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Reason = "it is cut short"
	default:
		return unreadable(in.name, err)
	}
	return e
}
