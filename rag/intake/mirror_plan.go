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

// What one packed byte of PubMed's files becomes in the corpus, and how long it takes to
// import: 3,400 records a second on two processors were measured without vectors
// (BenchmarkImport_1M), 2,200 with (BenchmarkImportVectors_1M), of which half is reckoned
// with: 6,000 vectors a second. A record has 1,250 packed bytes (40.9 million in 51 GB),
// and takes 1.17 kB, as in a corpus of three million made-up ones, with vectors 1.59
// (BenchmarkGrowth_3M).
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

// DiskOfAll says what all of PubMed takes on the disk.
func DiskOfAll() string {
	gb := func(perRecord float64) float64 { return math.Ceil(perRecord*allRecords/5e9) * 5 }
	return fmt.Sprintf("some %.0f GB for all of PubMed without vectors, %.0f GB with", gb(diskPerRecord), gb(diskPerRecord+vectorPerRecord))
}

// Plan is what a Mirror is about to do, as far as the index of files says.
type Plan struct {
	Year     int
	Files    int           // to be downloaded
	Before   int           // imported by earlier runs
	First    string        // the first of them, "" if there is none
	Download int64         // bytes
	Records  int64         // about
	Disk     int64         // bytes that are needed, downloads among them
	Free     int64         // bytes there are, -1 where that is not known
	Import   time.Duration // about, downloads aside
	// New says that no file of this server was ever imported into the corpus.
	New bool
}

// Fits reports whether the disk can hold what the plan needs.
func (p Plan) Fits() bool { return p.Free < 0 || p.Disk <= p.Free }

// plan reckons with the sizes of the index.
func (r *mirror) plan(ctx context.Context) (Plan, error) {
	p := Plan{Year: r.index.Year, Files: len(r.todo), Before: r.before, Free: -1}
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
	all, err := r.o.Store.Imported(ctx, mirrorFolder)
	if err != nil {
		return p, err
	}
	p.New = all.Files == 0
	if all.Files > r.before { // a new year's: most of its records are there
		stats, err := r.o.Store.Stats(ctx)
		if err != nil {
			return p, err
		}
		grows = max(grows/10, grows-stats.Bytes)
	}
	p.Disk = grows + r.atOnce(p.Download, largest)
	if free, ok := disk.FreeSpace(existing(r.Dir)); ok {
		p.Free = free
	}
	return p, nil
}

// atOnce is how many bytes of downloads there are at once.
func (r *mirror) atOnce(all, largest int64) int64 {
	if r.Keep {
		return all
	}
	return min(all, int64(r.Connections+2)*largest)
}

// existing is the folder, or the nearest one above it that exists.
func existing(folder string) string {
	for {
		if _, ok := disk.FreeSpace(folder); ok || filepath.Dir(folder) == folder {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}

// MirrorState is how far Mirror has come.
type MirrorState struct {
	Last     string    // the file with the greatest number that is imported
	Modified time.Time // by the server's list
	Files    int       // imported, of its year
}

// StateOfMirror returns how far Mirror has come; ok is false if it has imported nothing.
func StateOfMirror(ctx context.Context, corpus *store.Store) (m MirrorState, ok bool, err error) {
	in, err := corpus.Imported(ctx, mirrorFolder)
	if err != nil || in.Files == 0 {
		return m, false, err
	}
	m = MirrorState{Last: filepath.Base(in.Last.Path), Modified: in.Last.ModTime}
	in, err = corpus.Imported(ctx, in.Last.Path[:len(mirrorFolder+"pubmed26n")])
	m.Files = in.Files
	return m, true, err
}
