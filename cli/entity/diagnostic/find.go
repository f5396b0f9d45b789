package diagnostic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// fields maps flags to the columns of local tables that they filter.
var fields = map[string][]string{
	"gene": {sets.Gene}, "disease": {sets.ConditionField}, "method": {sets.Method}, "lab": {sets.Lab},
	"country": {sets.Country},
}

// tableQuery returns the query for a local table.
func tableQuery(q *entity.Query) table.Query {
	out := table.Query{Text: q.Text}
	for _, f := range q.Filters {
		if list := fields[f.Flag]; list != nil {
			out.Conditions = append(out.Conditions, table.Condition{
				Fields: list, Text: f.Names()[0], Alternatives: f.Names()[1:],
				Exact: f.Flag == "gene" || f.Flag == "country",
			})
		}
	}
	return out
}

// find searches GTR, live or in the local table, and WHO's list as --source selects.
func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[Test], error) {
	source := q.Value("source")
	p := &entity.Page[Test]{}
	parts := []local.Part[Test]{}
	needed := []*bulk.Set{}
	if source != whoIVD {
		needed = append(needed, bulk.GTR)
		answered, err := findInGTR(ctx, in, q, p)
		if err != nil {
			return nil, err
		}
		if !answered {
			parts = append(parts, local.Part[Test]{Set: bulk.GTR, Query: tableQuery(q), Hit: gtrTest})
		}
	}
	if source == whoIVD || source == "all" {
		needed = append(needed, bulk.WHOIVD)
		parts = append(parts, local.Part[Test]{Set: bulk.WHOIVD, Query: tableQuery(q), Hit: whoTest})
	}
	if len(parts) == 0 {
		if p.Total != nil && *p.Total == 0 && source == "" {
			p.Notices = append(p.Notices,
				"only GTR's genetic tests were searched; WHO's diagnostics: "+in.KeepFiles(in.LineWith("--source", whoIVD))[0].String())
		}
		return p, nil
	}
	liveTotal := 0
	if p.Total != nil {
		liveTotal = *p.Total
	}
	a, err := local.FindInSets(ctx, in, max(0, q.Offset-liveTotal), q.Limit-len(p.Hits), parts...)
	if err != nil {
		return nil, err
	}
	if a.Asked == 0 && p.Total == nil {
		return nil, local.AbsentFailure("these tests", needed...)
	}
	p.Hits, p.Notices, p.Sections = append(p.Hits, entity.Pointers(a.Hits)...), append(p.Notices, a.Notices...),
		append(p.Sections, a.Sections...)
	p.Effective = strings.TrimPrefix(strings.Join(append([]string{p.Effective}, a.Counts...), "; "), "; ")
	if p.Total = nil; a.Total != nil {
		p.Total = new(liveTotal + *a.Total)
	}
	p.Retrieved = len(p.Hits)
	return p, nil
}

// findInGTR searches GTR live and reports whether it answered. Otherwise the local table must be
// searched: GTR did not answer, or it lacks a filter of the query.
func findInGTR(
	ctx context.Context, in *command.Input, q *entity.Query, p *entity.Page[Test],
) (answered bool, err error) {
	if q.Value("method")+q.Value("lab")+q.Value("country") != "" {
		return false, nil
	}
	terms, err := term(q)
	if err == nil {
		var tests []Test
		tests, err = findLive(ctx, in.App, terms, q.Offset, q.Limit, p)
		p.Hits = entity.Pointers(tests)
	}
	if err == nil {
		return true, nil
	}
	if !isOutage(err) {
		return false, err
	}
	_, absent := local.Find(ctx, in.App, bulk.GTR, table.Query{})
	if table.IsAbsent(absent) && q.Value("source") != "all" {
		return false, err
	}
	p.Notices = append(p.Notices, err.Error()+"; the local table is used if it exists")
	return false, nil
}

// suggestWHO suggests the same search in WHO's list if it has hits there.
func suggestWHO(ctx context.Context, in *command.Input, q *entity.Query) (lines []result.Argv, hits string) {
	if q.Value("source") != "" {
		return nil, ""
	}
	found, err := local.Find(ctx, in.App, bulk.WHOIVD, tableQuery(q))
	if err != nil || found.Total == 0 {
		return nil, ""
	}
	return []result.Argv{in.LineWith("--source", whoIVD)}, fmt.Sprintf("in WHO's list: %d", found.Total)
}

// term returns the query for GTR live.
func term(q *entity.Query) (string, error) {
	asked := *q
	asked.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(f entity.AppliedFilter) bool {
		return f.Flag == "source"
	})
	if terms := asked.Terms(); terms != "" {
		return terms, nil
	}
	return "", result.Invalid("search diagnostic requires a query or a filter apart from --source", "search",
		"diagnostic", "--help")
}

// findLive returns GTR's tests and fills in the rest of the page.
func findLive(
	ctx context.Context, app *command.App, term string, offset, limit int, p *entity.Page[Test],
) ([]Test, error) {
	found, tests, err := searchLive(ctx, app, term, offset, limit)
	if err != nil {
		return nil, err
	}
	p.Total, p.Dropped, p.Retrieved, p.Err = &found.Count, found.Dropped, found.Docs.Read(), found.Err
	p.Effective = fmt.Sprintf("GTR (live, as of %s): %d for %s", now(app), found.Count, found.Translation)
	state := entity.DataOrEmpty(found.Count)
	if gaps := eutils.GapNotices("GTR", found.Docs); gaps != nil {
		state, p.Notices = result.Degraded, append(p.Notices, gaps...)
	}
	p.Sections = append(p.Sections, result.SectionSource{
		Key: gtr, Label: "Genetic Testing Registry", Outcome: state, Sources: []string{"GTR (NCBI ESearch)"},
	})
	return tests, nil
}

// isOutage reports whether a source did not answer, so that another may be tried.
func isOutage(err error) bool {
	e, ok := errors.AsType[*httpclient.Error](err)
	outages := []httpclient.Kind{httpclient.Unreachable, httpclient.Timeout, httpclient.Upstream, httpclient.RateLimited}
	return ok && slices.Contains(outages, e.Kind)
}

var accessionForm = pattern.Lazy(`(?i)^GTR[0-9]{9}(\.[0-9]+)?$`)

// fetch reads tests from GTR, and those that it does not return from the local tables.
func fetch(ctx context.Context, in *command.Input, ids []string, _ entity.Sections) (*entity.Found[Test], error) {
	found := &entity.Found[Test]{}
	tests, unread, err := fetchLive(ctx, in, ids, found)
	if err != nil {
		return nil, err
	}
	var noTable error
	for _, id := range ids {
		t, err := tests[accessionOf(id)], error(nil)
		if t == nil {
			t, err = readStored(ctx, in, id, found)
		}
		if absent := new(table.AbsentError); errors.As(err, &absent) {
			noTable, err = err, nil
		}
		switch {
		case err != nil:
			return nil, err
		case t == nil && unread != nil && accessionForm().MatchString(id):
			found.Failed(id, unread)
		case t == nil && found.Problem != nil && accessionForm().MatchString(id):
			found.Failed(id, found.Problem)
		case t == nil:
			found.NotFound(id, nil)
		default:
			found.Add(id, t)
		}
	}
	if noTable != nil && len(found.Records) == 0 && found.Problem == nil {
		return nil, missingTest(found.Missing, noTable)
	}
	if noTable != nil {
		found.Notices = append(found.Notices, noTable.Error())
	}
	if found.Problem != nil && len(found.Missing) == 0 { // the local table had all of them
		found.Notices = append(found.Notices, found.Problem.Error()+"; the local table is used")
		found.Problem = nil
	}
	return found, nil
}

// fetchLive reads the tests with GTR's accessions, by accession. If GTR does not answer, it stores why in
// found.Problem; unread names the tests whose summary is too large.
func fetchLive(
	ctx context.Context, in *command.Input, ids []string, found *entity.Found[Test],
) (tests map[string]*Test, unread, err error) {
	var accessions []string
	for _, id := range ids {
		if accessionForm().MatchString(id) {
			accessions = append(accessions, accessionOf(id))
		}
	}
	if len(accessions) == 0 {
		return nil, nil, nil
	}
	answer, page, err := searchLive(ctx, in.App, strings.Join(accessions, " OR "), 0, 4*len(accessions))
	switch {
	case err != nil && !isOutage(err):
		return nil, nil, err
	case err != nil:
		found.Problem = err
	default:
		unread = answer.Docs.Unread()
	}
	tests = map[string]*Test{}
	for i := range page {
		tests[page[i].Accession] = &page[i]
	}
	return tests, unread, nil
}

// missingTest returns the error about tests that GTR does not have if a local table is absent.
func missingTest(missing []string, noTable error) *result.Failure {
	f := result.Missing("GTR has no test "+command.Abbreviate(missing)+"; "+noTable.Error(), local.SyncCommand(whoIVD)...)
	// more likely a name than a product code
	if text := strings.Join(missing, " "); unicode.IsLetter([]rune(text)[0]) && !strings.Contains(text, "-") {
		f.Message += "; " + f.Try.String() + " stores it"
		f.Try, f.Alternatives = result.Argv{"search", "diagnostic", text}, []result.Argv{f.Try}
	}
	return f
}

// readStored returns a test from the local tables, or nil if not found.
func readStored(ctx context.Context, in *command.Input, id string, found *entity.Found[Test]) (*Test, error) {
	set, of := bulk.WHOIVD, whoTest
	if accessionForm().MatchString(id) {
		set, of, id = bulk.GTR, gtrTest, accessionOf(id)
	}
	held, err := local.Get(ctx, in.App, set, id)
	if table.IsAbsent(err) {
		if set == bulk.WHOIVD {
			return nil, &table.AbsentError{Set: set.Name}
		}
		return nil, nil
	}
	if err != nil || len(held.Records) == 0 {
		return nil, err
	}
	if old := local.StaleNotice(in.App, set, held.Info); old != "" {
		found.Notices = append(found.Notices, in.OwnerNotice(old))
	}
	t, err := of(held.Records[0], held.Info)
	return &t, err
}

// accessionOf returns an accession without its version.
func accessionOf(id string) string {
	accession, _, _ := strings.Cut(strings.ToUpper(id), ".")
	return accession
}
