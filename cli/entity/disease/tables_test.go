package disease_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// The section validity is answered from the tables of ClinGen and GenCC for a MONDO id or a name that they have, without
// a request. MedGen is asked for the other words, and the answer says which.
func TestValidityWithoutMedGen(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for _, set := range []string{"clingen", "gencc"} {
		clitest.Answer(t, app, command.Person, "sync "+set)
	}
	for _, word := range []string{"MONDO:0007947", "mondo:0007947", "'Marfan syndrome'", "'marfan SYNDROME'"} {
		srv.ClearRequests()
		line := "get disease " + word + " validity"
		text := clitest.Answer(t, app, command.Person, line+" --json")
		commandtest.Validate(t, "get_disease.response", line, text)
		clitest.WantText(t, text, `"cui":null,"medgen_uid":null,"name":"Marfan syndrome"`, `"validity_total":2`, `"source":"ClinGen"`, `"source":"GenCC"`,
			"Marfan syndrome (MONDO:0007947) is from ClinGen (local table clingen, as of ", "MedGen was not asked, so its CUI is not known")
		for door, text := range map[string]string{"pipe": clitest.Answer(t, app, command.Person, line), "MCP": clitest.AskAgent(t, app, line, false).Text} {
			if !strings.Contains(text, "| ClinGen | FBN1 | Marfan syndrome (MONDO:0007947) | Definitive |") {
				t.Errorf("%s, %s: want the row of ClinGen in %s", line, door, text)
			}
		}
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("%s: got requests %+v, want none", line, requests)
		}
	}
	text := clitest.Answer(t, app, command.Person, "get disease MONDO:0007947 C0025202 validity --json")
	clitest.WantText(t, text, "not in the local tables of ClinGen and GenCC, so MedGen was asked: C0025202", `"cui":"C0025202"`,
		`"cui":null`)
	// Another section needs MedGen, and so does a name that no table has.
	clitest.WantText(t, clitest.Answer(t, app, command.Person, "get disease MONDO:0007947 validity genes --json"), `"cui":"C0024796"`)
	if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.Down503, Times: -1}); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]int{"MONDO:0007947": 0, "'Marfan syndrome' C0025202": 0, "C0025202": 1, "unheardof": 1} {
		line = "get disease " + line + " validity --no-cache --json"
		if text, code := clitest.Ask(t, app, command.Person, line); code != want || (want == 0) != strings.Contains(text, `"gene":"FBN1"`) {
			t.Errorf("%s without MedGen: exit %d, want %d: %s", line, code, want, text)
		}
	}
}
