package gene

import (
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/pgx"
	"biomcp/entrez/bulk"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// addFromTables adds the human genes whose symbol or HGNC id is in the local table of HGNC or, if it does not have
// one, whose symbol is in CPIC's. It makes no request, and returns the other names.
func addFromTables(ctx context.Context, in *command.Input, names []string, out *entity.Found[Gene]) (rest []string,
	err error) {
	records := map[string]*Gene{} // words of one gene share its record
	for _, w := range names {
		g, origin, err := fromHGNC(ctx, in, w, out)
		if err == nil && g == nil {
			g, origin, err = fromCPIC(ctx, in, w)
		}
		switch {
		case err != nil:
			return nil, err
		case g == nil:
			rest = append(rest, w)
			continue
		}
		if note := readAs(&gene.Result{Word: w, Symbol: g.Symbol}, true); note != "" && !gene.IsRegistryID(w) {
			out.Notices = append(out.Notices, note)
		}
		if records[g.ID] == nil {
			records[g.ID] = &Gene{Gene: g}
		}
		out.Add(w, records[g.ID])
		if !slices.Contains(out.Sources, origin) {
			out.Sources = append(out.Sources, origin)
		}
	}
	if len(rest) > 0 && len(out.Records) > 0 {
		out.Sources = append(out.Sources, source, datasets.Source.Label)
	}
	return rest, nil
}

// addStored adds the genes of names that NCBI could not be asked about because of cause, if the local tables have
// them: the sections that answer from such tables do not depend on NCBI. It returns the other names.
func addStored(ctx context.Context, in *command.Input, names []string, out *entity.Found[Gene], cause error) (
	rest []string, err error) {
	if rest, err = addFromTables(ctx, in, names, out); err == nil && len(rest) < len(names) {
		out.Problem = cause
		out.Notices = append(out.Notices, "the records are from local tables: "+cause.Error())
	}
	return rest, err
}

// fromHGNC returns the gene with an approved symbol or an HGNC id, and its origin. It returns nil if the table is
// absent, or does not have the gene with a GeneID. The first gene adds notices about the table.
func fromHGNC(ctx context.Context, in *command.Input, word string, out *entity.Found[Gene]) (g *gene.Gene,
	origin string, err error) {
	find := func() (*table.Found, error) {
		return local.Find(ctx, in.App, bulk.HGNC, table.Query{Kinds: []string{sets.Gene}, Limit: entity.MaxRows,
			Conditions: []table.Condition{{Fields: []string{sets.Symbol}, Text: word, Exact: true}}})
	}
	if gene.IsRegistryID(word) {
		find = func() (*table.Found, error) { return local.Get(ctx, in.App, bulk.HGNC, strings.ToUpper(word)) }
	}
	found, err := find()
	if table.IsAbsent(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	for _, r := range found.Records {
		n, err := local.Read[sets.GeneNames](r)
		if err != nil {
			return nil, "", err
		}
		if n.Entrez == "" || !strings.EqualFold(n.Symbol, word) && !strings.EqualFold(n.HGNC, word) {
			continue
		}
		origin = local.Origin(bulk.HGNC, found.Info)
		if !slices.Contains(out.Sources, origin) {
			out.Notices = append(out.Notices, "genes from "+origin+"; "+bulk.HGNC.Licence.String())
			if old := local.StaleNotice(in.App, bulk.HGNC, found.Info); old != "" {
				out.Notices = append(out.Notices, in.OwnerNotice(old))
			}
		}
		g = humanGene(n.Symbol, n.Entrez, n.HGNC)
		g.Name, g.Aliases = n.Name, slices.Concat(n.Previous, n.Aliases)
		return g, origin, nil
	}
	return nil, "", nil
}

// fromCPIC returns the gene with a symbol, which has no name, and its origin. It returns nil if the table is absent or
// does not have the gene.
func fromCPIC(ctx context.Context, in *command.Input, symbol string) (*gene.Gene, string, error) {
	g, err := pgx.Gene(ctx, in.App, symbol)
	if err != nil || g == nil || g.NCBI == "" {
		return nil, "", err
	}
	return humanGene(g.Symbol, g.NCBI, g.HGNC), bulk.CPIC.Label + " (local table " + bulk.CPIC.Name + ")", nil
}

func humanGene(symbol, id, hgnc string) *gene.Gene {
	return &gene.Gene{Symbol: symbol, ID: id, HGNC: hgnc, Status: gene.Live,
		Organism: gene.Organism{Name: "Homo sapiens", TaxID: datasets.Human}, URL: gene.Page + id}
}

// failWords adds words that could not be looked up to genes that were found. Without such genes it returns err.
func failWords(ctx context.Context, in *command.Input, names []string, out *entity.Found[Gene], err error,
	missing *bulk.Set) error {
	if len(out.Records) == 0 || errors.Is(err, context.Canceled) {
		return suggestTable(ctx, in, names[0], err, missing)
	}
	for _, w := range names {
		out.Failed(w, suggestTable(ctx, in, w, err, missing))
	}
	return nil
}

// missingTable returns the table that would answer the requested sections without a request, or nil. isLocal reports
// whether the tables of the sections themselves are there.
func missingTable(requested entity.Sections, isLocal bool) *bulk.Set {
	switch {
	case isLocal:
		return bulk.HGNC
	case requested.IsOnly("pgx"):
		return bulk.CPIC
	}
	return nil
}

// suggestTable adds to the error of a request the command that stores the missing table, if that may have the word.
func suggestTable(ctx context.Context, in *command.Input, word string, err error, missing *bulk.Set) error {
	isHGNC := strings.HasPrefix(strings.ToUpper(word), "HGNC:")
	if missing == nil || gene.IsID(word) || gene.IsRegistryID(word) && !isHGNC {
		return err
	}
	return local.SuggestSync(ctx, in.App, err, missing)
}
