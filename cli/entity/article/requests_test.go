package article_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

func TestTwoHundredArticlesAreOneRequest(t *testing.T) {
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(200, 1)); err != nil {
		t.Fatal(err)
	}
	ids := commandtest.GeneratedPMIDs(200)
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Person, "get article --json "+strings.Join(ids, " "))
	var got struct{ Articles []struct{ PMID string } }
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if len(got.Articles) != 200 {
		t.Errorf("%d articles", len(got.Articles))
	}
	for i, a := range got.Articles {
		if a.PMID != ids[i] {
			t.Fatalf("article %d is %s, asked for %s", i, a.PMID, ids[i])
		}
	}
	if n := srv.Count("efetch"); n != 1 {
		t.Errorf("%d EFetch requests", n)
	}
}

func TestFailedSectionIsNamedAndTheRestAnswered(t *testing.T) {
	srv := commandtest.PubMed(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "pubtator", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get article 90100001 annotations mesh --json")
	if code != 0 || !strings.Contains(text, "Annotations is missing") || !strings.Contains(text, `"unavailable"`) || !strings.Contains(text, "Agaricales") {
		t.Errorf("exit %d: %s", code, text)
	}
}
