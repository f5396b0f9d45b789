package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"biomcp/store/study"
)

// Origin is where a study was taken from, and on what terms. It is kept with the study.
type Origin struct {
	StudyID     string    `json:"study_id"`
	URL         string    `json:"url"`    // of the archive, or what the study is
	SHA256      string    `json:"sha256"` // of the archive as it came; "" without one
	Bytes       int64     `json:"bytes"`  // of the same
	Retrieved   time.Time `json:"retrieved"`
	Licence     string    `json:"licence"`      // of the place it was taken from
	LicenceFile string    `json:"licence_file"` // the study's own, in its folder; "" if it has none
	Citation    string    `json:"citation"`     // as the study has it
	PMID        string    `json:"pmid"`
}

const originName = "biomcp-source.json"

// OriginOf is the note that is kept with a study; ok is false if there is none, as
// with one that was not put there by this package.
func OriginOf(s *study.Study) (o Origin, ok bool) {
	body, err := os.ReadFile(filepath.Join(s.Folder(), originName))
	return o, err == nil && json.Unmarshal(body, &o) == nil
}

// Licence is the file of a study that holds its licence and the first line of it, ""
// where it has none.
func Licence(s *study.Study) (file, title string) {
	file = licenceIn(s.Folder())
	f, err := os.Open(filepath.Join(s.Folder(), file))
	if file == "" || err != nil {
		return "", ""
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, 4<<10))
	for lines.Scan() {
		if title = strings.TrimSpace(strings.TrimLeft(lines.Text(), "# ")); title != "" {
			return file, title
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return "", "" // the file cannot be read
	}
	return file, "see the file"
}

// licenceIn is the name of the file in a folder that holds a licence, "" for none.
func licenceIn(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		name, _, _ := strings.Cut(strings.ToUpper(e.Name()), ".")
		if name == "LICENSE" || name == "LICENCE" || name == "DATA_LICENSE" {
			return e.Name()
		}
	}
	return ""
}
