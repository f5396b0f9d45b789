package bulk_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/bulk"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

type bench struct {
	*sourcetest.Server
	*bulktest.Sites
	client *httpclient.Client
	path   string
}

func simulated(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	synctest.Test(t, func(t *testing.T) {
		s, err := sourcetest.Start(sourcetest.WithoutNetwork(), sourcetest.NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		sites := bulktest.New()
		sites.AddTo(s)
		test(t, &bench{s, sites, s.Network(t), path})
	})
}

// save downloads the first file of a set in a year.
func (b *bench) save(t *testing.T, set *bulk.Set, f *httpclient.File, year int, known map[string]string) (string, error) {
	f.Path = b.path
	return bulk.Save(t.Context(), b.client, set, set.Files[0], f, time.Date(year, 5, 1, 0, 0, 0, 0, time.UTC), known)
}

func TestEveryFileComes(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		for _, set := range bulk.Sets() {
			for _, f := range set.Files {
				to := &httpclient.File{Path: b.path}
				address, err := bulk.Save(t.Context(), b.client, set, f, to, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), nil)
				want := b.Sent(set, f.Name)
				if f.Form == httpclient.Gzip {
					want = bulktest.Pack(want)
				}
				if err != nil {
					t.Errorf("%s, %s: %v", set.Name, f.Name, err)
				}
				if got, _ := os.ReadFile(b.path); !bytes.Equal(got, want) {
					t.Errorf("%s, %s: saved %d bytes that differ from the %d sent", set.Name, f.Name, len(got), len(want))
				}
				if want := b.Address(set.Source); !strings.HasPrefix(address, want) {
					t.Errorf("%s, %s: address %q, want one under %q", set.Name, f.Name, address, want)
				}
				if to.Validator() == "" && f.Order == "" {
					t.Errorf("%s, %s: no validator", set.Name, f.Name)
				}
				if err := to.Remove(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

func TestUnchangedFileIsNotSentAgain(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		first := &httpclient.File{}
		address, err := b.save(t, bulk.CVX, first, 2026, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Remove(); err != nil {
			t.Fatal(err)
		}
		known := map[string]string{address: first.Validator()}
		again := &httpclient.File{}
		if _, err := b.save(t, bulk.CVX, again, 2026, known); err != nil || !again.Unchanged {
			t.Errorf("unchanged: %v, %v", again.Unchanged, err)
		}
		if _, err := os.Stat(b.path); !os.IsNotExist(err) {
			t.Errorf("a file was left: %v", err)
		}
		b.Set(bulk.CVX, "cvx.txt", []byte("1|other||||False||\n"))
		if _, err := b.save(t, bulk.CVX, again, 2026, known); err != nil || again.Unchanged {
			t.Errorf("changed: %v, %v", again.Unchanged, err)
		}
		if got, _ := os.ReadFile(b.path); !strings.HasPrefix(string(got), "1|other") {
			t.Errorf("%q", got)
		}
	})
}

// A complete file from an earlier call is used if the source still serves it unchanged.
func TestWholeFileIsChecked(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		for i, body := range []string{"1|one||||False||\n", "1|one||||False||\n", "2|two||||False||\n"} {
			b.Set(bulk.CVX, "cvx.txt", []byte(body))
			if _, err := b.save(t, bulk.CVX, &httpclient.File{Revalidate: true}, 2026, nil); err != nil {
				t.Fatal(err)
			}
			asked := b.Requests("cvx/cvx.txt")
			if got, _ := os.ReadFile(b.path); string(got) != body || (asked[i].Status == 304) != (i == 1) {
				t.Errorf("%q, %+v", got, asked[i])
			}
		}
		if err := b.Fail(sourcetest.Fault{Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.save(t, bulk.CVX, &httpclient.File{Revalidate: true}, 2026, nil); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("a source that is down: %v", err)
		}
		if got, _ := os.ReadFile(b.path); len(got) == 0 {
			t.Error("what was there is gone")
		}
	})
}

func TestYearlyEdition(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		for _, year := range []int{bulktest.Edition, bulktest.Edition + 1} {
			address, err := b.save(t, bulk.MeSH, &httpclient.File{}, year, nil)
			if err != nil || !strings.HasSuffix(address, "xmlmesh/desc2026.gz") {
				t.Errorf("%d: %q, %v", year, address, err)
			}
		}
		_, err := b.save(t, bulk.MeSH, &httpclient.File{}, bulktest.Edition+2, nil)
		if moved := new(bulk.MovedError); !errors.As(err, &moved) || err.Error() != "MeSH descriptors: there is no file desc.gz at its address any more; look for it at https://www.nlm.nih.gov/databases/download/mesh.html and set BIOMCP_MESH_URL to the address of its folder" {
			t.Errorf("%v", err)
		}
	})
}

// A file that has moved, or whose server does not answer, is somewhere else.
func TestFailureNamesTheOtherAddress(t *testing.T) {
	const mirror = "older clients have %s at https://www2a.cdc.gov/vaccines/iis/iisstandards/downloads/"
	for _, c := range []struct {
		set  *bulk.Set
		file string
		kind sourcetest.Kind
		want string
	}{
		{bulk.CVX, "cvx.txt", sourcetest.HTML404, fmt.Sprintf(mirror, "it")},
		{bulk.CVX, "cvx.txt", sourcetest.HTML502, fmt.Sprintf(mirror, "the files") + "; BIOMCP_CVX_URL sets the address"},
		{bulk.CVX, "cvx.txt", sourcetest.Hangup, fmt.Sprintf(mirror, "the files")},
		{bulk.WHOMedicines, "vaccines.csv", sourcetest.HTML404, "look for it at https://extranet.who.int/prequal/vaccines/prequalified-vaccines"},
		{bulk.WHOMedicines, "active-pharmaceutical-ingredients.csv", sourcetest.HTML404, "look for it at " + bulk.WHOMedicines.Page},
	} {
		t.Run(c.file+" "+string(c.kind), func(t *testing.T) {
			simulated(t, func(t *testing.T, b *bench) {
				if err := b.Fail(sourcetest.Fault{Kind: c.kind, Times: -1}); err != nil {
					t.Fatal(err)
				}
				_, err := bulk.Save(t.Context(), b.client, c.set, c.set.File(c.file), &httpclient.File{Path: b.path}, time.Now(), nil)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want one that contains %q", err, c.want)
				}
			})
		})
	}
}

func TestWebPageIsNotTheFile(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		for _, set := range bulk.Sets() {
			if err := b.Fail(sourcetest.Fault{Kind: sourcetest.HTML200, Times: -1}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.save(t, set, &httpclient.File{}, 2026, nil); !httpclient.IsKind(err, httpclient.Upstream) || !strings.Contains(err.Error(), "a web page instead of data") {
				t.Errorf("%s: %v", set.Name, err)
			}
		}
	})
}

// The contract requests every file, by addresses that are valid in any year, and gives facts that identify each
// reply.
func TestContractAsksForEveryFile(t *testing.T) {
	sources := bulk.Sources()
	if len(sources) != len(bulk.Sets()) {
		t.Fatalf("%d sources of %d sets", len(sources), len(bulk.Sets()))
	}
	for i, set := range bulk.Sets() {
		s := sources[i]
		if s != set.Source {
			t.Errorf("%s: its source is %s", set.Name, s.Name)
		}
		asked := s.Contract()
		if len(asked) != len(set.Files) {
			t.Fatalf("%s: %d questions about %d files", set.Name, len(asked), len(set.Files))
		}
		for i, f := range set.Files {
			declared := slices.ContainsFunc(s.Dependencies, func(u httpclient.Dependency) bool {
				return u.Path == strings.ReplaceAll(f.Path, "{year}", "*") && u.Columns == f.Columns && strings.Contains(u.Evidence, cmp.Or(f.Page, set.Page))
			})
			if !declared {
				t.Errorf("%s: %s is fetched and not declared", set.Name, f.Name)
			}
			q := asked[i]
			folder, _, yearly := strings.Cut(f.Path, "{year}")
			if yearly {
				folder = folder[:strings.LastIndexByte(folder, '/')+1]
			} else {
				folder = f.Path
			}
			if q.Call.Path != folder || yearly == (q.Call.ReadLimit > 0) {
				t.Errorf("%s: %s is asked for by %+v", set.Name, f.Name, q.Call)
			}
			if len(q.Facts) == 0 {
				t.Errorf("%s: any reply about %s would do", set.Name, f.Name)
			}
			for name, values := range f.Query() {
				if !slices.Equal(q.Call.Params[name], values) {
					t.Errorf("%s: %s is asked for with %s=%q", set.Name, f.Name, name, q.Call.Params[name])
				}
			}
			for _, fact := range q.Facts {
				if q.Table && !slices.Contains(strings.Split(f.Columns, "|"), fact.Path) {
					t.Errorf("%s: %s is known by the column %s, which is not read", set.Name, f.Name, fact.Path)
				}
			}
		}
	}
}

// GenCC limits downloads by day. A refusal says so, and that an unchanged file is free.
func TestDailyLimitOfGenCC(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		if err := b.Fail(sourcetest.Fault{Kind: sourcetest.Limit429, Times: -1}); err != nil {
			t.Fatal(err)
		}
		const want = "GenCC sends the file to one address 20 times a day; a file that is stored and unchanged does not count"
		if _, err := b.save(t, bulk.GenCC, &httpclient.File{}, 2026, nil); !httpclient.IsKind(err, httpclient.RateLimited) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if _, err := b.save(t, bulk.CIViC, &httpclient.File{}, 2026, nil); err == nil || strings.Contains(err.Error(), "GenCC") {
			t.Errorf("CIViC: got %v, want its own failure", err)
		}
	})
}

// Every set has a licence with a short name, its publisher or conditions, and the address of its terms.
func TestLicences(t *testing.T) {
	for _, set := range bulk.Sets() {
		l := set.Licence
		if l.Name == "" || strings.ContainsAny(l.Name, ",(") || len(l.Name) > 70 {
			t.Errorf("%s: licence name %q, want a short name", set.Name, l.Name)
		}
		if l.Note == "" || !strings.HasPrefix(l.URL, "https://") {
			t.Errorf("%s: licence %+v, want a note and an address", set.Name, l)
		}
		if want := l.Name + ", " + l.Note + " (" + l.URL + ")"; fmt.Sprint(l) != want {
			t.Errorf("%s: licence %q, want %q", set.Name, fmt.Sprint(l), want)
		}
	}
}
