package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/sourcegraph/conc/pool"
)

// A platform is the target of a binary, as each kind of package names it.
type platform struct {
	os, arch string // as Go names them
	wheel    string // https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/
	npm      [2]string
	mcpb     string
}

// The Linux binary is static and runs with any C library. Go 1.26 requires macOS 12.
var platforms = []platform{
	{"linux", "amd64", "manylinux2014_x86_64.musllinux_1_1_x86_64", [2]string{"linux", "x64"}, "linux"},
	{"linux", "arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64", [2]string{"linux", "arm64"}, "linux"},
	{"darwin", "amd64", "macosx_12_0_x86_64", [2]string{"darwin", "x64"}, "darwin"},
	{"darwin", "arm64", "macosx_12_0_arm64", [2]string{"darwin", "arm64"}, "darwin"},
	{"windows", "amd64", "win_amd64", [2]string{"win32", "x64"}, "win32"},
	{"windows", "arm64", "win_arm64", [2]string{"win32", "arm64"}, "win32"},
}

// program returns the file name of the binary.
func (p platform) program() string {
	if p.os == "windows" {
		return "biomcp.exe"
	}
	return "biomcp"
}

// A file is a file in a package.
type file struct {
	name     string
	mode     int64
	data     []byte
	deflated []byte // data as a zip file holds it; nil if it is not compressed yet
}

// packer holds the data that all packages of a release share.
type packer struct {
	dist, version string
	modTime       time.Time // modification time of every file, for reproducible packages
	licences      []file
	bundles       map[platform]string // SHA-256 of each bundle
}

// pack makes the packages of the binaries in the output folder of GoReleaser.
func pack(dist, version string, at time.Time) error {
	m := &packer{dist: dist, version: version, modTime: at, bundles: map[platform]string{}}
	for _, name := range []string{"LICENSE", ".release/THIRD-PARTY-LICENSES.txt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		m.licences = append(m.licences, file{name: filepath.Base(name), mode: 0o644, data: text})
	}
	made := make([]madePackages, len(platforms))
	parallel := pool.New().WithErrors().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	for i, p := range platforms {
		parallel.Go(func() (err error) {
			made[i], err = m.platform(p)
			return err
		})
	}
	if err := parallel.Wait(); err != nil {
		return err
	}
	images := []platformImage{}
	for i, p := range platforms {
		m.bundles[p] = made[i].bundle
		if p.os == "linux" {
			images = append(images, made[i].image)
		}
	}
	for _, make := range []func() error{m.npmMain, m.server, m.conda} {
		if err := make(); err != nil {
			return err
		}
	}
	return m.image(images)
}

// madePackages holds the facts about the packages of a platform that the files for all platforms name.
type madePackages struct {
	bundle string // SHA-256
	image  platformImage
}

// platform makes the packages of a platform. The binary is compressed once for the wheel and the
// bundle, which are zip files.
func (m *packer) platform(p platform) (made madePackages, err error) {
	found, err := filepath.Glob(filepath.Join(m.dist, "biomcp_"+p.os+"_"+p.arch+"_*", p.program()))
	if err != nil || len(found) != 1 {
		return made, fmt.Errorf("no binary for %s/%s in %s", p.os, p.arch, m.dist)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return made, err
	}
	program := file{name: p.program(), mode: 0o755, data: data}
	if err := m.npm(p, program); err != nil {
		return made, err
	}
	if p.os == "linux" {
		if made.image, err = m.layer(p, program); err != nil {
			return made, err
		}
	}
	if program.deflated, err = deflate(data); err != nil {
		return made, err
	}
	if err := m.wheel(p, program); err != nil {
		return made, err
	}
	made.bundle, err = m.bundle(p, program)
	return made, err
}

// fillName replaces PACKAGE in a template with the name of the package.
func fillName(s string) []byte { return []byte(strings.ReplaceAll(s, "PACKAGE", Name)) }

// write writes a package to the output folder.
func (m *packer) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(m.dist, name), data, 0o644)
}

// zip returns a zip file, the format of wheels and bundles.
func (m *packer) zip(files []file) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: m.modTime}
		head.SetMode(os.FileMode(f.mode))
		data, create := f.data, z.CreateHeader
		if f.deflated != nil {
			data, create = f.deflated, z.CreateRaw
			head.CRC32 = crc32.ChecksumIEEE(f.data)
			head.CompressedSize64, head.UncompressedSize64 = uint64(len(f.deflated)), uint64(len(f.data))
		}
		w, err := create(head)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// tar returns a tar file. A name that ends in a slash becomes a folder that belongs to the
// user of the image. All other files belong to root.
func (m *packer) tar(files []file) ([]byte, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, f := range files {
		head := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: m.modTime, Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			head.Typeflag, head.Uid, head.Gid = tar.TypeDir, imageUser, imageUser
		}
		if err := t.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := t.Close()
	return b.Bytes(), err
}

// deflate compresses data as a zip file does.
func deflate(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// compress compresses data with gzip.
func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}
