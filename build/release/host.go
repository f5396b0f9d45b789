package release

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // for program.json
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"biomcp/build/home"
)

// repository returns the account and the name of the repository on GitHub: those of the workflow that
// runs, those of the project's address, or "biomcp".
func repository() (owner, name string) {
	at := home.Current()
	_, name, _ = strings.Cut(os.Getenv("GITHUB_REPOSITORY"), "/")
	return cmp.Or(os.Getenv("GITHUB_REPOSITORY_OWNER"), at.Owner, "biomcp"), cmp.Or(name, at.Name, "biomcp")
}

// repositoryURL returns the address of the repository.
func repositoryURL() string {
	owner, name := repository()
	return "https://github.com/" + owner + "/" + name
}

// serverName returns the name of the server in the registry of MCP servers.
func serverName() string {
	owner, name := repository()
	return "io.github." + owner + "/" + name
}

// programJSON describes the program: what packages must say of it. "go run ./build" writes it, so that
// this package does not link the program.
//
//go:embed program.json
var programJSON []byte

// Metadata holds the facts about the program that packages state.
type Metadata struct {
	Version  string    `json:"version"`  // the version that is worked on
	Settings []Setting `json:"settings"` // the variables that a host asks its user for
}

// A Setting is a variable of the environment.
type Setting struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Secret      bool   `json:"secret,omitempty"`
	Folder      bool   `json:"folder,omitempty"`
}

// metadata returns the contents of program.json.
var metadata = sync.OnceValue(func() (p Metadata) {
	if err := json.Unmarshal(programJSON, &p); err != nil {
		panic(err) // the generator wrote it
	}
	return p
})

// bundleName returns the file name of the bundle of a platform.
func (p platform) bundleName(version string) string {
	return fmt.Sprintf("biomcp_%s_%s_%s.mcpb", version, p.os, p.arch)
}

// bundle makes the bundle of a platform, which a user opens with a host such as Claude Desktop
// (https://github.com/anthropics/mcpb/blob/main/MANIFEST.md). It returns the SHA-256 of the bundle.
func (m *packer) bundle(p platform, program file) (sum string, err error) {
	type object = map[string]any
	userConfig, env := object{}, object{"MCP_CHART_IMAGES": "png"}
	for _, s := range metadata().Settings {
		kind := "string"
		if s.Folder {
			kind = "directory"
		}
		userConfig[s.Name] = object{"type": kind, "title": s.Title, "description": s.Description,
			"required": false, "sensitive": s.Secret, "default": ""}
		env[s.Name] = "${user_config." + s.Name + "}"
	}
	program.name = "server/" + program.name
	manifest, err := json.MarshalIndent(object{
		"manifest_version": "0.3", "name": "biomcp", "display_name": "BioMCP",
		"version": m.version, "description": description,
		"author": object{"name": "The authors of BioMCP"}, "license": "MIT",
		"server": object{"type": "binary", "entry_point": program.name, "mcp_config": object{
			"command": "${__dirname}/" + program.name, "args": []string{"serve"}, "env": env}},
		"tools":         []object{{"name": "biomcp", "description": "Run a read-only biomcp command line"}},
		"user_config":   userConfig,
		"compatibility": object{"platforms": []string{p.mcpb}},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	files := append([]file{{name: "manifest.json", mode: 0o644, data: manifest}, program}, m.licences...)
	data, err := m.zip(files)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), m.write(p.bundleName(m.version), data)
}

// server makes server.json for the registry of MCP servers.
func (m *packer) server() error {
	type object = map[string]any
	variables := []object{}
	for _, s := range metadata().Settings {
		variable := object{"name": s.Name, "description": s.Description, "isRequired": false, "isSecret": s.Secret}
		variables = append(variables, variable)
	}
	packages := []object{}
	add := func(kind, id string, members object) {
		members["registryType"], members["identifier"] = kind, id
		members["transport"], members["environmentVariables"] = object{"type": "stdio"}, variables
		packages = append(packages, members)
	}
	serve := []object{{"type": "positional", "value": "serve"}}
	add("npm", Name, object{"version": m.version, "packageArguments": serve})
	add("pypi", Name, object{"version": pythonVersion(m.version), "runtimeHint": "uvx", "packageArguments": serve})
	add("oci", imageName(m.version), object{"packageArguments": serve})
	for _, p := range platforms {
		add("mcpb", m.downloadURL(p.bundleName(m.version)), object{"fileSha256": m.bundles[p]})
	}
	text, err := json.MarshalIndent(object{
		"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":    serverName(), "title": "BioMCP", "description": description, "version": m.version,
		"repository": object{"url": repositoryURL(), "source": "github"},
		"packages":   packages,
	}, "", "  ")
	if err != nil {
		return err
	}
	return m.write("server.json", append(text, '\n'))
}

// downloadURL returns the address of a file of the release.
func (m *packer) downloadURL(name string) string {
	return repositoryURL() + "/releases/download/v" + m.version + "/" + name
}

// conda makes a rattler-build recipe that installs the archives.
func (m *packer) conda() error {
	recipe := "schema_version: 1\npackage:\n  name: biomcp\n  version: \"" + pythonVersion(m.version) + "\"\nsource:\n"
	for _, p := range platforms {
		ending, test := "tar.gz", map[string]string{"linux": "linux", "darwin": "osx", "windows": "win"}[p.os]
		if p.os == "windows" {
			ending = "zip"
		}
		name := fmt.Sprintf("biomcp_%s_%s_%s.%s", m.version, p.os, p.arch, ending)
		data, err := os.ReadFile(filepath.Join(m.dist, name))
		if err != nil {
			return err
		}
		arch := map[string]string{"amd64": "x86_64", "arm64": "not x86_64"}[p.arch]
		recipe += fmt.Sprintf("  - if: %s and %s\n    then:\n      url: %s\n      sha256: %x\n",
			test, arch, m.downloadURL(name), sha256.Sum256(data))
	}
	return m.write("conda.yaml", []byte(recipe+`build:
  number: 0
  script:
    - if: unix
      then: install -D -m 755 biomcp "$PREFIX/bin/biomcp" && install -D -m 644 -t "$PREFIX/share/man/man1" man/*.1
      else: copy biomcp.exe "%LIBRARY_BIN%\biomcp.exe"
tests:
  - script: biomcp version
about:
  summary: `+description+`
  license: MIT
  license_file: [LICENSE, THIRD-PARTY-LICENSES.txt]
`))
}
