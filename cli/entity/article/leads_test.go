package article_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// The entities an article mentions most are suggested, two of each kind.
func TestAnnotationsLeadToEntities(t *testing.T) {
	srv := commandtest.PubMed(t)
	var list []string
	for i, infons := range []string{ // the most frequent first
		`"type":"Chemical","identifier":"MESH:D000068877","name":"Imatinib"`,
		`"type":"Gene","name":"unknown"`, `"type":"Gene","identifier":"7157;22059","name":"p53"`, `"type":"Gene","identifier":"673"`, `"type":"Gene","identifier":"672"`,
		`"type":"Disease","identifier":"MESH:D008545","name":"Melanoma"`, `"type":"Species","identifier":"9606"`,
		`"type":"Variant","identifier":"rs113488022","name":"V600E"`, `"type":"Variant","identifier":"tmVar:c|SUB|A|1|C","name":"c.1A>C"`,
		`"type":"Variant","identifier":"tmVar:p|SUB|V|600|E","name":"p.V600E","accession":"@VARIANT_p.V600E_BRAF_human"`,
	} {
		places := strings.Repeat(`,{"offset":1,"length":1}`, 10-i)
		list = append(list, fmt.Sprintf(`{"text":"made up","infons":{%s},"locations":[%s]}`, infons, places[1:]))
	}
	if _, err := srv.AddPubTator([]byte(`{"PubTator3":[{"id":"90100001","pmid":90100001,"passages":[{"annotations":[` + strings.Join(list, ",") + `]}]}]}`)); err != nil {
		t.Fatal(err)
	}
	g, text := clitest.Read(t, commandtest.NCBI(t, srv), "get article 90100001 annotations")
	got := slices.DeleteFunc(g.Meta.Next, func(line string) bool { return strings.HasPrefix(line, "biomcp get article ") })
	want := []string{"biomcp get gene 7157", "biomcp get gene 673", "biomcp get variant rs113488022", "biomcp get variant 'BRAF p.V600E'", "biomcp get disease MESH:D008545", "biomcp get drug Imatinib"}
	if !slices.Equal(got, want) {
		t.Errorf("%q: %s", got, text)
	}
}
