package corpus

import (
	"testing"

	"biomcp/store"
)

// A check that time ended never says that it saw the whole file, nor none of what it saw.
func TestShareOfTheFileThatWasChecked(t *testing.T) {
	const rest = " % of the file checked (as much as 3 s allow), no damage found"
	for c, want := range map[store.Checked]string{
		{Parts: 0, Of: 1}: "less than 1" + rest, {Parts: 9, Of: 1000}: "less than 1" + rest, {Parts: 999, Of: 1000}: "99" + rest,
		{Parts: 7, Of: 7}: "the whole file checked",
	} {
		t.Run(want, func(t *testing.T) {
			if got := checkedText(c); got != want {
				t.Errorf("%+v: %s", c, got)
			}
		})
	}
}
