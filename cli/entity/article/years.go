package article

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/sourcegraph/conc/pool"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// yearCount is the number of hits in a year, or nil if it could not be counted.
type yearCount struct {
	Year  int  `json:"year"`
	Count *int `json:"count"`
}

// Number of years that --by-year counts: lastYears by default, and at most maxYears.
const (
	lastYears = 20
	maxYears  = 60
)

// byYear counts the hits of each year. The total still covers the whole search.
func byYear(
	in *command.Input, client *entrez.Client, q *entity.Query, p *entity.Page[articleHit], answer *articleHits,
) error {
	years, err := yearsOf(in, q)
	if err != nil {
		return err
	}
	dates := q.Dates
	if in.String("date-from") == "" && in.String("last") == "" {
		dates.From = record.Date{}
	}
	if in.String("date-to") == "" && in.String("last") == "" {
		dates.To = record.Date{}
	}
	first := (record.Date{Year: dates.From.Year}).First()
	if dates.From != (record.Date{}) && dates.From.First() != first {
		p.Notices = append(p.Notices, fmt.Sprintf("%d is counted from %s on", first.Year, dates.From))
	}
	p.Describe = func(ctx context.Context) error {
		errs := make([]error, len(years))
		counting := pool.New().WithMaxGoroutines(entrez.MaxConcurrentBatches)
		for i := range years {
			if *p.Total == 0 { // restricted to a year, PubMed may drop the words and count the whole year
				years[i].Count = new(0)
				continue
			}
			counting.Go(func() {
				found, err := client.Search(ctx, entrez.SearchParams{
					DB: "pubmed", Term: yearTerm(in, q, dates, years[i].Year),
				})
				if errs[i] = err; err == nil {
					years[i].Count = &found.Count
				}
			})
		}
		counting.Wait()
		if err := errors.Join(errs...); !slices.Contains(errs, nil) || errors.Is(err, context.Canceled) {
			return err
		}
		noteYears(q, p, years, errs)
		answer.years = years
		p.Records = years
		return nil
	}
	return nil
}

// noteYears adds the source of the counts to the page, and notices if they do not add up to the total.
func noteYears(q *entity.Query, p *entity.Page[articleHit], years []yearCount, errs []error) {
	var missing []string
	others := *p.Total
	for i, err := range errs {
		if err != nil {
			missing = append(missing, strconv.Itoa(years[i].Year))
		} else {
			others -= *years[i].Count
		}
	}
	source := result.SectionSource{
		Key: "years", Label: "Years", Outcome: result.Data, Sources: []string{"PubMed ESearch"},
	}
	if len(missing) > 0 {
		source.Outcome = result.Degraded
		first := errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
		p.Notices = append(p.Notices, fmt.Sprintf("the counts of %s are missing: %s", command.Abbreviate(missing), first))
	}
	if others < 0 {
		p.Notices = append(p.Notices, fmt.Sprintf("the years sum to %d: an article with print and "+
			"electronic dates in two years counts in both",
			*p.Total-others))
	}
	if others > 0 && len(missing) == 0 && q.Dates == (entity.Span{}) {
		p.Notices = append(p.Notices, fmt.Sprintf("at least %d of the hits are from other years: "+
			"--date-from YEAR counts from an earlier one",
			others))
	}
	p.Sections = append(p.Sections, source)
}

// yearsOf returns the years of the given dates, or else the last twenty.
func yearsOf(in *command.Input, q *entity.Query) ([]yearCount, error) {
	from, to := q.Dates.From.Year, q.Dates.To.Year
	last := in.String("last") != ""
	if in.String("date-to") == "" && !last {
		to = max(from, in.App.Now().Year())
	}
	if in.String("date-from") == "" && !last {
		from = to - lastYears + 1
	}
	if n := to - from + 1; n > maxYears {
		return nil, result.Invalid(fmt.Sprintf("--by-year counts at most %d years, but %d to %d are %d: narrow "+
			"them with --date-from and --date-to",
			maxYears, from, to, n),
			in.LineWith("--last", "", "--date-from", strconv.Itoa(to-maxYears+1), "--date-to", strconv.Itoa(to))...)
	}
	var years []yearCount
	for y := from; y <= to; y++ {
		years = append(years, yearCount{Year: y})
	}
	return years, nil
}

// yearTerm restricts the query to one year, or to the part of it within dates.
func yearTerm(in *command.Input, q *entity.Query, dates entity.Span, year int) string {
	span := entity.Span{From: record.Date{Year: year}.First(), To: record.Date{Year: year}.Last()}
	if dates.From.Year == year {
		span.From = dates.From
	}
	if dates.To.Year == year {
		span.To = dates.To
	}
	in1 := *q
	in1.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(f entity.AppliedFilter) bool { return f.Flag == "date" })
	term, _ := dateTerm(&span, in.String("date-type"))
	in1.Filters = append(in1.Filters, entity.AppliedFilter{Flag: "date", Term: term})
	return searchTerm(&in1)
}

func yearTable(years []yearCount) result.Table {
	return result.Table{
		Columns: result.Columns("Year", ">Articles"), Main: true, Rows: result.Map(years, func(y yearCount) []string {
			return []string{strconv.Itoa(y.Year), entity.FormatNumber(y.Count)}
		}),
	}
}
