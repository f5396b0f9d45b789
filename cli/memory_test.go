package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
)

// serveCalls sends n calls through a server on in-memory pipes and reads every answer.
func serveCalls(t testing.TB, in io.Writer, out *json.Decoder, n int) {
	t.Helper()
	lines := []string{`version`, `list`, `version --json`, `serach article x`, `get article 1 --nope`, `help get article`}
	for i := range n {
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"biomcp","arguments":{"command":%q}}}`+"\n", i, lines[i%len(lines)]); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Result struct{ Content []struct{ Text string } }
		}
		if err := out.Decode(&answer); err != nil || len(answer.Result.Content) == 0 || answer.Result.Content[0].Text == "" {
			t.Fatalf("%s: %v, %+v", lines[i%len(lines)], err, answer)
		}
	}
}

// serveInMemory starts a server and returns a function that sends calls to it.
func serveInMemory(t testing.TB) func(n int) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- NewShell(toyApp(), 60).ServeStdio(context.Background(), inR, outW) }()
	t.Cleanup(func() {
		_ = inW.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	answers := json.NewDecoder(outR)
	return func(n int) { serveCalls(t, inW, answers, n) }
}

// TestServerMemory checks that later calls do not grow the heap beyond its size after the first
// thousand. BenchmarkServe_20k runs longer.
func TestServerMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("serves 4,000 calls one after another")
	}
	send := serveInMemory(t)
	send(1000)
	before := heap()
	send(3000)
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("3,000 calls left %d bytes on the heap", grown)
	}
}

func BenchmarkServe_20k(b *testing.B) {
	for b.Loop() {
		send := serveInMemory(b)
		send(1000)
		before := heap()
		send(20000)
		b.ReportMetric(float64(before)/(1<<20), "MB-after-1k")
		b.ReportMetric(float64(heap()-before)/(1<<20), "MB-grown-20k")
	}
}
