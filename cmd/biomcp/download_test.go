package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"biomcp/entrez/cbioportal/cbioportaltest"
	"biomcp/entrez/sourcetest"
)

// A download that was killed, or interrupted with Ctrl-C, resumes at the same place.
func TestEndedDownloadIsContinued(t *testing.T) {
	filler := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{2}).Read(filler) // never fails
	archive := cbioportaltest.Pack(
		txtar.File{Name: "large_2026/meta_study.txt", Data: []byte("cancer_study_identifier: large_2026\nname: Made up\ntype_of_cancer: mixed\n")},
		txtar.File{Name: "large_2026/filler.bin", Data: filler})
	for _, signal := range []os.Signal{os.Kill, os.Interrupt} {
		t.Run(signal.String(), func(t *testing.T) {
			srv := sourcetest.New(t)
			hub := cbioportaltest.New()
			hub.Set("large_2026", archive)
			hub.AddTo(srv)
			home := t.TempDir()
			studies := filepath.Join(home, "studies")
			run := func() (*exec.Cmd, *bytes.Buffer) {
				cmd := exec.Command("biomcp", "study", "download", "large_2026")
				cmd.Env = append(os.Environ(), append(srv.Env(), "HOME="+home, "BIOMCP_STUDY_DIR="+studies)...)
				var said bytes.Buffer
				cmd.Stdout, cmd.Stderr = &said, &said
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				return cmd, &said
			}
			if err := srv.Fail(sourcetest.Fault{Endpoint: "archive", Kind: sourcetest.StallBody}); err != nil {
				t.Fatal(err)
			}
			cmd, said := run()
			part := filepath.Join(studies, ".downloads", "large_2026.tar.gz")
			for tick := time.NewTicker(5 * time.Millisecond); ; <-tick.C {
				if info, err := os.Stat(part); err == nil && info.Size() == int64(len(archive)/2) {
					break
				} else if t.Context().Err() != nil || srv.Count("archive") > 1 {
					t.Fatal("half of the archive never came")
				}
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || signal == os.Interrupt && (exit.ExitCode() != 130 || !strings.Contains(said.String(), "try:   biomcp study download large_2026")) {
				t.Errorf("%v: %s", err, said)
			}
			srv.Release()
			cmd, said = run()
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if got, err := os.ReadFile(filepath.Join(studies, "large_2026", "filler.bin")); err != nil || !bytes.Equal(got, filler) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if asked := srv.Requests("archive"); len(asked) != 2 || !strings.HasPrefix(asked[1].Range, "bytes=5") {
				t.Errorf("%+v", asked)
			}
			if _, err := os.Stat(filepath.Dir(part)); !os.IsNotExist(err) {
				t.Errorf("the download was left: %v", err)
			}
		})
	}
}
