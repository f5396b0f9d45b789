// Package related has the sections that several entities have: trials, drugs, variants and
// pharmacogenetics. An entity says what to ask for.
package related

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez/polite"
)

// Ask is what most sections of services beyond NCBI need: the network, and --limit.
func Ask(in *command.Input) (*polite.Client, int, error) {
	limit, _, err := in.Limit()
	if err != nil {
		return nil, 0, err
	}
	network, err := in.App.Network()
	return network, limit, err
}

// First answers with the first rows of a list that a source sends whole.
func First[R, H any](list func(ctx context.Context, network *polite.Client, r *R) ([]H, error)) func(context.Context, *command.Input, *R) (*entity.Answer[H], error) {
	return func(ctx context.Context, in *command.Input, r *R) (*entity.Answer[H], error) {
		network, limit, err := Ask(in)
		if err != nil {
			return nil, err
		}
		all, err := list(ctx, network, r)
		if err != nil {
			return nil, err
		}
		return &entity.Answer[H]{Rows: all[:min(limit, len(all))], Total: new(len(all))}, nil
	}
}
