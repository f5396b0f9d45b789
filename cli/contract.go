package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// contractTimeout is the deadline for all requests of a contract check.
const contractTimeout = 110 * time.Second

// selectedSources returns the source named by the arguments, or every source if they name none.
func selectedSources(in *command.Input) []*httpclient.Source {
	name := strings.ToLower(strings.Join(in.Args, ""))
	return slices.DeleteFunc(slices.Clone(in.App.Env.Sources),
		func(s *httpclient.Source) bool { return name != "" && s.Name != name })
}

// checkContracts checks the contracts of the given sources. The answer has a row for each line of a
// contract: the request, the expected fact and the value seen.
func checkContracts(ctx context.Context, in *command.Input, sources []*httpclient.Source) (*result.Result, error) {
	network := in.App.Network()
	ctx = httpclient.WithEnd(ctx, time.Now().Add(contractTimeout))
	found := make([][]httpclient.Finding, len(sources))
	if err := httpclient.Parallel(ctx, contractTimeout, len(sources), func(ctx context.Context, i int) {
		for _, k := range sources[i].Contract() {
			found[i] = append(found[i], network.Service(sources[i]).Verify(ctx, &k)...)
		}
	}); err != nil {
		return nil, err
	}
	var all healthReport
	drifted, unknown := 0, 0
	for i, s := range sources {
		for _, f := range found[i] {
			row := entity.Check{Name: s.Label, Kind: "contract", Status: "ok",
				Detail: fmt.Sprintf("%s: %s (seen: %s)", f.Address, f.Fact, f.Evidence)}
			switch {
			case f.Err != nil:
				row.Status = "down"
				row.Detail += "; unknown: " + f.Err.Error()
				unknown++
			case f.Drift != "":
				row.Status = "drifted"
				row.Detail += "; " + f.Drift
				drifted++
			}
			all.Rows = append(all.Rows, row)
		}
	}
	res := &result.Result{Payload: all}
	res.Notice(fmt.Sprintf("%d lines of the contract of %d sources: %d drifted, %d unknown", len(all.Rows),
		len(sources), drifted, unknown))
	if drifted+unknown > 0 && in.Bool("fail-on-error") {
		return res, &result.Failure{Code: result.Upstream,
			Message: fmt.Sprintf("%d lines of the contract drifted, %d are unknown", drifted, unknown),
			Details: map[string]any{"rows": all.Rows}}
	}
	return res, nil
}
