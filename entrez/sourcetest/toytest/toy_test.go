package toytest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/sourcetest/toytest"
)

func TestFaults(t *testing.T) {
	sourcetest.TestFaults(t, &toytest.Source, func() (*sourcetest.Server, error) { return toytest.Start(sourcetest.WithoutNetwork()) })
}

// The simulator or a captured reply (synthetic) answers a call.
func TestColourAndReplay(t *testing.T) {
	file := filepath.Join("testdata", "sea.json")
	sea, err := sourcetest.File(file)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		sim, err := toytest.Start(sourcetest.WithoutNetwork())
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		sim.Replay(map[string]sourcetest.Reply{"colour?name=sea": sea})
		cfg := sim.Config()
		cfg.Keys = map[string]string{toytest.Source.Key.Variable: toytest.Key}
		client, err := httpclient.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"sky": "blue", "sea": "green"} {
			if got, err := toytest.Colour(t.Context(), client, name); err != nil || got != want {
				t.Errorf("%s is %q, %v", name, got, err)
			}
		}
		if _, err := toytest.Colour(t.Context(), client, "love"); !httpclient.IsKind(err, httpclient.NotFound) {
			t.Error(err)
		}
		if got := sim.Requests()[0].Params.Get("key"); got != toytest.Key || sim.Limited() != 0 {
			t.Errorf("the key was sent as %q", got)
		}
	})
}

// A call to an undeclared address ends the test, since it is not a fault of the service.
func TestUndeclaredCallsPanic(t *testing.T) {
	for name, change := range map[string]func(*url.URL){
		"address":   func(u *url.URL) { u.Path += "s" },
		"parameter": func(u *url.URL) { u.RawQuery += "&shade=dark" },
	} {
		t.Run(name, func(t *testing.T) {
			sim, err := toytest.Start(sourcetest.WithoutNetwork())
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			cfg := sim.Config()
			inner, said := cfg.Transport, ""
			cfg.Transport = changed(func(r *http.Request) (resp *http.Response, err error) {
				defer func() { said, err = fmt.Sprint(recover()), io.EOF }()
				change(r.URL)
				return inner.RoundTrip(r)
			})
			client, err := httpclient.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			_ = client.Service(&toytest.Source).Ping(t.Context())
			if !strings.Contains(said, "Toy service does not declare the "+name) {
				t.Error(said)
			}
		})
	}
}

type changed func(*http.Request) (*http.Response, error)

func (c changed) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }
