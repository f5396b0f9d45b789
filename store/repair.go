package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"biomcp/entrez/record"
	"biomcp/store/disk"
	"biomcp/store/rows"
	"biomcp/store/salvage"
)

// Repair repairs a damaged corpus in place, or rebuilds it from the rows that can be read.
type Repair struct {
	Options
	Index    func(*Document)         // sets the tokens of the chunks of a recovered document
	Vectors  func(model string) bool // reports whether to save the vectors of a model
	Meta     map[string]string       // values (SetMeta) that the repaired corpus must have
	Force    bool                    // rebuild even if no damage is found
	Progress func(records, of int64) // may be nil
}

// RepairResult reports the result of a repair.
type RepairResult struct {
	Saved       SavedCounts `json:"saved"`
	Losses      Losses      `json:"lost"`
	FixedFaults int64       `json:"mended"` // faults repaired in place; 0 if the corpus was rebuilt
	// DamagedFile is the name of the damaged file in the data folder. It is "" if the corpus was repaired
	// in place or no damage was found.
	DamagedFile string `json:"damaged_file"`
}

// SavedCounts counts the contents of the repaired corpus.
type SavedCounts struct {
	Documents  int64 `json:"documents"`
	Deletions  int64 `json:"deletions"` // deletions of records that PubMed deleted
	Watermarks int64 `json:"watermarks"`
	Vectors    int64 `json:"vectors"`
}

// Losses counts the losses of a repair, as far as they are known.
type Losses struct {
	Records int64         `json:"records"` // documents and deletions, by the stored count or by PMID
	PMIDs   []record.PMID `json:"pmids"`   // the first 10,000 of the lost records whose PMID is known
	Damaged int64         `json:"damaged"` // faults found in the file
	Journal int64         `json:"journal"` // damaged pages of the journal, which held the last commits
	Commits int64         `json:"changes"` // last transactions that are missing, as their journal was cut or removed

	// QueryKeys lists the query keys that lost documents or their watermark. Their next sync fetches all.
	QueryKeys []string `json:"query_keys"`
	Audit     int64    `json:"audit"` // entries of the audit of watermarks
	Jobs      int64    `json:"jobs"`  // entries of the history of syncs
}

const (
	repairingDB  = "corpus.repairing.db"
	repairedDB   = "corpus.repaired.db" // complete; about to replace the damaged file
	repairReport = "repair"
	keptPMIDs    = 10000
	repairing    = "repair corpus" // Error.Op
)

// lockWriters takes the writers' lock, shared for writing or exclusively for a repair. So a corpus
// that is open for writing is not repaired, and one that is being repaired is not written.
func lockWriters(dir string, alone bool) (*flock.Flock, error) {
	lock, err := rows.Lock(filepath.Join(dir, locks), "writers.lock", !alone)
	switch {
	case err != nil || lock != nil:
		return lock, err
	case alone:
		return nil, disk.NewError(Locked, repairing, "another process has the corpus open for writing")
	}
	return nil, disk.NewError(Locked, "open corpus", "the corpus is being repaired")
}

// unfinishedRepair returns an error if a repair was stopped while it renamed files. The next repair
// completes it.
func unfinishedRepair(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, repairedDB)); err != nil {
		return nil
	}
	return disk.NewError(Corrupt, "open corpus", "a repair of the corpus was interrupted")
}

// Run checks the whole file. It repairs damaged rows: it regenerates words and codes, restores rows
// from their second copy, and removes documents that cannot be read. If the structure of the file
// or its journal is damaged, it saves the readable rows to a new file that replaces the damaged
// one, and keeps the damaged one under another name. If killed at any moment, it leaves either the
// damaged corpus, the new one, or a state that the next run completes. Errors: Locked if another
// process writes, NotFound, OtherLayout, Foreign. If nothing can be read, the new corpus is empty.
func (r Repair) Run(ctx context.Context) (RepairResult, error) {
	lock, err := lockWriters(r.Dir, true)
	if err != nil {
		return RepairResult{}, rows.Wrap(ctx, repairing, err)
	}
	defer lock.Close()
	done, err := r.run(ctx)
	if err == nil { // the saved result of earlier checks is obsolete
		err = r.remove(checkedFile)
	}
	return done, rows.Wrap(ctx, repairing, err)
}

func (r Repair) run(ctx context.Context) (RepairResult, error) {
	if unfinishedRepair(r.Dir) == nil {
		done, err := r.build(ctx)
		if err != nil || done.DamagedFile == "" {
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
	return done, r.swap(done.DamagedFile)
}

func (r Repair) path(name string) string { return filepath.Join(r.Dir, name) }

// swap renames the files. The old journal is moved first, so that it is not applied to the new
// file. Steps that an earlier run completed are skipped.
func (r Repair) swap(damagedName string) error {
	for _, suffix := range []string{"-wal", ""} {
		if _, err := os.Stat(r.path(damagedName + suffix)); err == nil {
			continue
		}
		err := os.Rename(r.path(FileName+suffix), r.path(damagedName+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// The new file was closed, so it is complete without its journal.
	if err := r.remove(FileName+"-shm", repairedDB+"-wal", repairedDB+"-shm"); err != nil {
		return err
	}
	if err := os.Rename(r.path(repairedDB), r.path(FileName)); err != nil {
		return err
	}
	return syncFile(r.Dir)
}

// freeName returns an unused name for a database file.
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

// remove deletes the files that exist.
func (r Repair) remove(names ...string) (err error) {
	for _, name := range names {
		if gone := os.Remove(r.path(name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// removeBegun deletes an unfinished new corpus.
func (r Repair) removeBegun() error {
	return r.remove(repairingDB, repairingDB+"-wal", repairingDB+"-shm")
}

// syncFile flushes a file, or the entries of a folder, to the disk. It ignores failures, as some
// systems cannot sync folders.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// open opens a corpus of the folder by its file name; "" is the corpus in use.
func (r Repair) open(ctx context.Context, name string, readOnly bool) (*Store, error) {
	o := r.Options
	o.name, o.ReadOnly = name, readOnly
	return Open(ctx, o)
}

// report reads the report that the repair stored in the new corpus.
func (r Repair) report(ctx context.Context) (result RepairResult, err error) {
	s, err := r.open(ctx, repairedDB, true)
	if err != nil {
		return result, err
	}
	text, err := s.Meta(ctx, repairReport)
	if err == nil {
		err = json.Unmarshal([]byte(text), &result)
	}
	return result, errors.Join(err, s.Close())
}

// build rebuilds the corpus in a new file unless no damage is found or it can be repaired in place.
func (r Repair) build(ctx context.Context) (result RepairResult, err error) {
	if err := r.removeBegun(); err != nil {
		return result, err
	}
	last := rows.ReadCommit(r.path(commitFile))
	if err := r.checkExists(ctx, last); err != nil {
		return result, err
	}
	faults, lost, mended, unchecked := r.inPlace(ctx)
	if mended != nil {
		return *mended, nil
	}
	plain, err := r.plainFirstPage(ctx)
	if err != nil {
		return result, err
	}
	to, err := r.open(ctx, repairingDB, false)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	first, err := to.firstPage(ctx)
	if err != nil {
		return result, err
	}
	f, err := salvage.Open(r.path(FileName), first, plain)
	if err != nil {
		return result, err
	}
	defer f.Close()
	if err := r.checkFile(f, to); err != nil {
		return result, err
	}
	if unchecked != nil {
		return result, unchecked
	}
	s := &recovery{Repair: r, from: f, to: to, faults: faults, broken: lost.pmids, last: last, lost: lost,
		unread: map[string]int64{}, result: RepairResult{Losses: lost.losses()}}
	if err := s.copySmallTables(ctx); err != nil {
		return result, err
	}
	if err := s.countDamage(ctx); err != nil {
		return result, err
	}
	if s.result.Losses.Damaged+s.result.Losses.Journal == 0 && !r.Force {
		return s.result, nil
	}
	if err := s.copyOthers(ctx); err != nil {
		return result, err
	}
	result = s.result
	if !f.IsDatabase && last.Number == 0 && result.Saved == (SavedCounts{}) {
		return result, disk.NewError(Corrupt, repairing,
			"the file is not a corpus and was left unchanged: move it elsewhere, and sync or import again")
	}
	for key, value := range r.Meta {
		if err := to.SetMeta(ctx, key, value); err != nil {
			return result, err
		}
	}
	result.DamagedFile = r.freeName("corpus.damaged-" + to.o.Now().UTC().Format("20060102T150405Z"))
	text, err := json.Marshal(result)
	if err != nil {
		return result, err
	}
	return result, to.SetMeta(ctx, repairReport, string(text))
}

// inPlace checks and repairs the corpus in place, repeatedly, as a repair may reveal more damage.
// It returns the report in mended, or nil if the corpus has to be rebuilt or has no damage. faults
// is the greatest number of faults that one check found, and lost the losses so far.
func (r Repair) inPlace(ctx context.Context) (faults int64, lost *found, mended *RepairResult, err error) {
	lost = &found{pmids: map[record.PMID]bool{}, keys: map[string]bool{}}
	for round := 0; ; round++ {
		n, k, err := r.faults(ctx)
		if faults = max(faults, n); k != nil && lost.commits.commits == 0 {
			lost.commits = k.commits
		}
		if err != nil || n == 0 && round == 0 || round > 3 {
			return faults, lost, nil, err
		}
		if n == 0 {
			done := &RepairResult{FixedFaults: faults, Losses: lost.losses()}
			done.Losses.Damaged = faults
			s, err := r.open(ctx, "", true)
			if err == nil {
				done.Saved, err = s.countSaved(ctx)
				err = errors.Join(err, s.Close())
			}
			return faults, lost, done, err
		}
		if ok, err := r.repairRows(ctx, k, lost); !ok || err != nil {
			return faults, lost, nil, err
		}
	}
}

// faults runs a deep check and returns the number of faults and the findings. If the corpus cannot
// be opened, the number is 1 and the findings are nil.
func (r Repair) faults(ctx context.Context) (n int64, k *check, err error) {
	r.lenient = true // the rows on a damaged page may be intact
	s, err := r.open(ctx, "", true)
	if err == nil {
		_, k, err = s.check(ctx, CheckOptions{Deep: true})
		n = int64(k.faults)
		err = errors.Join(err, s.Close())
	}
	for _, kind := range []Kind{Corrupt, NotFound, OtherLayout, Foreign} {
		if IsKind(err, kind) { // the file exists, and build examines it
			return max(n, 1), k, nil
		}
	}
	return n, k, err
}

// checkExists returns an error if there is no corpus, whose last transaction was last.
func (r Repair) checkExists(ctx context.Context, last rows.Commit) error {
	info, err := os.Stat(r.path(FileName))
	if errors.Is(err, fs.ErrNotExist) ||
		err == nil && info.Size() == 0 && rows.CheckEmpty(ctx, repairing, r.path(FileName), last) == nil {
		return disk.NewError(NotFound, repairing, "there is no corpus yet")
	}
	if err == nil && !info.Mode().IsRegular() {
		return rows.CorpusFile.Check(ctx, repairing, r.path(FileName))
	}
	return err
}

// checkFile returns an error if a file of another program or of an unknown layout has the corpus's name.
func (r Repair) checkFile(f *salvage.File, to *Store) error {
	if f.Foreign {
		return disk.NewError(Foreign, repairing, "the file is a database of another program and was left unchanged")
	}
	if f.Version > 0 && f.Version != plainLayout {
		if err := rows.CheckLayout(f.Version, len(to.db.Layouts)); err != nil && !IsKind(err, Corrupt) {
			return err
		}
	}
	return nil
}

// plainFirstPage returns the first page of a new file without page checksums.
func (r Repair) plainFirstPage(ctx context.Context) (page []byte, err error) {
	r.plain = true
	s, err := r.open(ctx, repairingDB, false)
	if err == nil {
		page, err = s.firstPage(ctx)
		err = errors.Join(err, s.Close())
	}
	return page, errors.Join(err, r.removeBegun())
}

// firstPage returns the first page of a new file, which holds the table definitions and is
// identical in all files of a layout.
func (s *Store) firstPage(ctx context.Context) ([]byte, error) {
	err := s.db.UseWriter(ctx, func(w *rows.Conn) error { return w.Exec("PRAGMA wal_checkpoint(TRUNCATE)") })
	if err != nil {
		return nil, err
	}
	f, err := disk.OpenRaw(s.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page := make([]byte, rows.PageSize)
	_, err = io.ReadFull(io.NewSectionReader(f, 0, rows.PageSize), page)
	return page, err
}
