package variant

import (
	"fmt"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/variant"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
)

// reclassifiedSince is the flag for variants whose classification changed between stored releases.
const reclassifiedSince = "reclassified-since"

// isDate reports whether text is a day, a month or a year.
func isDate(text string) bool {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

// needsTable returns an error if the query compares releases, which ClinVar itself cannot.
func needsTable(in *command.Input, q *entity.Query) error {
	switch {
	case q.Value(reclassifiedSince) == "":
		return nil
	case in.Bool(live):
		return result.Invalid("--"+reclassifiedSince+" compares releases of the local table, so it cannot be used with --"+live,
			in.LineWith("--"+live, "")...)
	}
	if _, err := local.ClinVar(in.App); err != nil {
		return err
	}
	return &table.AbsentError{Set: clinvartable.Name}
}

// reclassifications are the changes of classifications since a date, by VariationID.
type reclassifications map[int][]variant.Reclassification

// readReclassified returns the reclassifications since a date, with notices. It returns an error if the stored releases
// cannot say.
func readReclassified(t *clinvartable.Table, date string) (reclassifications, []string, error) {
	unknown := func(format string, args ...any) error {
		return &result.Failure{Code: result.NotFound, Message: fmt.Sprintf(format, args...),
			Try: local.SyncCommand(clinvartable.Name)}
	}
	switch {
	case t.Oldest == t.Release:
		return nil, nil, unknown("a reclassification shows between two releases of ClinVar, and only that of %s was stored; "+
			"a later sync compares with it", t.Release)
	case date >= t.Release:
		return nil, nil, unknown("whether variants were reclassified since %s is not known: the newest stored release is of %s",
			date, t.Release)
	}
	changes, err := t.ChangedSince(date)
	all := reclassifications{}
	for _, c := range changes {
		all[c.VariationID] = append(all[c.VariationID], variant.Reclassification{
			Kind: clinvartable.Kinds()[c.Kind], From: c.From, To: c.To, Before: c.Before, Since: c.Since,
		})
	}
	base := "the last release stored up to " + date
	if date < t.Oldest {
		base = "the first stored release, of " + t.Oldest
	}
	notices := []string{fmt.Sprintf("reclassified: the germline classification, the clinical impact or the oncogenicity "+
		"differs between %s and the release of %s; new dates, stars, submitters and variants do not count; "+
		"a change lies between the two dates of its row", base, t.Release)}
	if date < t.Oldest {
		notices = append(notices, "changes before "+t.Oldest+" are not known, because no earlier release was stored; "+
			"get variant <id> clinvar --live has the earlier classifications of one variant")
	}
	return all, notices, err
}

// describeChange formats a reclassification.
func describeChange(r variant.Reclassification) string {
	named := func(class string) string {
		if class == "" {
			return "no classification"
		}
		return class
	}
	return fmt.Sprintf("%s: %s -> %s (%s to %s)", r.Kind, named(r.From), named(r.To), r.Before, r.Since)
}
