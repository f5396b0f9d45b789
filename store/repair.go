package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"biomcp/entrez/record"
	"biomcp/store/damaged"
	"biomcp/store/disk"
	"biomcp/store/rows"
)

// Repair mends a damaged corpus in its file, or rebuilds it from what can be read.
type Repair struct {
	Options
	Index    func(*Document)         // sets the tokens of the chunks of a document that was read
	Vectors  func(model string) bool // whether the vectors of a model are saved; those of others are not looked at
	Meta     map[string]string       // notes of the caller's own (SetMeta) that are true of the new corpus
	Force    bool                    // also where no damage is found
	Progress func(records, of int64) // nil: none
}

// Repaired is what a repair did.
type Repaired struct {
	Saved  Saved `json:"saved"`
	Lost   Lost  `json:"lost"`
	Mended int64 `json:"mended"` // faults that were mended in the file itself; otherwise it was rebuilt
	// Kept is the name of the damaged file in the data folder, "" where it was
	// mended in place, or no damage was found and nothing done.
	Kept string `json:"damaged_file"`
}

// Saved is what the new corpus holds.
type Saved struct {
	Documents  int64 `json:"documents"`
	Deletions  int64 `json:"deletions"` // of records that PubMed deleted
	Watermarks int64 `json:"watermarks"`
	Vectors    int64 `json:"vectors"`
}

// Lost is what the new corpus lacks, as far as it can be known.
type Lost struct {
	Records int64         `json:"records"` // documents and deletions, by the count that the corpus kept or by PMID
	PMIDs   []record.PMID `json:"pmids"`   // of those whose number is known, the first 10,000
	Damaged int64         `json:"damaged"` // faults that were found in the file
	Journal int64         `json:"journal"` // pages of the journal that were damaged: of the last commits
}

const (
	repairingDB  = "corpus.repairing.db"
	repairedDB   = "corpus.repaired.db" // whole; takes the place of the damaged file
	repairReport = "repair"
	keptPMIDs    = 10000
	repairing    = "repair corpus" // the Op of errors
)

// lockWriters lets nobody repair a corpus that is open for writing, and nobody write
// to one that is being repaired.
func lockWriters(dir string, alone bool) (*flock.Flock, error) {
	lock, err := rows.Lock(filepath.Join(dir, locks), "writers.lock", !alone)
	switch {
	case err != nil || lock != nil:
		return lock, err
	case alone:
		return nil, disk.NewError(Locked, repairing, "another process has it open for writing")
	}
	return nil, disk.NewError(Locked, "open corpus", "it is being repaired")
}

// unfinishedRepair is the error for a corpus of which a repair was stopped while
// files changed their names; the next repair completes that.
func unfinishedRepair(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, repairedDB)); err != nil {
		return nil
	}
	return disk.NewError(Corrupt, "open corpus", "its repair was stopped before its end")
}

// Run checks the whole file. Where rows are damaged it mends them: words and codes are made
// again, what is stored twice is taken from the other copy, and documents that cannot be
// read are removed, and lost. Where its structure or its journal is damaged, what can be
// read is saved into a new file, which takes the place of the damaged one; that is kept
// under another name.
// Killed at any moment, it leaves either the damaged corpus or the new one, or what
// the next run completes. Errors: Locked where another process writes, NotFound,
// OtherLayout, Foreign, Corrupt where nothing of a corpus is left.
func (r Repair) Run(ctx context.Context) (Repaired, error) {
	lock, err := lockWriters(r.Dir, true)
	if err != nil {
		return Repaired{}, rows.Wrap(ctx, repairing, err)
	}
	defer lock.Close()
	done, err := r.run(ctx)
	if err == nil { // what was found before is mended, or was none
		err = r.remove(checkedFile)
	}
	return done, rows.Wrap(ctx, repairing, err)
}

func (r Repair) run(ctx context.Context) (Repaired, error) {
	if unfinishedRepair(r.Dir) == nil {
		done, err := r.build(ctx)
		if err != nil || done.Kept == "" {
			return done, errors.Join(err, r.removeBegun())
		}
		if err := syncFile(r.path(repairingDB)); err != nil {
			return done, err
		}
		if err := os.Rename(r.path(repairingDB), r.path(repairedDB)); err != nil {
			return done, err
		}
	}
	done, err := r.report(ctx)
	if err != nil {
		return done, err
	}
	return done, r.swap(done.Kept)
}

func (r Repair) path(name string) string { return filepath.Join(r.Dir, name) }

// swap gives the files their names: the journal goes first, or it would be taken for
// that of the new file. Whatever of this was done before is passed over.
func (r Repair) swap(kept string) error {
	for _, suffix := range []string{"-wal", ""} {
		if _, err := os.Stat(r.path(kept + suffix)); err == nil {
			continue
		}
		if err := os.Rename(r.path(FileName+suffix), r.path(kept+suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// The new file was closed: it is whole without its journal.
	if err := r.remove(FileName+"-shm", repairedDB+"-wal", repairedDB+"-shm"); err != nil {
		return err
	}
	if err := os.Rename(r.path(repairedDB), r.path(FileName)); err != nil {
		return err
	}
	return syncFile(r.Dir)
}

// freeName is the name of a database that is not there yet.
func (r Repair) freeName(base string) string {
	name := base + ".db"
	for i := 2; ; i++ {
		_, err := os.Stat(r.path(name))
		_, walErr := os.Stat(r.path(name + "-wal"))
		if err != nil && walErr != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d.db", base, i)
	}
}

// remove removes the files that are there.
func (r Repair) remove(names ...string) (err error) {
	for _, name := range names {
		if gone := os.Remove(r.path(name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// removeBegun removes the new corpus that was begun.
func (r Repair) removeBegun() error {
	return r.remove(repairingDB, repairingDB+"-wal", repairingDB+"-shm")
}

// syncFile brings a file, or the names in a folder, to the disk. Where a system does
// not do that for folders, nothing can be done.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// open opens a corpus of the folder by the name of its file, "" for the one in use.
func (r Repair) open(ctx context.Context, name string, readOnly bool) (*Store, error) {
	o := r.Options
	o.name, o.ReadOnly = name, readOnly
	return Open(ctx, o)
}

// report reads what the repair of a new corpus did.
func (r Repair) report(ctx context.Context) (done Repaired, err error) {
	s, err := r.open(ctx, repairedDB, true)
	if err != nil {
		return done, err
	}
	text, err := s.Meta(ctx, repairReport)
	if err == nil {
		err = json.Unmarshal([]byte(text), &done)
	}
	return done, errors.Join(err, s.Close())
}

// build makes the new corpus, unless no damage is found.
func (r Repair) build(ctx context.Context) (done Repaired, err error) {
	if err := r.removeBegun(); err != nil {
		return done, err
	}
	if _, err := os.Stat(r.path(FileName)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = disk.NewError(NotFound, repairing, "there is no corpus yet")
		}
		return done, err
	}
	faults, lost, mended, unchecked := r.inPlace(ctx)
	if mended != nil {
		return *mended, nil
	}
	to, err := r.open(ctx, repairingDB, false)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	first, err := to.firstPage(ctx)
	if err != nil {
		return done, err
	}
	f, err := damaged.Open(r.path(FileName), first)
	if err != nil {
		return done, err
	}
	defer f.Close()
	switch {
	case f.Foreign:
		return done, disk.NewError(Foreign, repairing, "the file is a database of another program and was left as it is")
	case f.Version > 0:
		if err := rows.CheckLayout(f.Version, len(to.db.Layouts)); err != nil && !IsKind(err, Corrupt) {
			return done, err
		}
	}
	if unchecked != nil {
		return done, unchecked
	}
	s := &salvage{Repair: r, from: f, to: to, faults: faults, broken: lost, done: Repaired{Lost: Lost{PMIDs: []record.PMID{}}}}
	if err := s.start(ctx); err != nil {
		return done, err
	}
	if err := s.check(ctx); err != nil {
		return done, err
	}
	if s.done.Lost.Damaged+s.done.Lost.Journal == 0 && !r.Force {
		return s.done, nil
	}
	if err := s.rest(ctx); err != nil {
		return done, err
	}
	done = s.done
	if done.Saved.Documents+done.Saved.Deletions+done.Saved.Watermarks+done.Lost.Records == 0 {
		return done, disk.NewError(Corrupt, repairing, "nothing of a corpus could be read in the file, which was left where it is")
	}
	for key, value := range r.Meta {
		if err := to.SetMeta(ctx, key, value); err != nil {
			return done, err
		}
	}
	done.Kept = r.freeName("corpus.damaged-" + to.o.Now().UTC().Format("20060102T150405Z"))
	text, err := json.Marshal(done)
	if err != nil {
		return done, err
	}
	return done, to.SetMeta(ctx, repairReport, string(text))
}

// inPlace checks the corpus and mends what rows alone can mend, which may show more. It
// returns what it did, nil if the corpus is to be rebuilt or has no damage; faults are
// those that were found at first, and lost what is removed already.
func (r Repair) inPlace(ctx context.Context) (faults int64, lost map[record.PMID]bool, mended *Repaired, err error) {
	lost = map[record.PMID]bool{}
	for round := 0; ; round++ {
		n, k, err := r.faults(ctx)
		faults = max(faults, n)
		if err != nil || n == 0 && round == 0 || round > 3 {
			return faults, lost, nil, err
		}
		if n == 0 {
			done := &Repaired{Mended: faults, Lost: Lost{Damaged: faults, Records: int64(len(lost)), PMIDs: []record.PMID{}}}
			pmids := slices.Sorted(maps.Keys(lost))
			done.Lost.PMIDs = append(done.Lost.PMIDs, pmids[:min(len(pmids), keptPMIDs)]...)
			s, err := r.open(ctx, "", true)
			if err == nil {
				done.Saved, err = s.saved(ctx)
				err = errors.Join(err, s.Close())
			}
			return faults, lost, done, err
		}
		more, ok, err := r.mend(ctx, k)
		if !ok || err != nil {
			return faults, lost, nil, err
		}
		maps.Copy(lost, more)
	}
}

// faults is how many faults a Check of all there is finds, and which. It knows none if the
// corpus cannot be opened.
func (r Repair) faults(ctx context.Context) (n int64, k *check, err error) {
	s, err := r.open(ctx, "", true)
	if err == nil {
		_, k, err = s.check(ctx, Checking{Deep: true})
		n = int64(k.faults)
		err = errors.Join(err, s.Close())
	}
	if IsKind(err, Corrupt) || IsKind(err, NotFound) || IsKind(err, OtherLayout) || IsKind(err, Foreign) { // it is there, and build looks at what it is
		return max(n, 1), k, nil
	}
	return n, k, err
}

// firstPage is the first page of a new file, which is alike in all files of a layout: it
// holds the definitions of the tables.
func (s *Store) firstPage(ctx context.Context) ([]byte, error) {
	if _, err := s.db.Writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return nil, err
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page := make([]byte, rows.PageSize)
	_, err = io.ReadFull(f, page)
	return page, err
}
