package pubmedfiles_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/pubmedfiles/pubmedfilestest"
	"biomcp/entrez/sourcetest"
)

func asking(t *testing.T, test func(t *testing.T, held *pubmedfilestest.Files, files *pubmedfiles.Client)) {
	synctest.Test(t, func(t *testing.T) {
		s, err := sourcetest.Start(sourcetest.WithoutNetwork())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		held := pubmedfilestest.New()
		held.AddTo(s)
		test(t, held, pubmedfiles.New(s.Network(t)))
	})
}

// Index keeps only names in PubMed's form, of the year of the newest baseline.
func TestIndex(t *testing.T) {
	asking(t, func(t *testing.T, held *pubmedfilestest.Files, files *pubmedfiles.Client) {
		for _, path := range []string{
			"baseline pubmed26n0002.xml.gz", "baseline pubmed26n0001.xml.gz", "baseline pubmed25n0001.xml.gz",
			"updatefiles pubmed26n0003.xml.gz", "updatefiles pubmed25n1600.xml.gz", "baseline pubmed26n00001.xml.gz",
			"baseline pubmed26n0004.xml.gz.exe", "baseline ..%2f..%2fpubmed26n0009.xml.gz",
		} {
			folder, name, _ := strings.Cut(path, " ")
			held.Put(folder, name, make([]byte, 20_000))
		}
		index, err := files.Index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range slices.Concat(index.Baseline, index.Updates) {
			names = append(names, f.Name)
			if f.Year != 26 || f.Size != 20*1024 || f.Modified.Year() != 2026 {
				t.Errorf("%+v", f)
			}
		}
		if index.Year != 26 {
			t.Errorf("year %d, want 26", index.Year)
		}
		if want := []string{"pubmed26n0001.xml.gz", "pubmed26n0002.xml.gz", "pubmed26n0003.xml.gz"}; !slices.Equal(names, want) {
			t.Errorf("files %q, want %q", names, want)
		}
		if lacks := index.Missing(0, 0) + index.Unfinished(); lacks != "" {
			t.Errorf("a complete index lacks: %s", lacks)
		}
		if last := index.Last(); last != 3 {
			t.Errorf("last file %d, want 3", last)
		}
		held.Remove("baseline", "pubmed26n0002")
		if index, err = files.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
		for asked, missing := range map[[2]int]bool{{0, 0}: true, {1, 0}: true, {1, 2}: true, {2, 2}: true, {1, 1}: false, {3, 3}: false, {3, 0}: false} {
			if lacks := index.Missing(asked[0], asked[1]); (lacks != "") != missing {
				t.Errorf("files %d to %d without the second: missing %q, want %v", asked[0], asked[1], lacks, missing)
			}
		}
		held.Remove("updatefiles", "")
		if index, err = files.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
		if lacks := index.Missing(1, 0); lacks != "" || index.Unfinished() == "" {
			t.Errorf("without an update file: missing %q, unfinished %q; want the second alone", lacks, index.Unfinished())
		}
		held.Remove("baseline", "")
		if _, err := files.Index(t.Context()); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("without a baseline: %v", err)
		}
	})
}

func TestChecksum(t *testing.T) {
	asking(t, func(t *testing.T, held *pubmedfilestest.Files, files *pubmedfiles.Client) {
		held.Put("baseline", "pubmed26n0001.xml.gz", []byte("text"))
		index, err := files.Index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := files.MD5(t.Context(), index.Baseline[0]); err != nil || sum != "1cb251ec0d568de6a929b520c4aed8d1" {
			t.Errorf("%q %v", sum, err)
		}
		for _, sum := range []string{"", "x", strings.Repeat("0", 31), strings.Repeat("0", 33)} {
			held.SetMD5("baseline", "pubmed26n0001.xml.gz", sum+" ")
			if _, err := files.MD5(t.Context(), index.Baseline[0]); !httpclient.IsKind(err, httpclient.Upstream) {
				t.Errorf("%q: %v", sum, err)
			}
		}
	})
}

func TestOnlyThisMachineIsAskedWithoutHTTPS(t *testing.T) {
	for address, refused := range map[string]bool{
		"http://files.example/": true, "http://10.0.0.1/": true, "http://127.0.0.1.example/": true, "http://127.0.0.1:1/": false, "http://[::1]:1/": false, "https://files.example/": false,
	} {
		t.Run(address, func(t *testing.T) {
			c, err := httpclient.New(httpclient.Config{Addresses: map[string]string{pubmedfiles.Source.Name: address}, Transport: down{}, MaxRetries: 0})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := pubmedfiles.New(c).Index(t.Context()); httpclient.IsKind(err, httpclient.Invalid) != refused {
				t.Errorf("%s: %v", address, err)
			}
		})
	}
}

// down is a network without connection.
type down struct{}

func (down) RoundTrip(*http.Request) (*http.Response, error) { return nil, fmt.Errorf("down") }
