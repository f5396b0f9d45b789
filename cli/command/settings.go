package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gofrs/flock"

	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
	"biomcp/store/replace"
)

// Settings holds the values of variables in the settings file, which `config set` writes. The
// environment overrides them.
type Settings struct {
	Path   string // "" if there is no folder for it
	Values map[string]string
	Err    error // the file exists and cannot be read; Values is empty
}

// An Origin says where the value of a variable comes from.
type Origin string

// The origins, in the order of their precedence. A flag overrides them all.
const (
	FromEnvironment Origin = "environment"
	FromFile        Origin = "file"
	FromDefault     Origin = "default"
)

// maxSettings is the maximum size of the settings file in bytes.
const maxSettings = 1 << 20

// errNotSettings is returned for a settings file that is damaged.
var errNotSettings = errors.New("it is not a JSON object of texts")

// readSettings reads the settings file of the environment. A missing file is empty.
func readSettings(lookup lookupFunc) Settings {
	dir := configHome(lookup)
	if dir == "" {
		return Settings{}
	}
	s := Settings{Path: filepath.Join(dir, "biomcp", "config.json")}
	s.Values, s.Err = readValues(s.Path)
	return s
}

// readValues reads a settings file.
func readValues(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil {
		return nil, err
	}
	var values map[string]string
	if len(data) > maxSettings || json.Unmarshal(data, &values) != nil {
		return nil, errNotSettings // the error of json may quote a key
	}
	return values, nil
}

// configHome returns the parent of the folder of the settings file, as os.UserConfigDir does, or "" if
// unknown.
func configHome(lookup lookupFunc) string {
	switch runtime.GOOS {
	case "windows":
		return value(lookup, "AppData")
	case "darwin":
		return joinHome(value(lookup, "HOME"), "Library", "Application Support")
	}
	if dir := value(lookup, "XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return joinHome(value(lookup, "HOME"), ".config")
}

// Change changes the settings file: it reads the file again, calls change and writes the values. Processes that
// change it at the same time wait for each other, and a process that is killed leaves the old file.
func (s Settings) Change(change func(values map[string]string)) (err error) {
	if s.Path == "" {
		return result.Invalid("no home folder found for settings: set HOME")
	}
	if err = os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return s.failure(err)
	}
	lock := flock.New(s.Path + ".lock")
	if err = lock.Lock(); err != nil {
		return s.failure(err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	values, err := readValues(s.Path)
	if err != nil {
		return s.failure(err)
	}
	if values == nil {
		values = map[string]string{}
	}
	before := maps.Clone(values)
	if change(values); maps.Equal(before, values) {
		return nil
	}
	if err = replace.PrivateFile(s.Path, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(values)
	}); err != nil {
		return s.failure(err)
	}
	return nil
}

// failure returns the error of a settings file that cannot be read or written.
func (s Settings) failure(err error) error {
	return &result.Failure{Code: result.Store, Try: result.Argv{"config", "--help"},
		Message: fmt.Sprintf("the settings file %s cannot be used: %v; repair or remove it", s.Path, err)}
}

// Problem returns the error of a settings file that cannot be read, or nil.
func (s Settings) Problem() error {
	if s.Err == nil {
		return nil
	}
	return s.failure(s.Err)
}

// over returns a lookup in the environment, then in the file.
func (s Settings) over(lookup lookupFunc) lookupFunc {
	return func(name string) (string, bool) {
		if v, ok := lookup(name); ok && strings.TrimSpace(v) != "" {
			return v, true
		}
		v, ok := s.Values[name]
		return v, ok
	}
}

// IsSecret reports whether the value of the variable must never be shown.
func (v Variable) IsSecret() bool {
	return strings.HasSuffix(v.Name, "_KEY") || strings.HasSuffix(v.Name, "_TOKEN")
}

// KeyVariable returns the variable for a key or token that name spells or is close to, or "". list holds
// the sources of the program.
func KeyVariable(name string, list ...*httpclient.Source) (known string) {
	var names []string
	for _, v := range Variables(list...) {
		if v.IsSecret() {
			names = append(names, v.Name)
		}
	}
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	for _, n := range names {
		if normalize(n) == normalize(name) {
			return n
		}
	}
	if known = Nearest(name, names); known != "" {
		return known
	}
	for _, n := range names { // API_KEY
		if strings.HasSuffix(normalize(n), normalize(name)) {
			return n
		}
	}
	return ""
}

// Shown returns a value of the variable for a reader. A secret is "set". An address has no password.
func (v Variable) Shown(text string) string {
	if text != "" && v.IsSecret() {
		return "set"
	}
	if u, err := url.Parse(text); err == nil && u.User != nil {
		return u.Redacted()
	}
	return text
}

// A Setting is a variable with its value.
type Setting struct {
	Variable
	Value  string // "" if not set and without a default
	Origin Origin
}

// AllSettings returns every variable of the environment with its value, in the order of Variables.
func (e Env) AllSettings() []Setting {
	return result.Map(Variables(e.Sources...), func(v Variable) Setting {
		s := Setting{Variable: v, Value: v.Default, Origin: FromDefault}
		if text, ok := e.given[v.Name]; ok {
			s.Value, s.Origin = text, FromEnvironment
		} else if text := strings.TrimSpace(e.Settings.Values[v.Name]); text != "" {
			s.Value, s.Origin = text, FromFile
		}
		return s
	})
}

// FindSetting returns the variable that name spells, ignoring letter case and hyphens. If not found, its error
// suggests the nearest one.
func (e Env) FindSetting(name string) (Setting, error) {
	all := e.AllSettings()
	for _, s := range all {
		if normalize(s.Name) == normalize(name) {
			return s, nil
		}
	}
	names := result.Map(all, func(s Setting) string { return s.Name })
	return Setting{}, result.Invalid(fmt.Sprintf("no setting %q%s", Clip(name),
		DidYouMean(strings.ToUpper(strings.ReplaceAll(name, "-", "_")), names)), "config", "list", "--long")
}

// CheckSetting returns an error if a value of a variable is invalid.
func (e Env) CheckSetting(name, text string) error {
	only := func(n string) (string, bool) { return text, n == name }
	return ReadEnv(only, "", e.Sources...).networkProblem
}
