package bulk

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/polite"
)

// MovedError says that a file is not where it was, and what to do.
type MovedError struct {
	Set  *Set
	File string
}

func (e *MovedError) Error() string {
	return fmt.Sprintf("%s: there is no file %s at its address any more; look for it at %s and set %s to the address of its folder",
		e.Set.Label, e.File, e.Set.Page, e.Set.Source.Variable())
}

// Save puts a file of a set into a file of this disk, and goes on with one that an
// earlier Save began. It returns the address that it came from. Of a yearly edition it
// takes this year's, or else last year's. known are the validators, by address, of what the
// caller has: if that has not changed, to.Unchanged is set. It fails as
// [polite.Service.Save] does, or with a *MovedError.
func Save(ctx context.Context, c *polite.Client, s *Set, f File, to *polite.File, now time.Time, known map[string]string) (address string, err error) {
	service := c.To(s.Source)
	for _, path := range f.paths(now) {
		call := polite.NewCall(polite.Endpoint{Op: f.Name, Path: path, Form: f.Form, MaxBytes: s.MaxBytes})
		maps.Copy(call.Params, f.Params)
		address = service.Address(call).Redacted()
		to.Known = known[address]
		if err = service.Save(ctx, call, to); !polite.IsKind(err, polite.NotFound) {
			return address, err
		}
	}
	return "", &MovedError{s, f.Name}
}

// paths are where the file may be, the newest edition first.
func (f File) paths(now time.Time) []string {
	if !strings.Contains(f.Path, "{year}") {
		return []string{f.Path}
	}
	of := func(year int) string { return strings.ReplaceAll(f.Path, "{year}", strconv.Itoa(year)) }
	return []string{of(now.Year()), of(now.Year() - 1)}
}
