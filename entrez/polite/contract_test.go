package polite

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
)

// contractual is a synthetic source whose answer to one question is known.
var contractual = &Source{
	Name: "invented", Label: "Invented", Address: "https://invented.example/", Rate: Rate{Lane: "invented", PerSecond: 1000},
	Ping: &Call{Endpoint: Endpoint{Path: "ping", Form: JSON, Needs: []string{"version"}}},
}

func knownOf(tag bool, facts ...Fact) *Known {
	k := &Known{Call: NewCall(Endpoint{Path: "find", Form: JSON}, "q", "BRAF[gene]"), Facts: facts, Seen: "nobody"}
	if tag {
		k.In, k.Tag = "q", "gene"
	}
	return k
}

// What a source answers otherwise is named at the fact that it is about.
func TestVerifyNamesWhatDrifted(t *testing.T) {
	for name, c := range map[string]struct {
		known *Known
		body  string
		want  []string // the drift of each row, "err" for an error
	}{
		"as known":         {knownOf(false, Fact{"count", "1"}, Fact{"ids.0", ""}), `{"count":"1","ids":["13961"]}`, []string{"", ""}},
		"another value":    {knownOf(false, Fact{"count", "1"}), `{"count":"7"}`, []string{"count is 7"}},
		"a member is gone": {knownOf(false, Fact{"count", ""}), `{"total":1}`, []string{"there is no count"}},
		"no tag any more":  {knownOf(true, Fact{"count", "1"}), `{"count":"1"}`, []string{"", "an unknown tag finds the same"}},
		"no JSON":          {knownOf(false, Fact{"count", ""}), `<html>busy</html>`, []string{"err"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := open(options(always(200, c.body))).To(contractual).Verify(t.Context(), c.known)
			if len(rows) != len(c.want) {
				t.Fatalf("%+v", rows)
			}
			for i, row := range rows {
				if failed := row.Err != nil; failed != (c.want[i] == "err") || !failed && row.Drift != c.want[i] || !strings.HasPrefix(row.Address, "find?q=BRAF") {
					t.Errorf("%+v, want %q", row, c.want[i])
				}
			}
		})
	}
}

// A service that knows the tag answers another one with nothing, or refuses it.
func TestVerifyAsksWithATagThatThereIsNot(t *testing.T) {
	for name, other := range map[string]*http.Response{"nothing": reply(200, `{"count":"0"}`), "refusal": reply(400, `{"error":"no such tag"}`)} {
		t.Run(name, func(t *testing.T) {
			service := &network{answer: func(n int, req *http.Request) (*http.Response, error) {
				if strings.Contains(req.URL.RawQuery, "nosuchgene") {
					return other, nil
				}
				return reply(200, `{"count":"1"}`), nil
			}}
			rows := open(options(service)).To(contractual).Verify(t.Context(), knownOf(true, Fact{"count", "1"}))
			if len(rows) != 2 || rows[0].Drift != "" || rows[1].Drift != "" || rows[1].Err != nil || service.count() != 2 {
				t.Errorf("%+v after %d requests", rows, service.count())
			}
		})
	}
}

// A fact is read of JSON, of XML, and of the beginning of another text or of a packed one.
func TestFactsOfEveryForm(t *testing.T) {
	if got := (Fact{"count", "1"}).String(); got != "count = 1" {
		t.Error(got)
	}
	if got, is := (Fact{Path: "Count"}).in(knownOf(false), []byte(`<r><Count> 1 </Count></r>`)); got != "1" || !is {
		t.Errorf("%q, %v", got, is)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("#Symbol\tName\n" + strings.Repeat("A1BG\talpha-1-B glycoprotein\n", 9))) // a bytes.Buffer never fails
	_ = z.Close()
	table := Known{Call: NewCall(Endpoint{}), Table: true}
	for _, text := range [][]byte{[]byte("Symbol|Name\nhgnc_id"), packed.Bytes()[:packed.Len()-9]} {
		if _, is := (Fact{Path: "symbol"}).in(&table, text); !is {
			t.Errorf("%q", text)
		}
		if _, is := (Fact{Path: "hgnc_id"}).in(&table, text); is {
			t.Errorf("%q", text)
		}
	}
}
