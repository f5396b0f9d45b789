package sources_test

import (
	"testing"
	"testing/synctest"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
)

// less holds synthetic replies in the formats of their services that lack an essential part: a
// total without its records, a list of another type, a record without its ID.
var less = map[string][]string{
	"summaries":    {`{"result":{"uids":["80000001"],"80000001":{"name":"X"}}}`},
	"annotations":  {`{"PubTator3":[{"pmid":80000001}]}`},
	"concepts":     {`[{"_id":"@GENE_BRAF","name":"BRAF"}]`},
	"relations":    {`[{"type":"treat","source":"@GENE_BRAF","publications":2}]`},
	"articles":     {`{"pmids":null}`, `{"pmids":""}`, `{"pmids":{}}`},
	"label of OLS": {`{"response":{"docs":[{"obo_id":"DOID:14323"}]}}`},
	"labels":       {`{"data":null,"metadata":{"total_elements":2}}`, `{"metadata":{"total_elements":"2"}}`},
	"gene":         {`{"total_count":1}`, `{"total_count":1,"reports":null}`, `{"reports":{"gene":{"gene_id":"1"}}}`, `{"reports":[{"gene":{"symbol":"BRAF"},"query":["BRAF"]}]}`},
	"proteins":     {`{"total_count":1}`},
	"HGVS":         {`{"data":{"spdis":[{"seq_id":"NM_004333.6","deleted_sequence":"T","inserted_sequence":"A"}]}}`},
}

// Such a reply is an error, not an empty result or the number 0.
func TestRepliesThatSayLess(t *testing.T) {
	for name, bodies := range less {
		for _, body := range bodies {
			t.Run(name+" "+body, func(t *testing.T) {
				if err := answered(t, name, body); !httpclient.IsKind(err, httpclient.Upstream) {
					t.Error(err)
				}
			})
		}
	}
	if err := answered(t, "gene", `{"messages":[{"error":{"message":"invented fault"}}]}`); !httpclient.IsKind(err, httpclient.Refused) {
		t.Errorf("an error in place of reports: %v", err)
	}
	if err := answered(t, "label of OLS", `{"response":{"docs":[{"obo_id":["DOID:14323"],"label":["Marfan syndrome"]}]}}`); err != nil {
		t.Errorf("lists of single values: %v", err)
	}
	if err := answered(t, "trials", `{"studies":[],"totalCount":null}`); err != nil {
		t.Errorf("a total that is not known: %v", err)
	}
}

// answered is the result of reading a reply.
func answered(t *testing.T, name, body string) (err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork(), entreztest.XML(entreztest.Generate(3, 1)))
		sourcestest.AddTo(s.Server)
		if err := s.Fail(sourcetest.Fault{Kind: sourcetest.OtherJSON, Text: body, Times: -1}); err != nil {
			t.Fatal(err)
		}
		err = readers[name].ask(t.Context(), s.Network(t))
	})
	return err
}
