package intake

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/sourcetest"
	"biomcp/store"
)

// trouble chooses a fault for a process.
func (y *year) trouble() string {
	trouble := []string{"", "", "", "", "", "killed", "full", "faults", "faults", "stopped", "changes", "service"}[y.rnd.IntN(12)]
	if y.mild && trouble == "killed" {
		return "full"
	}
	return trouble
}

// process is one that works with the corpus.
type process struct {
	y       *year
	ctx     context.Context
	stop    func()
	trouble string
	o       Options
	client  *httpclient.Client
	before  map[int]int // events at its start
	err     error
	promise func() // what it has promised, if it has come to its end
	records func() // and of that what is true once its watermark has moved
	moved   bool
	draw    int
}

// process runs processes at the same time, and checks the corpus afterwards.
func (y *year) process(trouble string, work ...func(*process)) {
	y.asked, y.events = 0, map[int][]func(){}
	y.ncbi.ClearFaults()
	var all []*process
	for range work {
		p := &process{y: y, trouble: trouble, before: map[int]int{}, draw: y.rnd.IntN(100)}
		s, err := store.Open(y.t.Context(), store.Options{Dir: y.dir, Now: func() time.Time { return y.now }})
		if err != nil {
			y.fail("the corpus does not open: %v", err)
			break
		}
		p.o = Options{Store: s, Now: func() time.Time { return y.now }, NoVectors: y.vectors == "", batch: 4 + y.rnd.IntN(20), block: 1 + y.rnd.IntN(8)}
		if y.vectors == "service" {
			p.o.Embedder = &editions{}
		}
		p.ctx, p.stop = context.WithCancel(y.t.Context())
		for pmid, s := range y.stories {
			p.before[pmid] = len(s.events) - 1
		}
		cfg := y.ncbi.Config()
		cfg.Transport, cfg.MaxRetries = y, 1
		if p.client, err = httpclient.New(cfg); err != nil {
			y.t.Fatal(err)
		}
		all = append(all, p)
	}
	if y.failure == "" {
		y.befall(all[0])
		var working sync.WaitGroup
		for i, p := range all {
			working.Go(func() { work[i](p) })
		}
		working.Wait()
		y.ncbi.ClearFaults()
		y.writes = max(10, y.disk.Writes())
	}
	killed := y.disk.Killed()
	for _, p := range all {
		p.stop()
		y.note("%s: %v", p.trouble, p.err)
	}
	if killed { // the last thing it did was half a write
		for _, p := range all {
			_ = p.o.Store.Close()
		}
		y.revive()
		return
	}
	y.disk.Reset()
	for _, p := range all {
		if p.moved && p.records != nil {
			p.records()
		}
		if p.err == nil && p.promise != nil {
			p.promise()
		} else if p.trouble == "" && p.err != nil && y.failure == "" {
			y.fail("it fails without trouble: %v", p.err)
		}
	}
	if y.killed != "" {
		if err := errors.Join(os.RemoveAll(y.killed), os.CopyFS(y.killed, os.DirFS(y.dir))); err != nil {
			y.t.Fatal(err)
		}
	}
	for _, p := range all {
		y.look(p.o.Store)
		if err := p.o.Store.Close(); err != nil {
			y.fail("close: %v", err)
		}
	}
}

// befall plans the trouble of a process.
func (y *year) befall(p *process) {
	at := func(do func()) { n := 1 + y.rnd.IntN(12); y.events[n] = append(y.events[n], do) }
	switch p.trouble {
	case "killed":
		copied := y.dir + ".killed"
		_ = os.RemoveAll(copied)
		y.disk.KillAt(1+y.rnd.IntN(y.writes), copied)
	case "full":
		y.disk.FullAt(1+y.rnd.IntN(y.writes), []int{1, 8, 1000}[y.rnd.IntN(3)])
	case "faults":
		for range 1 + y.rnd.IntN(3) {
			at(y.fault)
		}
	case "stopped": // at a request, or a step
		at(p.stop)
		left := y.rnd.IntN(30)
		p.o.Progress = func(Progress) {
			if left--; left == 0 {
				p.stop()
			}
		}
	case "changes":
		for range 1 + y.rnd.IntN(3) {
			at(y.happen)
		}
		at(func() { y.publish() })
		at(func() { y.peek() })
	case "service":
		if e, ok := p.o.Embedder.(*editions); ok {
			e.failAt = 1 + y.rnd.IntN(4)
		}
	default:
		y.disk.Reset()
	}
}

// revive makes the copy of the killed process's files the corpus, and looks at it.
func (y *year) revive() {
	y.disk.Reset()
	if err := errors.Join(os.RemoveAll(y.dir), os.CopyFS(y.dir, os.DirFS(y.dir+".killed"))); err != nil {
		y.t.Fatal(err)
	}
	y.peek()
}

// peek looks at the corpus as a process that only reads does.
func (y *year) peek() {
	s, err := store.Open(y.t.Context(), store.Options{Dir: y.dir, ReadOnly: true})
	if store.IsKind(err, store.NotFound) {
		return
	}
	if err != nil {
		y.fail("it does not open to be read: %v", err)
		return
	}
	y.look(s)
	if err := s.Close(); err != nil {
		y.fail("close: %v", err)
	}
}

// transient are the faults that NCBI and the way to it are known for. Those that
// change an answer are not noticed by a client that only looks at its form.
var transient = []entreztest.Kind{
	entreztest.Limit429, entreztest.HTML502, entreztest.HTML200, entreztest.EmptyXML, entreztest.CppException,
	entreztest.Error200, entreztest.Truncated, entreztest.Cut, entreztest.CutXML, entreztest.Hangup,
	entreztest.Stall, entreztest.StallBody, entreztest.BadRecord,
	entreztest.LyingCount, entreztest.MissingUID, entreztest.MissingUID, entreztest.MissingUID, entreztest.ExtraUID,
}

// fault plans a fault of NCBI or of the files.
func (y *year) fault() {
	if y.rnd.IntN(2) == 0 {
		kinds := []sourcetest.Kind{sourcetest.Truncated, sourcetest.Cut, sourcetest.Down503, sourcetest.HTML200, sourcetest.Hangup, sourcetest.StallBody, sourcetest.Empty, sourcetest.Limit429}
		y.check(y.ncbi.Server.Fail(sourcetest.Fault{Kind: kinds[y.rnd.IntN(len(kinds))], Times: 1 + y.rnd.IntN(4)}))
		return
	}
	f := entreztest.Fault{Kind: transient[y.rnd.IntN(len(transient))], Times: 1 + y.rnd.IntN(4), Endpoint: []string{"", "esearch", "efetch"}[y.rnd.IntN(3)]}
	if s := y.any(there); s != nil && y.rnd.IntN(2) == 0 {
		f.IDs = []string{fmt.Sprint(s.pmid)}
	}
	switch f.Kind {
	case entreztest.ExtraUID:
		f.IDs = []string{"5000"}
	case entreztest.LyingCount:
		f.Extra = []int{-1, 1, 3}[y.rnd.IntN(3)]
	}
	y.check(y.ncbi.Fail(f))
}

// RoundTrip performs the events planned before a request, and sends it.
func (y *year) RoundTrip(req *http.Request) (*http.Response, error) {
	y.mu.Lock()
	y.asked++
	for _, do := range y.events[y.asked] {
		do()
	}
	y.mu.Unlock()
	return y.ncbi.Transport().RoundTrip(req)
}

// mirror follows the files.
func (y *year) mirror(p *process) {
	files, whole := map[int]int{}, y.updates > 0
	for pmid, s := range y.stories {
		if !s.vanished || whole && !s.loose {
			files[pmid] = s.filed
		}
	}
	m := MirrorOptions{Files: pubmedfiles.New(p.client), Dir: filepath.Join(y.dir, "downloads"), Connections: 1 + p.draw%3}
	before := y.mark(p, MirrorKey)
	if p.trouble == "faults" && p.draw < 50 { // the server lies
		lies := y.shelf[p.draw%len(y.shelf)]
		y.ncbi.Files.SetMD5(lies.folder, lies.name, strings.Repeat("0", 32))
		defer y.ncbi.Files.SetMD5(lies.folder, lies.name, "")
	}
	report, err := Mirror(p.ctx, p.o, m)
	p.err = err
	y.kept(p, MirrorKey, before, "", report)
	p.records = func() { y.promise(files) }
	p.promise = func() {
		y.note("all files: %s", counts(report))
		if left, err := os.ReadDir(m.Dir); !errors.Is(err, os.ErrNotExist) {
			y.fail("left of the downloads: %v, %v", left, err)
		}
		y.promise(files)
		y.complete(p)
	}
}

// read imports a file that somebody has kept, of this year or the last.
func (y *year) read(p *process, f published) {
	path := filepath.Join(y.t.TempDir(), f.name)
	if err := os.WriteFile(path, []byte(gzipped(f.text)), 0o600); err != nil {
		y.t.Fatal(err)
	}
	_, p.err = Import(p.ctx, p.o, path)
	p.promise = func() {
		y.note("read %s", f.name)
		y.promise(f.holds)
		y.complete(p)
	}
}

func (y *year) reembed(p *process) {
	_, p.err = UpdateVectors(p.ctx, p.o, p.draw%4 == 0)
	p.promise = func() { y.complete(p) }
}

// delta follows a query.
func (y *year) delta(p *process, q *query) {
	first, before, byHand := !q.asked, y.mark(p, q.Key), ""
	q.asked = true
	if before != "" && p.trouble == "changes" && p.draw < 30 {
		y.events[3] = append(y.events[3], func() {
			byHand = rfc3339(y.now.AddDate(0, 0, -40-p.draw))
			y.note("watermark set to %s", byHand)
			y.check(p.o.Store.SetCheckpoint(context.Background(), q.Key, byHand))
		})
	}
	report, err := Delta(p.ctx, p.o, entrez.New(p.client), q.Query)
	p.err = err
	if (p.trouble == "faults" || p.trouble == "stopped" || p.trouble == "changes") && err != nil && !errors.As(err, new(*Incomplete)) {
		y.fail("a run that is not complete says %v", err)
	}
	y.kept(p, q.Key, before, byHand, report)
	if y.mild && !y.repaired {
		y.news(p, q)
	}
	p.records = func() {
		have := map[int]int{}
		for pmid, n := range p.before {
			if s := y.stories[pmid]; q.holds(pmid) && n == len(s.events)-1 && there(s) && (first || s.last().late <= q.OverlapDays) {
				have[pmid] = n
			}
		}
		y.promise(have)
	}
	p.promise = func() {
		y.note("query %s: %s", q.Key, counts(report))
		p.records()
		y.complete(p)
	}
}
