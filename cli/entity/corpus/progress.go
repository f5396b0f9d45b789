package corpus

import (
	"biomcp/cli/command"
	"biomcp/rag/intake"
)

// progress shows the progress of a sync, until done.
func progress(in *command.Input) (show func(intake.Progress), stop func()) {
	start := in.App.Now()
	draw, stop := in.ShowProgress("")
	return func(p intake.Progress) {
		at, total := p.Bytes, p.TotalBytes
		switch {
		case p.TotalParts > 0:
			at, total = int64(p.Parts), int64(p.TotalParts)
		case p.TotalVectors > 0:
			at, total = int64(p.Vectors), int64(p.TotalVectors)
		case total == 0:
			at, total = int64(p.Records), int64(p.TotalRecords)
		}
		draw(min(at, max(total, 1)), total, func() string { return p.Line(in.App.Now().Sub(start)) })
	}, stop
}
