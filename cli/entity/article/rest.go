package article

import (
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// articleLess is a share of the references or, if none were asked for, of the
// parts of a full text.
func articleLess(in *command.Input, a *Article, share float64) result.Argv {
	if refs := a.References.Value; len(refs) > 0 {
		return less(in, "--refs", refs[0].number, len(refs), share)
	}
	if text := a.FullText.Value; text != nil && len(text.Parts) > 0 {
		return less(in, "--part", text.Parts[0].Number, len(text.Parts), share)
	}
	return nil
}

// less is the command for a share of n numbered things.
func less(in *command.Input, flag string, first, n int, share float64) result.Argv {
	switch n := result.Share(n, share); n {
	case 0:
		return nil
	case 1:
		return in.Again(flag, fmt.Sprint(first), "--offset", "")
	default:
		return in.Again(flag, fmt.Sprintf("%d-%d", first, first+n-1), "--offset", "")
	}
}
