package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// twoValues returns two valid values of a flag.
func twoValues(f *pflag.Flag) [2]string {
	switch kind := f.Value.Type(); kind {
	case "bool":
		return [2]string{"true", "false"}
	case "int", "float64":
		return [2]string{"1", "2"}
	case "string", "stringArray":
		return [2]string{"a", "b"}
	default: // the known values
		words := strings.FieldsFunc(kind, func(r rune) bool { return r == '|' || r == ',' })
		return [2]string{words[0], words[len(words)-1]}
	}
}

// No flag given twice loses a value: a list has both, or the line is refused.
func TestNoFlagGivenTwiceLosesAValue(t *testing.T) {
	if testing.Short() {
		t.Skip("gives every flag twice, in one goroutine")
	}
	tree, flags, refused := NewTree(), 0, 0
	var walk func(cc *cobra.Command)
	walk = func(cc *cobra.Command) {
		for _, sub := range tree.Commands(cc) {
			if tree.Command(sub) != nil {
				walk(sub)
			}
		}
		tree.Flags(cc).VisitAll(func(f *pflag.Flag) {
			values := twoValues(f)
			if f.Value.Type() == "count" || f.Name == "help" || values[0] == values[1] || tree.Command(cc).Run == nil {
				return
			}
			flags++
			path := command.Path(cc)
			for _, twice := range [][2]string{values, {values[0], values[0]}} {
				line := append(slices.Clone(path), "--"+f.Name+"="+twice[0], "--"+f.Name+"="+twice[1])
				c := parse(NewTree(), line, command.Person)
				got := c.tree.Flags(c.cmd).Lookup(f.Name).Value
				said := c.refusal != nil && c.refusal.Code == result.Validation && strings.Contains(c.refusal.Message, "--"+f.Name+" takes one value and is given twice") && len(c.refusal.Try) > 0
				kept := strings.Split(strings.Trim(got.String(), "[]"), ",")
				switch {
				case twice[0] == twice[1]:
					if said {
						t.Errorf("%v: %v", line, c.refusal)
					}
				case said:
					refused++
				case !slices.Contains(kept, twice[0]) || !slices.Contains(kept, twice[1]):
					t.Errorf("%v: it is %s, %v", line, got, c.refusal)
				}
			}
		})
	}
	walk(tree.Root)
	if flags < 100 || refused < 50 || refused == flags {
		t.Errorf("%d flags, %d refused", flags, refused)
	}
}

func TestGiveOfAFlagThatIsNotThere(t *testing.T) {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	if err := command.SetFlag(set, "none", "x"); err == nil || errors.As(err, new(*command.RepeatedFlagError)) || !strings.Contains(fmt.Sprint(err), "none") {
		t.Error(err)
	}
}
