// Package eutils has what entities over the databases of NCBI share.
package eutils

import (
	"context"

	"biomcp/cli/command"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// UnknownFields are the field tags of a query that a database does not have, each
// with the nearest one. Where EInfo does not answer they are not checked.
func UnknownFields(ctx context.Context, client *entrez.Client, db, query string) []record.Dropped {
	tags, names, err := client.UnknownTags(ctx, db, query)
	if err != nil {
		return nil
	}
	var out []record.Dropped
	for _, t := range tags {
		out = append(out, record.Dropped{Phrase: t, What: "has no field of this name, and ignored it", Near: command.Nearest(t, names)})
	}
	return out
}
