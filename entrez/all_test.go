package entrez_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

// gather returns all IDs of a SearchAll in one list.
func gather(t *testing.T, c *entrez.Client, p entrez.SearchParams) ([]string, entrez.Tally) {
	t.Helper()
	var all []string
	tally, err := c.SearchAll(t.Context(), p, func(ids []string) error {
		if len(ids) == 0 || len(ids) > 9999 {
			t.Errorf("a list of %d", len(ids))
		}
		all = append(all, ids...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, tally
}

// whole fails the test unless ids are n distinct IDs.
func whole(t *testing.T, ids []string, n int) {
	t.Helper()
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	if distinct := len(slices.Compact(sorted)); len(ids) != n || distinct != n {
		t.Errorf("%d ids, %d distinct, want %d", len(ids), distinct, n)
	}
}

func someDay(r *rand.Rand, from, to int) int {
	return (from+r.IntN(to-from+1))*10000 + (1+r.IntN(12))*100 + 1 + r.IntN(28)
}

// worlds are sets of n records each, with plausible and implausible dates.
func worlds(n int) map[string][]dated {
	r := rand.New(rand.NewPCG(1, 2))
	out := map[string][]dated{}
	add := func(name string, make func(i int) dated) {
		list := []dated{}
		for i := range n {
			list = append(list, make(i))
		}
		out[name] = list
	}
	add("spread over years", func(i int) dated {
		d := someDay(r, 1990, 2024)
		return dated{30_000_000 + i, d, d, 0}
	})
	add("on one day", func(i int) dated { return dated{i + 1, 20190304, 20190304, 0} })
	add("a day too big among others", func(i int) dated {
		d := someDay(r, 1950, 2024)
		if i%2 == 0 {
			d = 20190101
		}
		return dated{i*7 + 1, d, d, 0}
	})
	add("some without a date", func(i int) dated {
		d := someDay(r, 2010, 2024)
		if i%100 == 0 {
			d = 0
		}
		return dated{i + 1, d, d, 0}
	})
	add("none with a date", func(i int) dated { return dated{i + 1, 0, 0, 0} })
	add("before and after the calendar", func(i int) dated {
		d := []int{16500101, 20100101, 22220222}[i%3]
		return dated{i + 1, d, d, 0}
	})
	add("with two dates", func(i int) dated {
		d := someDay(r, 2015, 2023)
		return dated{i + 1, d, d, d - 10000} // published online a year earlier
	})
	return out
}

func offline(t *testing.T, p *pretend) *entrez.Client {
	t.Helper()
	c, err := httpclient.New(httpclient.Config{Transport: p, Cache: &memory{}})
	if err != nil {
		t.Fatal(err)
	}
	return entrez.New(c)
}

func TestSearchAll(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 22,000 ids several times, one request after another")
	}
	const n = 22_000
	for name, records := range worlds(n) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pretend{records: records}
				ids, tally := gather(t, offline(t, p), entrez.SearchParams{Term: "everything", Sort: "author", RetStart: 7, RetMax: 3})
				whole(t, ids, n)
				equal(t, "tally", tally, entrez.Tally{Promised: n, Fetched: n})
				if p.asked > 60 {
					t.Errorf("%d requests", p.asked)
				}
				equal(t, "not understood", p.wrong, []string(nil))
			})
		})
	}
}

func TestSearchAllOfFewRecords(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		ids, tally := gather(t, c, entrez.SearchParams{Term: "1:99999999[uid]"})
		whole(t, ids, 300)
		equal(t, "tally", tally, entrez.Tally{Promised: 300, Fetched: 300})
		equal(t, "requests", sim.Count(), 1)
		ids, tally = gather(t, c, entrez.SearchParams{Term: "zzzznothing"})
		equal(t, "of nothing", len(ids), 0)
		equal(t, "tally", tally, entrez.Tally{})
	}, entreztest.XML(entreztest.Generate(300, 3)))
}

func TestSearchAllCountsPromisedRecords(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for _, l := range []struct {
			fault entreztest.Fault
			want  entrez.Tally
		}{
			{entreztest.Fault{Kind: entreztest.LyingCount, Extra: 9}, entrez.Tally{Promised: 309, Fetched: 300, Inconsistent: 1}},
			{entreztest.Fault{Kind: entreztest.MissingUID}, entrez.Tally{Promised: 300, Fetched: 299, Inconsistent: 1}},
			{entreztest.Fault{Kind: entreztest.ExtraUID, IDs: []string{"70000001", "PMC1"}}, entrez.Tally{Promised: 300, Fetched: 301, Inconsistent: 1}},
		} {
			sim.Fail(l.fault)
			ids, tally := gather(t, c, entrez.SearchParams{Term: "1:99999999[uid]"})
			equal(t, string(l.fault.Kind), tally, l.want)
			equal(t, "handed on", len(ids), l.want.Fetched)
		}
	}, entreztest.XML(entreztest.Generate(300, 3)))
}

// A server that counts nonexistent records is detected, and its real records are returned.
func TestSearchAllOfAServerWithWrongCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 12,000 ids several times, one request after another")
	}
	for _, lie := range []int{1, 9_000, 1_000_000} {
		t.Run(fmt.Sprint(lie), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pretend{records: worlds(12_000)["spread over years"], lie: lie}
				got := 0
				tally, err := offline(t, p).SearchAll(t.Context(), entrez.SearchParams{Term: "everything"}, func(ids []string) error {
					got += len(ids)
					return nil
				})
				if err != nil {
					wants(t, err, httpclient.Upstream)
				}
				equal(t, "promised", tally.Promised, 12_000+lie)
				equal(t, "fetched", tally.Fetched, got)
				if lie < 1_000_000 && got != 12_000 {
					t.Errorf("lie of %d: %d ids, want 12,000", lie, got)
				}
				if got < reach {
					t.Errorf("lie of %d: %d ids, want at least %d", lie, got, reach)
				}
				if p.asked > 600 {
					t.Errorf("lie of %d: %d requests", lie, p.asked)
				}
			})
		})
	}
}

// Records that appear during a search do not hide existing ones.
func TestSearchAllWhileRecordsAppear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pretend{}
		for i := range 10_400 {
			day := 20200101 + i%28
			if i < 100 {
				day = 19000101
			}
			p.records = append(p.records, dated{1 + i, day, day, 0})
		}
		p.change = func(asked int) {
			if asked == 2 { // as many as lie in the older half of the calendar
				for i := range 100 {
					p.records = append(p.records, dated{20_000 + i, 20210101, 20210101, 0})
				}
			}
		}
		ids, tally := gather(t, offline(t, p), entrez.SearchParams{Term: "everything"})
		whole(t, ids, 10_500)
		equal(t, "tally", tally, entrez.Tally{Promised: 10_400, Fetched: 10_500})
		equal(t, "whole", tally.Complete(), false)
	})
}

// Records appear, vanish and are omitted during the search. A complete tally means that every
// record that existed all the time was returned.
func TestSearchAllOfAChangingDatabase(t *testing.T) {
	n := uint64(40)
	if testing.Short() {
		n = 5
	}
	wholes := 0
	for seed := range n {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			p := &pretend{}
			add := func(from, count int) {
				for i := range count {
					day := someDay(r, 2023, 2024)
					if r.IntN(20) == 0 {
						day = []int{0, 19000101, 20300101}[r.IntN(3)]
					}
					p.records = append(p.records, dated{from + i, day, day, 0})
				}
			}
			add(1, 10_000+r.IntN(500))
			there := map[string]bool{}
			for _, d := range p.records {
				there[strconv.Itoa(d.uid)] = true
			}
			appear, vanish, lack := 1+r.IntN(30), 1+r.IntN(30), 1+r.IntN(60)
			p.change = func(asked int) {
				if asked == appear {
					add(50_000, r.IntN(50))
				}
				if asked == vanish {
					for range r.IntN(50) {
						i := r.IntN(len(p.records))
						delete(there, strconv.Itoa(p.records[i].uid))
						p.records = slices.Delete(slices.Clone(p.records), i, i+1)
					}
				}
			}
			p.drop = func(asked int) bool { return asked == lack }
			ids, tally := gather(t, offline(t, p), entrez.SearchParams{Term: "everything"})
			if !tally.Complete() {
				return
			}
			wholes++
			for _, id := range ids {
				delete(there, id)
			}
			if len(there) > 0 {
				t.Errorf("seed %d: %+v lacks %d records that were there all the time", seed, tally, len(there))
			}
		})
	}
	if wholes == 0 || wholes == int(n) {
		t.Errorf("%d of %d tallies are whole", wholes, n)
	}
}

func TestSearchAllStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("the disk is full")
		calls := 0
		p := &pretend{records: worlds(12_000)["spread over years"]}
		tally, err := offline(t, p).SearchAll(t.Context(), entrez.SearchParams{Term: "everything"}, func([]string) error {
			if calls++; calls == 2 {
				return full
			}
			return nil
		})
		if err != full || calls != 2 || tally.Promised != 12_000 {
			t.Errorf("%v after %d lists, %+v", err, calls, tally)
		}
	})
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.LyingCount, Extra: 20_000},
			entreztest.Fault{Endpoint: "esearch", Kind: entreztest.Error200, From: 2, Times: -1})
		tally, err := c.SearchAll(t.Context(), entrez.SearchParams{Term: "1:99999999[uid]"}, func([]string) error { return nil })
		wants(t, err, httpclient.Refused)
		equal(t, "tally", tally, entrez.Tally{Promised: 20_300, Fetched: 300})
	}, entreztest.XML(entreztest.Generate(300, 3)))
}
