package skills

import (
	"os"
	"strings"
	"testing"
)

type asked struct{ want, question string }

// questions are what researchers ask, with the worked example that answers each, or
// "-". Those of questions.tsv were written before the router; every third of them is
// held back: it was not looked at while the router was made. Those of later.tsv were
// written when all of the first were routed right, to see how much of that holds for
// other questions: of the first 36 it was 61 %, after a change for these 89 % of the
// other 36. Since then they serve for tuning.
func questions(t testing.TB) (tuned, heldBack []asked) {
	t.Helper()
	for i, q := range readQuestions(t, "questions.tsv") {
		if i%3 == 2 {
			heldBack = append(heldBack, q)
		} else {
			tuned = append(tuned, q)
		}
	}
	return append(tuned, readQuestions(t, "later.tsv")...), heldBack
}

func readQuestions(t testing.TB, name string) (list []asked) {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(body)) {
		want, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("%s: %q", name, line)
		}
		list = append(list, asked{want, text})
	}
	return list
}

// floor is the share of questions that must be answered right.
const floor = 0.9

func TestRoutingOfQuestions(t *testing.T) {
	tuned, heldBack := questions(t)
	none := 0
	for _, part := range []struct {
		name      string
		questions []asked
		show      bool
	}{{"used while tuning", tuned, true}, {"held back", heldBack, false}} {
		right := 0
		for _, q := range part.questions {
			if q.want == "-" {
				none++
			}
			got := "-"
			if m, ok := Route(q.question); ok {
				got = m.Slug
			}
			if got == q.want {
				right++
			} else if part.show {
				t.Logf("%q: %s, not %s", q.question, got, q.want)
			}
		}
		accuracy := float64(right) / float64(len(part.questions))
		t.Logf("%s: %d of %d questions routed right, %.1f %%", part.name, right, len(part.questions), 100*accuracy)
		if accuracy < floor {
			t.Errorf("%s: accuracy %.3f is under %.2f", part.name, accuracy, floor)
		}
	}
	if n := len(tuned) + len(heldBack); n < 80 || none < 20 {
		t.Errorf("%d questions, %d of them without an answer", n, none)
	}
}
