package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/store/study"
)

// hdr is an entry of an archive, a file if its type is zero.
type hdr struct {
	tar.Header
	body string
}

func file(name, body string) hdr { return hdr{tar.Header{Name: name}, body} }

func typed(kind byte, name, link string) hdr {
	return hdr{tar.Header{Typeflag: kind, Name: name, Linkname: link}, ""}
}

func folder(name string) hdr { return typed(tar.TypeDir, name, "") }

const meta = "type_of_cancer: mixed\ncancer_study_identifier: s\nname: Made up\ncitation: Nobody et al.\npmid: 1\n"

// pack returns an archive of a small study s with additional entries.
func pack(t testing.TB, entries ...hdr) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range append([]hdr{folder("s/"), file("s/meta_study.txt", meta)}, entries...) {
		if e.Typeflag != tar.TypeXGlobalHeader {
			e.Mode, e.Size = 0o777, int64(len(e.body))
		}
		if err := w.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// install unpacks an archive as study s and returns the folder of studies.
func install(t testing.TB, archive []byte, most Limits) (studies string, origin Origin, err error) {
	t.Helper()
	studies = filepath.Join(t.TempDir(), "studies")
	w, err := Begin(studies, "s")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.WriteFile(w.ArchivePath(), archive, 0o600); err != nil {
		t.Fatal(err)
	}
	origin, err = w.Unpack(t.Context(), Origin{URL: "https://datahub.example/s.tar.gz"}, most)
	return studies, origin, err
}

// files returns the contents of all files below a folder.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			if name != "." {
				all[name+"/"] = ""
			}
			return nil
		}
		body, err := os.ReadFile(path)
		all[name] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestHostileArchivesAreRefusedAndLeaveNothing(t *testing.T) {
	whole := pack(t, file("s/data.txt", strings.Repeat("row\n", 5000)))
	lying := bytes.Clone(whole)
	lying[len(lying)-1] ^= 1 // the length
	wrong := bytes.Clone(whole)
	wrong[len(wrong)-6] ^= 1 // the checksum
	many := make([]hdr, 20)
	for i := range many {
		many[i] = file(fmt.Sprintf("s/%d", i), "")
	}
	small := Limits{Entries: 15, Member: 10_000, Total: 40_000, Names: 1000}
	for name, c := range map[string]struct {
		archive []byte
		says    string
	}{
		"a name that leads out":            {pack(t, file("s/../../escape", "x")), "leads out of its folder"},
		"a name that leads out and in":     {pack(t, file("s/../s/x", "x")), "leads out of its folder"},
		"an absolute name":                 {pack(t, file("/tmp/escape", "x")), "absolute name"},
		"a backslash":                      {pack(t, file(`s\..\..\escape`, "x")), "on some systems"},
		"a drive":                          {pack(t, file(`s/C:x`, "x")), "on some systems"},
		"a dot at the end":                 {pack(t, file("s/data.txt.", "x")), "on some systems"},
		"a newline":                        {pack(t, file("s/a\nb", "x")), "not a valid file name"},
		"a file in no folder":              {pack(t, file("data.txt", "x")), "not in the folder s"},
		"another study's folder":           {pack(t, file("other/data.txt", "x")), "not in the folder s"},
		"a folder in other case":           {pack(t, file("S/data.txt", "x")), "not in the folder s"},
		"a symbolic link":                  {pack(t, typed(tar.TypeSymlink, "s/link", "/etc")), "link or a device"},
		"a hard link":                      {pack(t, typed(tar.TypeLink, "s/link", "s/meta_study.txt")), "link or a device"},
		"a device":                         {pack(t, typed(tar.TypeChar, "s/null", "")), "link or a device"},
		"a block device":                   {pack(t, typed(tar.TypeBlock, "s/disk", "")), "link or a device"},
		"a pipe":                           {pack(t, typed(tar.TypeFifo, "s/pipe", "")), "link or a device"},
		"a name twice":                     {pack(t, file("s/a", "1"), file("s/a", "2")), "appears twice"},
		"a name in two cases":              {pack(t, file("s/data.txt", "1"), file("s/DATA.txt", "2")), "one file on some systems"},
		"a folder in two cases":            {pack(t, file("s/lists/a", "1"), file("s/Lists/b", "2")), "one file on some systems"},
		"a name in two forms of Unicode":   {pack(t, file("s/\u00e9", "1"), file("s/e\u0301", "2")), "one file on some systems"},
		"a file that is a folder":          {pack(t, file("s/a", "1"), file("s/a/b", "2")), "both a file and a folder"},
		"a folder that is a file":          {pack(t, file("s/a/b", "2"), file("s/a", "1")), "both a file and a folder"},
		"the note of this program":         {pack(t, file("s/"+originName, "{}")), "appears twice"},
		"a file that is too long":          {pack(t, file("s/a", strings.Repeat("x", 10_001))), "longer than 10000 bytes"},
		"files that are too long":          {pack(t, file("s/a", strings.Repeat("x", 9999)), file("s/b", strings.Repeat("x", 9999)), file("s/c", strings.Repeat("x", 9999)), file("s/d", strings.Repeat("x", 9999))), "too large when unpacked"},
		"too many files":                   {pack(t, many...), "more than 15 files"},
		"too many folders in one name":     {pack(t, file("s"+strings.Repeat("/d", 20), "")), "more than 15 files"},
		"names that are too long":          {pack(t, file("s/"+strings.Repeat("n", 200), ""), hdr{tar.Header{Name: "s/x", PAXRecords: map[string]string{"BIOMCP.x": strings.Repeat("n", 900)}}, ""}), "longer than 1000 bytes"},
		"a truncated file":                 {whole[:len(whole)/2], "damaged or cut off"},
		"a file without its end":           {whole[:len(whole)-8], "damaged or cut off"},
		"a wrong length":                   {lying, "damaged or cut off"},
		"a wrong checksum":                 {wrong, "damaged or cut off"},
		"something behind the archive":     {append(bytes.Clone(whole), "more"...), "damaged or cut off"},
		"no gzip":                          {[]byte("<html></html>"), "damaged or cut off"},
		"nothing":                          {nil, "damaged or cut off"},
		"another study":                    {bytes.Clone(repack(t, strings.Replace(meta, "identifier: s", "identifier: other", 1))), `holds the study "other", not s`},
		"no study":                         {repack(t, "nothing: here\n"), "no study in cBioPortal's format"},
		"blanks without end, behind a tar": {gzipped(t, append(tarOf(t, pack(t)), make([]byte, 50_000)...)), "too large when unpacked"},
	} {
		t.Run(name, func(t *testing.T) {
			limits := small
			if name == "a truncated file" || strings.HasPrefix(name, "a wrong") || name == "a file without its end" || name == "something behind the archive" {
				limits = DefaultLimits
			}
			studies, _, err := install(t, c.archive, limits)
			if !study.IsKind(err, study.BadArchive) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %q", err, c.says)
			}
			if left := files(t, studies); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
			if outside := files(t, filepath.Dir(studies)); len(outside) != 1 {
				t.Errorf("outside: %q", outside)
			}
		})
	}
}

// repack returns an archive whose only file is a meta_study.txt.
func repack(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "s/meta_study.txt", Size: int64(len(text))})
	_, writeErr := w.Write([]byte(text))
	if err := errors.Join(err, writeErr, w.Close()); err != nil {
		t.Fatal(err)
	}
	return gzipped(t, b.Bytes())
}

func gzipped(t testing.TB, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(body)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, archive []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The name of an entry may begin with "./", and folders may or may not have their own entries.
func TestStudyIsUnpackedAsItIs(t *testing.T) {
	archive := pack(t, folder("./"), file("./s/data.txt", "rows"), folder("s/case_lists"), file("s/case_lists/cases.txt", "ids"), file("s/LICENSE.md", "Do."),
		hdr{tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "from git"}}, ""})
	studies, origin, err := install(t, archive, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	got := files(t, studies)
	note := got["s/"+originName]
	delete(got, "s/"+originName)
	want := map[string]string{"s/": "", "s/meta_study.txt": meta, "s/data.txt": "rows", "s/case_lists/": "", "s/case_lists/cases.txt": "ids", "s/LICENSE.md": "Do."}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(filepath.Join(studies, "s", "data.txt")); err != nil || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if origin.Bytes != int64(len(archive)) || len(origin.SHA256) != 64 || origin.LicenceFile != "LICENSE.md" || origin.Citation != "Nobody et al." || origin.PMID != "1" || !strings.Contains(note, origin.SHA256) {
		t.Errorf("%+v\n%s", origin, note)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(tarOf(f, pack(f, file("s/data.txt", "rows"))))
	f.Add(tarOf(f, pack(f, typed(tar.TypeSymlink, "s/link", "/etc"), file("s/link/passwd", "x"))))
	f.Add(tarOf(f, pack(f, file("s/../../x", "x"))))
	f.Fuzz(func(t *testing.T, body []byte) {
		studies, _, err := install(t, gzipped(t, body), Limits{Entries: 50, Member: 1 << 16, Total: 1 << 20, Names: 1 << 12})
		got := files(t, filepath.Dir(studies))
		if err != nil {
			if len(got) != 1 {
				t.Errorf("left: %q", got)
			}
			return
		}
		for name := range got {
			if name != "studies/" && !strings.HasPrefix(name, "studies/s/") {
				t.Errorf("%q is outside", name)
			}
		}
	})
}
