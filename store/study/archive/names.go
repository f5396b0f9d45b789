package archive

import (
	"archive/tar"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// names records the entries of an archive seen so far. Names that refer to one file on a file
// system that ignores case or Unicode normalization share a key.
type names struct {
	study  string
	limits Limits
	seen   map[string]entry
	bytes  int64
}

type entry struct {
	name   string
	folder bool
	listed bool // has its own entry in the archive
}

// add checks the header of an entry and returns its name below the study's folder. The name is
// "" if the entry needs no file or folder.
func (n *names) add(h *tar.Header) (name string, err error) {
	n.bytes += int64(len(h.Name) + len(h.Linkname))
	for key, value := range h.PAXRecords {
		n.bytes += int64(len(key) + len(value))
	}
	if n.bytes > n.limits.Names {
		return "", rejectionf("its names are longer than %d bytes", n.limits.Names)
	}
	folder := h.Typeflag == tar.TypeDir
	switch {
	case h.Typeflag == tar.TypeXGlobalHeader:
		return "", nil
	case !folder && h.Typeflag != tar.TypeReg:
		return "", rejectionf("%s is a link or a device", quoteName(h.Name))
	case h.Size > n.limits.Member:
		return "", rejectionf("%s is longer than %d bytes", quoteName(h.Name), n.limits.Member)
	}
	name = path.Clean(h.Name)
	if name == "." && folder {
		return "", nil
	}
	if problem := badName(h.Name); problem != "" {
		return "", rejectionf("%s %s", quoteName(h.Name), problem)
	}
	below, inside := strings.CutPrefix(name, n.study+"/")
	isStudyFolder := name == n.study && folder
	if !inside && !isStudyFolder {
		return "", rejectionf("%s is not in the folder %s", quoteName(h.Name), n.study)
	}
	if err := n.record(name, folder); err != nil {
		return "", err
	}
	if !inside {
		return "", nil
	}
	return below, nil
}

// record records a name and its parent folders.
func (n *names) record(name string, folder bool) error {
	for i, r := range name {
		if r != '/' {
			continue
		}
		if before, ok := n.seen[key(name[:i])]; !ok {
			n.seen[key(name[:i])] = entry{name: name[:i], folder: true}
		} else if err := clash(before, name[:i], true); err != nil {
			return err
		}
	}
	before, ok := n.seen[key(name)]
	if ok {
		if err := clash(before, name, folder); err != nil {
			return err
		}
		if before.listed {
			return rejectionf("%s appears twice", quoteName(name))
		}
	}
	n.seen[key(name)] = entry{name, folder, true}
	if len(n.seen) > n.limits.Entries {
		return rejectionf("it has more than %d files and folders", n.limits.Entries)
	}
	return nil
}

func clash(before entry, name string, folder bool) error {
	switch {
	case before.name != name:
		return rejectionf("%s and %s would be one file on some systems", quoteName(before.name), quoteName(name))
	case before.folder != folder:
		return rejectionf("%s is both a file and a folder", quoteName(name))
	}
	return nil
}

func key(name string) string { return cases.Fold().String(norm.NFC.String(name)) }

// badName says why a name is not acceptable on every system, or returns "" if it is.
func badName(name string) string {
	name = strings.TrimSuffix(name, "/")
	switch {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "is not a valid file name"
	case strings.HasPrefix(name, "/"):
		return "is an absolute name"
	case strings.ContainsAny(name, `\:*?"<>|`):
		return "is not a valid file name on some systems"
	case len(name) > 1000:
		return "is too long for a file name"
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "..":
			return "leads out of its folder"
		case part != "." && strings.TrimRight(part, ". ") != part, len(part) > 255:
			return "is not a valid file name on some systems"
		}
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "leads out of its folder"
	}
	return ""
}
