package local

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
)

// withSubmissions is the flag of `sync clinvar` that also stores the submissions.
const withSubmissions = "submissions"

// SubmissionsLine is the command that stores ClinVar's variants and submissions.
const SubmissionsLine = "biomcp sync clinvar --" + withSubmissions

// submissionFlags defines the flags of `sync clinvar`.
func submissionFlags(f *command.Flags) {
	syncFlags(f)
	f.Bool(withSubmissions, false, "also keep every submission (some 400 MB); later syncs keep them up to date")
	f.Rare(withSubmissions)
}

// syncClinVar syncs the variants, and the submissions if they are requested or on this machine.
func syncClinVar(ctx context.Context, in *command.Input) (*result.Result, error) {
	named := func(s *bulk.Set) set {
		return all()[slices.IndexFunc(all(), func(one set) bool { return one.Set == s })]
	}
	run := &TablesError{Next: strings.Fields(SubmissionsLine)[1:]}
	res := run.sync(ctx, in, named(bulk.ClinVar), true)
	if len(run.Errs) > 0 {
		return nil, run.Errs[0]
	}
	other := run.sync(ctx, in, named(bulk.ClinVarSubmissions), in.Bool(withSubmissions))
	if err := run.orNil(ctx); err != nil || other == nil {
		return res, err
	}
	both, more := res.Payload.(syncResult), other.Payload.(syncResult)
	both.Submissions = &more
	res.Payload = both
	for _, n := range other.Notices {
		res.Notice(more.Source + ": " + n)
	}
	return res, nil
}
