package mcpshell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

func TestServeWithoutClient(t *testing.T) {
	for _, input := range []string{"", "\n \r\n\t\n"} {
		t.Run(input, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out strings.Builder
				err := New(Options{Parse: parsing(echo)}).ServeStdio(t.Context(), strings.NewReader(input), &out)
				if !errors.Is(err, ErrNoClient) || out.Len() > 0 {
					t.Errorf("input %q: %v, stdout %q", input, err, out.String())
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("bad file descriptor")
		err := New(Options{Parse: parsing(echo)}).ServeStdio(t.Context(), iotest.ErrReader(broken), io.Discard)
		if !errors.Is(err, ErrNoClient) || !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	})
}

// A malformed message gets an error, and the server continues.
func TestMalformedMessages(t *testing.T) {
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	served(t, Options{}, func(t *testing.T, r *rig) {
		for _, c := range []struct {
			line string
			code int
			id   string
		}{
			{`{`, -32700, "null"},
			{`hello`, -32700, "null"},
			{`{"jsonrpc":"2.0","id":1,"method":"ping"`, -32700, "null"},
			{`{"jsonrpc":"2.0","id":1,"method":"ping"} trailing`, -32700, "null"},
			{"\x00\x01\x02\xfe\xff", -32700, "null"},
			{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xffng\"}", -32700, "null"},
			{"\x1f\x8b\x08\x00garbage", -32700, "null"},
			{deep, -32700, "null"},
			{strings.Repeat(`{"a":`, maxLine/6), -32700, "null"},
			{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + deep + `}`, -32700, "null"},
			{strings.Repeat("x", maxLine+1), -32600, "null"},
			{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3*maxLine) + `"}`, -32600, "1"},
			{`[]`, -32600, "null"},
			{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"},
			{`"text"`, -32600, "null"},
			{`{}`, -32600, "null"},
			{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, "7"},
			{`{"jsonrpc":2.0,"id":7,"method":"ping"}`, -32600, "7"},
			{`{"jsonrpc":"2.0","id":7}`, -32600, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":5}`, -32600, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":""}`, -32600, "7"},
			{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
			{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, "null"},
			{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
			{`{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}`, -32602, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}`, -32602, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"no/such"}`, -32601, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`, -32601, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"resources/list"}`, -32601, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sh","arguments":{}}}`, -32602, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}`, -32602, "7"},
			{`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, -32602, "7"},
		} {
			g := r.ask(c.line)
			short := c.line[:min(len(c.line), 80)]
			if g.Error == nil || g.Error.Code != c.code || string(g.ID) != c.id || g.Error.Message == "" {
				t.Errorf("%q answered %s; want code %d, id %s", short, g.raw, c.code, c.id)
			}
			r.alive()
		}
		// What gets no answer: notifications and responses, right or wrong.
		r.send(
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","method":"no/such"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nothing"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"biomcp","arguments":5}}`,
			`{"jsonrpc":"2.0","id":9,"result":{}}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`,
			``, ` `, "\r",
		)
		r.alive()
	})
}

// .NET and PowerShell write a byte order mark before the first message.
func TestAByteOrderMarkIsNotAMessage(t *testing.T) {
	served(t, Options{}, func(t *testing.T, r *rig) {
		if g := r.ask("\uFEFF" + request("7", "ping", "{}")); string(g.ID) != "7" || g.Error != nil {
			t.Errorf("%+v", g)
		}
	})
}

func TestRequestIDsAreReturnedUnchanged(t *testing.T) {
	served(t, Options{}, func(t *testing.T, r *rig) {
		for _, id := range []string{`1`, `0`, `-5`, `"a"`, `""`, `9007199254740993`, `123456789012345678901234567890`, `1.5`, `"\u00e9\n"`} {
			if g := r.ask(call(id, "list")); string(g.ID) != id {
				t.Errorf("id %s came back as %s", id, g.ID)
			}
			if g := r.ask(request(id, "no/such", "{}")); string(g.ID) != id {
				t.Errorf("id %s came back as %s", id, g.ID)
			}
		}
	})
}

func TestEndOfInputFinishesCalls(t *testing.T) {
	// The last answers are given, also to a message without a line end.
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, words []string, json bool) Reply {
			select {
			case <-time.After(30 * time.Second):
				return Reply{Text: "slow"}
			case <-ctx.Done():
				return Reply{Text: "stopped"}
			}
		}
		in := call("1", "one") + "\n" + call("2", "two")
		var out strings.Builder
		if err := New(Options{Parse: parsing(slow)}).ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), `"text":"slow"`); n != 2 {
			t.Errorf("%d of 2 answers: %s", n, out.String())
		}
	})
	// Half a message is a malformed one.
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		err := New(Options{Parse: parsing(echo)}).ServeStdio(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"met`), &out)
		if err != nil || !strings.Contains(out.String(), "-32700") || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%v, stdout %q", err, out.String())
		}
	})
	// A runner that never ends holds nothing up for longer than its deadline.
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		stuck := func(context.Context, []string, bool) Reply { <-release; return Reply{} }
		var out strings.Builder
		begin := time.Now()
		err := New(Options{Parse: parsing(stuck), CallTimeout: 10 * time.Second}).ServeStdio(t.Context(), strings.NewReader(call("1", "x")), &out)
		if took := time.Since(begin); err != nil || took != 10*time.Second+stopGrace {
			t.Errorf("%v after %s", err, took)
		}
		if !strings.Contains(out.String(), "10s") {
			t.Errorf("stdout %q", out.String())
		}
		close(release)
	})
	// The input breaks after a message.
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		in := io.MultiReader(strings.NewReader(call("1", "x")+"\n"), iotest.ErrReader(broken))
		if err := New(Options{Parse: parsing(echo)}).ServeStdio(t.Context(), in, io.Discard); !errors.Is(err, broken) || errors.Is(err, ErrNoClient) {
			t.Errorf("got %v", err)
		}
	})
}

func TestShutdownCancelsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan struct{}, 3)
		r := start(t, Options{Parse: parsing(func(ctx context.Context, _ []string, _ bool) Reply {
			<-ctx.Done()
			stopped <- struct{}{}
			return Reply{}
		})})
		r.send(call("1", "a"), call("2", "b"), call("3", "c"))
		synctest.Wait()
		sigterm := errors.New("terminated")
		begin := time.Now()
		r.stop(sigterm)
		if err := <-r.done; !errors.Is(err, sigterm) || time.Since(begin) > 0 {
			t.Errorf("ServeStdio: %v after %s", err, time.Since(begin))
		}
		if len(stopped) != 3 {
			t.Errorf("%d of 3 runners had ended when ServeStdio returned", len(stopped))
		}
	})
	// Neither a stuck runner nor a client that does not read holds it up.
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := start(t, Options{Parse: parsing(func(_ context.Context, words []string, _ bool) Reply {
			if words[0] == "stuck" {
				<-release
			}
			return Reply{}
		})})
		r.send(call("1", "stuck"), call("2", "unread"))
		synctest.Wait()
		begin := time.Now()
		r.stop(nil)
		if err := <-r.done; !errors.Is(err, context.Canceled) || time.Since(begin) != stopGrace {
			t.Errorf("ServeStdio: %v after %s", err, time.Since(begin))
		}
		close(release)
		r.out.Close()
	})
}

func TestServeWhenOutputIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.out.Close()
		r.send(call("1", "list"))
		if err := <-r.done; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("ServeStdio: %v", err)
		}
	})
}

// The server stops reading from a client that does not read its answers. The client does not
// delay the server's end, and loses no answer once it reads.
func TestClientThatDoesNotReadIsBounded(t *testing.T) {
	const calls = 300
	served(t, Options{Parse: parsing(func(context.Context, []string, bool) Reply {
		return Reply{Text: strings.Repeat("x", 60000)}
	})}, func(t *testing.T, r *rig) {
		sent := 0
		go func() {
			for i := range calls {
				r.send(call(fmt.Sprint(i), "list"))
				sent = i
			}
		}()
		synctest.Wait()
		if bound := 8*(1+waitingPerRunning) + spareRequests + 4; sent > bound {
			t.Errorf("%d requests were taken from a client that does not read; at most %d should be", sent, bound)
		}
		ids := map[string]bool{}
		for range calls {
			g := r.next()
			ids[string(g.ID)] = true
		}
		if len(ids) != calls {
			t.Errorf("%d answers to %d requests", len(ids), calls)
		}
	})
	// One that never reads again does not keep the process.
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.send(call("1", "list"))
		r.in.Close()
		begin := time.Now()
		if err := <-r.done; err != nil || time.Since(begin) != time.Minute+drainGrace {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
		r.out.Close()
	})
}

func TestPipelinedCallsAreAnsweredWhenDone(t *testing.T) {
	served(t, Options{MaxInFlight: 50, Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		d, err := time.ParseDuration(words[0])
		if err != nil {
			return Reply{Text: err.Error(), IsError: true}
		}
		<-time.After(d)
		return Reply{Text: words[0]}
	})}, func(t *testing.T, r *rig) {
		var batch []string
		for i := range 50 {
			batch = append(batch, call(fmt.Sprint(i), fmt.Sprintf("%ds", 50-i)))
		}
		go r.send(strings.Join(batch, "\n"))
		var order []string
		for range 50 {
			g := r.next()
			order = append(order, g.text())
			if want := fmt.Sprintf("%ds", 50-mustInt(t, g.ID)); g.text() != want {
				t.Errorf("id %s answered %q, not %q", g.ID, g.text(), want)
			}
		}
		if !slices.IsSortedFunc(order, func(a, b string) int {
			return int(mustDuration(t, a) - mustDuration(t, b))
		}) {
			t.Errorf("answers did not come as they were done: %v", order)
		}
	})
}

func mustInt(t *testing.T, id []byte) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(string(id), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func mustDuration(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
