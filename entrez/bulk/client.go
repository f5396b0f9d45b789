package bulk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/fault"
	"biomcp/entrez/httpclient"
)

// A MovedError is returned by [Save] if a file is no longer at its address. Its message names the page on which to
// look for it and the variable that sets another address.
type MovedError struct {
	Set  *Set
	File string
}

func (e *MovedError) Error() string {
	text := fmt.Sprintf("%s: there is no file %s at its address any more; "+
		"look for it at %s and set %s to the address of its folder",
		e.Set.Label, e.File, cmp.Or(e.Set.File(e.File).Page, e.Set.Page), e.Set.Source.Variable())
	if e.Set.Mirror != "" {
		text += "; older clients have it at " + e.Set.Mirror
	}
	if e.Set.Outlook != "" {
		text += "; " + e.Set.Outlook
	}
	return text
}

// Meaning returns the code Upstream.
func (e *MovedError) Meaning() fault.Meaning { return fault.Meaning{Code: fault.Upstream} }

// Save downloads a file of a set to local disk, resuming a download that an earlier call began, and returns the
// file's address. For a yearly edition it tries this year's and then last year's. validators holds, by address, the
// HTTP validator of the caller's copy; if that copy is current, Save sets to.Unchanged. It returns the errors of
// [httpclient.Service.Save], and a *MovedError if the source has no such file.
func Save(
	ctx context.Context, c *httpclient.Client, s *Set, f File, to *httpclient.File, now time.Time,
	validators map[string]string,
) (address string, err error) {
	service := c.Service(s.Source)
	for _, path := range f.paths(now) {
		call := httpclient.NewCall(httpclient.Endpoint{Op: f.Name, Path: path, Form: f.Form, MaxBytes: s.MaxBytes})
		maps.Copy(call.Params, f.Query())
		address = service.Address(call).Redacted()
		if f.Order != "" {
			err = savePages(ctx, service, call, f, to)
		} else {
			to.KnownValidator = validators[address]
			err = service.Save(ctx, call, to)
		}
		if !httpclient.IsKind(err, httpclient.NotFound) {
			return address, err
		}
	}
	return "", &MovedError{s, f.Name}
}

// paths returns the paths to try, newest edition first.
func (f File) paths(now time.Time) []string {
	if !strings.Contains(f.Path, "{year}") {
		return []string{f.Path}
	}
	edition := func(year int) string { return strings.ReplaceAll(f.Path, "{year}", strconv.Itoa(year)) }
	return []string{edition(now.Year()), edition(now.Year() - 1)}
}
