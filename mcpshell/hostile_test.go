package mcpshell

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/mcpshell/access"
)

// Ten thousand sessions are asked for, and as many connections opened and left,
// while a good client calls. It is always answered, and new clients are let in
// again when the others have been idle for a while. (Time passes only where all
// wait, so that what is measured is waiting; slow clients are in TestSlowClients.)
func TestManySessionsAndHalfOpenConnections(t *testing.T) {
	const most = 100
	many := 10000
	if testing.Short() {
		many = 500
	}
	o := Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		<-time.After(5 * time.Millisecond)
		return echo(ctx, words, false)
	})}
	overHTTP(t, o, Site{HTTP: HTTPOptions{MaxSessions: most, PerAccount: most + 1}}, func(t *testing.T, r *siteRig) {
		good := r.open("2025-11-25")
		stop, ended := make(chan struct{}), make(chan []time.Duration)
		go func() {
			var took []time.Duration
			for {
				select {
				case <-stop:
					ended <- took
					return
				case <-time.After(50 * time.Millisecond):
				}
				sent := time.Now()
				if a := r.post(call("1", "list"), good); a.got(t).text() != `["list"] json=false` {
					t.Errorf("the good client: %s %s", a.Status, a.body)
				}
				took = append(took, time.Since(sent))
			}
		}()
		statuses := map[int]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				for i := range many / 50 {
					a := r.post(initialize("1", "2025-11-25"))
					mu.Lock()
					statuses[a.StatusCode]++
					mu.Unlock()
					if i%20 == 0 { // half a request, and a connection that is left
						if c, err := r.pipes.dial(t.Context(), "", ""); err == nil {
							_, _ = io.WriteString(c, "POST /mcp HTT")
							c.Close()
						}
					}
				}
			})
		}
		all.Wait()
		time.Sleep(5 * time.Second)
		close(stop)
		took := <-ended
		slices.Sort(took)
		if p99 := took[len(took)*99/100]; len(took) < 50 || p99 > time.Second {
			t.Errorf("%d calls of the good client, p99 %s", len(took), p99)
		}
		if statuses[http.StatusOK] != most-1 || statuses[http.StatusServiceUnavailable] != many-most+1 || r.server.mcp.sessions.size() != most {
			t.Errorf("%d sessions asked for, at most %d: %v", many, most, statuses)
		}
		time.Sleep(minIdle + time.Second) // the connections of the many are closed by then, not just now
		r.post(request("1", "ping", "{}"), good)
		if a := r.post(initialize("1", "2025-11-25")); a.StatusCode != http.StatusOK {
			t.Errorf("a new client afterwards: %s %s", a.Status, a.body)
		}
		if a := r.post(request("1", "ping", "{}"), good); a.StatusCode != http.StatusOK {
			t.Errorf("the good client gave way: %s", a.Status)
		}
	})
}

// A flood of requests from one caller does not stop the service of others.
func TestFloodOfOneCaller(t *testing.T) {
	site := Site{Rules: access.Rules{Key: testKey, Rate: access.NewRate(20, 2*time.Second)}}
	overHTTP(t, Options{}, site, func(t *testing.T, r *siteRig) {
		mallory, alice := bearer(t, "mallory"), bearer(t, "alice")
		bad, good := r.open("2025-11-25", mallory), r.open("2025-11-25", alice)
		statuses := map[int]int{}
		for i := range 500 {
			bodies := []string{call("1", "list"), "{", strings.Repeat("[", 60000), strings.Repeat("x", MaxBody+1), call("1", strings.Repeat("y", 4097)), "\x00\x01\x02"}
			statuses[r.post(bodies[i%len(bodies)], bad, mallory).StatusCode]++
			if i%50 == 0 {
				time.Sleep(200 * time.Millisecond)
				if a := r.post(call("2", "list"), good, alice); a.StatusCode != http.StatusOK || a.got(t).Result.IsError {
					t.Errorf("another caller: %s %s", a.Status, a.body)
				}
			}
		}
		if statuses[http.StatusTooManyRequests] < 400 || statuses[200]+statuses[400]+statuses[413]+statuses[429] != 500 {
			t.Errorf("answers %v", statuses)
		}
	})
}

// A caller that keeps opening sessions replaces only its own, even from several addresses.
func TestSessionsOfOneCaller(t *testing.T) {
	site := Site{Rules: access.Rules{Key: testKey}, HTTP: HTTPOptions{MaxSessions: 20, PerAccount: 8}}
	overHTTP(t, Options{}, site, func(t *testing.T, r *siteRig) {
		mallory, alice := bearer(t, "mallory"), bearer(t, "alice")
		first := r.open("2025-11-25", mallory)
		statuses := map[int]int{}
		for range 100 {
			a := r.post(initialize("1", "2025-11-25"), mallory)
			statuses[a.StatusCode]++
			if a.StatusCode != http.StatusOK && (a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" || string(a.got(t).ID) != "1") {
				t.Errorf("refused with %s: %s", a.Status, a.body)
			}
		}
		if statuses[http.StatusOK] != 7 {
			t.Errorf("answers %v", statuses)
		}
		for range 8 {
			r.open("2025-11-25", alice)
		}
		time.Sleep(minIdle + time.Second)
		r.post(request("1", "ping", "{}"), first, mallory)
		r.open("2025-11-25", mallory) // replaces the one of her own that was idle longest
		if n := r.server.mcp.sessions.size(); n != 16 {
			t.Errorf("%d sessions", n)
		}
		if a := r.post(request("1", "ping", "{}"), first, mallory); a.StatusCode != http.StatusOK {
			t.Errorf("a session in use was ended: %s", a.Status)
		}
	})
}

// The tool rejects commands that try to read files or to break the line.
func TestHostileCommands(t *testing.T) {
	overHTTP(t, Options{Resources: shelf(1)}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		for _, command := range []string{"list; rm -rf /", "list | sh", "$(id)", "`id`", "list > /etc/passwd", "list\nlist", strings.Repeat("x", maxCommandBytes+1)} {
			if g := r.post(call("1", command), session).got(t); !g.Result.IsError || len(g.raw) > 2000 {
				t.Errorf("%.30q answered %.300s", command, g.raw)
			}
		}
		for _, uri := range []string{"biomcp://../etc/passwd", "file:///etc/passwd", "biomcp://%2e%2e/", `biomcp://book/0\u0000`, strings.Repeat("x", 50000), "//host/share"} {
			if g := r.post(request("1", "resources/read", `{"uri":"`+uri+`"}`), session).got(t); g.Error == nil || g.Error.Code != -32002 || len(g.raw) > 2000 {
				t.Errorf("%.30q answered %.300s", uri, g.raw)
			}
		}
		synctest.Wait()
		if strings.ContainsAny(r.log.String(), "\x00\x07") {
			t.Error("control characters are in the log")
		}
	})
}

// size returns the number of sessions.
func (t *sessionTable) size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.byID)
}
