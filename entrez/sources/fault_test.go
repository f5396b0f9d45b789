package sources_test

import (
	"testing"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
)

// simulators maps each source to the function that starts its simulator.
var simulators = []func() (*sourcetest.Server, error){
	func() (*sourcetest.Server, error) {
		s, err := entreztest.Start(entreztest.WithoutNetwork())
		if err != nil {
			return nil, err
		}
		return s.Server, s.Publish(26, 1)
	},
	func() (*sourcetest.Server, error) {
		s, err := sourcetest.Start(sourcetest.WithoutNetwork(), sourcetest.Keys(entreztest.Key))
		if err == nil {
			sourcestest.AddTo(s)
		}
		return s, err
	},
}

func TestFaultsOfEverySource(t *testing.T) {
	for _, s := range sources.All() {
		t.Run(s.Name, func(t *testing.T) { sourcetest.TestFaults(t, s, simulatorOf(t, s)) })
	}
}

func simulatorOf(t *testing.T, s *httpclient.Source) func() (*sourcetest.Server, error) {
	t.Helper()
	for _, start := range simulators {
		sim, err := start()
		if err != nil {
			t.Fatal(err)
		}
		sim.Close()
		if sim.Address(s) != "" {
			return start
		}
	}
	t.Fatalf("%s has no simulator", s.Label)
	return nil
}
