package entity

import (
	"context"
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// A LinkRequest is a request to a source about one record: the command's input, the network client, and
// the page of rows from --limit and --offset.
type LinkRequest struct {
	*command.Input
	Network *httpclient.Client
	Limit   int
	Offset  int

	unpaged bool // the source has no offset
}

// FromService adapts find, which queries a service, to the Find of a [RelatedSection]. It checks --limit and
// --offset before the request and adds the command for the next page after it.
func FromService[R, H any](
	find func(ctx context.Context, ask *LinkRequest, r R) (*Answer[H], error),
) func(context.Context, *command.Input, R) (*Answer[H], error) {
	return func(ctx context.Context, in *command.Input, r R) (*Answer[H], error) {
		limit, offset, err := LimitAndOffset(in)
		if err != nil {
			return nil, err
		}
		if offset > maxSectionOffset && !ExportsRows(in) {
			message := fmt.Sprintf("--offset of a section is at most %d, not %d; use a search for later rows",
				maxSectionOffset, offset)
			return nil, result.Invalid(message, in.LineWith("--offset", fmt.Sprint(maxSectionOffset))...)
		}
		ask := &LinkRequest{Input: in, Network: in.App.Network(), Limit: limit, Offset: offset}
		a, err := find(ctx, ask, r)
		if err != nil || a.Total == nil {
			return a, err
		}
		if ask.unpaged && (a.Reach == 0 || a.Reach > maxServiceRows) {
			a.Reach = maxServiceRows
		}
		end, there := *a.Total, "there are"
		if a.Reach > 0 && a.Reach < end {
			end, there, a.next = a.Reach, "the last that can be shown is", "; later rows cannot be shown"
		}
		if offset > 0 && len(a.Rows) == 0 && *a.Total > 0 {
			return nil, result.Invalid(fmt.Sprintf("--offset %d is past the end: %s %d", offset, there, end),
				in.LineWith("--offset", "")...)
		}
		if to := offset + limit; to < end && (to <= maxSectionOffset || ExportsRows(in)) {
			a.next = "; the next: " + LineFrom(in, to+1, "--offset", fmt.Sprint(to)).String()
		}
		return a, nil
	}
}

// maxSectionOffset is the maximum --offset of a section. From sources without an offset, the
// preceding rows are requested too; ClinicalTrials.gov and openFDA return at most 1,000 rows
// (https://clinicaltrials.gov/data-api/api, https://open.fda.gov/apis/query-parameters/).
const maxSectionOffset = 950

// maxServiceRows is the maximum number of rows to request from such a source.
const maxServiceRows = 1000

// RowsToRequest returns the number of rows to request from a source without an offset, so that the
// requested page is among them. [Window] then cuts the page out.
func (a *LinkRequest) RowsToRequest() int {
	a.unpaged = true
	return min(a.Offset+a.Limit, maxServiceRows)
}

// LimitAndOffset returns the values of --limit and --offset.
func LimitAndOffset(in *command.Input) (limit, offset int, err error) {
	if limit, _, err = RowLimit(in); err == nil {
		offset, err = in.Offset()
	}
	return limit, offset, err
}

// Window returns at most limit members of all, after skipping offset of them.
func Window[T any](all []T, offset, limit int) []T {
	return all[min(offset, len(all)):min(offset+limit, len(all))]
}

// FromList returns the answer of a source that sends its whole list: the requested page of it, and the
// length of all as the total.
func FromList[H any](ask *LinkRequest, all []H) *Answer[H] {
	return &Answer[H]{Rows: Window(all, ask.Offset, ask.Limit), Total: new(len(all))}
}

// Inapplicable is returned by a Find that sends no request because the section does not apply to
// the record. Its text explains why; the section shows it as a notice.
type Inapplicable string

func (i Inapplicable) Error() string { return string(i) }
