package store

import (
	"biomcp/store/rows"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// If this variable is set, the test binary repairs the corpus in the folder named.
const repairVariable = "STORE_TEST_REPAIR"

// harmless zeroes the word index, which can be regenerated from the documents.
func harmless(t *testing.T, c damagedCorpus) {
	t.Helper()
	list := pagesOf(t, c.dir, "page")
	edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
		for _, n := range list {
			clear(b[(n-1)*rows.PageSize : n*rows.PageSize])
		}
		return b
	})
}

// SIGKILL at any moment of a repair loses nothing, and the next repair completes it.
func TestRepairKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts some dozen processes")
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2)) // a different moment in each run
	for round := range 6 {
		c := corpusToDamage(t, uint64(round), false)
		harmless(t, c)
		for kill := range 8 {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), repairVariable+"="+c.dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(rng.IntN(30*(kill+1))) * time.Millisecond)
			if err := errors.Join(cmd.Process.Kill()); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed or has finished
		}
		done, err := repairOf(c.dir).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if missing := c.check(t, done); missing > 0 {
			t.Errorf("%d missing after kills: %+v", missing, done)
		}
		kept, err := filepath.Glob(filepath.Join(c.dir, "corpus.damaged-*.db"))
		if err != nil || len(kept) != 1 {
			t.Errorf("the damaged file: %v, %v", kept, err)
		}
		left, err := filepath.Glob(filepath.Join(c.dir, "corpus.repair*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// If a repair stops between two renames, the corpus cannot be opened, and the next repair completes
// it.
func TestRepairStoppedWhileFilesChangeNames(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	for step := range 4 {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			c := corpusToDamage(t, 3, true)
			edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte { copy(b, "damaged"); return b })
			r := repairOf(c.dir)
			lost, err := r.build(t.Context())
			if err != nil || lost.Losses.Damaged == 0 {
				t.Fatal(lost, err)
			}
			for _, names := range [][2]string{
				{repairingDB, repairedDB}, {FileName + "-wal", lost.DamagedFile + "-wal"}, {FileName, lost.DamagedFile},
			}[:step] {
				if err := os.Rename(r.path(names[0]), r.path(names[1])); err != nil {
					t.Fatal(err)
				}
			}
			for _, readOnly := range []bool{true, false} {
				if _, err := Open(t.Context(), Options{Dir: c.dir, ReadOnly: readOnly}); !IsKind(err, Corrupt) {
					t.Errorf("read only %v: %v", readOnly, err)
				}
			}
			done, err := r.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if missing := c.check(t, done); missing > 0 || done.Saved != lost.Saved {
				t.Errorf("%d missing: %+v", missing, done)
			}
			for _, name := range []string{done.DamagedFile, done.DamagedFile + "-wal"} {
				if _, err := os.Stat(r.path(name)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A corpus that is being repaired cannot be written, and one that is being written cannot be
// repaired.
func TestRepairAndWritersExcludeEachOther(t *testing.T) {
	t.Parallel()
	c := corpusToDamage(t, 1, false)
	s := openTest(t, c.dir, Options{})
	if _, err := repairOf(c.dir).Run(t.Context()); !IsKind(err, Locked) {
		t.Errorf("while it is open for writing: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	lock, err := lockWriters(c.dir, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Dir: c.dir, Wait: time.Millisecond}); !IsKind(err, Locked) {
		t.Errorf("while it is repaired: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if done, err := repairOf(c.dir).Run(t.Context()); err != nil || done.DamagedFile != "" || done.Saved.Documents != int64(len(c.docs)) {
		t.Errorf("a whole corpus: %+v, %v", done, err)
	}
	if _, err := repairOf(t.TempDir()).Run(t.Context()); !IsKind(err, NotFound) {
		t.Errorf("no corpus: %v", err)
	}
	if testing.Short() {
		return // the rest runs in one goroutine
	}
	force := repairOf(c.dir)
	force.Force = true
	names := map[string]bool{}
	for range 3 { // within one second
		done, err := force.Run(t.Context())
		if missing := c.check(t, done); err != nil || done.DamagedFile == "" || names[done.DamagedFile] || missing > 0 || done.Losses.Records > 0 {
			t.Errorf("forced: %+v, %v", done, err)
		}
		names[done.DamagedFile] = true
		old := openTest(t, c.dir, Options{ReadOnly: true, name: done.DamagedFile})
		if st, err := old.Stats(t.Context()); err != nil || st.Documents != int64(len(c.docs)) {
			t.Errorf("what is kept: %+v, %v", st, err)
		}
	}
}

// If the page that held all documents is lost, their PMIDs are still reported.
func TestRepairNamesWhatIsLost(t *testing.T) {
	c := damagedCorpus{dir: t.TempDir()}
	s := openTest(t, c.dir, Options{})
	commitTest(t, s, "k", synthetic(3), synthetic(7))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	n := pagesOf(t, c.dir, "document")[0]
	edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte { clear(b[(n-1)*rows.PageSize : n*rows.PageSize]); return b })
	done, err := repairOf(c.dir).Run(t.Context())
	if err != nil || done.Losses.Records != 2 || len(done.Losses.PMIDs) != 2 || done.Losses.PMIDs[0] != 3 || done.Losses.PMIDs[1] != 7 || done.Saved.Documents != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// A file without any contents of a corpus is left where it is.
func TestRepairLeavesAFileThatIsNoCorpus(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	for name, text := range map[string]string{"text": "not a database", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := repairOf(dir).Run(t.Context()); text != "" && !IsKind(err, Corrupt) {
				t.Errorf("%s: %v", name, err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != text {
				t.Errorf("%s: the file is now %q, %v", name, after, err)
			}
		})
	}
}

// A check finds every damaged page and reports how much it has checked.
func TestCheck(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	c := corpusToDamage(t, 2, true)
	s := openTest(t, c.dir, Options{ReadOnly: true})
	checked, err := s.Check(t.Context(), CheckOptions{Deep: true})
	if err != nil || checked.Parts != checked.Total || checked.Total < 7 {
		t.Errorf("a whole corpus: %+v, %v", checked, err)
	}
	if checked, err := s.Check(t.Context(), CheckOptions{TimeLimit: 1}); err != nil || checked.Parts >= checked.Total {
		t.Errorf("without time: %+v, %v", checked, err)
	}
	s.Close()
	d := corpusToDamage(t, 2, false)
	for _, n := range pagesOf(t, d.dir, "document page provenance vector") {
		t.Run(fmt.Sprint("page ", n), func(t *testing.T) {
			bad := damagedCorpus{dir: t.TempDir()}
			if err := os.CopyFS(bad.dir, os.DirFS(d.dir)); err != nil {
				t.Fatal(err)
			}
			edit(t, filepath.Join(bad.dir, FileName), func(b []byte) []byte { clear(b[(n-1)*rows.PageSize : n*rows.PageSize]); return b })
			s, err := Open(t.Context(), Options{Dir: bad.dir, ReadOnly: true})
			if err == nil {
				_, err = s.Check(t.Context(), CheckOptions{Deep: true})
				s.Close()
			}
			if !IsKind(err, Corrupt) {
				t.Errorf("zeroed: %v", err)
			}
		})
	}
}

// The steps of a check visit each part once.
func TestSpread(t *testing.T) {
	for n := 1; n < 200; n++ {
		seen := map[int]bool{}
		for i := range n {
			seen[i*spread(n)%n] = true
		}
		if len(seen) != n {
			t.Errorf("%d of %d parts", len(seen), n)
		}
	}
}
