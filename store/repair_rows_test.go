package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// blob is a query for bytes that are stored unencoded in the file, and the loss when they are
// damaged.
type blob struct {
	query   string
	lost    int
	vectors int  // maximum number of missing vectors afterwards
	parted  bool // the corpus has partitions
}

// single lists damage that is confined to one row.
var single = map[string]blob{
	"a body":               {"SELECT body FROM document WHERE length(body)>200 ORDER BY pmid LIMIT 1 OFFSET 20", 1, 0, false},
	"words":                {"SELECT data FROM page WHERE id>1<<32 ORDER BY length(data) DESC LIMIT 1", 0, 0, false},
	"PMIDs of words":       {"SELECT data FROM page WHERE id>1<<32 AND (id>>26)%64=0 ORDER BY id LIMIT 1", 0, 0, false},
	"the second copies":    {"SELECT data FROM page WHERE id=1", 0, 0, false},
	"a second code":        {"SELECT data FROM page WHERE id BETWEEN 1<<26 AND 1<<27", 0, 0, false},
	"a code of bodies":     {"SELECT data FROM code", 0, 0, false},
	"a vector":             {"SELECT data FROM vector ORDER BY id LIMIT 1 OFFSET 7", 0, 4, false},
	"codes":                {"SELECT data FROM vector_code WHERE part=0", 0, 0, false},
	"codes of a partition": {"SELECT data FROM vector_code WHERE part>0", 0, 0, true},
	"keys":                 {"SELECT keys FROM vector_code WHERE part=-1", 0, 0, true},
	"the mean":             {"SELECT mean FROM vector_partition", 0, 0, true},
	"a row of the model":   {"SELECT data FROM model_row ORDER BY key LIMIT 1 OFFSET 7", 0, 0, false},
	"a note":               {"SELECT CAST(last_edat AS BLOB) FROM checkpoint", 0, 0, false},
	"removed chunks":       {"SELECT bits FROM dead ORDER BY length(bits) DESC", 0, 0, false},
}

// flip flips a bit in the middle of the query's result in the file. It reports false if the bytes
// are not in use.
func flip(t *testing.T, dir, query string) bool {
	t.Helper()
	s := openTest(t, dir, Options{ReadOnly: true})
	var want []byte
	if err := s.db.Read(t.Context(), "", func(r *rows.Conn) error { return r.Row(query, nil, &want) }); err != nil || len(want) < 8 {
		t.Fatalf("%s: %d bytes, %v", query, len(want), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for part := want; len(part) >= 8; part = part[:len(part)/2] { // a long value continues on overflow pages
		for at := 0; ; at++ { // free pages may hold copies
			next := bytes.Index(whole[at:], part)
			if next < 0 {
				break
			}
			at += next
			b := bytes.Clone(whole)
			b[at+len(part)/2] ^= 4
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			s := openTest(t, dir, Options{ReadOnly: true})
			_, err := s.Check(t.Context(), CheckOptions{Deep: true})
			s.Close()
			if IsKind(err, Corrupt) {
				return true
			}
		}
	}
	return false
}

// Damage in one row is repaired in place, and the other documents, words, vectors and notes do not
// change.
func TestOneRowIsMendedInPlace(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine")
	}
	plain := corpusToDamage(t, 1, false)
	parted := plain
	parted.dir = t.TempDir()
	if err := os.CopyFS(parted.dir, os.DirFS(plain.dir)); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, parted.dir, Options{})
	s.sizes = partitionSizes{first: 100, loose: 30, full: 20, rows: 3, chunksPerStep: 100, means: 8, maxScanned: 1 << 17, minScanned: 1 << 17}
	models, err := s.Models(t.Context())
	if err == nil {
		err = s.ArrangePartitions(t.Context(), models[0].ID)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	for name, what := range single {
		t.Run(name, func(t *testing.T) {
			c, whole := plain, plain
			if what.parted {
				whole = parted
			}
			before, err := ask(t, whole.dir, keysOfMap(c.docs))
			c.dir = t.TempDir()
			if err = errors.Join(err, os.CopyFS(c.dir, os.DirFS(whole.dir))); err != nil {
				t.Fatal(err)
			}
			if !flip(t, c.dir, what.query) {
				t.Fatal("it stands nowhere in the file")
			}
			done, err := repairOf(c.dir).Run(t.Context())
			if err != nil || done.FixedFaults == 0 || done.DamagedFile != "" || int(done.Losses.Records) != what.lost {
				t.Fatalf("%+v, %v", done, err)
			}
			if missing := c.check(t, done); missing != what.lost {
				t.Errorf("%d are missing: %+v", missing, done)
			}
			c.checkRest(t, "")
			s := openTest(t, c.dir, Options{})
			compareCodes(t, s)
			models, err := s.Models(t.Context())
			if err != nil || len(models) != 1 || models[0].Missing > int64(what.vectors) || (what.vectors > 0) != (models[0].Missing > 0) {
				t.Errorf("%+v, %v", models, err)
			}
			lost, err := s.LostRecords(t.Context())
			if err != nil || len(lost) != what.lost {
				t.Errorf("lost: %v, %v", lost, err)
			}
			if what.lost+what.vectors == 0 {
				if after, err := ask(t, c.dir, keysOfMap(c.docs)); err != nil || !reflect.DeepEqual(after, before) {
					t.Errorf("other answers: %v", err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if again, err := repairOf(c.dir).Run(t.Context()); err != nil || again.FixedFaults+again.Losses.Damaged != 0 {
				t.Errorf("a second repair: %+v, %v", again, err)
			}
		})
	}
}

// A repair in place that is killed, cancelled or meets a full disk changes nothing, and the next
// run completes it.
func TestMendingIsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts some dozen processes")
	}
	c := corpusToDamage(t, 4, false)
	if !flip(t, c.dir, single["words"].query) || !flip(t, c.dir, single["a code of bodies"].query) {
		t.Fatal("nothing is damaged")
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3)) // a different moment in each run
	for kill := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), repairVariable+"="+c.dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(8*(kill+1))) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed or has finished
	}
	r := repairOf(c.dir)
	for after := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		n, index := 0, r.Index
		r.Index = func(d *Document) {
			if n++; n > after*3 {
				cancel()
			}
			index(d)
		}
		_, err := r.Run(ctx)
		cancel()
		if r.Index = index; err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if missing := c.check(t, RepairResult{Saved: SavedCounts{Documents: int64(len(c.docs))}, Losses: Losses{PMIDs: []record.PMID{}}}); missing > 0 {
		t.Errorf("%d are missing", missing)
	}
	if done, err := r.Run(t.Context()); err != nil || done.DamagedFile != "" {
		t.Errorf("%+v, %v", done, err)
	}
}

// A deletion whose date is lost remains: its stored record is not restored.
func TestADeletionOutlivesItsDate(t *testing.T) {
	for name, force := range map[string]bool{"mended": false, "rebuilt": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openTest(t, dir, Options{})
			d := synthetic(7)
			commitTest(t, s, "k", d, synthetic(8))
			b := s.Begin("k")
			b.Delete(7, "2030-01-01")
			_, err := b.Commit(t.Context())
			if err == nil {
				_, err = s.db.Writer.Exec("DELETE FROM deletion")
			}
			if _, damage := s.Check(t.Context(), CheckOptions{Deep: true}); !IsKind(damage, Corrupt) {
				t.Errorf("not noticed: %v", damage)
			}
			r := repairOf(dir)
			r.Force = force
			if err = errors.Join(err, s.Close()); err == nil {
				_, err = r.Run(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			s = openTest(t, dir, Options{})
			commitTest(t, s, "k", d)
			st, err := s.States(t.Context(), []record.PMID{7})
			if err != nil || !st[7].Deleted {
				t.Errorf("%+v, %v", st, err)
			}
			if _, err := s.Check(t.Context(), CheckOptions{Deep: true}); err != nil {
				t.Error(err)
			}
		})
	}
}

// The PMID lists of files are stored twice, and one copy is restored from the other.
func TestWhatFilesHeldIsStoredTwice(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	put := func(file FileNumber, pmids ...record.PMID) {
		t.Helper()
		b := s.Begin("files").FromFile(file)
		for _, pmid := range pmids {
			b.AddFilePMID(pmid)
			if err := b.Put(synthetic(pmid)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	put(260001, 1, 2, 70_000)
	put(270001, 1, 3)
	vanished := func() []record.PMID {
		t.Helper()
		s := openTest(t, dir, Options{ReadOnly: true})
		defer s.Close()
		pmids, err := s.VanishedPMIDs(t.Context(), 27)
		if err != nil {
			t.Error(err)
		}
		return pmids
	}
	want := vanished()
	if err := s.Close(); err != nil || !slices.Equal(want, []record.PMID{2, 70_000}) {
		t.Fatal(want, err)
	}
	if !flip(t, dir, "SELECT bits FROM listed ORDER BY abs(id) LIMIT 1") { // of either copy
		t.Fatal("it stands nowhere in the file")
	}
	if done, err := repairOf(dir).Run(t.Context()); err != nil || done.FixedFaults != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if got := vanished(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// After the loss of a document, the next import reads the files that brought it, and no others. If
// its source is unknown, it reads all files.
func TestFilesOfALostDocumentAreReadAgain(t *testing.T) {
	file := func(n FileNumber) File {
		return File{Path: fmt.Sprintf("/pubmed/pubmed26n%04d.xml.gz", n%10_000), Size: 1, ModTime: time.Unix(5, 6)}
	}
	for name, c := range map[string]struct {
		pmid   record.PMID
		before string // statement run before the damage
		left   []FileNumber
	}{
		"of one file":        {pmid: 50, left: []FileNumber{260002, 260003}},
		"of two files":       {pmid: 5, left: []FileNumber{260003}},
		"of a query":         {pmid: 300, left: []FileNumber{260001, 260002, 260003}},
		"of nothing known":   {pmid: 50, before: "DELETE FROM provenance WHERE pmid=50"},
		"of another file":    {pmid: 50, before: "UPDATE document SET file=260003 WHERE pmid=50"},
		"of a part of files": {pmid: 5, before: "DELETE FROM provenance WHERE pmid=5 AND source=2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openTest(t, dir, Options{})
			for n, pmids := range map[FileNumber][]record.PMID{260001: {5, 50}, 260002: {5, 51}, 260003: {52}} {
				b := s.Begin(filepath.Base(file(n).Path)).FromFile(n)
				b.FileDone(file(n))
				for _, pmid := range pmids {
					d := synthetic(pmid)
					d.LR = fmt.Sprintf("2024-06-%02dT00:00:00Z", n%10)
					if err := b.Put(d); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := b.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			commitTest(t, s, "a query", synthetic(300))
			if c.before != "" {
				before := strings.Replace(c.before, "source=2", "source=(SELECT id FROM source WHERE name GLOB '*26n0002*')", 1)
				if _, err := s.db.Writer.Exec(before); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if !flip(t, dir, fmt.Sprintf("SELECT body FROM document WHERE pmid=%d", c.pmid)) {
				t.Fatal("it stands nowhere in the file")
			}
			if done, err := repairOf(dir).Run(t.Context()); err != nil || done.FixedFaults == 0 || done.Losses.Records != 1 {
				t.Fatalf("%+v, %v", done, err)
			}
			s = openTest(t, dir, Options{ReadOnly: true})
			var left []FileNumber
			for n := FileNumber(260001); n <= 260003; n++ {
				done, err := s.FileDone(t.Context(), file(n))
				if err != nil {
					t.Fatal(err)
				}
				if done {
					left = append(left, n)
				}
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("%v are not read again, want %v", left, c.left)
			}
		})
	}
}
