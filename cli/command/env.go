package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// A Variable is an environment variable of this program, for the reference and for
// messages.
type Variable struct {
	Name, Default, Description string
	Service                    bool // the value is the address of a service

	field func(e *Env) *string // the field that stores a text value; nil if ReadEnv parses the value
}

// settings lists the variables that do not configure calls to sources.
var settings = []Variable{
	{"BIOMCP_DATA_DIR", "the platform's data folder", "folder of the corpus", false, nil},
	{"BIOMCP_STUDY_DIR", "studies in the data folder", "folder of the cohort studies", false, nil},
	{"BIOMCP_LIBRARY_DIR", "library in the data folder", "folder of the research library", false, nil},
	{"BIOMCP_CACHE_DIR", "the platform's cache folder", "folder of the response cache", false, nil},
	{"BIOMCP_EMBEDDINGS", "local", "local, static, openai or hf", false, func(e *Env) *string { return &e.Embeddings }},
	{"BIOMCP_EMBEDDINGS_MODEL", "",
		"model of openai or hf; for static the folder of a table of token vectors (model2vec) or its .safetensors file",
		false, func(e *Env) *string { return &e.EmbeddingsModel }},
	{"OPENAI_BASE_URL", "OpenAI's own", "address of an OpenAI-compatible service (/v1/embeddings)", false, nil},
	{"OPENAI_API_KEY", "", "API key of that service", false, func(e *Env) *string { return &e.OpenAIKey }},
	{"HF_EMBEDDINGS_URL", "", "address of a Text Embeddings Inference service",
		false, func(e *Env) *string { return &e.HFURL }},
	{"HF_TOKEN", "", "token of that service", false, func(e *Env) *string { return &e.HFToken }},
	{"BIOMCP_INDEX", "embedded", "embedded or weaviate", false, func(e *Env) *string { return &e.Index }},
	{"WEAVIATE_URL", "", "address of the Weaviate server", false, func(e *Env) *string { return &e.WeaviateURL }},
	{"WEAVIATE_API_KEY", "", "API key of the Weaviate server", false, func(e *Env) *string { return &e.WeaviateKey }},
	{"WEAVIATE_CLASS", "PubMedChunk", "class of the corpus", false, func(e *Env) *string { return &e.WeaviateClass }},
	{"MCP_TRANSPORT_TYPE", "stdio", "transport of biomcp serve: stdio or http",
		false, func(e *Env) *string { return &e.Transport }},
	{"MCP_CHART_IMAGES", "auto", "svg, png, or auto: PNG for clients known to pass pictures to a model",
		false, func(e *Env) *string { return &e.ChartImages }},
	{"MCP_HTTP_HOST", "127.0.0.1", "address that serve-http listens on",
		false, func(e *Env) *string { return &e.HTTPHost }},
	{"MCP_HTTP_PORT", "8080", "port that serve-http listens on", false, func(e *Env) *string { return &e.HTTPPort }},
	{"MCP_ALLOWED_ORIGINS", "", "origins of web pages that may call serve-http, separated by commas",
		false, func(e *Env) *string { return &e.AllowedOrigins }},
	{"MCP_AUTH_SECRET_KEY", "", "key of at least 32 bytes that signs the tokens of serve-http",
		false, func(e *Env) *string { return &e.AuthKey }},
	{"MCP_AUTH_ISSUER", "", "address of an OAuth or OpenID provider whose access tokens serve-http also accepts " +
		"(RS256, ES256), with the scope biomcp:read",
		false, func(e *Env) *string { return &e.AuthIssuer }},
	{"MCP_AUTH_AUDIENCE", "", "audience of its tokens for this server, preferably the address of its /mcp",
		false, func(e *Env) *string { return &e.AuthAudience }},
	{"MCP_LOG_LEVEL", "", "debug, info, warn or error", false, func(e *Env) *string { return &e.LogLevel }},
	{"MCP_LOG_QUERIES", "on", "off keeps the words of queries out of the log and the audit log",
		false, func(e *Env) *string { return &e.LogQueries }},
	{"LOGS_DIR", "", "folder for a log file", false, func(e *Env) *string { return &e.LogsDir }},
	{"BIOMCP_RELEASES_URL", "the project's own",
		"where biomcp update finds releases, such as a mirror; it always checks their signatures",
		false, func(e *Env) *string { return &e.Releases }},
	{"PAGER", "less", "program that shows long answers on a terminal; cat, or an empty value, turns paging off",
		false, func(e *Env) *string { return &e.Pager }},
	{"BIOMCP_PAGER", "", "as PAGER, which it overrides, for this program alone", false, nil},
	{"NO_COLOR", "", "no colour when set", false, nil},
}

// Variables returns every variable in the order of the documentation, including the keys and
// addresses of the listed sources.
func Variables(list ...*httpclient.Source) []Variable {
	vars := result.Map(sourcesWithKey(list), func(s *httpclient.Source) Variable {
		does := fmt.Sprintf("API key for %s: %s instead of %d", s.Label, s.Rate.Text(true), s.Rate.PerSecond)
		return Variable{Name: s.Key.Variable, Description: does}
	})
	delay, delayWithKey := ncbi.Rate.Delay(false).Milliseconds(), ncbi.Rate.Delay(true).Milliseconds()
	vars = append(vars, []Variable{
		{"NCBI_ADMIN_EMAIL", "", "e-mail address for NCBI to contact", false, nil},
		{"NCBI_TOOL_IDENTIFIER", "biomcp/<version>", "tool name sent to NCBI", false, nil},
		{"NCBI_REQUEST_DELAY_MS", fmt.Sprintf("%d, %d with a key", delay, delayWithKey), "milliseconds between requests " +
			"to one service; a smaller value is raised to the service's minimum", false, nil},
		{"NCBI_MAX_RETRIES", fmt.Sprint(httpclient.DefaultMaxRetries), "retries of a failed request", false, nil},
		{"NCBI_TIMEOUT_MS", fmt.Sprint(httpclient.DefaultTimeout.Milliseconds()), "milliseconds one request may take if " +
			"the answer comes from a single source; one of several sources has 5 s after the others", false, nil},
		{"NCBI_TOTAL_DEADLINE_MS", fmt.Sprint(httpclient.DefaultDeadline.Milliseconds()), "milliseconds a command that " +
			"reads may take, including the waiting time and retries of all its calls", false, nil},
	}...)
	for _, s := range list {
		vars = append(vars, Variable{s.Variable(), s.Address, "address of " + s.Label, true, nil})
	}
	return append(vars, settings...)
}

// sourcesWithKey returns the sources that accept an API key, one source for each key.
func sourcesWithKey(list []*httpclient.Source) (out []*httpclient.Source) {
	for _, s := range list {
		same := func(o *httpclient.Source) bool { return o.Key.Variable == s.Key.Variable }
		if s.Key.Variable != "" && !slices.ContainsFunc(out, same) {
			out = append(out, s)
		}
	}
	return out
}

// SourcesWithKey returns the sources that accept an API key, one source for each key.
func (e Env) SourcesWithKey() []*httpclient.Source { return sourcesWithKey(e.Sources) }

// Env holds the environment, read once. An invalid value is reported by the command that
// needs it.
type Env struct {
	Sources                             []*httpclient.Source
	Network                             httpclient.Config // shared by all sources
	DataDir, CacheDir                   string
	LibraryDir, StudyDir                string
	HomeDir                             string // "" if unknown
	LogLevel, LogsDir                   string
	LogQueries                          string // on or off
	Transport, HTTPHost, HTTPPort       string
	ChartImages                         string // auto, png or svg
	AllowedOrigins, AuthKey             string
	AuthIssuer, AuthAudience            string
	Embeddings, EmbeddingsModel         string
	OpenAIURL, OpenAIKey                string
	HFURL, HFToken                      string
	Index                               string
	WeaviateURL, WeaviateKey            string
	WeaviateClass                       string
	Pager, Releases                     string
	NoColor                             bool
	Settings                            Settings
	given                               map[string]string // the variables that the environment sets
	networkProblem, dataProb, cacheProb error
	libraryProb, studyProb              error
}

// ReadEnv reads the environment through lookup, for the listed sources.
func ReadEnv(lookup lookupFunc, version string, list ...*httpclient.Source) Env {
	settings := readSettings(lookup)
	read := settings.over(lookup)
	get := func(name, def string) string { return cmp.Or(strings.TrimSpace(value(read, name)), def) }
	e := Env{
		Sources: list, Settings: settings, given: map[string]string{},
		Network: httpclient.Config{
			Email: get("NCBI_ADMIN_EMAIL", ""), Tool: get("NCBI_TOOL_IDENTIFIER", "biomcp/"+version),
			Keys: map[string]string{}, Addresses: map[string]string{},
		},
		OpenAIURL: get("OPENAI_BASE_URL", ""),
	}
	for _, v := range Variables(list...) {
		if text, ok := lookup(v.Name); ok && strings.TrimSpace(text) != "" {
			e.given[v.Name] = strings.TrimSpace(text)
		}
		if v.field != nil {
			*v.field(&e) = get(v.Name, v.Default)
		}
	}
	e.NoColor = get("NO_COLOR", "") != ""
	e.readPager(get, lookup)
	e.readLimits(get)
	e.readSources(get)
	if e.HomeDir = value(lookup, "HOME"); runtime.GOOS == "windows" {
		e.HomeDir = value(lookup, "UserProfile")
	}
	e.readFolders(get, lookup)
	return e
}

// A getFunc returns the value of a setting without surrounding space, or the default if it is unset.
type getFunc = func(name, def string) string

// readPager reads the pager of biomcp alone. A pager that the environment sets to an empty value turns
// paging off, as git and gh do.
func (e *Env) readPager(get getFunc, lookup lookupFunc) {
	for _, name := range []string{"BIOMCP_PAGER", "PAGER"} {
		text, set := lookup(name)
		switch pager := get(name, ""); {
		case set && strings.TrimSpace(text) == "":
			e.Pager = "cat"
			return
		case pager != "":
			e.Pager = pager
			return
		}
	}
}

// readLimits reads the delays, retries and time limits of requests.
func (e *Env) readLimits(get getFunc) {
	number := func(name string, def, minimum int) int {
		s := get(name, strconv.Itoa(def))
		n, err := strconv.Atoi(s)
		if err != nil || n < minimum || n > 1<<30 {
			message := fmt.Sprintf("%s must be a whole number of at least %d, not %q", name, minimum, s)
			e.noteProblem(result.Invalid(message, "health"))
			return def
		}
		return n
	}
	milliseconds := func(name string, def time.Duration, minimum int) time.Duration {
		return time.Duration(number(name, int(def.Milliseconds()), minimum)) * time.Millisecond
	}
	e.Network.Delay = milliseconds("NCBI_REQUEST_DELAY_MS", 0, 0) // each source has its own minimum
	e.Network.MaxRetries = number("NCBI_MAX_RETRIES", httpclient.DefaultMaxRetries, 0)
	e.Network.Timeout = milliseconds("NCBI_TIMEOUT_MS", httpclient.DefaultTimeout, 1)
	e.Network.Deadline = milliseconds("NCBI_TOTAL_DEADLINE_MS", httpclient.DefaultDeadline, 1)
}

// readSources reads the keys and addresses of the sources.
func (e *Env) readSources(get getFunc) {
	for _, s := range e.Sources {
		if key := get(s.Key.Variable, ""); key != "" {
			e.Network.Keys[s.Key.Variable] = key
		}
		if address := get(s.Variable(), ""); address != "" {
			if _, err := httpclient.ParseAddress(address); err != nil {
				e.noteProblem(result.Invalid(s.Variable()+" must be an http or https address", "health"))
			}
			e.Network.Addresses[s.Name] = address
		}
	}
}

// noteProblem keeps the first error in the settings of the network.
func (e *Env) noteProblem(err error) {
	if e.networkProblem == nil {
		e.networkProblem = err
	}
}

// readFolders sets the folders of the program, or the errors that say why there are none.
func (e *Env) readFolders(get getFunc, lookup lookupFunc) {
	e.DataDir, e.dataProb = folder(get("BIOMCP_DATA_DIR", ""), "BIOMCP_DATA_DIR", dataHome, lookup)
	e.CacheDir, e.cacheProb = folder(get("BIOMCP_CACHE_DIR", ""), "BIOMCP_CACHE_DIR", cacheHome, lookup)
	subfolder := func(name, variable string) (string, error) {
		if dir := get(variable, ""); dir != "" {
			return folder(dir, variable, nil, lookup)
		}
		return filepath.Join(e.DataDir, name), e.dataProb
	}
	e.LibraryDir, e.libraryProb = subfolder("library", "BIOMCP_LIBRARY_DIR")
	e.StudyDir, e.studyProb = subfolder("studies", "BIOMCP_STUDY_DIR")
}

// folder returns the absolute path of the folder set, or the default folder of the platform
// if set is "". name is the variable to mention in an error.
func folder(set, name string, home func(lookupFunc) string, lookup lookupFunc) (string, error) {
	if set != "" {
		abs, err := filepath.Abs(set)
		if err != nil {
			return "", result.Invalid(name + " is not a valid folder name")
		}
		return abs, nil
	}
	if dir := home(lookup); dir != "" {
		return filepath.Join(dir, "biomcp"), nil
	}
	return "", result.Invalid("no home folder found for data: set "+name, "health")
}

// A lookupFunc looks up an environment variable, like os.LookupEnv.
type lookupFunc = func(string) (string, bool)

// dataHome returns the parent of the data folder: the XDG base directory or, on Windows and macOS,
// the platform's folder. It returns "" if unknown.
func dataHome(lookup lookupFunc) string {
	switch runtime.GOOS {
	case "windows":
		return value(lookup, "LocalAppData")
	case "darwin":
		return joinHome(value(lookup, "HOME"), "Library", "Application Support")
	}
	if dir := value(lookup, "XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return joinHome(value(lookup, "HOME"), ".local", "share")
}

// cacheHome returns the parent of the cache folder, by the same rules as dataHome.
func cacheHome(lookup lookupFunc) string {
	switch runtime.GOOS {
	case "windows":
		return joinHome(value(lookup, "LocalAppData"), "cache")
	case "darwin":
		return joinHome(value(lookup, "HOME"), "Library", "Caches")
	}
	if dir := value(lookup, "XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return joinHome(value(lookup, "HOME"), ".cache")
}

func value(lookup lookupFunc, name string) string {
	v, _ := lookup(name)
	return v
}

func joinHome(home string, parts ...string) string {
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, parts...)...)
}

// WithDirs returns a copy of the environment with other folders, and with the local model and index
// instead of services. Demonstrations use it.
func (e Env) WithDirs(dataDir, cacheDir string) Env {
	e.DataDir, e.CacheDir = dataDir, cacheDir
	e.LibraryDir, e.StudyDir = filepath.Join(dataDir, "library"), filepath.Join(dataDir, "studies")
	e.dataProb, e.cacheProb, e.libraryProb, e.studyProb = nil, nil, nil, nil
	e.Embeddings, e.Index = "local", "embedded"
	return e
}
