package command

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"biomcp/cli/result"
)

// Variable is an environment variable this program reads, for the reference
// and for messages.
type Variable struct{ Name, Default, Does string }

// Variables is every variable, in the order of the documentation.
func Variables() []Variable {
	return []Variable{
		{"NCBI_API_KEY", "", "your NCBI key: 10 requests a second instead of 3"},
		{"NCBI_ADMIN_EMAIL", "", "whom NCBI may write to"},
		{"NCBI_TOOL_IDENTIFIER", "biomcp/<version>", "the tool name sent to NCBI"},
		{"NCBI_REQUEST_DELAY_MS", "350, 110 with a key", "milliseconds between requests; a smaller value is raised to the default"},
		{"NCBI_MAX_RETRIES", "5", "how often a failed request is sent again"},
		{"NCBI_TIMEOUT_MS", "30000", "milliseconds one request may take"},
		{"NCBI_TOTAL_DEADLINE_MS", "60000", "milliseconds a call may take with its queue and retries"},
		{"BIOMCP_ENTREZ_URL", publicEntrez, "the E-utilities"},
		{"BIOMCP_PUBTATOR_URL", publicPubTator, "PubTator3"},
		{"BIOMCP_IDCONV_URL", publicIDConv, "the PMC ID converter"},
		{"BIOMCP_DATA_DIR", "the platform's data folder", "where the corpus is kept"},
		{"BIOMCP_CACHE_DIR", "the platform's cache folder", "where responses are cached"},
		{"BIOMCP_EMBEDDINGS", "local", "local, openai or hf"},
		{"BIOMCP_EMBEDDINGS_MODEL", "", "the model of openai or hf"},
		{"OPENAI_BASE_URL", "OpenAI's own", "a service that speaks /v1/embeddings"},
		{"OPENAI_API_KEY", "", "its key"},
		{"HF_EMBEDDINGS_URL", "", "a Text Embeddings Inference service"},
		{"HF_TOKEN", "", "its token"},
		{"BIOMCP_INDEX", "embedded", "embedded or weaviate"},
		{"WEAVIATE_URL", "", "the Weaviate server"},
		{"WEAVIATE_API_KEY", "", "its key"},
		{"WEAVIATE_CLASS", "PubMedChunk", "the class of the corpus"},
		{"MCP_LOG_LEVEL", "", "debug, info, warn or error"},
		{"LOGS_DIR", "", "a folder that gets a log file as well"},
		{"NO_COLOR", "", "no colour when set"},
	}
}

const (
	publicEntrez   = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
	publicPubTator = "https://www.ncbi.nlm.nih.gov/research/pubtator3-api/"
	publicIDConv   = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
)

// Env is the environment, read once. Problems with a value are kept and told
// by the command that needs it.
type Env struct {
	APIKey, Email, Tool                string
	Delay, Timeout, Deadline           time.Duration
	MaxRetries                         int
	EntrezURL, PubTatorURL, IDConvURL  string
	DataDir, CacheDir                  string
	LogLevel, LogsDir                  string
	Embeddings, EmbeddingsModel        string
	OpenAIURL, OpenAIKey               string
	HFURL, HFToken                     string
	Index                              string
	WeaviateURL, WeaviateKey           string
	WeaviateClass                      string
	NoColor                            bool
	entrezProblem, dataProb, cacheProb error
}

// ReadEnv reads the environment through lookup.
func ReadEnv(lookup func(string) (string, bool), version string) Env {
	get := func(name, def string) string {
		if v, ok := lookup(name); ok && strings.TrimSpace(v) != "" {
			return strings.TrimSpace(v)
		}
		return def
	}
	e := Env{
		APIKey:      get("NCBI_API_KEY", ""),
		Email:       get("NCBI_ADMIN_EMAIL", ""),
		Tool:        get("NCBI_TOOL_IDENTIFIER", "biomcp/"+version),
		EntrezURL:   get("BIOMCP_ENTREZ_URL", publicEntrez),
		PubTatorURL: get("BIOMCP_PUBTATOR_URL", publicPubTator),
		IDConvURL:   get("BIOMCP_IDCONV_URL", publicIDConv),
		LogLevel:    get("MCP_LOG_LEVEL", ""),
		LogsDir:     get("LOGS_DIR", ""),

		Embeddings:      get("BIOMCP_EMBEDDINGS", "local"),
		EmbeddingsModel: get("BIOMCP_EMBEDDINGS_MODEL", ""),
		OpenAIURL:       get("OPENAI_BASE_URL", ""),
		OpenAIKey:       get("OPENAI_API_KEY", ""),
		HFURL:           get("HF_EMBEDDINGS_URL", ""),
		HFToken:         get("HF_TOKEN", ""),
		Index:           get("BIOMCP_INDEX", "embedded"),
		WeaviateURL:     get("WEAVIATE_URL", ""),
		WeaviateKey:     get("WEAVIATE_API_KEY", ""),
		WeaviateClass:   get("WEAVIATE_CLASS", "PubMedChunk"),
	}
	e.NoColor = get("NO_COLOR", "") != ""
	problem := func(err error) {
		if e.entrezProblem == nil {
			e.entrezProblem = err
		}
	}
	number := func(name string, def, least int) int {
		s := get(name, strconv.Itoa(def))
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > 1<<30 {
			problem(result.Invalid(fmt.Sprintf("%s must be a whole number of at least %d, not %q", name, least, s), "health"))
			return def
		}
		return n
	}
	floor := 350
	if e.APIKey != "" {
		floor = 110
	}
	e.Delay = time.Duration(max(number("NCBI_REQUEST_DELAY_MS", floor, 0), floor)) * time.Millisecond
	e.MaxRetries = number("NCBI_MAX_RETRIES", 5, 0)
	e.Timeout = time.Duration(number("NCBI_TIMEOUT_MS", 30000, 1)) * time.Millisecond
	e.Deadline = time.Duration(number("NCBI_TOTAL_DEADLINE_MS", 60000, 1)) * time.Millisecond
	for _, u := range []struct{ name, value string }{
		{"BIOMCP_ENTREZ_URL", e.EntrezURL}, {"BIOMCP_PUBTATOR_URL", e.PubTatorURL}, {"BIOMCP_IDCONV_URL", e.IDConvURL},
	} {
		p, err := url.Parse(u.value)
		if err != nil || p.Host == "" || p.Scheme != "http" && p.Scheme != "https" {
			problem(result.Invalid(u.name+" must be an http or https address", "health"))
		}
	}
	e.DataDir, e.dataProb = folder(get("BIOMCP_DATA_DIR", ""), "BIOMCP_DATA_DIR", dataHome, lookup)
	e.CacheDir, e.cacheProb = folder(get("BIOMCP_CACHE_DIR", ""), "BIOMCP_CACHE_DIR", cacheHome, lookup)
	return e
}

// folder is the folder a variable names, or the platform's.
func folder(set, name string, home func(func(string) (string, bool)) string, lookup func(string) (string, bool)) (string, error) {
	if set != "" {
		abs, err := filepath.Abs(set)
		if err != nil {
			return "", result.Invalid(name + " is not a folder name")
		}
		return abs, nil
	}
	if dir := home(lookup); dir != "" {
		return filepath.Join(dir, "biomcp"), nil
	}
	return "", result.Invalid("there is no home folder to keep data in: set "+name, "health")
}

// dataHome follows the XDG base directory specification, and the platform's
// custom elsewhere.
func dataHome(lookup func(string) (string, bool)) string {
	switch runtime.GOOS {
	case "windows":
		return value(lookup, "LocalAppData")
	case "darwin":
		return under(value(lookup, "HOME"), "Library", "Application Support")
	}
	if dir := value(lookup, "XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return under(value(lookup, "HOME"), ".local", "share")
}

func cacheHome(lookup func(string) (string, bool)) string {
	switch runtime.GOOS {
	case "windows":
		return under(value(lookup, "LocalAppData"), "cache")
	case "darwin":
		return under(value(lookup, "HOME"), "Library", "Caches")
	}
	if dir := value(lookup, "XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return under(value(lookup, "HOME"), ".cache")
}

func value(lookup func(string) (string, bool), name string) string {
	v, _ := lookup(name)
	return v
}

func under(home string, parts ...string) string {
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, parts...)...)
}

// OSEnv looks variables up in this process.
func OSEnv(name string) (string, bool) { return os.LookupEnv(name) }

// In is the same environment with other folders, and without a service: for a
// demonstration that asks nobody.
func (e Env) In(dataDir, cacheDir string) Env {
	e.DataDir, e.CacheDir, e.dataProb, e.cacheProb = dataDir, cacheDir, nil, nil
	e.Embeddings, e.Index = "local", "embedded"
	return e
}
