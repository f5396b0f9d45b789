package article

import (
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// articleRest is the references and parts of a full text that were not shown or,
// where nothing fitted, a share of them.
func articleRest(in *command.Input, a *Article, items int, share float64) result.Argv {
	refs := a.References.Value
	switch text := a.FullText.Value; {
	case items < len(refs) && items > 0:
		return in.Again("--refs", fmt.Sprintf("%d-", refs[items].number))
	case items < len(refs):
		return articleLess(in, a, share)
	case text == nil || items-len(refs) >= len(text.Parts):
		return nil
	case items > 0: // the references were shown, and all sections before the text
		words := slices.DeleteFunc(slices.Clone(in.Args), func(w string) bool { return w == "references" })
		if i := slices.Index(words, "all"); i >= 0 {
			words = slices.Replace(words, i, i+1, "fulltext", "citation")
		}
		return in.Line(words, "--refs", "", "--part", fmt.Sprintf("%d-", text.Parts[items-len(refs)].Number))
	}
	return articleLess(in, a, share)
}

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
		return in.Again(flag, fmt.Sprint(first))
	default:
		return in.Again(flag, fmt.Sprintf("%d-%d", first, first+n-1))
	}
}
