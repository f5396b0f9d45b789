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

// Origin records the source of a study and its terms of use. It is saved with the study.
type Origin struct {
	StudyID     string    `json:"study_id"`
	URL         string    `json:"url"`    // address of the archive, or a description of the study
	SHA256      string    `json:"sha256"` // hash of the downloaded archive; "" without one
	Bytes       int64     `json:"bytes"`  // size of the downloaded archive
	Retrieved   time.Time `json:"retrieved"`
	Licence     string    `json:"licence"`      // licence of the source
	LicenceFile string    `json:"licence_file"` // the study's own licence file, in its folder; "" if absent
	Citation    string    `json:"citation"`     // from the study's meta file
	PMID        string    `json:"pmid"`
}

const originName = "biomcp-source.json"

// ReadOrigin returns the Origin saved with a study. ok is false if there is none, as for a study
// that was not added by this package.
func ReadOrigin(s *study.Study) (o Origin, ok bool) {
	body, err := os.ReadFile(filepath.Join(s.Folder(), originName))
	return o, err == nil && json.Unmarshal(body, &o) == nil
}

// Licence returns the name and the title of a study's licence file. The title is the first line
// with text. Both are "" if the study has no readable licence file.
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

// licenceIn returns the name of the licence file in a folder, or "" if there is none.
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
