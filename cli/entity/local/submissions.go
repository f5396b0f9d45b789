package local

import (
	"context"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
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
	res, err := named(bulk.ClinVar).sync(ctx, in)
	if err != nil {
		return nil, err
	}
	submissions := named(bulk.ClinVarSubmissions)
	if _, err := submissions.storedInfo(ctx, in.App); table.IsAbsent(err) && !in.Bool(withSubmissions) {
		return res, nil
	}
	other, err := submissions.sync(ctx, in)
	if err != nil {
		return nil, err
	}
	both, more := res.Payload.(syncResult), other.Payload.(syncResult)
	both.Submissions = &more
	res.Payload = both
	for _, n := range other.Notices {
		res.Notice(submissions.Name + ": " + n)
	}
	return res, nil
}
