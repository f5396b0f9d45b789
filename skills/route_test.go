package skills

import (
	"os"
	"strings"
	"testing"
)

type asked struct{ want, question string }

// questions are what researchers ask, with the worked example that answers each, or
// "-". They were written before the router. Every third is held back: it was not
// looked at while the router was made.
func questions(t testing.TB) (tuned, heldBack []asked) {
	t.Helper()
	body, err := os.ReadFile("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(body)), "\n") {
		want, text, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("line %d: %q", i+1, line)
		}
		if i%3 == 2 {
			heldBack = append(heldBack, asked{want, text})
		} else {
			tuned = append(tuned, asked{want, text})
		}
	}
	return tuned, heldBack
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
			if Find(q.want) == nil {
				q.want = "-"
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
