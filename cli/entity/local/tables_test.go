package local_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
	"biomcp/store/table"
)

func info(t *testing.T, s *clitest.Sites, set *bulk.Set) table.Info {
	t.Helper()
	if set == bulk.ClinVar {
		c, err := local.ClinVar(s.App)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.Info
	}
	if set == bulk.ClinVarSubmissions {
		c, err := local.Submissions(s.App)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.Info
	}
	tables, err := s.App.Tables(t.Context())
	if table.IsAbsent(err) {
		return table.Info{}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	info, err := tables.Info(t.Context(), set.Name)
	if err != nil && !table.IsAbsent(err) {
		t.Fatal(err)
	}
	return info
}

func TestSyncOfEverySet(t *testing.T) {
	rows := map[*bulk.Set]int{bulk.GTR: 5, bulk.WHOIVD: 3, bulk.EMA: 11, bulk.WHOMedicines: 9, bulk.CVX: 3, bulk.MeSH: 3, bulk.HGNC: 8, bulk.ClinVar: 7, bulk.ClinVarSubmissions: 6, bulk.CPIC: 84,
		bulk.CIViC: 8, bulk.ClinGen: 7, bulk.GenCC: 3, bulk.HPO: 21}
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		for _, set := range bulk.Sets() {
			got := s.Sync(t, "sync "+set.Name)
			var sent int64
			for _, f := range info(t, s, set).Files {
				sent += f.Bytes
				if len(f.SHA256) != 64 || f.Validator == "" && set != bulk.CPIC || !strings.HasPrefix(f.URL, s.Address(set.Source)) {
					t.Errorf("%s: %+v", set.Name, f)
				}
			}
			want := clitest.SyncReport{Source: set.Name, URL: got.URL, Version: 1, Rows: rows[set], Changed: true, Bytes: sent, StoredAt: got.StoredAt, Notices: []string{}}
			if fmt.Sprint(got) != fmt.Sprint(want) || !strings.HasPrefix(got.URL, s.Address(set.Source)) || got.StoredAt.Before(clitest.Now) || sent == 0 {
				t.Errorf("%+v, want %+v", got, want)
			}
			// An unchanged file is not sent again. An agent may not sync, in either order of words.
			s.ClearRequests()
			if again := s.Sync(t, set.Name+" sync"); again.Changed || again.Version != 1 || again.Rows != got.Rows {
				t.Errorf("again: %+v", again)
			}
			for _, r := range s.Requests() {
				if r.Status != 304 && r.Status != 404 && set != bulk.CPIC { // PostgREST has no validators // the edition of the next year does not exist
					t.Errorf("asked again: %+v", r)
				}
			}
			for _, line := range []string{"sync " + set.Name, set.Name + " sync", "sync " + set.Name + " --force --json"} {
				if text, code := clitest.Ask(t, s.App, command.Agent, line); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
					t.Errorf("%s: %d, %s", line, code, text)
				}
			}
		}
		if left, err := filepath.Glob(filepath.Join(s.App.Env.DataDir, "tables", "*", "*")); err != nil || left != nil {
			t.Errorf("left: %q, %v", left, err)
		}
	})
}

func TestSyncSaysWhatChangedAndOnWhatTerms(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		text, _ := clitest.Ask(t, s.App, command.Person, "sync cvx")
		for _, want := range []string{"Local table cvx", "**Changed:** yes", "**Rows:** 3", "SHA-256 ", "https://www.cdc.gov/other/agencymaterials.html"} {
			if strings.Count(text, want) < 1 || strings.Count(text, "agencymaterials") != 1 {
				t.Errorf("%q is not in %s", want, text)
			}
		}
		s.Set(bulk.CVX, "cvx.txt", append(s.Text(bulk.CVX, "cvx.txt"), "904|New||\n905|Newer|newer||Active|False|2026/01/01|\n"...))
		got := s.Sync(t, "sync cvx")
		if got.Version != 2 || got.Rows != 4 || !got.Changed || len(got.Notices) != 1 || got.Notices[0] != "1 rows are unreadable and left out: cvx.txt, row 4: 4 fields" {
			t.Errorf("%+v", got)
		}
		if again := s.Sync(t, "sync cvx --force"); again.Version != 3 || again.Rows != 4 {
			t.Errorf("forced: %+v", again)
		}
	})
}

// A rejected version is reported with a suggestion, and the old version stays in use.
func TestRefusedVersion(t *testing.T) {
	gone := func(s *clitest.Sites, set *bulk.Set, file string) { s.Set(set, file, nil) }
	for _, c := range []struct {
		set    *bulk.Set
		file   string
		change func(s *clitest.Sites, set *bulk.Set, file string)
		want   string
	}{
		{bulk.GTR, "test_version.gz", gone, "look for it at https://ftp.ncbi.nlm.nih.gov/pub/GTR/ and set BIOMCP_GTR_FILES_URL"},
		{bulk.MeSH, "desc.gz", gone, "and set BIOMCP_MESH_URL to the address of its folder"},
		{bulk.WHOMedicines, "vaccines.csv", func(s *clitest.Sites, set *bulk.Set, f string) { s.Set(set, f, []byte("Name,Price\nx,1\n")) }, `it has no column "vaccine type"; its columns are "Name", "Price"; the stored version is unchanged`},
		{bulk.WHOMedicines, "vaccines.csv", func(s *clitest.Sites, set *bulk.Set, f string) {
			s.Set(set, f, []byte("<html><body>Maintenance</body></html>"))
		}, "answered with a web page instead of data"},
		{bulk.EMA, "dhpc.json", func(s *clitest.Sites, set *bulk.Set, f string) { s.Set(set, f, []byte(`{"data":[{"name`)) }, "it is not JSON, or is cut off"},
		{bulk.MeSH, "desc.gz", func(s *clitest.Sites, set *bulk.Set, f string) { s.Set(set, f, []byte("<DescriptorRecordSet/>")) }, "it has no records"},
		{bulk.WHOIVD, "in-vitro-diagnostics.csv", func(s *clitest.Sites, set *bulk.Set, f string) {
			s.Set(set, f, []byte(strings.Join(strings.SplitAfter(string(s.Text(set, f)), "\n")[:2], "")))
		}, "it has 1 rows, and the stored version has 3"},
		{bulk.CVX, "cvx.txt", func(s *clitest.Sites, set *bulk.Set, f string) { s.Set(set, f, make([]byte, 300<<10)) }, "sent more than the 262144 bytes"},
		{bulk.ClinVarSubmissions, "submission_summary.txt.gz", gone, "and set BIOMCP_CLINVAR_SUBMISSIONS_URL to the address of its folder"},
		{bulk.ClinVarSubmissions, "submission_summary.txt.gz", func(s *clitest.Sites, set *bulk.Set, f string) {
			s.Set(set, f, bytes.ReplaceAll(s.Text(set, f), []byte("\tSCV\t"), []byte("\tAccession\t")))
		}, `submission_summary.txt.gz is not in the expected format: it has no column "scv"; its columns are`},
		{bulk.ClinVar, "variant_summary.txt.gz", gone, "and set BIOMCP_CLINVAR_FILES_URL to the address of its folder"},
		{bulk.ClinVar, "variant_summary.txt.gz", func(s *clitest.Sites, set *bulk.Set, f string) {
			s.Set(set, f, bytes.Replace(s.Text(set, f), []byte("\tOncogenicity\t"), []byte("\tOther\t"), 1))
		}, `it has no column "oncogenicity"; its columns are`},
		{bulk.ClinVar, "variant_summary.txt.gz", func(s *clitest.Sites, set *bulk.Set, f string) {
			s.Set(set, f, bytes.Join(bytes.SplitAfter(s.Text(set, f), []byte("\n"))[:3], nil))
		}, "it has 1 rows, and the stored version has 7"},
	} {
		t.Run(c.file, func(t *testing.T) {
			clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
				before := s.Sync(t, "sync "+c.set.Name)
				c.change(s, c.set, c.file)
				text, code := clitest.Ask(t, s.App, command.Person, "sync "+c.set.Name)
				if code != 1 || !strings.Contains(text, c.want) || strings.Contains(text, s.App.Env.DataDir) {
					t.Errorf("%q is not in %d, %s", c.want, code, text)
				}
				if info := info(t, s, c.set); info.Version != 1 || info.Rows != before.Rows {
					t.Errorf("%+v", info)
				}
				if strings.Contains(c.want, "has 1 rows, and the stored version has 3") {
					if !strings.Contains(text, "try:   biomcp sync who-ivd --force") || s.Sync(t, "sync who-ivd --force").Rows != 1 {
						t.Error(text)
					}
				}
			})
		})
	}
}

func TestUnpackedFileIsBounded(t *testing.T) {
	set := *bulk.GTR
	defer func() { *bulk.GTR = set }()
	bulk.GTR.MaxUnpacked = 1000
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		text, code := clitest.Ask(t, s.App, command.Person, "sync gtr")
		if code != 1 || !strings.Contains(text, "it unpacks to more than the maximum size") {
			t.Errorf("%d, %s", code, text)
		}
	})
}

func TestHealthOfTables(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		row := func(name string) string {
			text, _ := clitest.Ask(t, s.App, command.Agent, "health --long") // a row for each source
			for l := range strings.Lines(text) {
				if strings.Contains(l, "| "+name) {
					return strings.TrimSpace(l)
				}
			}
			return ""
		}
		if got := row("local tables"); got != "| local tables | data | absent | none; biomcp sync --help lists them |" {
			t.Error(got)
		}
		s.Sync(t, "sync cvx")
		for _, c := range []struct {
			after time.Duration
			want  string
		}{
			{0, "| local table cvx | data | ok | 3 rows, version 1, as of 2026-11-21 (0 days old); public domain of the United States |"},
			{31 * 24 * time.Hour, "| local table cvx | data | behind | 3 rows, version 1, as of 2026-11-21 (31 days old); public domain of the United States; biomcp sync cvx updates it |"},
		} {
			time.Sleep(c.after) // virtual time of synctest
			if got := row("local table cvx"); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		}
		s.Sync(t, "sync clinvar")
		if got, want := row("local table clinvar"), "| local table clinvar | data | ok | 7 rows, version 1, as of 2026-12-22 (0 days old); public domain of the United States |"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := row("local table gtr"); got != "| local table gtr | data | absent | none; biomcp sync gtr stores it |" {
			t.Error(got)
		}
		if got := row("EMA's files"); got != "| EMA's files | source | ok | answers |" {
			t.Error(got)
		}
	})
}

// After any sequence of failures, a table equals its source at the time of the last successful run.
// The first run without a failure stores the current contents.
func TestHistoriesOfSync(t *testing.T) {
	kinds := []sourcetest.Kind{
		sourcetest.Truncated, sourcetest.Cut, sourcetest.Hangup, sourcetest.HTML200, sourcetest.HTML502, sourcetest.Limit429, sourcetest.Empty,
		sourcetest.Endless, sourcetest.StallBody, sourcetest.OtherForm,
	}
	for seed := range uint64(4) {
		clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
			random := rand.New(rand.NewPCG(seed, 11))
			truth := map[*bulk.Set][]string{}
			for run := range 25 {
				set := []*bulk.Set{bulk.CVX, bulk.GTR, bulk.EMA, bulk.WHOIVD}[random.IntN(4)]
				if random.IntN(2) == 0 {
					grow(s, set, fmt.Sprintf("%d%03d", seed, run))
				}
				for range random.IntN(3) {
					f := set.Files[random.IntN(len(set.Files))]
					fault := sourcetest.Fault{Endpoint: set.Name + "/" + f.Name, Kind: kinds[random.IntN(len(kinds))]}
					if f.Form != httpclient.Text && random.IntN(4) == 0 { // half of a text file may be valid
						fault.Kind = sourcetest.CutXML
					}
					if err := s.Fail(fault); err != nil {
						t.Fatal(err)
					}
				}
				if random.IntN(5) == 0 { // some partial downloads are old
					time.Sleep(48 * time.Hour)
				}
				text, code := clitest.Ask(t, s.App, command.Person, "sync "+set.Name)
				if code == 0 {
					truth[set] = names(s, set)
				} else if strings.Contains(text, "something went wrong inside") {
					t.Fatalf("seed %d, run %d: %s", seed, run, text)
				}
				for set, want := range truth {
					if got := held(s, t, set); !slices.Equal(got, want) {
						t.Fatalf("seed %d, run %d, %s (exit %d): %q, want %q", seed, run, set.Name, code, got, want)
					}
				}
			}
			s.ClearFaults()
			for set := range truth {
				clitest.Ask(t, s.App, command.Person, "sync "+set.Name) // may reject a partial file that was taken for a complete one
				s.Sync(t, "sync "+set.Name)
				if got, want := held(s, t, set), names(s, set); !slices.Equal(got, want) {
					t.Errorf("%s: %q, want %q", set.Name, got, want)
				}
			}
		})
	}
}

// grow adds a record to a set.
func grow(s *clitest.Sites, set *bulk.Set, name string) {
	add := func(file, line string) { s.Set(set, file, append(bytes.Clone(s.Text(set, file)), line...)) }
	switch set {
	case bulk.CVX:
		add("cvx.txt", "9"+name+"|added "+name+"|||Active|False|2026/01/01\n")
	case bulk.GTR:
		add("test_version.gz", "GTR9"+name+".1\tClinical\tadded "+name+"\t\tLab\t\tAustria\tCurrent\tPublic\t\t\t\t1\n")
	case bulk.WHOIVD:
		add("in-vitro-diagnostics.csv", "added "+name+",C"+name+",HIV,Maker,RDT,x,2026\n")
	case bulk.EMA:
		old := strings.TrimRight(string(s.Text(set, "dhpc.json")), "]}\n")
		s.Set(set, "dhpc.json", []byte(old+`},{"name_of_medicine":"added `+name+`"}]}`))
	}
}

// names returns the names of the added records at the source.
func names(s *clitest.Sites, set *bulk.Set) []string {
	seen := map[string]bool{}
	for _, f := range set.Files {
		for _, part := range strings.Split(string(s.Text(set, f.Name)), "added ")[1:] {
			seen[part[:strings.IndexAny(part, "|\t,\"\n")]] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// held returns the names of the added records in the table.
func held(s *clitest.Sites, t *testing.T, set *bulk.Set) []string {
	t.Helper()
	tables, err := s.App.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	found, err := tables.Find(t.Context(), set.Name, table.Query{Text: "added", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range found.Records {
		_, rest, _ := strings.Cut(string(r.Body), "added ")
		seen[rest[:strings.IndexByte(rest, '"')]] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func TestDiskThatCannotBeWritten(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync cvx")
		folder := filepath.Join(s.App.Env.DataDir, "tables")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(folder, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		text, code := clitest.Ask(t, s.App, command.Person, "sync cvx --json")
		if code != 1 || !strings.Contains(text, `"STORE"`) || strings.Contains(text, folder) {
			t.Errorf("%d, %s", code, text)
		}
	})
}
