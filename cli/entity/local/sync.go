package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/store"
	"biomcp/store/disk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// syncResult is the answer of sync.
type syncResult struct {
	Source   string `json:"source"`
	URL      string `json:"url"`
	Version  int    `json:"version"`
	Rows     int    `json:"rows"`
	Changed  bool   `json:"changed"`
	Bytes    int64  `json:"bytes"`
	StoredAt string `json:"stored_at"`

	Submissions *syncResult `json:"submissions,omitempty"` // nil unless the table was synced with the variants

	info table.Info
}

func (s syncResult) Doc() result.Doc {
	changed := "no: the source has no newer one"
	if s.Changed {
		changed = "yes"
	}
	fields := result.Fields{
		{Name: "Source", Value: s.info.Source}, {Name: "Address", Value: s.URL}, {Name: "Changed", Value: changed},
		{Name: "Version", Value: fmt.Sprintf("%d, stored %s", s.Version, s.StoredAt)},
		{Name: "Rows", Value: fmt.Sprint(s.Rows)},
	}
	for _, f := range s.info.Files {
		fields = append(fields, result.Field{Name: f.Name, Value: result.Size(f.Bytes) + ", SHA-256 " + f.SHA256})
	}
	doc := result.Doc{result.Heading{Level: 1, Text: "Local table " + s.info.Name},
		append(fields, result.Field{Name: "Terms", Value: s.info.Licence})}
	if s.Submissions != nil {
		doc = append(doc, s.Submissions.Doc()...)
	}
	return doc
}

// command returns the command that syncs the data set.
func (s set) command() *command.Command {
	c := &command.Command{
		Use: s.Name, Short: "Keep " + s.contents,
		Help: command.Help{
			Purpose: "Source: " + s.Label + ".",
			Output: "The stored version, and whether it is new. The old version stays in use until the new one " +
				"is complete.",
			Surprises: fmt.Sprintf("An interrupted download resumes. Unchanged files are not downloaded again. "+
				"Answers from a table older than %s have a notice. Licence: %s.", days(s.Stale), s.Licence),
		},
		Effect: command.Stores, OwnProgress: true,
		Flags:    syncFlags,
		Examples: []command.Example{{Line: "biomcp sync " + s.Name, Explanation: s.contents}},
		Run:      func(ctx context.Context, in *command.Input) (*result.Result, error) { return s.sync(ctx, in) },
	}
	if s.Set == bulk.ClinVar {
		c.Flags, c.Run = submissionFlags, syncClinVar
		c.Examples = append(c.Examples, command.Example{Line: SubmissionsLine,
			Explanation: "every submission as well, which later syncs keep up to date"})
	}
	return c
}

// syncFlags defines the flags of the commands that sync tables.
func syncFlags(f *command.Flags) {
	f.Bool("force", false, "download and store the files even if they are unchanged, or have less than "+
		"half as many rows")
}

// sync stores the current version of the source.
func (s set) sync(ctx context.Context, in *command.Input) (res *result.Result, err error) {
	tables, err := in.App.TablesToWrite(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	w, err := s.begin(in)
	if err != nil {
		return nil, err
	}
	defer w.lock.Close()
	w.old, err = s.info(ctx, in.App, tables)
	replaceDamaged := s.ownStore() != nil && in.Bool("force")
	if err != nil && !table.IsAbsent(err) && !replaceDamaged {
		return nil, err
	}
	files, changed, err := w.fetch(ctx)
	if err != nil {
		return nil, err
	}
	var info table.Info
	if changed {
		info, err = w.store(ctx, tables, files)
	} else if info, err = w.markChecked(ctx, tables); err == nil {
		err = w.clean()
	}
	if err != nil {
		return nil, err
	}
	res = &result.Result{Payload: syncResult{
		Source: s.Name, URL: info.URL, Version: info.Version, Rows: info.Rows, Changed: changed,
		Bytes: info.Bytes(), StoredAt: info.StoredAt.Format(time.RFC3339), info: info,
	}}
	if info.Skipped > 0 {
		res.Notice(fmt.Sprintf("%d rows are unreadable and left out: %s", info.Skipped, info.Problem))
	}
	return res, nil
}

// markChecked records that the source has the stored version.
func (w *intake) markChecked(ctx context.Context, tables *table.Tables) (table.Info, error) {
	if own := w.ownStore(); own != nil {
		return own.markChecked(w.in.App, w.began)
	}
	return tables.MarkChecked(ctx, w.Name, w.began)
}

// An intake is one run of sync. It holds the lock of the download folder of its data set.
type intake struct {
	set
	dir    string
	lock   *flock.Flock
	in     *command.Input
	client *httpclient.Client
	old    table.Info
	began  time.Time
}

// begin creates and locks the download folder of the set, in the folder "tables" of the data
// folder. It returns a *store.HeldError if another process holds the lock.
func (s set) begin(in *command.Input) (*intake, error) {
	data, err := in.App.CorpusDir()
	if err != nil {
		return nil, err
	}
	w := &intake{set: s, dir: filepath.Join(data, "tables", s.Name), in: in, client: in.App.Network(), began: in.App.Now()}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return nil, onDisk(err)
	}
	w.lock = flock.New(w.dir + ".lock")
	mine, err := w.lock.TryLock()
	if err != nil {
		return nil, onDisk(err)
	}
	if !mine {
		return nil, errors.Join(&store.HeldError{Key: s.Name, Work: "the sync of " + s.Name}, w.lock.Close())
	}
	return w, nil
}

// clean removes the downloaded files.
func (w *intake) clean() error {
	if err := os.RemoveAll(w.dir); err != nil {
		return onDisk(err)
	}
	return nil
}

// onDisk converts an error of the file system to a store error, without the path.
func onDisk(err error) error {
	kind := store.Failed
	if errors.Is(err, os.ErrPermission) {
		kind = store.ReadOnly
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return disk.NewError(kind, "sync local table", "the folder of local tables cannot be used (%s)", err)
}

// fetch downloads the current files of the source. If they equal the stored version, changed is
// false and files may be empty.
func (w *intake) fetch(ctx context.Context) (files []table.File, changed bool, err error) {
	known := map[string]string{}
	for _, f := range w.old.Files {
		if !w.in.Bool("force") {
			known[f.URL] = f.Validator
		}
	}
	for _, conditional := range []bool{true, false} {
		if !conditional {
			known = nil // if some files changed, the others are needed too
		}
		if files, err = w.fetchAll(ctx, files, known); err != nil {
			return nil, false, err
		}
		unchanged := func(f table.File) bool { return f.SHA256 == "" }
		if !slices.ContainsFunc(files, func(f table.File) bool { return !unchanged(f) }) {
			return nil, false, nil
		}
		if !slices.ContainsFunc(files, unchanged) {
			break
		}
	}
	same := func(a, b table.File) bool { return a.Name == b.Name && a.SHA256 == b.SHA256 }
	return files, w.in.Bool("force") || !slices.EqualFunc(files, w.old.Files, same), nil
}

// fetchAll downloads the files that have is missing. A file that did not change at the source has
// no checksum.
func (w *intake) fetchAll(ctx context.Context, have []table.File, validators map[string]string) ([]table.File, error) {
	out := make([]table.File, len(w.Files))
	for i, f := range w.Files {
		if i < len(have) && have[i].SHA256 != "" {
			out[i] = have[i]
			continue
		}
		show, done := w.in.ShowDownload(f.Name)
		to := &httpclient.File{Path: filepath.Join(w.dir, f.Name), OnProgress: show, Revalidate: true}
		address, err := bulk.Save(ctx, w.client, w.Set, f, to, w.began, validators)
		done()
		if err != nil {
			return nil, err
		}
		out[i] = table.File{Name: f.Name, URL: address, Validator: to.Validator(), Modified: to.Modified()}
		if to.Unchanged {
			continue
		}
		if out[i].Bytes, out[i].SHA256, err = checksum(to.Path); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// store replaces the version in the tables.
func (w *intake) store(ctx context.Context, tables *table.Tables, files []table.File) (table.Info, error) {
	address, _, _ := strings.Cut(files[0].URL, "?")
	info := table.Info{Name: w.Name, Source: w.Label, URL: strings.TrimSuffix(address, w.Files[0].Path),
		Licence: w.Licence.String(), StoredAt: w.began, Files: files}
	if len(files) == 1 {
		info.URL = files[0].URL
	}
	if w.in.IO.Err != nil {
		fmt.Fprintf(w.in.IO.Err, "storing %s\n", w.Name)
	}
	var report sets.Report
	check := func(old, new *table.Info) error {
		new.Skipped, new.Problem = report.Skipped, report.Problem
		return w.checkRows(old, new)
	}
	var err error
	if own := w.ownStore(); own != nil {
		err = w.withFiles(func(files sets.Files) error {
			info, err = own.replace(ctx, w.in.App, info, files, &report, check)
			return err
		})
	} else {
		info, err = tables.Replace(ctx, info, func(put func(*table.Row) error) error {
			return w.withFiles(func(files sets.Files) error { return sets.Read(w.Name, w.Layouts(), files, put, &report) })
		}, check)
	}
	if errors.Is(err, table.ErrNoRows) {
		err = &RefusedError{Set: w.Set, Err: err}
	}
	if err == nil || errors.As(err, new(*RefusedError)) {
		err = errors.Join(err, w.clean())
	}
	return info, err
}

// checkRows returns an error if the new version has less than half as many rows as the stored one.
func (w *intake) checkRows(old, new *table.Info) error {
	if w.in.Bool("force") || new.Rows*2 >= old.Rows {
		return nil
	}
	return &RefusedError{Set: w.Set,
		Err: fmt.Errorf("it has %d rows, and the stored version has %d", new.Rows, old.Rows), Fewer: true}
}
