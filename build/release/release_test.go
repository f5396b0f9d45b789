package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"go.yaml.in/yaml/v3"
)

// config returns the settings of goreleaser.yaml that tests use.
func config(t *testing.T) (c struct {
	Builds []struct{ Goos, Goarch, Tags, Gcflags, Env []string }
	Nfpms  []struct{ Formats []string }
	Sboms  []struct{ Documents []string }
}) {
	t.Helper()
	text, err := os.ReadFile("goreleaser.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The platforms, the build tag and the settings of the compiler equal those in goreleaser.yaml.
func TestPlatformsOfTheConfiguration(t *testing.T) {
	build := config(t).Builds[0]
	var want, got []string
	for _, goos := range build.Goos {
		for _, goarch := range build.Goarch {
			want = append(want, goos+"/"+goarch)
		}
	}
	for _, p := range platforms {
		got = append(got, p.os+"/"+p.arch)
	}
	if !slices.Equal(got, want) {
		t.Errorf("platforms: got %v, want those of the configuration, %v", got, want)
	}
	if want := "-tags=" + strings.Join(build.Tags, ","); tag != want {
		t.Errorf("build tag: got %q, want that of the configuration, %q", tag, want)
	}
	if want := "-gcflags=" + strings.Join(build.Gcflags, ","); gcflags != want {
		t.Errorf("flags of the compiler: got %q, want those of the configuration, %q", gcflags, want)
	}
	if !slices.Equal(compilerEnv, build.Env) {
		t.Errorf("environment of the compiler: got %q, want that of the configuration, %q", compilerEnv, build.Env)
	}
}

// Without a network and with an empty module cache, the error names a missing module and the next step.
func TestFillModuleCacheWithoutANetwork(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	for what, err := range map[string]error{
		"the program for linux/amd64":          Run([]string{"--snapshot"}),
		"the tools of build/release/tools.mod": listPackages("the tools of build/release/tools.mod", platforms[0], tools...),
	} {
		for _, want := range []string{what, "GOPROXY=off", "GOPROXY=https://proxy.golang.org"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want an error with %q", what, err, want)
			}
		}
		if module := regexp.MustCompile(`lacks \S+\.\S+/\S+ v\d\S* of `); err != nil && !module.MatchString(err.Error()) {
			t.Errorf("%s: got %v, want the name and version of a module", what, err)
		}
	}
}

func TestUnknownCommandIsRefused(t *testing.T) {
	for _, args := range [][]string{{"made-up"}, {"parts"}, {"pack", "1.0.0"}, {"bill", "1.0.0", "file"}, {"pack", "1.0.0", "now"}, {"sign"}} {
		if err := Run(args); err == nil {
			t.Errorf("%q: got no error", args)
		}
	}
}

// The licences of Go and of each module in the binary of any platform are listed, with their texts.
func TestLicences(t *testing.T) {
	t.Chdir("../..")
	text, err := licences()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Go\n==\n", "modernc.org/sqlite ", "github.com/inconshreveable/mousetrap ", "Redistribution and use"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("got no %q among the licences", want)
		}
	}
}

// The output of `go run ./build release --snapshot` contains all files of the configuration, and
// they match the list of checksums.
func TestWhatWasMade(t *testing.T) {
	dist := filepath.Join("..", "..", "dist")
	list, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		t.Skip("no release was made here: go run ./build release --snapshot")
	}
	var meta struct{ Version string }
	text, err := os.ReadFile(filepath.Join(dist, "metadata.json"))
	if err == nil {
		err = json.Unmarshal(text, &meta)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := config(t)
	want := map[string]int{".cdx.json": len(platforms), ".whl": len(platforms), ".mcpb": len(platforms), ".tgz": len(platforms) + 1, ".oci.tar": 1, "server.json": 1, "conda.yaml": 1}
	for _, format := range c.Nfpms[0].Formats {
		want["."+format] = 2 // Linux, on two architectures
	}
	for _, p := range platforms {
		want["_"+p.os+"_"+p.arch+map[bool]string{true: ".zip", false: ".tar.gz"}[p.os == "windows"]] = 1
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		data, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			t.Error(err)
		}
		if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
			t.Errorf("checksum of %s: got %x, want %s", name, got, sum)
		}
		known := false
		for ending := range want {
			if strings.HasSuffix(name, ending) && !(ending == ".tar.gz" && strings.Contains(name, "_")) {
				want[ending]--
				known = true
			}
		}
		if !known {
			t.Errorf("%s is in the list of checksums but not in the configuration", name)
		}
	}
	for ending, missing := range want {
		if missing != 0 {
			t.Errorf("%s: %d are missing", ending, missing)
		}
	}
	for _, file := range []string{"homebrew/Casks/biomcp.rb", "scoop/biomcp.json", "winget/manifests/b/biomcp/biomcp/" + meta.Version + "/biomcp.biomcp.installer.yaml"} {
		text, err := os.ReadFile(filepath.Join(dist, file))
		if err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(text), meta.Version) {
			t.Errorf("%s does not contain the version %s", file, meta.Version)
		}
	}
}

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "0.1.0-dev": "0.1.0.dev0", "1.0.0-rc.2": "1.0.0.rc2", "1.0.0-beta1": "1.0.0.b1"} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// Packages of a program of two bytes are reproducible and contain the program.
func TestPackagesOfASmallProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{"LICENSE": "made up", ".release/THIRD-PARTY-LICENSES.txt": "made up"}
	for _, p := range platforms {
		files["dist/biomcp_"+p.os+"_"+p.arch+"_x/"+p.program()] = "hi"
		files["dist/biomcp_1.0.0_"+p.os+"_"+p.arch+map[bool]string{true: ".zip", false: ".tar.gz"}[p.os == "windows"]] = "made up"
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packAll := func() map[string][]byte {
		if err := pack("dist", "1.0.0", time.Unix(1e9, 0).UTC()); err != nil {
			t.Fatal(err)
		}
		all := map[string][]byte{}
		entries, err := os.ReadDir("dist")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if data, err := os.ReadFile(filepath.Join("dist", e.Name())); err == nil {
				all[e.Name()] = data
			}
		}
		return all
	}
	first := packAll()
	for name, data := range packAll() {
		if !bytes.Equal(first[name], data) {
			t.Errorf("%s differs from the first one", name)
		}
	}
	wheel := "biomcp_go-1.0.0-py3-none-win_amd64.whl"
	z, err := zip.NewReader(bytes.NewReader(first[wheel]), int64(len(first[wheel])))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := z.Open("biomcp_go-1.0.0.data/scripts/biomcp.exe"); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(data); err != nil {
		t.Error(err)
	} else if string(text) != "hi" {
		t.Errorf("program in the wheel: got %q, want %q", text, "hi")
	}
	g, err := gzip.NewReader(bytes.NewReader(first["biomcp-go-linux-x64-1.0.0.tgz"]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(g); ; {
		head, err := r.Next()
		if err != nil {
			break
		}
		names = append(names, head.Name)
	}
	for _, want := range []string{"package/bin/biomcp", "package/package.json"} {
		if !slices.Contains(names, want) {
			t.Errorf("npm package: got the files %v, want %s among them", names, want)
		}
	}
	var server struct {
		Packages []struct {
			FileSha256           string
			EnvironmentVariables []struct {
				Name     string
				IsSecret bool
			}
		}
	}
	if err := json.Unmarshal(first["server.json"], &server); err != nil {
		t.Fatal(err)
	}
	if got, want := len(server.Packages), len(platforms)+3; got != want {
		t.Fatalf("server.json: got %d packages, want %d: %+v", got, want, server)
	}
	last, sum := server.Packages[len(server.Packages)-1], sha256.Sum256(first["biomcp_1.0.0_windows_arm64.mcpb"])
	if want := hex.EncodeToString(sum[:]); last.FileSha256 != want {
		t.Errorf("checksum of the last bundle: got %s, want %s", last.FileSha256, want)
	}
	if key := last.EnvironmentVariables[1]; !key.IsSecret {
		t.Errorf("the variable %s is not secret", key.Name)
	}
}

// The index of the layout has one entry, the list of platforms, so that tools can copy the image
// without a choice.
func TestTheImageIsOne(t *testing.T) {
	t.Chdir(t.TempDir())
	m := packer{dist: ".", version: "1.0.0", modTime: time.Unix(1e9, 0).UTC()}
	var images []platformImage
	for _, p := range platforms[:2] {
		all, err := m.layer(p, file{name: "biomcp", mode: 0o755, data: []byte("hi")})
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, all)
	}
	if err := m.image(images); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("biomcp_1.0.0.oci.tar")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := map[string][]byte{}
	for r := tar.NewReader(f); ; {
		head, err := r.Next()
		if err != nil {
			break
		}
		if files[head.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	var outer, list struct{ Manifests []blob }
	if err := json.Unmarshal(files["index.json"], &outer); err != nil {
		t.Fatal(err)
	}
	if n := len(outer.Manifests); n != 1 {
		t.Fatalf("index.json: got %d entries, want 1: %+v", n, outer)
	}
	if got := outer.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; got != "1.0.0" {
		t.Fatalf("name of the image: got %q, want 1.0.0", got)
	}
	inner := files["blobs/sha256/"+strings.TrimPrefix(outer.Manifests[0].Digest, "sha256:")]
	if err := json.Unmarshal(inner, &list); err != nil {
		t.Error(err)
	}
	if got, want := len(inner), outer.Manifests[0].Size; got != want {
		t.Errorf("list of platforms: got %d bytes, want %d", got, want)
	}
	if n := len(list.Manifests); n != 2 {
		t.Fatalf("list of platforms: got %d entries, want 2: %+v", n, list)
	}
	if got := list.Manifests[0].Platform["os"]; got != "linux" {
		t.Errorf("first platform: got %q, want linux", got)
	}
}

// A synthetic key pair for TestSign. The private key is encrypted with the password "made up" at
// the lowest cost. Decrypting a regular key of minisign takes three seconds and a gigabyte by
// design.
const (
	lockedKey = "untrusted comment: minisign encrypted secret key\n" +
		"RWRTY0Iyf0VFxWyXrJHMl/CbcRa3P2Fzprbn6AgvMykouoNscekAgAAAAAAAAAAAAAEAAAAAcP+Se5Pe/dYtzzQZE0lngTvsKu9QwLSm" +
		"jwKZwMTAN4PlHmDphAt0Svgfy3MKb1CNALtdw46WPojIrNm9r83tAgoSUBfp7e/HiWqX1d0+ONO3taAT8BX2mjYvXMSzp4d4ILjbwr5VO6c="
	publicKey = "RWTBY0tJC7tvTt/sUi9ALtfXPuneobTPhRNk8exVNmcrbdLF+HL+IkjV"
)

// A signature of sign is valid for the library with which `biomcp update` verifies releases.
func TestSign(t *testing.T) {
	dir := t.TempDir()
	var public minisign.PublicKey
	err := errors.Join(public.UnmarshalText([]byte(publicKey)),
		os.WriteFile(filepath.Join(dir, "key"), []byte(lockedKey), 0o600), os.WriteFile(filepath.Join(dir, "list"), []byte("sums"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("MINISIGN_KEY_FILE", filepath.Join(dir, "key"))
	t.Setenv("MINISIGN_PASSWORD", "another")
	if err := sign(filepath.Join(dir, "list"), filepath.Join(dir, "signature")); err == nil {
		t.Error("another password opens the key")
	}
	t.Setenv("MINISIGN_PASSWORD", "made up")
	if err := sign(filepath.Join(dir, "list"), filepath.Join(dir, "signature")); err != nil {
		t.Fatal(err)
	}
	signature, err := os.ReadFile(filepath.Join(dir, "signature"))
	if err != nil {
		t.Error(err)
	}
	if !minisign.Verify(public, []byte("sums"), signature) {
		t.Errorf("the signature is invalid: %q", signature)
	}
}
