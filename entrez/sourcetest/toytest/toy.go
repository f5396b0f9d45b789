// Package toytest is a complete invented service: its source, client and simulator. It shows what a
// new service needs, and its tests prove that nothing else is needed. A real service is such a
// package under entrez, with its simulator in a separate package whose name ends in test.
package toytest

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// Source describes the service.
var Source = httpclient.Source{
	Name: "toy", Label: "Toy service", Address: "https://toy.example/api/",
	Rate: httpclient.Rate{Group: "toy", PerSecond: 2, WithKey: 5}, Key: httpclient.Key{Variable: "TOY_API_KEY", Param: "key"},
	CheckReply: judge, Ping: httpclient.NewCall(colour, "name", "sky"),
	Dependencies: []httpclient.Dependency{{Path: "colour", Params: "name", Evidence: "document, https://toy.example/api"}},
}

var colour = httpclient.Endpoint{Op: "colour", Path: "colour", Form: httpclient.JSON, TTL: time.Hour}

// judge recognizes the status 404 for an unknown name.
func judge(r httpclient.Reply) *httpclient.Verdict {
	if r.Status == http.StatusNotFound {
		return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "has no such name"}
	}
	return nil
}

// Colour returns the colour of a thing.
func Colour(ctx context.Context, c *httpclient.Client, name string) (string, error) {
	call := httpclient.NewCall(colour, "name", name)
	body, err := c.Service(&Source).Do(ctx, call)
	if err != nil {
		return "", err
	}
	var reply struct{ Colour string }
	if err := json.Unmarshal(body, &reply); err != nil {
		return "", call.UnreadableError(err)
	}
	return reply.Colour, nil
}

// Key is the valid key of the simulator.
const Key = "0123456789-toy"

// Start starts the simulator, which knows only the colour of the sky.
func Start(opts ...sourcetest.Option) (*sourcetest.Server, error) {
	s, err := sourcetest.Start(append(opts, sourcetest.Keys(Key))...)
	if err != nil {
		return nil, err
	}
	s.Add(sourcetest.Service{Source: &Source, Path: "/toy/", Endpoints: []sourcetest.Endpoint{
		{Name: "colour", Path: "colour", Answer: func(c *sourcetest.Call) sourcetest.Reply {
			if c.Get("name") != "sky" {
				return sourcetest.JSON(http.StatusNotFound, map[string]string{"error": "no such name"})
			}
			return sourcetest.JSON(http.StatusOK, map[string]string{"colour": "blue"})
		}},
	}})
	return s, nil
}
