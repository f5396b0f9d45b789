package cli_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// A failure that is known of a service says what is known and what else can be asked, at every door.
func TestFailureSaysWhatElseCanBeAsked(t *testing.T) {
	for _, c := range []struct {
		line  string
		fault sourcetest.Fault
		exit  int
		text  string
	}{
		{"get trial NCT99000001", sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.HTML403}, 1,
			"its firewall refuses some networks and programs"},
		{"get drug fictinib pgx", sourcetest.Fault{Endpoint: "cpic-pairs", Kind: sourcetest.HTML404}, 0,
			"https://www.clinpgx.org/cpic"},
		{"get drug fictinib pgx", sourcetest.Fault{Endpoint: "cpic-pairs", Kind: sourcetest.Hangup}, 0,
			"https://www.clinpgx.org/cpic"},
		{"get article 90100001 similar", sourcetest.Fault{Endpoint: "elink", Kind: sourcetest.HTML502}, 0,
			"records, searches and get ids do not need it"},
		{"get article 90100001 similar", sourcetest.Fault{Endpoint: "elink", Kind: entreztest.Error200,
			Text: "Couldn't resolve #exLinkSrv2, the address table is empty."}, 0,
			"records, searches and get ids do not need it"},
		{"study download --list", sourcetest.Fault{Endpoint: "list", Kind: sourcetest.HTML404}, 0,
			"the studies of cBioPortal's API"},
	} {
		t.Run(c.line+" "+string(c.fault.Kind), func(t *testing.T) {
			srv := commandtest.EverySource(t)
			c.fault.Times = -1
			commandtest.Fail(t, srv, c.fault)
			for _, line := range []string{c.line, c.line + " --json"} {
				for _, may := range []command.Policy{command.Person, command.Agent} {
					text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, line)
					clitest.WantExit(t, code, c.exit, text)
					clitest.WantText(t, text, c.text)
				}
			}
		})
	}
}
