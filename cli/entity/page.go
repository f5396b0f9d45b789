package entity

import (
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// farthest is an offset that no answer reaches: PubMed and MeSH together hold
// less than a tenth of it.
const farthest = 1_000_000_000

// PageOffset is --offset, within reason.
func PageOffset(in *command.Input) (int, error) {
	n, err := in.Offset()
	if err == nil && n > farthest {
		err = result.Invalid(fmt.Sprintf("--offset must be at most %d, not %d", farthest, n), in.Again("--offset", "0")...)
	}
	return n, err
}

// ShortPage says that fewer ids came than the count promises for the page.
func ShortPage(source string, got, total, offset, limit int) string {
	promised := max(0, min(limit, total-offset))
	if got >= promised {
		return ""
	}
	return fmt.Sprintf("%s counts %d hits, %d of them for this page, and gave %d", source, total, promised, got)
}

// NextPage is the command for the page after this one. A short page is the last.
func NextPage(in *command.Input, got, total, offset, limit int) []result.Argv {
	if got < limit || offset+limit >= total {
		return nil
	}
	return []result.Argv{in.Again("--offset", fmt.Sprint(offset+limit))}
}

// RestOfPage continues a page that was cut after some rows.
func RestOfPage(in *command.Input, offset, limit int) func(int) result.Argv {
	return func(items int) result.Argv {
		if items == 0 {
			return in.Again("--limit", fmt.Sprint(max(1, limit/2)))
		}
		return in.Again("--offset", fmt.Sprint(offset+items))
	}
}

// Shown is how many hits there are, and which of them are shown.
func Shown(total, offset, n int) string {
	switch {
	case total == 0:
		return "0"
	case n == 0:
		return fmt.Sprintf("%d; none after the first %d", total, offset)
	}
	return fmt.Sprintf("%d, shown %d to %d", total, offset+1, offset+n)
}

// DataOrEmpty is the state of an answer with n hits.
func DataOrEmpty(n int) result.State {
	if n == 0 {
		return result.Empty
	}
	return result.Data
}
