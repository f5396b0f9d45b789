package table

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"biomcp/entrez/fault"
	"biomcp/store/disk"
)

// Info describes a stored data set.
type Info struct {
	Name      string    `json:"name"`
	Version   int       `json:"version"` // 1 for the first stored version, incremented by each replacement
	Rows      int       `json:"rows"`
	Skipped   int       `json:"skipped"` // rows of the files that could not be read
	Problem   string    `json:"problem"` // why the first of them could not be read
	Source    string    `json:"source"`  // publisher
	URL       string    `json:"url"`
	Licence   string    `json:"licence"`
	StoredAt  time.Time `json:"stored_at"`
	CheckedAt time.Time `json:"checked_at"` // when the source was last known to have this version
	Files     []File    `json:"files"`
}

// File describes one of the files from which a version was read.
type File struct {
	Name      string `json:"name"`
	URL       string `json:"url"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Validator string `json:"validator"` // validator for a conditional request; "" if the source sent none
	Modified  string `json:"modified"`  // Last-Modified of the source; "" if it sent none
}

// Bytes returns the total size of the files.
func (i Info) Bytes() (n int64) {
	for _, f := range i.Files {
		n += f.Bytes
	}
	return n
}

// AbsentError is returned if a data set is not on this machine.
type AbsentError struct{ Set string }

func (e *AbsentError) Error() string { return "the local table " + e.Set + " is not on this machine" }

// Meaning returns the code NotFound and the command that stores the set.
func (e *AbsentError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.NotFound, Next: strings.Fields("sync " + e.Set)}
}

// IsAbsent reports whether err means that a data set, or the whole file, does not exist.
func IsAbsent(err error) bool {
	return errors.As(err, new(*AbsentError)) || disk.IsKind(err, disk.NotFound)
}

// Info returns the description of a data set. The error is an *AbsentError if it was never stored.
func (t *Tables) Info(ctx context.Context, set string) (info Info, err error) {
	err = t.read(ctx, "read local tables", func(tx *sql.Tx) error {
		info, err = infoOf(ctx, tx, set)
		return err
	})
	return info, err
}

func infoOf(ctx context.Context, tx queryRower, set string) (info Info, err error) {
	var text string
	err = tx.QueryRowContext(ctx, "SELECT info FROM dataset WHERE name=?", set).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return info, &AbsentError{set}
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &info)
	}
	return info, err
}

// MarkChecked records that the source of a data set still has the stored version.
func (t *Tables) MarkChecked(ctx context.Context, set string, at time.Time) (info Info, err error) {
	err = t.write(ctx, "write local tables", func(tx *sql.Conn) error {
		if info, err = infoOf(ctx, tx, set); err != nil {
			return err
		}
		info.CheckedAt = at.UTC()
		return info.put(ctx, tx)
	})
	return info, err
}

func (i Info) put(ctx context.Context, tx *sql.Conn) error {
	text, err := json.Marshal(i)
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO dataset VALUES(?,?)", i.Name, text)
	}
	return err
}

// forSet replaces each S in a statement with the name of a data set.
func forSet(set, statement string) string {
	if strings.Trim(set, "abcdefghijklmnopqrstuvwxyz-") != "" {
		panic(fmt.Sprintf("table: %q is not a valid data set name", set)) // names are constants
	}
	return strings.ReplaceAll(statement, "_S", "_"+strings.ReplaceAll(set, "-", "_"))
}

// fold returns the text in the form used for comparison: in lower case, with single spaces.
func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// EqualText reports whether two texts are equal apart from case and spaces.
func EqualText(a, b string) bool { return fold(a) == fold(b) }
