package store

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// damagedCorpus describes a corpus before it is damaged.
type damagedCorpus struct {
	dir   string
	files map[string][]byte // contents before the damage
	docs  map[record.PMID]*Document
	ever  map[record.PMID]map[int64]bool // hashes of everything that was ever stored, including replaced records
}

const repairModel = "service"

// made caches the corpora that tests damage, by seed and open.
var made sync.Map // of damagedCorpus

// corpusToDamage returns a copy of a corpus that has contents of every kind. If open is set, the
// corpus was copied while a process had it open, so that its journal holds the last commits.
func corpusToDamage(t *testing.T, seed uint64, open bool) damagedCorpus {
	t.Helper()
	key := fmt.Sprint(seed, open)
	known, ok := made.Load(key)
	if !ok {
		known = newCorpusToDamage(t, seed, open)
		made.Store(key, known)
	}
	c := known.(damagedCorpus)
	c.dir = t.TempDir()
	for name, data := range c.files {
		if err := os.WriteFile(filepath.Join(c.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func newCorpusToDamage(t *testing.T, seed uint64, open bool) damagedCorpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	c := damagedCorpus{files: map[string][]byte{}, docs: map[record.PMID]*Document{}, ever: map[record.PMID]map[int64]bool{}}
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.trainAt, s.sizes = 150, partitionSizes{first: 200, loose: 60, full: 20, rows: 3, chunksPerStep: 100, means: 8, maxScanned: 1 << 17, minScanned: 1 << 17}
	m, err := s.NewModel(t.Context(), repairModel, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		key := fmt.Sprint("key ", i)
		if err := errors.Join(s.StartJob(t.Context(), Job{ID: "job of " + key, Key: key, Term: "term of " + key}), s.SetCheckpoint(t.Context(), key, "2024-04-01T00:00:00Z")); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 6 {
		b := s.Begin(fmt.Sprint("key ", round%3)).WithModel(m.ID)
		b.FileDone(File{Path: fmt.Sprintf("file %d", round), Size: int64(round), ModTime: time.Unix(1, 0)})
		b.SliceDone(fmt.Sprint("job of key ", round%3), fmt.Sprint("slice ", round))
		for range 80 {
			pmid := record.PMID(1 + rng.IntN(400))
			switch _, seen := c.docs[pmid]; {
			case seen && rng.IntN(5) == 0:
				b.Delete(pmid, "")
				delete(c.docs, pmid)
				continue
			}
			d := synthetic(pmid)
			d.LR = fmt.Sprintf("2024-06-%02dT00:00:00Z", 1+round)
			d.Title = fmt.Sprintf("Round %d of %d", round, pmid)
			d.Abstract = strings.Repeat(randomWord(rng)+" ", rng.IntN(60))
			if rng.IntN(10) == 0 {
				d.Abstract += randomText(rng, 30000)
			}
			for i := range d.Chunks {
				d.Chunks[i].Tokens, d.Chunks[i].Vector = sentence("one two"), randomUnit(rng, 8)
			}
			if b.Put(d) != nil {
				t.Fatal("put")
			}
			c.docs[pmid] = d
			if c.ever[pmid] == nil {
				c.ever[pmid] = map[int64]bool{}
			}
			c.ever[pmid][contentHash(d)] = true
		}
		if _, err := b.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.PutModelRows(t.Context(), m.ID, modelRows()), s.UseModel(t.Context(), m.ID, 0), s.SetCheckpoint(t.Context(), "k", "2024-05-01T00:00:00Z"), s.SetMeta(t.Context(), "note", "x")); err != nil {
		t.Fatal(err)
	}
	if err := s.FinishJob(t.Context(), "job of key 1", "{}"); err != nil {
		t.Fatal(err)
	}
	docs := map[record.PMID]*Document{}
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		docs[d.PMID] = d
	}
	c.docs = docs
	if !open {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{FileName, FileName + "-wal", commitFile} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			c.files[name] = b
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return c
}

func randomWord(rng *rand.Rand) string { return fmt.Sprintf("w%x", rng.Uint64()) }

func randomText(rng *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(randomWord(rng) + " ")
	}
	return b.String()
}

func repairOf(dir string) Repair {
	return Repair{Options: Options{Dir: dir}, Index: func(d *Document) {
		for i := range d.Chunks {
			d.Chunks[i].Tokens = sentence("one two")
		}
	}, Vectors: func(string) bool { return true }}
}

// edit changes bytes of a file.
func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(b), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pagesOf returns the pages of some tables.
func pagesOf(t *testing.T, dir, names string) (list []int) {
	t.Helper()
	s := openTest(t, dir, Options{})
	rows, err := s.db.Writer.Query("SELECT pageno FROM dbstat WHERE instr(?, ' '||name||' ')>0", " "+names+" ")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	if err := errors.Join(rows.Err(), rows.Close(), s.Close()); err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list
}

// check compares a repaired corpus with the corpus before the damage. It returns the number of
// missing documents.
func (c damagedCorpus) check(t *testing.T, done RepairResult) (missing int) {
	t.Helper()
	s := openTest(t, c.dir, Options{})
	defer s.Close()
	checkIntegrity(t, s)
	named := map[record.PMID]bool{}
	for _, pmid := range done.Losses.PMIDs {
		named[pmid] = true
	}
	var found int64
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		found++
		if !reflect.DeepEqual(d, c.docs[d.PMID]) && (done.Losses.Journal == 0 || !c.ever[d.PMID][contentHash(d)]) {
			t.Errorf("pmid:%d is %+v, want %+v", d.PMID, d, c.docs[d.PMID])
		}
	}
	if found != done.Saved.Documents {
		t.Errorf("%d documents; reported %+v", found, done)
	}
	states, err := s.States(t.Context(), keysOfMap(c.docs))
	if err != nil {
		t.Fatal(err)
	}
	for pmid := range c.docs {
		if states[pmid].Version == 0 {
			missing++
			if !named[pmid] && done.Losses.Records <= int64(len(named)) && done.Losses.Journal == 0 {
				t.Errorf("pmid:%d is lost and not reported: %+v", pmid, done)
			}
		}
	}
	if int64(missing) > done.Losses.Records && done.Losses.Journal == 0 {
		t.Errorf("%d documents are missing, reported %+v", missing, done)
	}
	hits, err := s.Search(t.Context(), Term{Text: "one"}, Filter{}, 10)
	if err != nil || len(hits) == 0 && found > 0 {
		t.Errorf("search: %d hits, %v", len(hits), err)
	}
	return missing
}

func keysOfMap(m map[record.PMID]*Document) (list []record.PMID) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

// Damage outside documents does not lose any document.
func TestRepairSavesEverythingThatCanBeRead(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	whole := corpusToDamage(t, 1, false)
	original, err := os.ReadFile(filepath.Join(whole.dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	zero := func(names string) func([]byte) []byte {
		list := pagesOf(t, whole.dir, names)
		return func(b []byte) []byte {
			for _, n := range list {
				clear(b[(n-1)*rows.PageSize : n*rows.PageSize])
			}
			return b
		}
	}
	for name, harm := range map[string]func([]byte) []byte{
		"the word index":   zero("page"),
		"codes of vectors": zero("vector_code vector_code_part"),
		"provenance":       zero("provenance source"),
		"watermarks":       zero("checkpoint"),
		"meta":             zero("meta"),
		"the pointer map":  func(b []byte) []byte { clear(b[rows.PageSize : 2*rows.PageSize]); return b },
		"the first page":   func(b []byte) []byte { clear(b[:rows.PageSize]); return b },
		"the header":       func(b []byte) []byte { copy(b, strings.Repeat("x", 100)); return b },
		"the list of free": func(b []byte) []byte { copy(b[32:40], "\x00\x00\x00\x05\x00\x00\x00\x09"); return b },
	} {
		t.Run(name, func(t *testing.T) {
			c := whole
			c.dir = t.TempDir()
			path := filepath.Join(c.dir, FileName)
			if err := os.WriteFile(path, harm(append([]byte{}, original...)), 0o644); err != nil {
				t.Fatal(err)
			}
			damaged, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			done, err := repairOf(c.dir).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if missing := c.check(t, done); missing > 0 || done.Losses.Records > 0 || done.Losses.Damaged == 0 || int(done.Saved.Documents) < len(c.docs) {
				t.Errorf("%d missing: %+v", missing, done)
			}
			if kept, err := os.ReadFile(filepath.Join(c.dir, done.DamagedFile)); err != nil || string(kept) != string(damaged) {
				t.Errorf("the damaged file was not kept: %v", err)
			}
			if done.Saved.Vectors < int64(len(c.docs)) {
				t.Errorf("vectors: %+v", done.Saved)
			}
			c.checkRest(t, name)
			again, err := repairOf(c.dir).Run(t.Context())
			if err != nil || again.DamagedFile != "" || again.Losses.Damaged != 0 {
				t.Errorf("a second repair: %+v, %v", again, err)
			}
		})
	}
}

// A body stored under another PMID is not accepted.
func TestRepairKnowsABodyInAnotherPlace(t *testing.T) {
	c := damagedCorpus{dir: t.TempDir()}
	s := openTest(t, c.dir, Options{})
	commitTest(t, s, "k", synthetic(3), synthetic(7))
	if _, err := s.db.Writer.Exec("UPDATE document SET pmid=8 WHERE pmid=7"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Check(t.Context(), CheckOptions{Deep: true}); !IsKind(err, Corrupt) {
		t.Errorf("check: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	done, err := repairOf(c.dir).Run(t.Context())
	if err != nil || done.Saved.Documents != 1 || !slices.Equal(done.Losses.PMIDs, []record.PMID{7, 8}) {
		t.Errorf("%+v, %v", done, err)
	}
}

// checkRest checks the data that is stored beside the documents.
func (c damagedCorpus) checkRest(t *testing.T, lost string) {
	t.Helper()
	s := openTest(t, c.dir, Options{ReadOnly: true})
	edat, _, err := s.Checkpoint(t.Context(), "k")
	if lost != "watermarks" && edat != "2024-05-01T00:00:00Z" || err != nil {
		t.Errorf("watermark %q, %v", edat, err)
	}
	audit, err := s.audit(t.Context(), "k")
	if len(audit) != 1 || err != nil {
		t.Errorf("audit %+v, %v", audit, err)
	}
	note, err := s.Meta(t.Context(), "note")
	if lost != "meta" && note != "x" || err != nil {
		t.Errorf("note %q, %v", note, err)
	}
	for pmid := range c.docs {
		brought, err := s.provenance(t.Context(), pmid)
		if lost != "provenance" && (len(brought) == 0 || !strings.HasPrefix(brought[0].Source, "key ")) || err != nil {
			t.Fatalf("pmid:%d was brought by %+v, %v", pmid, brought, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

var drawn = flag.Uint64("drawn", 20, "how many damages each test of drawn damage draws")

// Random damage of the files never causes a panic or a silent loss. Damage that is not detected has
// changed nothing.
func TestRepairOfDrawnDamage(t *testing.T) {
	t.Parallel()
	seeds := *drawn
	if testing.Short() {
		seeds = 2
	}
	noticed := 0
	defer func() { t.Logf("%d of %d damages were noticed; the others changed nothing", noticed, seeds) }()
	for seed := range seeds {
		c := corpusToDamage(t, seed%4, seed%2 == 1)
		whole, err := ask(t, c.dir, keysOfMap(c.docs))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 7))
		path := filepath.Join(c.dir, FileName)
		wal := path + "-wal"
		what := ""
		for range 1 + rng.IntN(3) {
			target := path
			if _, err := os.Stat(wal); err == nil && rng.IntN(2) == 0 {
				target = wal
			}
			kind := rng.IntN(6)
			what += fmt.Sprintf(" %s:%d", filepath.Base(target), kind)
			edit(t, target, func(b []byte) []byte {
				if len(b) < 200 || len(b) < rows.PageSize && kind == 5 {
					return b
				}
				at := rng.IntN(len(b))
				switch kind {
				case 0:
					for i := at; i < min(len(b), at+1+rng.IntN(5*rows.PageSize)); i++ {
						b[i] = 0
					}
				case 1:
					if target == path { // a missing end of the journal cannot be detected
						b = b[:max(len(b)/2, at)]
					}
				case 2:
					for range 20 {
						b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
					}
				case 3:
					b[rng.IntN(100)] ^= byte(1 + rng.IntN(255))
				case 5: // swap two pages
					a, b2 := at/rows.PageSize*rows.PageSize, rng.IntN(len(b)/rows.PageSize)*rows.PageSize
					if target == path && a+rows.PageSize <= len(b) {
						page := slices.Clone(b[a : a+rows.PageSize])
						copy(b[a:], b[b2:b2+rows.PageSize])
						copy(b[b2:], page)
					}
				case 4:
					page := at / rows.PageSize * rows.PageSize
					for i := page; i < min(len(b), page+rows.PageSize); i++ {
						b[i] = byte(rng.Uint32())
					}
				}
				return b
			})
		}
		t.Run(fmt.Sprint(seed, what), func(t *testing.T) {
			done, err := repairOf(c.dir).Run(t.Context())
			if err != nil {
				if noticed++; !IsKind(err, Corrupt) && !IsKind(err, OtherLayout) {
					t.Errorf("repair: %v", err)
				}
				return
			}
			if done.DamagedFile == "" && done.FixedFaults == 0 {
				if answer, err := ask(t, c.dir, keysOfMap(c.docs)); err != nil || !reflect.DeepEqual(answer, whole) {
					t.Errorf("a change that is not noticed: %v", err)
				}
				return
			}
			noticed++
			t.Logf("%d missing, %+v, %+v", c.check(t, done), done.Saved, done.Losses.Records)
		})
	}
}
