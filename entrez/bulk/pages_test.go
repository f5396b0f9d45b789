package bulk_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// saveTable downloads a table of CPIC.
func (b *bench) saveTable(t *testing.T, name string) ([]byte, error) {
	t.Helper()
	if err := os.RemoveAll(b.path); err != nil {
		t.Fatal(err)
	}
	_, err := bulk.Save(t.Context(), b.client, bulk.CPIC, bulk.CPIC.File(name+".json"), &httpclient.File{Path: b.path}, time.Now(), nil)
	saved, _ := os.ReadFile(b.path)
	return saved, err
}

// A server may send fewer rows than asked for; the pages are read until the count is met.
func TestPagesOfAnySizeGiveTheSameTable(t *testing.T) {
	simulated(t, func(t *testing.T, b *bench) {
		want := b.Sent(bulk.CPIC, "diplotype.json")
		rows := bytes.Count(want, []byte("\n"))
		for _, limit := range []int{0, 1, 3, rows - 1, rows, rows + 1} {
			b.MaxRows = limit
			b.ClearRequests()
			got, err := b.saveTable(t, "diplotype")
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d rows a page: saved %d bytes, %v; want %d bytes", limit, len(got), err, len(want))
			}
			pages := 1
			if limit > 0 {
				pages = (rows + limit - 1) / limit
			}
			if n := len(b.Requests("cpic/diplotype.json")); n != pages {
				t.Errorf("%d rows a page: %d requests, want %d", limit, n, pages)
			}
		}
		b.MaxRows = 0
		if got, err := b.saveTable(t, "change_log"); err != nil || string(got) != "[{\"date\":\"2026-09-02\"}]\n" {
			t.Errorf("change log: %s, %v; want the newest entry alone", got, err)
		}
		b.Set(bulk.CPIC, "drug.json", []byte("[]"))
		if got, err := b.saveTable(t, "drug"); err != nil || string(got) != "[]\n" {
			t.Errorf("empty table: %q, %v; want an empty list", got, err)
		}
	})
}

// A table that is cut short, changes meanwhile or has no count is an error, and no file is left.
func TestIncompleteTableIsNotSaved(t *testing.T) {
	one := `{"drugid":"RxNorm:1","name":"invented","rxnormid":"1"}`
	reply := func(header string, rows int) sourcetest.Reply {
		list := strings.TrimSuffix(strings.Repeat(one+",", rows), ",")
		return sourcetest.Reply{Status: http.StatusPartialContent, Type: sourcetest.JSONType, Body: []byte("[" + list + "]"),
			Header: http.Header{"Content-Range": {header}}}
	}
	for name, c := range map[string]struct {
		replies []sourcetest.Reply
		want    string
	}{
		"no count":   {[]sourcetest.Reply{reply("0-1/*", 2)}, "not a list with the number of all rows"},
		"no header":  {[]sourcetest.Reply{reply("", 2)}, "not a list with the number of all rows"},
		"an object":  {[]sourcetest.Reply{sourcetest.JSON(http.StatusOK, map[string]any{"rows": 1})}, "not a list with the number of all rows"},
		"cut short":  {[]sourcetest.Reply{reply("0-1/5", 2), reply("*/5", 0)}, "it sent 2 of the 5 rows of drug"},
		"too many":   {[]sourcetest.Reply{reply("0-2/2", 3)}, "it sent 3 of the 2 rows of drug"},
		"changed":    {[]sourcetest.Reply{reply("0-1/5", 2), reply("2-3/6", 2)}, "drug changed while it was read: 5 rows, then 6"},
		"fails late": {[]sourcetest.Reply{reply("0-1/5", 2), sourcetest.Page(http.StatusBadGateway, "502", "Bad Gateway")}, "expected to close"},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, b *bench) {
				asked := 0
				b.Intercept(func(*sourcetest.Call) (sourcetest.Reply, bool) {
					asked++
					return c.replies[min(asked, len(c.replies))-1], true
				})
				saved, err := b.saveTable(t, "drug")
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want one that contains %q", err, c.want)
				}
				if !httpclient.IsKind(err, httpclient.Upstream) {
					t.Errorf("kind of %v: want %s", err, httpclient.Upstream)
				}
				if saved != nil {
					t.Errorf("saved %q, want nothing", saved)
				}
			})
		})
	}
}

// A failure says that the service is expected to close and what remains; a refusal of a request does not.
func TestFailureOfCPICSaysThatItCloses(t *testing.T) {
	const closing = "CPIC's service is expected to close, because its content moves to ClinPGx (https://www.clinpgx.org/cpic); a local table that is stored stays in use"
	simulated(t, func(t *testing.T, b *bench) {
		for kind, want := range map[sourcetest.Kind]bool{
			sourcetest.HTML502: true, sourcetest.HTML404: true, sourcetest.Hangup: true, sourcetest.Down503: true, sourcetest.HTML200: true, sourcetest.BadKey: false,
		} {
			if err := b.Fail(sourcetest.Fault{Kind: kind, Times: -1}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.saveTable(t, "gene"); err == nil || strings.Contains(err.Error(), closing) != want {
				t.Errorf("%s: error %v; names the closing: want %v", kind, err, want)
			}
			b.ClearFaults()
		}
		b.Set(bulk.CPIC, "gene.json", nil)
		want := fmt.Sprintf("there is no file gene.json at its address any more; look for it at %s and set BIOMCP_CPIC_TABLES_URL to the address of its folder; %s", bulk.CPIC.Page, closing)
		if _, err := b.saveTable(t, "gene"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
		b.Set(bulk.CPIC, "drug.json", []byte(`[{"drugid":"RxNorm:1","name":"invented"}]`))
		if _, err := b.saveTable(t, "drug"); !httpclient.IsKind(err, httpclient.Refused) || !strings.Contains(err.Error(), "column drug.rxnormid does not exist") {
			t.Errorf("error %v, want a refusal that names the column", err)
		}
	})
}
