package article_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/jats"
)

// TestFullTextKeepsIdentifiersTermsAndTranslations reads a text with rare elements in text and JSON.
func TestFullTextKeepsIdentifiersTermsAndTranslations(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 1, func(_ int, m *entreztest.SyntheticRecord) { m.PMCID = "PMC71" })
	if _, err := srv.AddJATS([]byte(`<article><front><article-meta><article-id pub-id-type="pmc">71</article-id>` +
		`<trans-abstract xml:lang="fr"><title>Résumé</title><p>En bref.</p></trans-abstract><abstract><p>In short.</p></abstract></article-meta></front>` +
		`<body><sec><title>Terms</title><def-list><title>Abbreviations</title><def-item><term>ABC</term><def><p>first meaning</p></def></def-item></def-list>` +
		`<list><list-item><p>Doses</p><table-wrap><label>Table 9</label><table><tr><td>low</td><td>high</td></tr></table></table-wrap></list-item></list>` +
		`<list><list-item><p>Included</p><list><list-item><p>adults</p></list-item><list-item><p>of both sexes</p><list><list-item><p>not pregnant</p></list-item></list></list-item></list></list-item>` +
		`<list-item><p>Excluded:</p><list><list-item><p>children</p></list-item></list></list-item></list></sec></body>` +
		`<back><ref-list><ref><element-citation><source>J Invent Med</source><year>2001</year><pub-id pub-id-type="pmid">1234567</pub-id><pub-id pub-id-type="doi">10.1000/x</pub-id></element-citation></ref>` +
		`<ref-list><title>Trials</title><ref><mixed-citation>A trial. <pub-id pub-id-type="pmid">7654321</pub-id></mixed-citation></ref></ref-list></ref-list></back></article>`)); err != nil {
		t.Fatal(err)
	}
	app, line := commandtest.NCBI(t, srv), "get article "+commandtest.GeneratedPMIDs(1)[0]+" fulltext --part all"
	for _, policy := range []command.Policy{command.Person, command.Agent} {
		text, code := clitest.Ask(t, app, policy, line)
		if code != 0 {
			t.Fatalf("exit %d: %s", code, text)
		}
		for _, want := range []string{
			"Résumé (French)", "En bref.", "Abbreviations", "ABC: first meaning", "low | high", "Included: adults; of both sexes: not pregnant\n", "Excluded: children\n", "PMID: 1234567", "doi: 10.1000/x",
			"7654321", "Trials",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in:\n%s", want, text)
			}
		}
		if strings.Index(text, "En bref.") < strings.Index(text, "In short.") {
			t.Errorf("the translation is before the abstract:\n%s", text)
		}
	}
	var got struct {
		Parts []struct {
			Language   string           `json:"language"`
			Sections   []jats.Section   `json:"sections"`
			References []jats.Reference `json:"references"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(articlesOf(t, app, line+" --json")[0]["fulltext"], &got); err != nil || len(got.Parts) < 3 {
		t.Fatalf("%v: %+v", err, got)
	}
	if p := got.Parts[1]; p.Language != "fr" || p.Sections[0].Title != "Résumé (French)" {
		t.Errorf("translated abstract: %+v, want the language fr", p)
	}
	refs := got.Parts[len(got.Parts)-1].References
	if len(refs) != 2 || refs[0].PMID != "1234567" || refs[0].DOI != "10.1000/x" || refs[1].PMID != "7654321" || refs[1].List != "Trials" {
		t.Errorf("references: %+v", refs)
	}
	for _, s := range got.Parts[2].Sections {
		if b := s.Blocks[0]; b.Title != "Abbreviations" || !b.Terms || b.Items[0].Label != "ABC" {
			t.Errorf("definitions: %+v", b)
		}
	}
}
