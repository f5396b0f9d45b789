package command

import (
	"errors"
	"testing"
	"time"

	"biomcp/cli/result"
)

func env(pairs ...string) Env {
	vars := map[string]string{"HOME": "/nowhere"}
	for i := 0; i < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}
	return ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "1.2.3")
}

// NCBI's limits are 3 requests a second, 10 with a key: nobody can ask for more.
func TestTheDelayHasAFloor(t *testing.T) {
	for _, c := range []struct {
		key, delay string
		want       int
	}{
		{"", "", 350}, {"", "0", 350}, {"", "349", 350}, {"", "110", 350}, {"", "1000", 1000},
		{"k", "", 110}, {"k", "0", 110}, {"k", "109", 110}, {"k", "350", 350},
		{"", "fast", 350}, {"", "-1", 350},
	} {
		e := env("NCBI_API_KEY", c.key, "NCBI_REQUEST_DELAY_MS", c.delay)
		if e.Delay != time.Duration(c.want)*time.Millisecond {
			t.Errorf("key %q, delay %q: %v", c.key, c.delay, e.Delay)
		}
	}
}

func TestAValueThatIsNoneIsToldWhereItIsNeeded(t *testing.T) {
	for _, pair := range [][2]string{
		{"NCBI_REQUEST_DELAY_MS", "fast"}, {"NCBI_MAX_RETRIES", "-1"}, {"NCBI_TIMEOUT_MS", "0"}, {"BIOMCP_ENTREZ_URL", "ftp://x"},
	} {
		app := &App{Env: env(pair[0], pair[1])}
		_, err := app.Entrez()
		if f := new(result.Failure); !errors.As(err, &f) || f.Code != result.Validation {
			t.Errorf("%s=%s: %v", pair[0], pair[1], err)
		}
	}
}
