package command_test

import (
	"errors"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

func env(pairs ...string) command.Env {
	vars := map[string]string{"HOME": "/nowhere"}
	for i := 0; i < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}
	return command.ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "1.2.3", toySources...)
}

// Package polite raises the delay to the minimum of each source; its TestPace tests that.
func TestDelay(t *testing.T) {
	for delay, want := range map[string]time.Duration{"": 0, "0": 0, "349": 349 * time.Millisecond, "1000": time.Second, "fast": 0, "-1": 0} {
		t.Run(delay, func(t *testing.T) {
			if got := env("NCBI_REQUEST_DELAY_MS", delay).Network.Delay; got != want {
				t.Errorf("delay %q: %v", delay, got)
			}
		})
	}
}

func TestBadValueIsReportedByTheCommandThatNeedsIt(t *testing.T) {
	for _, pair := range [][2]string{
		{"NCBI_REQUEST_DELAY_MS", "fast"}, {"NCBI_MAX_RETRIES", "-1"}, {"NCBI_TIMEOUT_MS", "0"}, {"BIOMCP_ENTREZ_URL", "ftp://x"},
	} {
		t.Run(pair[0], func(t *testing.T) {
			app := &command.App{Env: env(pair[0], pair[1])}
			_, err := app.Entrez().Databases(t.Context())
			f := new(result.Failure)
			if !errors.As(err, &f) {
				t.Fatalf("%s=%s: got the error %v, want a *result.Failure", pair[0], pair[1], err)
			}
			if f.Code != result.Validation {
				t.Errorf("%s=%s: got the code %s, want %s", pair[0], pair[1], f.Code, result.Validation)
			}
		})
	}
}
