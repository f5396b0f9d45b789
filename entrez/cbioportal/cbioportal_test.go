package cbioportal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/cbioportal"
	"biomcp/entrez/cbioportal/cbioportaltest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// large returns data that begins like a gzip archive and is longer than all buffers.
var large = func() []byte {
	b := make([]byte, 2<<20)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(b) // never fails
	copy(b, []byte{0x1f, 0x8b, 8})
	return b
}()

type bench struct {
	*sourcetest.Server
	data *cbioportaltest.Datahub
	hub  *cbioportal.Client
	file *httpclient.File
}

func simulated(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive")
	synctest.Test(t, func(t *testing.T) {
		s, err := sourcetest.Start(sourcetest.WithoutNetwork(), sourcetest.NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		b := &bench{Server: s, data: cbioportaltest.New(), file: &httpclient.File{Path: path}}
		b.data.AddTo(s)
		b.data.Set("large", large)
		cfg := s.Config()
		cfg.MaxRetries = 2
		c, err := httpclient.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		b.hub = cbioportal.New(c)
		test(t, b)
	})
}

func (b *bench) save(t *testing.T, want []byte) {
	t.Helper()
	if err := b.hub.SaveArchive(t.Context(), "large", b.file); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(b.file.Path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
}

func (b *bench) fail(t *testing.T, f sourcetest.Fault) {
	t.Helper()
	f.Endpoint = "archive"
	if err := b.Fail(f); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) ranges() (ranges []string) {
	for _, r := range b.Requests("archive") {
		ranges = append(ranges, r.Range)
	}
	return ranges
}

func TestStudiesAreSortedIDs(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		b.data.Set("../escape", large)
		b.data.Set("zeta_2020", large)
		ids, err := b.hub.Studies(t.Context())
		if want := []string{"large", cbioportaltest.First, cbioportaltest.Fourth, cbioportaltest.Second, cbioportaltest.Third, "zeta_2020"}; err != nil || !reflect.DeepEqual(ids, want) {
			t.Errorf("%q, %v", ids, err)
		}
	})
}

// While the datahub's list is missing, the portal's own list names its studies, and some more that
// have no archive.
func TestPortalStudiesReplaceAMissingList(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		if err := b.Fail(sourcetest.Fault{Endpoint: "list", Kind: sourcetest.HTML404, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if ids, err := b.hub.Studies(t.Context()); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("Studies = %q, %v; want an upstream error", ids, err)
		}
		b.data.Set("../escape", large)
		ids, err := b.hub.PortalStudies(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(ids) {
			t.Errorf("PortalStudies = %q, want sorted ids", ids)
		}
		for _, id := range []string{"large", cbioportaltest.First, cbioportaltest.Fourth} {
			if !slices.Contains(ids, id) {
				t.Errorf("PortalStudies = %q, want %s among them", ids, id)
			}
		}
		if slices.Contains(ids, "../escape") {
			t.Errorf("PortalStudies = %q, want no name that leaves the folder", ids)
		}
	})
}

func TestPortalStudiesOfAPortalThatIsDown(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		if err := b.Fail(sourcetest.Fault{Endpoint: "portal-studies", Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if ids, err := b.hub.PortalStudies(t.Context()); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("PortalStudies = %q, %v; want an upstream error", ids, err)
		}
	})
}

func TestPanel(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		body, err := b.hub.Panel(t.Context(), "SYNTH2")
		if err != nil || !strings.Contains(string(body), `"hugoGeneSymbol":"TERT"`) || !strings.HasSuffix(b.hub.PanelAddress("SYNTH2"), "/gene-panels/SYNTH2") {
			t.Errorf("%s, %v", body, err)
		}
		if _, err := b.hub.Panel(t.Context(), "LOST99"); !httpclient.IsKind(err, httpclient.NotFound) {
			t.Error(err)
		}
		if _, err := b.hub.Panel(t.Context(), "a/../b c"); !httpclient.IsKind(err, httpclient.Invalid) || b.Count("panel") != 2 {
			t.Error(err)
		}
	})
}

// JSON that is not a panel, or is a panel with another ID, is rejected.
func TestReplyThatIsNoPanel(t *testing.T) {
	for _, reply := range []string{`{}`, `[]`, `{"genePanelId":"SYNTH2","genes":[]}`, `{"genePanelId":"OTHER","genes":[{"entrezGeneId":1}]}`, `{"error":"x"}`} {
		t.Run(reply, func(t *testing.T) {
			simulated(t, func(t *testing.T, b *bench) {
				b.data.SetPanel("SYNTH2", []byte(reply))
				if body, err := b.hub.Panel(t.Context(), "SYNTH2"); !httpclient.IsKind(err, httpclient.Upstream) {
					t.Errorf("%s: %s, %v", reply, body, err)
				}
			})
		})
	}
}

func TestUnknownStudyIsNotFound(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		err := b.hub.SaveArchive(t.Context(), "no_such_study", b.file)
		if !httpclient.IsKind(err, httpclient.NotFound) || b.Count("archive") != 1 {
			t.Errorf("%v, asked %d times", err, b.Count("archive"))
		}
		b.isGone(t)
	})
}

// A transfer that ends early is resumed, and the file is complete.
func TestBrokenTransferIsContinued(t *testing.T) {
	for _, kind := range []sourcetest.Kind{sourcetest.Truncated, sourcetest.Cut, sourcetest.StallBody} {
		t.Run(string(kind), func(t *testing.T) {
			simulated(t, func(t *testing.T, b *bench) {
				var seen []int64
				b.file.OnProgress = func(held, total int64) {
					if seen = append(seen, held); total != int64(len(large)) && kind != sourcetest.Cut {
						t.Fatalf("of %d", total)
					}
				}
				b.fail(t, sourcetest.Fault{Kind: kind})
				began := time.Now()
				b.save(t, large)
				if got := b.ranges(); len(got) != 2 || got[0] != "" || got[1] != "bytes=1048576-" {
					t.Errorf("ranges: %q", got)
				}
				if kind == sourcetest.StallBody && time.Since(began) < httpclient.DefaultTimeout {
					t.Errorf("gave up after %s", time.Since(began))
				}
				if len(seen) == 0 || seen[len(seen)-1] != int64(len(large)) {
					t.Errorf("shown: %d", seen)
				}
			})
		})
	}
}

// A partial file of an earlier process is resumed if it belongs to the same archive.
func TestLaterRunContinues(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		ctx, cancel := context.WithCancel(t.Context())
		b.fail(t, sourcetest.Fault{Kind: sourcetest.StallBody})
		b.file.OnProgress = func(held, _ int64) {
			if held == int64(len(large)/2) {
				cancel()
			}
		}
		if err := b.hub.SaveArchive(ctx, "large", b.file); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		b.file = &httpclient.File{Path: b.file.Path}
		b.save(t, large)
		b.save(t, large)
		if got := b.ranges(); len(got) != 2 || got[1] != "bytes=1048576-" {
			t.Errorf("ranges: %q", got)
		}
	})
}

func TestChangedArchiveBeginsAgain(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		b.fail(t, sourcetest.Fault{Kind: sourcetest.Truncated, Times: 3})
		if err := b.hub.SaveArchive(t.Context(), "large", b.file); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Fatal(err)
		}
		other := bytes.Clone(large[:len(large)-1000])
		other[500]++
		b.data.Set("large", other)
		b.save(t, other)
	})
}

// A partial file is discarded if the datahub's archive is now shorter, or if the note next to the
// file is damaged or describes another archive.
func TestUnfitBeginningIsNotUsed(t *testing.T) {
	note := func(address, tag string, total int) string {
		body, _ := json.Marshal(map[string]any{"address": address, "validator": tag, "total": total})
		return string(body)
	}
	simulated(t, func(t *testing.T, b *bench) {
		for _, text := range []string{"", "{", note("https://elsewhere.example/large.tar.gz", `"x"`, 4_000_000), note(b.hub.ArchiveAddress("large"), "", -1),
			note(b.hub.ArchiveAddress("large"), `"x"`, 10), note(b.hub.ArchiveAddress("large"), `"x"`, -1)} {
			if err := errors.Join(os.WriteFile(b.file.Path, make([]byte, 3<<20), 0o600), os.WriteFile(b.file.Path+".json", []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
			b.save(t, large)
		}
	})
}

func TestOtherAnswersAreNotWritten(t *testing.T) {
	for kind, want := range map[sourcetest.Kind]httpclient.Kind{
		sourcetest.HTML200: httpclient.Upstream, sourcetest.Empty: httpclient.Upstream, sourcetest.OtherForm: httpclient.Upstream, sourcetest.Down503: httpclient.Upstream,
		sourcetest.Limit429: httpclient.RateLimited, sourcetest.Hangup: httpclient.Upstream, sourcetest.Stall: httpclient.Timeout,
	} {
		t.Run(string(kind), func(t *testing.T) {
			simulated(t, func(t *testing.T, b *bench) {
				times := 3
				if kind == sourcetest.Stall { // lasts until the timeout
					times = 1
				}
				b.fail(t, sourcetest.Fault{Kind: kind, Times: times})
				err := b.hub.SaveArchive(t.Context(), "large", b.file)
				if !httpclient.IsKind(err, want) && !(kind == sourcetest.Hangup && httpclient.IsKind(err, httpclient.Unreachable)) {
					t.Errorf("%v", err)
				}
				b.isGone(t)
				if b.Count("archive") != times {
					t.Errorf("asked %d times", b.Count("archive"))
				}
				b.save(t, large)
			})
		})
	}
	simulated(t, func(t *testing.T, b *bench) {
		b.fail(t, sourcetest.Fault{Kind: sourcetest.Redirect, Target: "https://elsewhere.example/large.tar.gz"})
		if err := b.hub.SaveArchive(t.Context(), "large", b.file); !httpclient.IsKind(err, httpclient.Refused) {
			t.Errorf("redirect: %v", err)
		}
	})
}

// The size limit applies even if the reply states no length.
func TestEndlessArchiveIsCutOff(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		b.fail(t, sourcetest.Fault{Kind: sourcetest.Endless})
		if err := b.saveBounded(t, 8<<20); !errors.Is(err, httpclient.ErrTooLong) {
			t.Errorf("%v", err)
		}
		b.isGone(t)
	})
}

// isGone checks that a failed download left no files.
func (b *bench) isGone(t *testing.T) {
	t.Helper()
	if left, err := os.ReadDir(filepath.Dir(b.file.Path)); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// saveBounded is like SaveArchive with a limit in bytes.
func (b *bench) saveBounded(t *testing.T, most int64) error {
	call := httpclient.NewCall(httpclient.Endpoint{Op: "study archive", Path: "large.tar.gz", Form: httpclient.Gzip, MaxBytes: most})
	return b.Network(t).Service(&cbioportal.Source).Save(t.Context(), call, b.file)
}

func TestFullDiskIsNotTheDatahubsFault(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		if os.Symlink("/dev/full", b.file.Path) != nil {
			t.Skip("no links here")
		}
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("no /dev/full here")
		}
		err := b.hub.SaveArchive(t.Context(), "large", b.file)
		var disk *httpclient.FileError
		if !errors.As(err, &disk) || !errors.Is(err, syscall.ENOSPC) || err.Error() != "the download cannot be written: no space left on device" {
			t.Errorf("%v", err)
		}
	})
}
