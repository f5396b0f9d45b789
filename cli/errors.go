package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/cli/entity/corpus"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/rag/lsa"
	"biomcp/rag/weaviate"
	"biomcp/store"
	files "biomcp/store/library"
	"biomcp/store/study"
	"biomcp/store/table"
)

// statusOf returns the exit status for a failure code.
func statusOf(code result.Code) int {
	if code == result.Validation {
		return 2
	}
	return 1
}

// hintOf returns the command to suggest after a failure that suggests none itself.
func hintOf(code result.Code) result.Argv {
	if code == result.Validation || code == result.NotFound {
		return result.Argv{"list"}
	}
	return result.Argv{"health"}
}

// entityOf returns the entity that reads the summaries of an NCBI database.
func entityOf(db string) string {
	switch db {
	case "clinvar", "snp":
		return "variant"
	case "medgen":
		return "disease"
	case "gtr":
		return "diagnostic"
	case "pubmed":
		return "article"
	}
	return db
}

// ExitStatus returns the exit status of an outcome.
func ExitStatus(o result.Outcome) int {
	switch {
	case o.Failure == nil:
		return 0
	case o.Failure.Status != 0:
		return o.Failure.Status
	}
	return statusOf(o.Failure.Code)
}

// failureOf converts the typed errors of lower packages to failures. It is the only function
// that does.
func failureOf(ctx context.Context, err error) *result.Failure {
	f := classify(ctx, err)
	if len(f.Try) == 0 {
		f.Try = hintOf(f.Code)
	}
	return f
}

func classify(ctx context.Context, err error) *result.Failure {
	if failure, ok := errors.AsType[*result.Failure](err); ok {
		return failure
	}
	if keys, ok := errors.AsType[*corpus.KeysError](err); ok {
		first, try := classify(ctx, keys.Errs[0]), result.Argv{"sync", "pubmed", "--query-key", keys.Keys[0]}
		if len(first.Try) > 0 {
			try = first.Try
		}
		return &result.Failure{Code: first.Code, Status: 1, Message: keys.Error(),
			Details: map[string]any{"keys": keys.Report}, Try: try}
	}
	if incomplete, ok := errors.AsType[*intake.Incomplete](err); ok {
		return incompleteFailure(ctx, incomplete)
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return &result.Failure{Code: result.Upstream, Message: "interrupted", Status: interrupted}
	}
	if ncbi, ok := errors.AsType[*httpclient.Error](err); ok {
		details := map[string]any{"service": ncbi.Service}
		if ncbi.Status != 0 {
			details["status"] = ncbi.Status
		}
		if ncbi.RetryAfter > 0 {
			details["retry_after_seconds"] = int(ncbi.RetryAfter.Seconds() + 0.5)
		}
		code := entrezCodes[ncbi.Kind]
		switch {
		case code == result.Entrez && !ofNCBI(ncbi.Service):
			code = result.Upstream
		case ncbi.Kind == httpclient.Upstream && ncbi.Service == entrez.Source.Label && refusedBy(ncbi.Status):
			code = result.Entrez
		}
		f := &result.Failure{Code: code, Message: ncbi.Error(), Details: details}
		if large, ok := errors.AsType[*entrez.TooLargeError](err); ok {
			f.Try = result.Argv{"list", entityOf(large.DB)} // the service is well; other searches may avoid the record
		}
		return f
	}
	if f := corpusFailure(err); f != nil {
		return f
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &result.Failure{Code: result.Upstream, Message: "the call timed out; ask for less at once"}
	case errors.Is(err, context.Canceled):
		return &result.Failure{Code: result.Upstream, Message: "the call was cancelled"}
	}
	return bug()
}

// refusedBy reports whether an HTTP status rejects a request, whatever page comes with it.
func refusedBy(status int) bool { return status >= 400 && !httpclient.Temporary(status) }

// ofNCBI reports whether label names a service of NCBI. An empty label does.
func ofNCBI(label string) bool {
	return label == "" || slices.ContainsFunc(sources.All(), func(s *httpclient.Source) bool {
		return s.Label == label && strings.Contains(s.Address, "ncbi.nlm.nih.gov/")
	})
}

var entrezCodes = map[httpclient.Kind]result.Code{
	httpclient.RateLimited: result.RateLimit,
	httpclient.Unreachable: result.Upstream,
	httpclient.Timeout:     result.Upstream,
	httpclient.Upstream:    result.Upstream,
	httpclient.Refused:     result.Entrez,
	httpclient.BadKey:      result.Entrez,
	httpclient.NotFound:    result.NotFound,
	httpclient.Invalid:     result.Validation,
}

// corpusFailure converts an error of local storage, the embeddings, the vector engine or a
// study to a failure. It returns nil for any other error.
func corpusFailure(err error) *result.Failure {
	var storeErr *store.Error
	var libraryErr *files.Error
	var studyErr *study.Error
	var saveErr *httpclient.FileError
	var heldErr *store.HeldError
	var file *intake.FileError
	var input *intake.InputError
	var records *intake.RecordsError
	var watermark *intake.WatermarkError
	var index *intake.IndexError
	var embed *rag.EmbedError
	var engine *weaviate.Error
	var model *intake.ModelError
	var analysis *rag.AnalysisError
	var absentErr *table.AbsentError
	var refusedErr *local.RefusedError
	var movedErr *bulk.MovedError
	switch {
	case errors.As(err, &absentErr):
		return &result.Failure{Code: result.NotFound, Message: absentErr.Error(), Try: local.SyncCommand(absentErr.Set)}
	case errors.As(err, &refusedErr):
		f := &result.Failure{Code: result.Upstream, Message: refusedErr.Error(), Try: local.SyncCommand(refusedErr.Set.Name)}
		if refusedErr.Fewer {
			f.Try = append(f.Try, "--force")
		}
		return f
	case errors.As(err, &movedErr):
		return &result.Failure{Code: result.Upstream, Message: movedErr.Error()}
	case errors.As(err, &model):
		return &result.Failure{Code: result.Invariant, Message: model.Error(), Try: result.Argv{"sync", "embeddings"}}
	case errors.As(err, &analysis):
		return &result.Failure{Code: result.Invariant,
			Message: analysis.Error() + "; import its records again into an empty data folder",
			Try:     result.Argv{"sync", "pubmed", "--help"}}
	case errors.Is(err, lsa.ErrDamaged):
		return &result.Failure{Code: result.Store,
			Message: "the corpus: " + lsa.ErrDamaged.Error() + "; it can be made again",
			Try:     result.Argv{"sync", "embeddings"}}
	case errors.As(err, &storeErr):
		f := &result.Failure{Code: result.Store, Message: storeErr.Error()}
		switch storeErr.Kind {
		case store.NotFound:
			f.Code, f.Try = result.NotFound, result.Argv{"sync", "pubmed", "--help"}
		case store.OtherLayout:
			f.Code, f.Try = result.Invariant, result.Argv{"sync", "pubmed", "--help"}
		case store.ModelMismatch:
			f.Code = result.Invariant
		case store.Invalid:
			f.Code = result.Validation
		case store.Corrupt:
			if store.IsDamagedCorpus(err) {
				f.Try = result.Argv{"sync", "repair"}
			}
		}
		return f
	case errors.As(err, &libraryErr):
		f := &result.Failure{Code: result.Store, Message: libraryErr.Error()}
		switch libraryErr.Kind {
		case store.NotFound:
			f.Code, f.Try = result.NotFound, result.Argv{"search", "library"}
		case store.Invalid:
			f.Code = result.Validation
		}
		return f
	case errors.As(err, &studyErr):
		return studyFailure(studyErr)
	case errors.As(err, &saveErr):
		return &result.Failure{Code: result.Store, Message: saveErr.Error()}
	case errors.As(err, &heldErr):
		return &result.Failure{Code: result.Store, Message: heldErr.Error()}
	case errors.As(err, &file):
		return &result.Failure{Code: result.Store, Message: file.Error()}
	case errors.As(err, &input):
		return &result.Failure{Code: result.Validation, Message: input.Error(),
			Try: result.Argv{"sync", "pubmed", "--help"}}
	case errors.As(err, &watermark):
		return &result.Failure{Code: result.Invariant, Message: watermark.Error(),
			Try: result.Argv{"sync", "checkpoint", watermark.Key, watermark.Right}}
	case errors.As(err, &index):
		return &result.Failure{Code: result.Upstream, Message: index.Error(), Try: result.Argv{"sync", "pubmed", "--all"}}
	case errors.As(err, &records):
		f := &result.Failure{Code: result.Upstream, Message: records.Error()}
		if records.Skip != "" {
			f.Try = result.Argv{"sync", "checkpoint", records.Key, records.Skip}
		}
		return f
	case errors.As(err, &engine):
		f := &result.Failure{Code: result.Weaviate, Message: engine.Error()}
		switch engine.Kind {
		case weaviate.Invariant:
			f.Code, f.Try = result.Invariant, result.Argv{"sync", "index"}
		case weaviate.Missing:
			f.Try = result.Argv{"sync", "index"}
		}
		return f
	case errors.As(err, &embed):
		return &result.Failure{Code: result.Embeddings, Message: embed.Error()}
	}
	return nil
}

// incompleteFailure returns the failure of a sync that stored only a part. It has the code of the
// first cause, and the report in its details.
func incompleteFailure(ctx context.Context, u *intake.Incomplete) *result.Failure {
	f := &result.Failure{Code: result.Unknown}
	if len(u.Causes) > 0 {
		cause := classify(ctx, u.Causes[0])
		f.Code, f.Status, f.Try = cause.Code, cause.Status, cause.Try
	}
	f.Message = u.Error()
	if f.Code == result.Validation {
		f.Status = 1 // the command line was right
	}
	f.Details = map[string]any{"report": u.Report, "causes": causes(u.Causes)}
	return f
}

// causes returns the distinct texts of errs.
func causes(errs []error) []string {
	out := []string{}
	for _, err := range errs {
		if text := err.Error(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// bug returns the failure for an unexpected error. It does not show the error's text.
func bug() *result.Failure {
	return &result.Failure{
		Code:    result.Unknown,
		Message: "something went wrong inside biomcp; run it again with -vv to see what, and please report it",
		Try:     result.Argv{"health"},
	}
}

// errInterrupted is the cause of a context that was cancelled by Ctrl-C or SIGTERM.
var errInterrupted = errors.New("interrupted")

// interrupted is the exit status after an interrupt: 128 plus the number of SIGINT.
const interrupted = 130

// studyFailure converts an error about a study or one of its files to a failure.
func studyFailure(err *study.Error) *result.Failure {
	f := &result.Failure{Code: result.Store, Message: err.Error(), Try: result.Argv{"study", "list"}}
	switch err.Kind {
	case study.NotFound, study.NoData:
		f.Code = result.NotFound
	case study.NoPanel:
		f.Code, f.Try = result.NotFound, result.Argv{"study", "download", err.Study}
	case study.Invalid:
		f.Code = result.Validation
	case study.BadArchive:
		f.Code, f.Try = result.Upstream, result.Argv{"study", "download", "--list"}
	}
	return f
}
