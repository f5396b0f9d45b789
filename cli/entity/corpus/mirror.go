package corpus

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/pubmedfiles"
	"biomcp/rag/intake"
)

// downloadFolder is the subfolder of the data folder for PubMed files during their import.
const downloadFolder = "pubmed-files"

func mirrorFlags(f *command.Flags) {
	f.Bool("all", false, "all of PubMed: the baseline of the year, then the update files")
	f.String("files", "", "with --all, only files of these numbers: 1-20, 1300- or 7")
	f.String("keep", "", "with --all, the folder to keep downloads in")
	f.Int("connections", 2, "with --all, how many files are downloaded at once, 1 to 4")
	f.Bool("force", false, "with --all, even if the disk is too small")
	f.HostOnly("keep")
	f.Rare("files", "keep", "connections", "force")
	f.Excludes("all", "it takes all of PubMed", "query-key", "term", "from", "overlap-days")
}

// mirrorOnly lists the flags that only --all accepts.
var mirrorOnly = []string{"files", "keep", "connections", "force"}

// checkMirror rejects flags and words that conflict with --all.
func checkMirror(in *command.Input) *result.Failure {
	all := in.Bool("all")
	for _, name := range mirrorOnly {
		if !all && in.Given(name) {
			return result.Invalid("--"+name+" is for sync pubmed --all", in.LineWith("--all", "true")...)
		}
	}
	if all && len(in.Args) > 0 {
		return result.Invalid(fmt.Sprintf("--all takes no file or folder: %q", command.Clip(in.Args[0])), "sync",
			"pubmed", "--all")
	}
	return nil
}

// fileNumbers parses --files: 7, 1-20, or 1300-, which sets to to 0. Empty text means all files.
func fileNumbers(text string) (from, to int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	r, ok := entity.ParseRange(text)
	if r.To == math.MaxInt {
		r.To = 0
	}
	if !ok || r.From > 9999 || r.To > 9999 {
		return 0, 0, result.Invalid(fmt.Sprintf("--files %s: the numbers of files are 7, 1-20 or 1300-",
			command.Clip(text)),
			"sync", "pubmed", "--all", "--files", "1-20")
	}
	return r.From, r.To, nil
}

// runMirror runs sync pubmed --all.
func runMirror(ctx context.Context, in *command.Input, o intake.Options) (intake.Report, error) {
	from, to, err := fileNumbers(in.String("files"))
	if err != nil {
		return intake.Report{}, err
	}
	network := in.App.Network()
	m := intake.MirrorOptions{
		Files: pubmedfiles.New(network), Dir: in.String("keep"), Keep: in.Given("keep"), From: from, To: to,
		Connections: in.Int("connections"),
		Begin:       func(p intake.Plan) error { return announce(in, p) },
	}
	if !m.Keep {
		dir, err := in.App.CorpusDir()
		if err != nil {
			return intake.Report{}, err
		}
		m.Dir = filepath.Join(dir, downloadFolder)
	}
	return intake.Mirror(ctx, o, m)
}

// announce prints what will be downloaded. It returns an error if the disk is too small.
func announce(in *command.Input, p intake.Plan) error {
	if p.New {
		fmt.Fprintln(in.IO.Err, pubmedfiles.Terms)
	}
	fmt.Fprintln(in.IO.Err, planText(p))
	if p.Fits() || in.Bool("force") {
		return nil
	}
	message := fmt.Sprintf("the disk cannot hold it: about %s are needed, and %s are free; --files 1-20 takes a part",
		result.Size(p.Disk), result.Size(p.Free))
	if !in.Bool("no-vectors") {
		message += ", --no-vectors needs less"
	}
	return &result.Failure{Code: result.Store, Message: message, Try: in.LineWith("--force", "true")}
}

// planText describes the plan in one or two lines.
func planText(p intake.Plan) string {
	switch {
	case p.Files == 0 && p.Before < p.Listed:
		return fmt.Sprintf("The requested files of 20%02d are imported, and %d of all %d.", p.Year, p.Before, p.Listed)
	case p.Files == 0:
		return fmt.Sprintf("All %d files of 20%02d are imported.", p.Before, p.Year)
	}
	free := ""
	if p.Free >= 0 {
		free = fmt.Sprintf(" of %s free", result.Size(p.Free))
	}
	return fmt.Sprintf("%s of 20%02d to download from %s on, %s (%d imported before); about %d records.\nThe "+
		"disk needs about %s%s, and the import %s, besides the time of the download.",
		english.Plural(p.Files, "file", ""), p.Year, p.First, result.Size(p.Download), p.Before, p.Records,
		result.Size(p.Disk), free, durationText(p.Import))
}

// durationText renders a duration in a suitable unit.
func durationText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("about %.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("about %.1f hours", d.Hours())
}

// mirrorRow returns the health row for all of PubMed; ok is false if it is not mirrored.
func mirrorRow(ctx context.Context, app *command.App) (row entity.Check, ok bool) {
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return row, false
	}
	m, ok, err := intake.ReadMirrorState(ctx, corpus)
	row = entity.Check{Name: "all of PubMed", Kind: "data", Status: "ok", Err: err}
	age := app.Now().Sub(m.Modified)
	row.Detail = lastFileText(m, age)
	// NLM publishes update files every day.
	if age > 7*24*time.Hour || m.Files < m.Number {
		row.Status = "behind"
	}
	return row, ok || err != nil
}

// lastFileText names the last imported file and its age.
func lastFileText(m intake.MirrorState, age time.Duration) string {
	days := int(age.Hours() / 24)
	text := fmt.Sprintf("%s imported, the last one is %s, %s old", english.Plural(m.Files, "file", ""), m.Last,
		english.Plural(max(days, 0), "day", ""))
	if lacks := m.Number - m.Files; lacks > 0 {
		text += fmt.Sprintf("; %s before it not imported", english.Plural(lacks, "file", ""))
	}
	return text
}
