package study_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/sourcetest"
)

// An agent can list the downloads but cannot download, whatever else is on the line.
func TestAgentMayOnlyListDownloads(t *testing.T) {
	app := commandtest.Study(t)
	for _, line := range []string{
		"study download synthetic_hub_2026", "study download synthetic_demo", "study download", "study download --list synthetic_demo",
		"study download --list=false synthetic_demo", "--json study download synthetic_demo", "study download -- --list",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code != 2 || !strings.Contains(text, command.RefusalPrefix) || !strings.Contains(text, "study download --list") {
				t.Errorf("%s: %d, %s", line, code, text)
			}
		})
	}
	for _, line := range []string{"study remove synthetic_demo", "study remove synthetic_demo --yes"} {
		t.Run(line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
				t.Errorf("%s: %d, %s", line, code, text)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(app.Env.StudyDir, "synthetic_demo", "meta_study.txt")); err != nil {
		t.Error(err)
	}
	if text, code := clitest.Ask(t, app, command.Person, "study download --list synthetic_hub_2026"); code != 2 || !strings.Contains(text, "takes either a study id or --list") {
		t.Errorf("%d, %s", code, text)
	}
	if text, _ := clitest.Ask(t, app, command.Person, "study query -s nosuch -g TP53"); !strings.Contains(text, "try:   biomcp study download --list\n") {
		t.Error(text)
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "study query -s msk_impact_2017 -g TP53"); strings.Contains(text, "try:") || !strings.Contains(text, "the server's owner can run: biomcp study download msk_impact_2017") {
		t.Error(text)
	}
}

func TestRemoveAsksAtATerminal(t *testing.T) {
	for answer, gone := range map[string]bool{"n\n": false, "\n": false, "": false, "y\n": true, "YES\n": true} {
		t.Run(answer, func(t *testing.T) {
			app := commandtest.Study(t)
			var asked strings.Builder
			out := cli.Run(t.Context(), app,
				command.IO{In: strings.NewReader(answer), InTTY: true, Err: &asked, ErrTTY: true}, clitest.Words(t, "study remove Synthetic_demo"), command.Person)
			_, err := os.Stat(filepath.Join(app.Env.StudyDir, "synthetic_demo"))
			if os.IsNotExist(err) != gone || (out.Failure == nil) != gone || !strings.HasPrefix(asked.String(), "Remove the study synthetic_demo (") {
				t.Errorf("%q: gone %v, %v, asked %q", answer, err, out.Failure, asked.String())
			}
			if !gone && (out.Failure.Message != "nothing was removed" || out.Failure.Try.String() != "biomcp study remove Synthetic_demo --yes") {
				t.Errorf("%q: %+v", answer, out.Failure)
			}
		})
	}
	app := commandtest.Study(t)
	out := cli.Run(t.Context(), app, command.IO{Err: io.Discard}, clitest.Words(t, "study remove synthetic_demo --yes"), command.Person)
	if out.Failure != nil {
		t.Error(out.Failure)
	}
}

// A web page in place of an archive does not say that the study does not exist; the list of studies
// does.
func TestPageInPlaceOfAnArchive(t *testing.T) {
	page := sourcetest.Fault{Endpoint: "archive", Kind: sourcetest.HTML404, Times: -1}
	noList := sourcetest.Fault{Endpoint: "list", Kind: sourcetest.HTML404, Times: -1}
	for _, c := range []struct {
		id     string
		faults []sourcetest.Fault
		code   result.Code
	}{
		{"synthetic_hub_2026", []sourcetest.Fault{page}, result.Upstream},
		{"nosuch_2026", []sourcetest.Fault{page}, result.NotFound},
		{"nosuch_2026", []sourcetest.Fault{page, noList}, result.Upstream},
		{"nosuch_2026", []sourcetest.Fault{noList}, result.NotFound}, // the bucket's own reply
	} {
		srv := commandtest.EverySource(t)
		for _, fault := range c.faults {
			commandtest.Fail(t, srv, fault)
		}
		out := clitest.Run(t, commandtest.NCBI(t, srv), command.Person, "study download "+c.id)
		if out.Failure == nil {
			t.Fatalf("%s, %v: no failure, want %s", c.id, c.faults, c.code)
		}
		if out.Failure.Code != c.code {
			t.Errorf("%s, %v: code %s, want %s: %s", c.id, c.faults, out.Failure.Code, c.code, out.Failure.Message)
		}
	}
}
