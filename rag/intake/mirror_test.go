package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
	"biomcp/store"
)

// three are two files of a baseline and an update file.
func three() []string {
	return []string{set(many(1, 20)), set(many(21, 20)), set(revised(many(15, 10)), 3, 30)}
}

func TestMirrorIsTheSameAsImportingTheFilesByHand(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		var plan Plan
		r.m.Begin = func(p Plan) error { plan = p; return nil }
		report := r.run()
		wantCounts(t, report, "40 inserted, 10 updated, 0 skipped, 2 deleted")
		r.sameAsByHand("first run")
		if plan.Files != 3 || plan.First != name(26, 1) || !plan.New || plan.Free < 0 || !plan.Fits() || plan.Download == 0 || plan.Disk < plan.Download {
			t.Errorf("plan: %+v", plan)
		}
		if last := report.Warnings[len(report.Warnings)-1]; !strings.Contains(strings.Join(report.Warnings, "\n"), "3 files of 2026 imported, 0 by earlier runs; the last one is "+name(26, 3)) {
			t.Errorf("warnings: %q", last)
		}
		at, ok, err := r.o.Store.Checkpoint(t.Context(), MirrorKey)
		if !ok || at != *report.MaxEDAT || err != nil {
			t.Errorf("watermark %q, %v, %v", at, ok, err)
		}
		if m, ok, err := ReadMirrorState(t.Context(), r.o.Store); !ok || err != nil || m.Last != name(26, 3) || m.Files != 3 || m.Modified.Year() != 2026 {
			t.Errorf("state %+v, %v, %v", m, ok, err)
		}
		r.srv.ClearRequests()
		wantCounts(t, r.run(), "0 inserted, 0 updated, 0 skipped, 0 deleted")
		if plan.Files != 0 || plan.Before != 3 || plan.New || r.srv.Count("file") != 0 {
			t.Errorf("again: %+v, %d files asked for", plan, r.srv.Count("file"))
		}
		r.files.Put("updatefiles", name(26, 4), []byte(gzipped(set(many(50, 3), 1))))
		wantCounts(t, r.run(), "3 inserted, 0 updated, 0 skipped, 1 deleted")
		r.sameAsByHand("an update file more")
	})
}

func TestMirrorOfAPartGoesOn(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.m.From, r.m.To = 2, 2
		wantCounts(t, r.run(), "20 inserted, 0 updated, 0 skipped, 0 deleted")
		if _, ok, err := r.o.Store.Checkpoint(t.Context(), MirrorKey); ok || err != nil {
			t.Errorf("a part moves the watermark: %v", err)
		}
		r.m.From, r.m.To = 0, 0
		r.run()
		r.sameAsByHand("the rest")
	})
}

func TestMirrorKeepsDownloadsWhereAsked(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.m.Keep = true
		r.run()
		names, bodies := r.files.All()
		for _, n := range names {
			if got, err := os.ReadFile(filepath.Join(r.m.Dir, n)); err != nil || string(got) != string(bodies[n]) {
				t.Errorf("%s: %v", n, err)
			}
		}
		if have, err := os.ReadDir(r.m.Dir); len(have) != 3 || err != nil {
			t.Errorf("%v %v", have, err)
		}
		// Files that are there are not downloaded again.
		r.o.Store = openStore(t, t.TempDir())
		r.srv.ClearRequests()
		r.run()
		for _, asked := range r.srv.Requests("file") {
			if !strings.HasSuffix(asked.Path, ".md5") {
				t.Errorf("downloaded %s again", asked.Path)
			}
		}
		r.sameAsByHand("from kept files")
	})
}

func TestMirrorImportsAFileThatAppearsDuringTheRun(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.files.OnRequest = func(path string) {
			if strings.HasSuffix(path, name(26, 3)) {
				r.files.OnRequest = nil
				r.files.Put("updatefiles", name(26, 4), []byte(gzipped(set(many(50, 3), 1))))
			}
		}
		r.m.Connections = 1
		wantCounts(t, r.run(), "43 inserted, 10 updated, 0 skipped, 3 deleted")
		r.sameAsByHand("appeared")
	})
}

func TestMirrorChecksFiles(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.files.SetMD5("baseline", name(26, 2), strings.Repeat("0", 32))
		report := r.fails(name(26, 2) + ": its checksum is wrong, even after a second download")
		wantCounts(t, report, "24 inserted, 6 updated, 0 skipped, 1 deleted")
		r.files.SetMD5("baseline", name(26, 2), "")
		r.run()
		r.sameAsByHand("the right checksum")

		// A wrong one that is right the second time, and one that is none.
		r.files.Put("updatefiles", name(26, 4), []byte(gzipped(set(many(60, 3)))))
		r.files.SetMD5("updatefiles", name(26, 4), strings.Repeat("0", 32))
		asked := 0
		r.files.OnRequest = func(path string) {
			if asked++; strings.HasSuffix(path, name(26, 4)) {
				r.files.SetMD5("updatefiles", name(26, 4), "")
			}
		}
		r.run()
		r.sameAsByHand("the second time")
		r.files.OnRequest = nil
		r.files.Put("updatefiles", name(26, 5), []byte(gzipped(set(many(70, 3)))))
		r.files.SetMD5("updatefiles", name(26, 5), "none")
		r.fails("cannot be read (it is not the checksum of " + name(26, 5))
	})
}

// A file that the list gives another date is imported again if its checksum differs.
func TestMirrorSeesChangedFiles(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.run()
		r.files.Put("baseline", name(26, 1), []byte(gzipped(three()[0]))) // the same bytes
		r.srv.ClearRequests()
		wantCounts(t, r.run(), "0 inserted, 0 updated, 0 skipped, 0 deleted")
		if n := r.srv.Count("file"); n != 1 {
			t.Errorf("%d files asked for", n)
		}
		r.files.Put("updatefiles", name(26, 3), []byte(gzipped(set(many(100, 5)))))
		wantCounts(t, r.run(), "5 inserted, 0 updated, 0 skipped, 0 deleted")
		r.srv.ClearRequests()
		if r.run(); r.srv.Count("file") != 0 {
			t.Error("asked again")
		}
	})
}

func TestMirrorFaults(t *testing.T) {
	for what, fault := range map[string]sourcetest.Fault{
		"cut short": {Kind: sourcetest.Truncated}, "hangs up": {Kind: sourcetest.Cut}, "503": {Kind: sourcetest.Down503},
		"a web page": {Kind: sourcetest.HTML200}, "stalls": {Kind: sourcetest.StallBody},
	} {
		t.Run(what, func(t *testing.T) {
			mirroring(t, func(t *testing.T, r *mirrorRig) {
				r.base(26, three()...)
				fault.Endpoint, fault.From, fault.Times = "file", 2, 3
				if err := r.srv.Fail(fault); err != nil {
					t.Fatal(err)
				}
				if _, err := Mirror(t.Context(), r.o, r.m); err != nil {
					var incomplete *Incomplete
					if !errors.As(err, &incomplete) {
						t.Fatal(err)
					}
					r.srv.ClearFaults()
					r.run()
				}
				r.sameAsByHand(what)
			})
		})
	}
}

func TestMirrorFileThatIsGone(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.files.OnRequest = func(path string) {
			if strings.HasPrefix(path, "baseline/pubmed") {
				r.files.Remove("baseline", name(26, 1))
			}
		}
		report := r.fails("has no such file")
		wantCounts(t, report, "26 inserted, 4 updated, 0 skipped, 1 deleted")
	})
}

func TestMirrorFileThatIsNoPubMedXML(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.files.Put("baseline", name(26, 2), []byte(gzipped("<html></html>")))
		r.fails(name(26, 2) + ": it is not PubMed XML")
	})
}

func TestMirrorWithoutANetworkInTheMiddle(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		if err := r.srv.Fail(sourcetest.Fault{Endpoint: "file", Kind: sourcetest.Hangup, From: 3, Times: -1}); err != nil {
			t.Fatal(err)
		}
		_, err := Mirror(t.Context(), r.o, r.m)
		if !httpclient.IsKind(err, httpclient.Unreachable) && !httpclient.IsKind(err, httpclient.Upstream) {
			t.Fatal(err)
		}
		r.srv.ClearFaults()
		r.run()
		r.sameAsByHand("afterwards")
	})
}

func TestMirrorRefuses(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		var input *InputError
		for _, m := range []MirrorOptions{{Connections: 0}, {Connections: 5}, {Connections: 1, From: 3, To: 2}} {
			if _, err := Mirror(t.Context(), r.o, m); !errors.As(err, &input) {
				t.Errorf("%+v: %v", m, err)
			}
		}
		full := errors.New("does not fit")
		r.m.Begin = func(Plan) error { return full }
		if _, err := Mirror(t.Context(), r.o, r.m); !errors.Is(err, full) || r.srv.Count("file") != 0 {
			t.Errorf("%v", err)
		}
		r.m.Begin = nil
		lease, err := r.o.Store.Lease(t.Context(), mirrorLease)
		if err != nil {
			t.Fatal(err)
		}
		defer lease.Release()
		var held *store.HeldError
		if _, err := Mirror(t.Context(), r.o, r.m); !errors.As(err, &held) || !strings.Contains(err.Error(), "an import of all of PubMed") {
			t.Errorf("%v", err)
		}
	})
}

// If the disk for downloads is full, stored records stay and the next run continues.
func TestMirrorOnAFullDisk(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("no /dev/full here")
		}
		r.base(26, three()...)
		full := filepath.Join(r.m.Dir, name(26, 2)+partial)
		if err := errors.Join(os.MkdirAll(r.m.Dir, 0o755), os.Symlink("/dev/full", full)); err != nil {
			t.Fatal(err)
		}
		report := r.fails("no space left on device")
		wantCounts(t, report, "20 inserted, 0 updated, 0 skipped, 0 deleted")
		if err := os.Remove(full); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		r.run()
		r.sameAsByHand("with room again")
	})
}

func TestMirrorStopped(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		ctx, cancel := context.WithCancel(t.Context())
		r.files.OnRequest = func(path string) {
			if strings.HasSuffix(path, name(26, 2)) {
				cancel()
			}
		}
		if _, err := Mirror(ctx, r.o, r.m); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		r.files.OnRequest = nil
		r.run()
		r.sameAsByHand("afterwards")
	})
}
