package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"biomcp/store/study"
)

// The environment variables of a child process: the folder of studies, and the number of reads of
// the archive after which it kills itself.
const childStudies, childReads = "ARCHIVE_TEST_STUDIES", "ARCHIVE_TEST_READS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childStudies); dir != "" {
		os.Exit(child(dir, os.Getenv(childReads)))
	}
	os.Exit(m.Run())
}

func child(dir, after string) int {
	n, _ := strconv.Atoi(after)
	w, err := Begin(dir, "s")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	f, err := os.Open(w.ArchivePath())
	if err == nil {
		err = w.read(context.Background(), &deadly{f, n}, &Origin{}, DefaultLimits)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// A deadly reader kills its process at the n-th read.
type deadly struct {
	io.Reader
	n int
}

func (d *deadly) Read(p []byte) (int, error) {
	if d.n--; d.n < 0 {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	}
	return d.Reader.Read(p[:min(len(p), 4096)])
}

// Whenever a process is killed, the study is absent or complete, and the next run installs it from
// the remaining files.
func TestKilledUnpackingLeavesNoPartOfAStudy(t *testing.T) {
	body := make([]byte, 0, 200_000)
	for i := range 40_000 {
		body = strconv.AppendUint(append(body, '\t'), uint64(i)*2654435761%1000003, 10)
	}
	archive := pack(t, file("s/a.txt", string(body)), file("s/b.txt", "rows"))
	reads := len(archive)/4096 + 2
	killed := 0
	for n := 0; n <= reads; n += max(1, reads/8) {
		dir := filepath.Join(t.TempDir(), "studies")
		w, err := Begin(dir, "s")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.ArchivePath(), archive, 0o600); err != nil {
			t.Fatal(err)
		}
		w.Close()
		run := exec.Command(os.Args[0])
		run.Env = append(os.Environ(), childStudies+"="+dir, fmt.Sprint(childReads, "=", n))
		out, err := run.CombinedOutput()
		if strings.Contains(fmt.Sprint(err), "killed") {
			killed++
		} else if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		local, err := study.Library{Dir: dir}.Studies()
		if err != nil || len(local) > 1 {
			t.Fatal(local, err)
		}
		if len(local) == 0 {
			w, err := Begin(dir, "s")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Unpack(t.Context(), Origin{}, DefaultLimits); err != nil {
				t.Fatal(err)
			}
			w.Close()
		}
		got := files(t, dir)
		if got["s/a.txt"] != string(body) || got["s/b.txt"] != "rows" {
			t.Errorf("killed at read %d: %d files", n, len(got))
		}
	}
	if killed < 5 {
		t.Errorf("%d of the runs were killed", killed)
	}
}

func begin(t *testing.T, dir, id string) *Work {
	t.Helper()
	w, err := Begin(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func TestStudyHasOneProcessAtATime(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir, "s")
	if _, err := Begin(dir, "s"); !study.IsKind(err, study.Busy) {
		t.Errorf("%v", err)
	}
	other := begin(t, dir, "other")
	other.Close()
	w.Close()
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	begin(t, dir, "s")
}

func TestUnfitIDsAreRefused(t *testing.T) {
	for _, id := range []string{"", ".", "..", "a/b", `a\b`, "/a", "gene_panels", "Gene_Panels", ".downloads", "a\x00"} {
		t.Run(id, func(t *testing.T) {
			if _, err := Begin(t.TempDir(), id); !study.IsKind(err, study.Invalid) {
				t.Errorf("%q: %v", id, err)
			}
		})
	}
}

// The archive is kept if unpacking was cancelled, or if another folder is in the way; that folder is
// not changed.
func TestUnfinishedWorkKeepsTheDownload(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir, "s")
	if err := os.WriteFile(w.ArchivePath(), pack(t), 0o600); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Unpack(gone, Origin{}, DefaultLimits); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	mine := filepath.Join(dir, "s", "mine.txt")
	if err := errors.Join(os.Mkdir(filepath.Dir(mine), 0o755), os.WriteFile(mine, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Unpack(t.Context(), Origin{}, DefaultLimits); !study.IsKind(err, study.Busy) {
		t.Errorf("%v", err)
	}
	w.Close()
	got := files(t, dir)
	if len(got) != 4 || got["s/mine.txt"] != "mine" || !bytes.Equal([]byte(got[".downloads/s.tar.gz"]), pack(t)) {
		t.Errorf("%q", got)
	}
}

func TestFullDiskIsSaid(t *testing.T) {
	err := archiveError(&os.PathError{Op: "write", Path: "s/data.txt", Err: syscall.ENOSPC})
	if !study.IsKind(err, study.Failed) || err.Error() != "the study cannot be written: there is no space left on the disk" {
		t.Errorf("%v", err)
	}
}

func TestRemoveTakesAStudyOrALinkToOne(t *testing.T) {
	studies, _, err := install(t, pack(t), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "meta_study.txt"), []byte(strings.Replace(meta, ": s", ": linked", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(studies, "linked")); err != nil {
		t.Skip("no links here")
	}
	library := study.Library{Dir: studies, Cache: t.TempDir()}
	for _, id := range []string{"s", "linked"} {
		t.Run(id, func(t *testing.T) {
			s, err := library.Study(id)
			if err != nil {
				t.Fatal(err)
			}
			w := begin(t, studies, id)
			if err := w.Remove(s); err != nil {
				t.Fatal(err)
			}
			w.Close()
		})
	}
	if left := files(t, studies); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if len(files(t, elsewhere)) != 1 {
		t.Error("the folder that the link led to was changed")
	}
}
