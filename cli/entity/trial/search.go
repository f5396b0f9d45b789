package trial

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
)

// row is one search hit.
type row struct {
	head
	// ConditionExact reports whether a condition of the record equals a requested one; the
	// search also finds related conditions. Null if no condition was requested.
	ConditionExact *bool `json:"condition_exact"`
	// MutationMatch tells which criteria name the mutation: inclusion, exclusion or both, or
	// undivided if only criteria do that belong to neither list. Null if no mutation was
	// requested or no criterion names it (a title may).
	MutationMatch *string `json:"mutation_match"`
}

var (
	statuses = []string{
		"RECRUITING", "NOT_YET_RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING", "COMPLETED",
		"SUSPENDED", "TERMINATED", "WITHDRAWN",
		"AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD",
		"UNKNOWN",
	}
	phases = []string{"EARLY_PHASE1", "PHASE1", "PHASE1/PHASE2", "PHASE2", "PHASE2/PHASE3", "PHASE3", "PHASE4", "NA"}
	sorts  = map[string]string{
		"relevance": "@relevance", "last_update": "LastUpdatePostDate:desc", "start_date": "StartDate:desc",
		"enrollment": "EnrollmentCount:desc",
	}
)

// maxWalk is the largest distance that --offset can skip. ClinicalTrials.gov serves pages
// only in order, at most 1,000 studies a second.
const maxWalk = 10_000

func search() *command.Command {
	return entity.Search(entity.SearchSpec[row]{
		Name: "trial", Placeholder: "[query]",
		Command: command.Command{
			Short: "Find clinical trials",
			Help: command.Help{
				Input: "Words, or filters, or both; NCT numbers find those trials. Words are never operators: ALL " +
					"is the leukaemia.",
				Output: "One row a trial. The column Exact says whether a condition of the trial equals -c, and " +
					"Mutation which criteria name --mutation: inclusion, exclusion, both, or undivided ones.",
				Surprises: "ClinicalTrials.gov also finds related conditions.\n" +
					"A mutation in the exclusion criteria is found, too: read the column Mutation.\n" +
					"Several values of --status or --phase are alternatives.\n" +
					"--location matches any site of a trial, whether or not that site recruits.",
			},
			Examples: []command.Example{
				{
					Line:        "biomcp search trial -c melanoma --mutation V600E --status RECRUITING",
					Explanation: "recruiting trials whose record names a mutation",
				},
				{
					Line:        `biomcp search trial -i pembrolizumab --location "Vienna, Austria"`,
					Explanation: "trials of a drug with a site in Vienna",
				},
				{
					Line:        `biomcp search trial -i pembrolizumab --near "48.2,16.4" --within 50mi`,
					Explanation: "or at most 50 miles from there",
				},
				{
					Line:        "biomcp search trial -g BRAF --phase PHASE2,PHASE3 --age 45 --sex FEMALE",
					Explanation: "for a woman of 45 years",
				},
			},
			Flags: func(f *command.Flags) {
				f.AddValueSynonyms("sort", command.Synonyms{
					"relevance": "best score", "last_update": "newest latest recent date updated",
					"start_date": "start", "enrollment": "size participants",
				})
				f.String("within", "50mi", "how far from --near: 50mi, 80km")
				f.AddSynonyms("within", "radius", "distance")
				f.Group(command.SubjectFlags, "within")
				f.Rare("near", "within", "sponsor", "sex", "age", "has-results", "date-from", "date-to", "last",
					"count", "sort")
			},
		},
		Source: source, Sources: []string{source}, Key: "results", Label: "Trials",
		Filters: []entity.Filter{
			{
				Flag: "condition", Synonyms: []string{"disease", "d", "cancer", "indication", "disorder"},
				Letter: "c", Usage: "condition or disease, or an id of one",
				Term: textTerm("condition", ctgov.Words), OtherNames: eutils.ConditionNames,
			},
			{
				Flag: "intervention", Synonyms: []string{"drug", "treatment", "therapy"}, Letter: "i",
				Usage: "drug or other treatment",
				Term:  textTerm("intervention", ctgov.Words),
			},
			{
				Flag: "gene", Synonyms: []string{"symbol"}, Letter: "g",
				Usage: "gene in the criteria, titles, summary or keywords",
				Term:  textTerm("gene", ctgov.Molecular), OtherNames: eutils.NamesInText,
			},
			{
				Flag: "mutation", Synonyms: []string{"variant", "alteration", "biomarker", "snp"},
				Usage: "mutation, in the same places: V600E", Term: textTerm("mutation", ctgov.Molecular),
			},
			{
				Flag: "status", Synonyms: []string{"state", "recruitment", "overall-status"},
				ValueSynonyms: command.Synonyms{
					"RECRUITING": "open ongoing enrolling", "ACTIVE_NOT_RECRUITING": "active",
					"COMPLETED": "finished closed done complete", "TERMINATED": "stopped",
				},
				Usage: "overall status, comma-separated", Values: statuses, Multiple: true,
			},
			{
				Flag: "phase", Synonyms: []string{"phases"},
				ValueSynonyms: command.Synonyms{"PHASE1": "1a 1b", "PHASE2": "2a 2b", "PHASE3": "3a 3b"},
				Usage:         "phase, comma-separated; 2 and II are PHASE2", Values: phases, Multiple: true,
				Spelling: phaseName, Term: phase,
			},
			{
				Flag: "age", Usage: "age of the participants: 45, 6 months", Single: true,
				Term: entity.ParsedTerm("trial", "age", "an age: write 45, or 6 months", age),
			},
			{
				Flag: "sex", Synonyms: []string{"gender"},
				ValueSynonyms: command.Synonyms{"FEMALE": "women woman f", "MALE": "men man m"},
				Usage:         "sex of the participants", Values: []string{"FEMALE", "MALE"}, Term: sex,
			},
			{
				Flag: "sponsor", Synonyms: []string{"company", "funder", "organization"},
				Usage: "sponsor or collaborator", Single: true, Term: textTerm("sponsor", ctgov.Words),
			},
			{
				Flag: "location", Synonyms: []string{"country", "city", "place", "site", "hospital", "facility"},
				Usage: "country, state, city or facility of a site: Austria, or \"Boston, MA\"", Single: true,
				Term: textTerm("location", ctgov.Place),
			},
			{
				Flag: "has-results", Synonyms: []string{"results", "with-results"},
				Usage: "only with results posted", Switch: true,
			},
			{
				Flag: "date",
				Dates: &entity.Dates{
					From: "started on this day or later, or in this month or year (YYYY, YYYY-MM, YYYY-MM-DD)",
					To:   "started up to the end of this day, month or year", Term: startDateTerm,
				},
			},
			{Flag: "near", Usage: "a point, as latitude and longitude: 48.2,16.4", Single: true},
		},
		Sorts: []string{"relevance", "last_update", "start_date", "enrollment"}, Counts: true,
		Pages: entity.Pages{Limit: 20, Max: 100, Tokens: true},
		Find:  find, Alternatives: entity.Alternatives{OtherSearches: suggestSplitPlaces},
		Rows: entity.Rows[row]{
			Fields:  joinedFields,
			Columns: []string{"NCT", "Title", "Status", "Phase", "Conditions", "Exact", "Mutation"},
			Row: func(r *row) []string {
				exact := ""
				if r.ConditionExact != nil {
					exact = map[bool]string{true: "yes", false: "no"}[*r.ConditionExact]
				}
				return []string{
					r.NCTID, r.Title, r.statusText(), strings.Join(r.Phases, "/"), entity.EtAl(r.Conditions, 3), exact,
					entity.Deref(r.MutationMatch),
				}
			},
		},
		Next: func(r *row) []result.Argv { return []result.Argv{{"get", "trial", r.NCTID}} },
	})
}

// suggestSplitPlaces suggests searches that split a place without a comma into two: Vienna, Austria.
func suggestSplitPlaces(_ context.Context, in *command.Input, q *entity.Query) (lines []result.Argv, _ string) {
	words := strings.Fields(q.Value("location"))
	if strings.HasPrefix(ctgov.Place(q.Value("location")), "SEARCH[") { // already several places
		return nil, ""
	}
	for i := len(words) - 1; i > 0 && len(lines) < 2; i-- {
		lines = append(lines, in.LineWith("--location", strings.Join(words[:i], " ")+", "+strings.Join(words[i:], " ")))
	}
	return lines, ""
}

// find fetches one page: the next one given a token, or pages forward to an offset.
func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[row], error) {
	network := in.App.Network()
	query, err := buildQuery(in, q)
	if err != nil {
		return nil, err
	}
	from := token{Sum: querySum(query)}
	if text := in.String("page-token"); text != "" {
		if from, err = readToken(text, from.Sum); err != nil {
			return nil, result.Invalid(err.Error(), in.LineWith("--page-token", "")...)
		}
		q.Offset = from.Offset
	}
	if q.Offset-from.Offset > maxWalk {
		return nil, result.Invalid(fmt.Sprintf("--offset skips at most %d hits; --page-token of the next "+
			"command continues from there",
			maxWalk),
			in.LineWith("--offset", fmt.Sprint(maxWalk))...)
	}
	page := &entity.Page[row]{Effective: query.Text(), Notices: termNotices(q, len(query.IDs) == 0)}
	if from, err = fillPage(ctx, network, query, q, from, page); err != nil {
		return nil, err
	}
	page.Total = from.Total
	if from.Token != "" && q.Limit > 0 {
		page.Next = from.String()
	}
	page.Notices = append(page.Notices, hitNotices(q, query, page)...)
	return page, nil
}

// fillPage reads studies from a token on, skips those before the offset and adds the others to the page.
// It returns the token behind them. If a later request fails, it keeps the hits and stores the error in
// page.Err.
func fillPage(
	ctx context.Context, network *httpclient.Client, query ctgov.Query, q *entity.Query, from token,
	page *entity.Page[row],
) (token, error) {
	skip := q.Offset - from.Offset
	for first := true; first || (skip > 0 || len(page.Hits) < q.Limit) && from.Token != ""; first = false {
		p, err := ctgov.Search(ctx, network, query, from.Token, max(1, min(skip+q.Limit-len(page.Hits), ctgov.MaxPage)))
		if err != nil && len(page.Hits) > 0 {
			page.Err = err
			break
		}
		if err != nil {
			return from, err
		}
		from.Total, from.Token = cmp.Or(from.Total, p.Total), p.Next
		from.Offset += len(p.Studies)
		for _, s := range p.Studies[min(skip, len(p.Studies)):] {
			if len(page.Hits) < q.Limit {
				page.Hits = append(page.Hits, newRow(s, q))
			}
		}
		skip = max(0, skip-len(p.Studies))
	}
	return from, nil
}

// hitNotices returns notices about a place, status, gene or ID that the hits may not have as the user
// expects.
func hitNotices(q *entity.Query, query ctgov.Query, page *entity.Page[row]) (notices []string) {
	noHits := page.Total != nil && *page.Total == 0
	if place := q.Value("location"); noHits && place != "" && !strings.HasPrefix(query.Location, "SEARCH[") {
		notices = append(notices, fmt.Sprintf("--location %q is searched for as one name, as sites have it: "+
			`United States, or with a comma "Vienna, Austria"`, command.Clip(place)))
	}
	if q.Value("status") != "" && q.Value("location")+q.Value("near") != "" && len(page.Hits) > 0 {
		notices = append(notices,
			"the status applies to the whole trial; a site may have another: get trial "+page.Hits[0].NCTID+
				" locations")
	}
	for _, f := range q.Filters {
		if notice := ctgov.AmbiguityNotice(f.Value); f.Flag == "gene" && notice != "" {
			notices = append(notices, notice)
		}
	}
	var absent []string
	for _, id := range query.IDs {
		i := slices.IndexFunc(page.Hits, func(h *row) bool { return h.NCTID == id || slices.Contains(h.Former, id) })
		switch {
		case i < 0:
			absent = append(absent, id)
		case page.Hits[i].NCTID != id:
			notices = append(notices, formerNotice(id, page.Hits[i].NCTID))
		}
	}
	isWhole := page.Err == nil && page.Total != nil && len(page.Hits) == *page.Total
	if len(absent) > 0 && isWhole {
		why := "no such trial is registered"
		if len(q.Filters) > 0 {
			why += ", or it does not meet the filters"
		}
		notices = append(notices, "not among the hits: "+strings.Join(absent, ", ")+": "+why)
	}
	return notices
}

// termNotices returns notices about words that are not searched for as typed.
func termNotices(q *entity.Query, asText bool) (notices []string) {
	say := func(label, text string) {
		_, c := ctgov.ParseWords(text)
		for _, n := range []struct {
			words []string
			note  string
		}{
			{c.Dropped, "left out"},
			{c.Literal, "searched for as words, not as operators: ask for each alternative by itself"},
			{c.Phrases, "searched for as phrases"},
		} {
			if len(n.words) > 0 {
				notices = append(notices, fmt.Sprintf("%s: %s: %s", label, n.note,
					command.Clip(strings.Join(n.words, " "))))
			}
		}
	}
	if asText {
		say("the query", q.Text)
	}
	for _, f := range q.Filters {
		if slices.Contains([]string{"condition", "intervention", "sponsor"}, f.Flag) {
			say("--"+f.Flag, f.Value)
		}
	}
	return notices
}

// buildQuery builds the request to ClinicalTrials.gov. A query of NCT numbers alone is sent as
// a filter, because ClinicalTrials.gov would otherwise ignore the other filters.
func buildQuery(in *command.Input, q *entity.Query) (ctgov.Query, error) {
	of := func(flag string) string {
		var terms []string
		for _, f := range q.Filters {
			if f.Flag == flag {
				terms = append(terms, f.Term)
			}
		}
		return ctgov.And(terms...)
	}
	query := ctgov.Query{
		Condition: of("condition"), Intervention: of("intervention"), Sponsor: of("sponsor"), Location: of("location"),
		Advanced: ctgov.And(of("phase"), of("age"), of("sex"), of("date")), Sort: sorts[q.Sort],
		Fields: slices.Clone(rowFields),
	}
	if s := q.Value("status"); s != "" {
		query.Status = strings.Split(s, ",")
	}
	if q.Value("has-results") != "" {
		query.AggFilters = "results:with"
	}
	if q.Value("mutation") != "" {
		query.Fields = append(query.Fields, "EligibilityCriteria")
	}
	ids := strings.FieldsFunc(strings.ToUpper(q.Text), func(r rune) bool { return r == ' ' || r == ',' })
	text := ctgov.Words(q.Text)
	if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !ctgov.ID().MatchString(id) }) {
		query.IDs, text = ids, ""
	} else if q.Text != "" && text == "" {
		return query, result.Invalid("the query contains no word", "search", "trial", "--help")
	}
	query.Term = ctgov.And(text, of("gene"), of("mutation"))
	i := slices.IndexFunc(q.Filters, func(f entity.AppliedFilter) bool { return f.Flag == "near" })
	if i < 0 {
		if in.Given("within") {
			try := in.LineWith("--near", "48.2,16.4")
			if q.Value("location") != "" {
				try = in.LineWith("--within", "")
			}
			return query, result.Invalid("--within requires --near with latitude and longitude in degrees, "+
				"48.2,16.4; --location takes the name of a place, without a distance",
				try...)
		}
		return query, nil
	}
	at := point(q.Filters[i].Value)
	if at == "" {
		return query, notPoint(in, q.Filters[i].Value)
	}
	within := strings.ToLower(strings.ReplaceAll(in.String("within"), " ", ""))
	if !distance().MatchString(within) {
		return query, result.Invalid(fmt.Sprintf("--within %q is not a distance: write 50mi or 80km",
			command.Clip(in.String("within"))),
			in.LineWith("--within", "50mi")...)
	}
	query.GeoFilter = fmt.Sprintf("distance(%s,%s)", at, within)
	q.Filters[i].Term = query.GeoFilter
	return query, nil
}

var (
	distance = pattern.Lazy(`^[0-9]{1,5}(\.[0-9]+)?(mi|km)$`)
	number   = pattern.Lazy(`^(-?[0-9]{1,3}(?:\.[0-9]+)?)(?: *, *| +)(-?[0-9]{1,3}(?:\.[0-9]+)?)$`)
	ageForm  = pattern.Lazy(`^([0-9]{1,3}) ?(|y|years?|mo|months?|w|weeks?|d|days?)$`)
)

// newRow converts a study to a hit and compares it with the query.
func newRow(s ctgov.Study, q *entity.Query) *row {
	r := &row{head: newHead(s)}
	var conditions []string
	for _, f := range q.Filters {
		if f.Flag == "condition" {
			conditions = append(conditions, f.Names()...)
		}
	}
	if len(conditions) > 0 {
		exact := slices.ContainsFunc(r.Conditions, func(c string) bool {
			return slices.ContainsFunc(conditions, func(a string) bool { return normalize(a) == normalize(c) })
		})
		r.ConditionExact = &exact
	}
	if m := q.Value("mutation"); m != "" {
		c := s.Criteria()
		switch in, out := names(c.Inclusion, m), names(c.Exclusion, m); {
		case in && out:
			r.MutationMatch = new("both")
		case in:
			r.MutationMatch = new("inclusion")
		case out:
			r.MutationMatch = new("exclusion")
		case names(c.Other, m):
			r.MutationMatch = new("undivided")
		}
	}
	return r
}

// normalize lowercases s, replaces each run of other characters than letters and digits with
// a blank, and adds a blank at both ends.
func normalize(s string) string {
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !ctgov.IsWord(r) }),
		" ") + " "
}

// names reports whether a single criterion contains every word of text.
func names(criteria []string, text string) bool {
	return slices.ContainsFunc(criteria, func(c string) bool {
		return !slices.ContainsFunc(strings.Fields(text), func(w string) bool {
			return !strings.Contains(normalize(c), normalize(w))
		})
	})
}
