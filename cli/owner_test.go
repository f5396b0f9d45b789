package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

const ownerRuns = "the server's owner runs it"

// namesRestricted reports whether a notice names a command that an agent may not run: biomcp sync ema.
func namesRestricted(tree *command.Tree, notice string) bool {
	at := tree.Root
	_, line, _ := strings.Cut(notice, "biomcp ")
	for word := range strings.FieldsSeq(line) {
		next := tree.Member(at, strings.Trim(word, ".,;:"))
		if next == nil {
			break
		}
		at = next
	}
	return at != tree.Root && !tree.ReadOnly(at) || regexp.MustCompile(`biomcp study download [^-]`).MatchString(notice)
}

// To an agent, each notice that names a command which stores says that the owner of the server
// runs it. A person reads no such words.
func TestNoticesOfCommandsOfTheOwner(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync ema"); code != 0 {
		t.Fatal(text)
	}
	tree := cli.NewTree()
	for line, count := range map[string]int{ // the number of notices that name such a command
		"study list":                                         1,
		"get drug fictinib regulatory":                       1,
		"search vaccine fictivax":                            2,
		"suggest 'keep the literature on asthma up to date'": 1,
		"search trial melanoma":                              0,
	} {
		t.Run(line, func(t *testing.T) {
			for policy, want := range map[command.Policy]bool{command.Person: false, command.Agent: true} {
				text, _ := clitest.Ask(t, app, policy, line+" --json")
				restricted := 0
				for _, n := range gjson.Get(text, "notices").Array() {
					notice := strings.TrimSuffix(n.String(), " ("+ownerRuns+")")
					if !namesRestricted(tree, notice) {
						if notice != n.String() {
							t.Errorf("policy %v: %q names no command of the owner", policy, n)
						}
						continue
					}
					restricted++
					if says := notice != n.String(); says != want {
						t.Errorf("policy %v: says that the owner runs it: %v, want %v: %q", policy, says, want, n)
					}
				}
				if restricted != count {
					t.Errorf("policy %v: %d notices name a command of the owner, want %d: %s", policy, restricted, count, text)
				}
			}
		})
	}
}

// Words in a notice do not decide: one that has the word owner says who runs its command all the same.
func TestOwnerNoticesAreMarked(t *testing.T) {
	in := command.NewInput(commandtest.Disk(t), cli.NewTree(), command.IO{}, []string{"study", "list"}, nil, nil)
	notice := in.WithArgs([]string{"x"}).OwnerNotice("the owner's table is old; biomcp sync ema updates it")
	for text, want := range map[string]bool{notice: true, "biomcp sync ema stores it": false, "": false} {
		if got := in.IsOwnerNotice(text); got != want {
			t.Errorf("%q is for the owner: %v, want %v", text, got, want)
		}
	}
}
