package library

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pattern"
)

// maxName is the maximum length of a name, in bytes, on common file systems.
const maxName = 255

const scheme = "research://"

// devices matches names that mean a device on Windows, with any extension.
var devices = pattern.Lazy(`^(?i:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$`)

// IsName reports whether name is valid for a project or, if it ends in ".md", for a file: one path
// element on every system, not hidden.
func IsName(name string) bool {
	bad := func(r rune) bool { return !unicode.IsGraphic(r) || strings.ContainsRune(`/\:*?"<>|`, r) }
	switch {
	case name == "" || len(name) > maxName:
		return false
	case !utf8.ValidString(name) || strings.ContainsFunc(name, bad):
		return false
	case name != strings.TrimSpace(name) || name[0] == '.' || strings.HasSuffix(name, "."):
		return false
	}
	return !devices().MatchString(name)
}

// isFileName reports whether name is valid for a file.
func isFileName(name string) bool {
	return IsName(name) && strings.HasSuffix(name, ".md") && len(name) > len(".md")
}

// URI returns research://<project>/<file>, percent-encoded.
func URI(project, file string) string {
	return scheme + url.PathEscape(project) + "/" + url.PathEscape(file)
}

// ParseURI splits a URI into the names of project and file. It decodes them once and rejects
// invalid names.
func ParseURI(uri string) (project, file string, ok bool) {
	path, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return "", "", false
	}
	project, file, ok = strings.Cut(path, "/")
	if !ok || strings.ContainsAny(path, "?#") {
		return "", "", false
	}
	var errs [2]error
	project, errs[0] = url.PathUnescape(project)
	file, errs[1] = url.PathUnescape(file)
	ok = errs == [2]error{} && IsName(project) && isFileName(file)
	return project, file, ok
}
