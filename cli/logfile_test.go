package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two processes log without pause. No file exceeds its limit, four files are kept, and they end
// with the latest lines.
func TestLogFilesAreBounded(t *testing.T) {
	dir := t.TempDir()
	var logs []*rotatingLog
	for range 2 {
		l, err := logFile(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		l.maxSize = 1000
		logs = append(logs, l)
	}
	for i := range 500 {
		if _, err := fmt.Fprintf(logs[i%2], "line %d\n", i); err != nil {
			t.Fatal(err)
		}
	}
	var all strings.Builder
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1+maxOldLogs {
		t.Errorf("%q, %v", names, err)
	}
	for _, suffix := range []string{".3", ".2", ".1", ""} {
		b, err := os.ReadFile(filepath.Join(dir, "biomcp.log"+suffix))
		if err != nil || len(b) > 1000 || len(b) == 0 {
			t.Errorf("%s: %d bytes, %v", suffix, len(b), err)
		}
		all.Write(b)
	}
	var want strings.Builder
	for i := range 500 {
		fmt.Fprintf(&want, "line %d\n", i)
	}
	if got := all.String(); len(got) < 3000 || !strings.HasSuffix(want.String(), got) {
		t.Errorf("%d bytes: %.40q", len(got), got)
	}
}
