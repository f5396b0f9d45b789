package intake

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"biomcp/store"
	"biomcp/store/disk"
)

// Disk space and time per packed byte of PubMed's files. On two processors an import without
// vectors stored 3,400 records a second (BenchmarkImport_1M), and one with vectors 2,200
// (BenchmarkImportVectors_1M), which is 6,000 vectors a second. The estimate assumes half of
// each. A record has 1,250 packed bytes (40.9 million in 51 GB). In a corpus of three million
// synthetic records it takes 1.17 kB, or 1.59 kB with vectors (BenchmarkGrowth_3M).
const (
	allRecords       = 40.9e6
	bytesPerRecord   = 1250
	diskPerRecord    = 1200. // without vectors
	vectorPerRecord  = 430.
	diskPerByte      = diskPerRecord / bytesPerRecord
	vectorsPerByte   = vectorPerRecord / bytesPerRecord
	secondsPerByte   = 1 / (1700. * bytesPerRecord) // without vectors
	vectorsPerSecond = 3000.
)

// MirrorDiskText returns a text with the disk space that all of PubMed takes.
func MirrorDiskText() string {
	gb := func(perRecord float64) float64 { return math.Ceil(perRecord*allRecords/5e9) * 5 }
	return fmt.Sprintf("some %.0f GB for all of PubMed without vectors, %.0f GB with",
		gb(diskPerRecord), gb(diskPerRecord+vectorPerRecord))
}

// A Plan describes the work of a Mirror run before it starts, according to the index of files.
type Plan struct {
	Year     int
	Files    int           // number of files to download
	Before   int           // number of files imported by earlier runs
	Listed   int           // number of files in the index
	First    string        // name of the first file to download, or ""
	Download int64         // bytes to download
	Records  int64         // estimated number of records
	Disk     int64         // bytes needed, including downloads
	Free     int64         // bytes available, or -1 if unknown
	Import   time.Duration // estimated time without downloads
	// New reports whether no file of this server was ever imported into the corpus.
	New bool
}

// Fits reports whether the free disk space is enough for the plan, or is unknown.
func (p Plan) Fits() bool { return p.Free < 0 || p.Disk <= p.Free }

// plan computes the Plan from the sizes in the index.
func (r *mirror) plan(ctx context.Context) (Plan, error) {
	p := Plan{Year: r.index.Year, Files: len(r.todo), Before: r.before, Free: -1,
		Listed: len(r.index.Baseline) + len(r.index.Updates)}
	var largest int64
	for i, f := range r.todo {
		if i == 0 {
			p.First = f.Name
		}
		p.Download += f.Size
		largest = max(largest, f.Size)
	}
	perByte, seconds := diskPerByte, secondsPerByte
	if !r.o.NoVectors {
		perByte, seconds = perByte+vectorsPerByte, seconds+1/(vectorsPerSecond*bytesPerRecord)
	}
	p.Records = p.Download / bytesPerRecord
	p.Import = time.Duration(seconds * float64(p.Download) * float64(time.Second)).Round(time.Second)
	grows := int64(perByte * float64(p.Download))
	all, err := r.o.Store.ImportedFiles(ctx, mirrorFolder)
	if err != nil {
		return p, err
	}
	p.New = all.Files == 0
	if all.Files > r.before { // files of another year: most records are stored already
		stats, err := r.o.Store.Stats(ctx)
		if err != nil {
			return p, err
		}
		grows = max(grows/10, grows-stats.Bytes)
	}
	p.Disk = grows + r.maxDownloadBytes(p.Download, largest)
	if free, ok := disk.FreeSpace(existingFolder(r.Dir)); ok {
		p.Free = free
	}
	return p, nil
}

// maxDownloadBytes returns the maximum number of bytes of downloads on the disk at one time.
func (r *mirror) maxDownloadBytes(all, largest int64) int64 {
	if r.Keep {
		return all
	}
	return min(all, int64(r.Connections+2)*largest)
}

// existingFolder returns folder, or its nearest ancestor that exists.
func existingFolder(folder string) string {
	for {
		if _, ok := disk.FreeSpace(folder); ok || filepath.Dir(folder) == folder {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}

// MirrorState describes the progress of Mirror.
type MirrorState struct {
	Last     string    // name of the imported file with the greatest number
	Modified time.Time // modification time in the server's list
	Number   int       // number of that file in its year; without a gap it equals Files
	Files    int       // number of imported files of the same year
}

// ReadMirrorState returns the progress of Mirror. ok is false if Mirror has imported nothing.
func ReadMirrorState(ctx context.Context, corpus *store.Store) (m MirrorState, ok bool, err error) {
	in, err := corpus.ImportedFiles(ctx, mirrorFolder)
	if err != nil || in.Files == 0 {
		return m, false, err
	}
	m = MirrorState{Last: filepath.Base(in.Last.Path), Modified: in.Last.ModTime, Number: int(fileNumber(filepath.Base(in.Last.Path)) % 10_000)}
	in, err = corpus.ImportedFiles(ctx, in.Last.Path[:len(mirrorFolder+"pubmed26n")])
	m.Files = in.Files
	return m, true, err
}
