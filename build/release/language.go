package release

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// description is the description of all packages.
const description = "Search and read the biomedical literature, for people, scripts and agents"

var prerelease = regexp.MustCompile(`-[a-z]+\.?(\d*)$`)

// pythonVersion converts a version to the syntax of PEP 440: 0.1.0-dev becomes 0.1.0.dev0.
func pythonVersion(version string) string {
	return prerelease.ReplaceAllStringFunc(version, func(s string) string {
		kind, n := strings.TrimRight(s[1:], ".0123456789"), cmp.Or(prerelease.FindStringSubmatch(s)[1], "0")
		return "." + map[string]string{"alpha": "a", "beta": "b", "rc": "rc", "dev": "dev"}[kind] + n
	})
}

// shim lets `uvx PACKAGE` run the binary, which a wheel installs under its own name.
const shim = `import os, subprocess, sys, sysconfig


def main():
    program = os.path.join(sysconfig.get_path("scripts"), "biomcp" + (".exe" if os.name == "nt" else ""))
    if os.name == "nt":
        sys.exit(subprocess.call([program] + sys.argv[1:]))
    os.execv(program, [program] + sys.argv[1:])
`

// wheel makes the wheel of a platform
// (https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
func (m *packer) wheel(p platform, program file) error {
	version, module := pythonVersion(m.version), strings.ReplaceAll(Name, "-", "_")
	base, info := module+"-"+version, module+"-"+version+".dist-info/"
	program.name = base + ".data/scripts/" + program.name
	tags := ""
	for tag := range strings.SplitSeq(p.wheel, ".") {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	files := []file{
		{name: module + "/__init__.py", mode: 0o644, data: []byte(shim)},
		program,
		{name: info + "METADATA", mode: 0o644, data: fillName("Metadata-Version: 2.1\nName: PACKAGE\nVersion: " + version + "\n" +
			"Summary: " + description + "\nLicense: MIT\nRequires-Python: >=3.8\n" +
			"Description-Content-Type: text/markdown\n\n" +
			"The program `biomcp`. `uvx PACKAGE` runs it, `pip install PACKAGE` installs it.\n\n" +
			"<!-- mcp-name: " + serverName() + " -->\n")},
		{name: info + "WHEEL", mode: 0o644, data: []byte("Wheel-Version: 1.0\nGenerator: biomcp\nRoot-Is-Purelib: false\n" + tags)},
		{name: info + "entry_points.txt", mode: 0o644, data: fillName("[console_scripts]\nPACKAGE = " + module + ":main\n")},
	}
	for _, l := range m.licences {
		files = append(files, file{name: info + "licenses/" + l.name, mode: l.mode, data: l.data})
	}
	record := ""
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	files = append(files, file{name: info + "RECORD", mode: 0o644, data: []byte(record + info + "RECORD,,\n")})
	wheel, err := m.zip(files)
	if err != nil {
		return err
	}
	return m.write(base+"-py3-none-"+p.wheel+".whl", wheel)
}

// npmName returns the name of the npm package of a platform.
func (p platform) npmName() string { return Name + "-" + p.npm[0] + "-" + p.npm[1] }

// npm makes the npm package of a platform, which npm installs only on that platform.
func (m *packer) npm(p platform, program file) error {
	program.name = "bin/" + program.name
	return m.npmPackage(p.npmName(), map[string]any{"os": []string{p.npm[0]}, "cpu": []string{p.npm[1]}}, program)
}

// npmMain makes the npm package that depends on those of all platforms and runs the binary.
func (m *packer) npmMain() error {
	optional := map[string]string{}
	for _, p := range platforms {
		optional[p.npmName()] = m.version
	}
	run := fillName(`#!/usr/bin/env node
const { spawnSync } = require("child_process");
const name = "PACKAGE-" + process.platform + "-" + process.arch;
let program;
try {
  program = require.resolve(name + "/bin/biomcp" + (process.platform === "win32" ? ".exe" : ""));
} catch {
  console.error("error: the package " + name + " is not installed\ntry:   npm install --include=optional PACKAGE");
  process.exit(1);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {}); // the program has them too
const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (done.error) throw done.error;
process.exit(done.status === null ? 130 : done.status);
`)
	return m.npmPackage(Name, map[string]any{
		"bin": map[string]string{Name: "run.js", "biomcp": "run.js"}, "optionalDependencies": optional,
		"mcpName": serverName(), "engines": map[string]string{"node": ">=16"},
	}, file{name: "run.js", mode: 0o755, data: run})
}

// npmPackage writes an npm package with one program and the given members of package.json.
func (m *packer) npmPackage(name string, members map[string]any, program file) error {
	members["name"], members["version"], members["description"], members["license"] = name, m.version, description, "MIT"
	text, err := json.MarshalIndent(members, "", "  ")
	if err != nil {
		return err
	}
	files := append([]file{{name: "package.json", mode: 0o644, data: append(text, '\n')}, program,
		{name: "README.md", mode: 0o644, data: fillName("The program `biomcp`. `npx PACKAGE` runs it.\n")}}, m.licences...)
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	packed, err := m.tar(files)
	if err == nil {
		packed, err = compress(packed)
	}
	if err != nil {
		return err
	}
	return m.write(name+"-"+m.version+".tgz", packed)
}
