package httpclient

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
)

// contractual is a synthetic source with one request whose reply is known.
var contractual = &Source{
	Name: "invented", Label: "Invented", Address: "https://invented.example/", Rate: Rate{Group: "invented", PerSecond: 1000},
	Ping: &Call{Endpoint: Endpoint{Path: "ping", Form: JSON, Needs: []string{"version"}}},
}

func knownOf(tag bool, facts ...Fact) *Expectation {
	k := &Expectation{Call: NewCall(Endpoint{Path: "find", Form: JSON}, "q", "BRAF[gene]"), Facts: facts, Evidence: "not seen"}
	if tag {
		k.TagParam, k.Tag = "q", "gene"
	}
	return k
}

// Verify reports a difference in the row of the fact.
func TestVerifyNamesWhatDrifted(t *testing.T) {
	for name, c := range map[string]struct {
		known *Expectation
		body  string
		want  []string // the drift of each row, "err" for an error
	}{
		"as known":         {knownOf(false, Fact{"count", "1"}, Fact{"ids.0", ""}), `{"count":"1","ids":["13961"]}`, []string{"", ""}},
		"another value":    {knownOf(false, Fact{"count", "1"}), `{"count":"7"}`, []string{"count is 7"}},
		"a member is gone": {knownOf(false, Fact{"count", ""}), `{"total":1}`, []string{"there is no count"}},
		"no tag any more":  {knownOf(true, Fact{"count", "1"}), `{"count":"1"}`, []string{"", "an unknown tag finds the same records"}},
		"no JSON":          {knownOf(false, Fact{"count", ""}), `<html>busy</html>`, []string{"err"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := open(options(always(200, c.body))).Service(contractual).Verify(t.Context(), c.known)
			if len(rows) != len(c.want) {
				t.Fatalf("%+v", rows)
			}
			for i, row := range rows {
				if failed := row.Err != nil; failed != (c.want[i] == "err") {
					t.Errorf("row %d: error %v, want %q", i, row.Err, c.want[i])
				} else if !failed && row.Drift != c.want[i] {
					t.Errorf("row %d: drift %q, want %q", i, row.Drift, c.want[i])
				}
				if !strings.HasPrefix(row.Address, "find?q=BRAF") {
					t.Errorf("row %d: address %q, want find?q=BRAF...", i, row.Address)
				}
			}
		})
	}
}

// An unknown tag may find nothing or be refused; both prove that the service knows the real tag.
func TestVerifyAsksWithATagThatThereIsNot(t *testing.T) {
	for name, other := range map[string]*http.Response{"nothing": reply(200, `{"count":"0"}`), "refusal": reply(400, `{"error":"no such tag"}`)} {
		t.Run(name, func(t *testing.T) {
			service := &network{answer: func(n int, req *http.Request) (*http.Response, error) {
				if strings.Contains(req.URL.RawQuery, "nosuchgene") {
					return other, nil
				}
				return reply(200, `{"count":"1"}`), nil
			}}
			rows := open(options(service)).Service(contractual).Verify(t.Context(), knownOf(true, Fact{"count", "1"}))
			if len(rows) != 2 {
				t.Fatalf("%d rows, want 2: %+v", len(rows), rows)
			}
			for i, row := range rows {
				if row.Drift != "" {
					t.Errorf("row %d: drift %q, want none", i, row.Drift)
				}
			}
			if rows[1].Err != nil {
				t.Errorf("the tag: %v", rows[1].Err)
			}
			if n := service.count(); n != 2 {
				t.Errorf("%d requests, want 2", n)
			}
		})
	}
}

// Facts are read from JSON, from XML, and from the beginning of plain or compressed text.
func TestFactsOfEveryForm(t *testing.T) {
	if got := (Fact{"count", "1"}).String(); got != "count = 1" {
		t.Error(got)
	}
	if got, is := (Fact{Path: "Count"}).lookup(knownOf(false), []byte(`<r><Count> 1 </Count></r>`)); got != "1" || !is {
		t.Errorf("%q, %v", got, is)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("#Symbol\tName\n" + strings.Repeat("A1BG\talpha-1-B glycoprotein\n", 9))) // a bytes.Buffer never fails
	_ = z.Close()
	table := Expectation{Call: NewCall(Endpoint{}), Table: true}
	for _, text := range [][]byte{[]byte("Symbol|Name\nhgnc_id"), packed.Bytes()[:packed.Len()-9]} {
		if _, is := (Fact{Path: "symbol"}).lookup(&table, text); !is {
			t.Errorf("%q", text)
		}
		if _, is := (Fact{Path: "hgnc_id"}).lookup(&table, text); is {
			t.Errorf("%q", text)
		}
	}
}
