package study

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// maxSampleList is the maximum size of a file of samples(FILE), in bytes. For comparison, a million IDs of
// TCGA samples take 16 MB.
const maxSampleList = 16 << 20

// openRegular opens a file for reading. It returns an error for a device, a pipe or a folder, which may not
// end or may wait forever.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	}
	return os.Open(name)
}

// errNotRegular is returned by openRegular.
var errNotRegular = errors.New("it is not a regular file")

// readList reads the IDs in a file, separated by spaces, commas or line ends.
func readList(name string) ([]string, error) {
	refuse := func(why string) error {
		return result.Invalid("samples("+command.Clip(name)+"): "+why, "study", "list")
	}
	file, err := openRegular(name)
	if errors.Is(err, errNotRegular) {
		return nil, refuse(err.Error())
	}
	if err != nil {
		return nil, refuse("the file cannot be read")
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSampleList+1))
	switch {
	case err != nil:
		return nil, refuse("the file cannot be read")
	case len(text) > maxSampleList:
		return nil, refuse(fmt.Sprintf("the file is larger than %d bytes, the maximum for a list of samples", maxSampleList))
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(", \t\r\n\ufeff", r) }), nil
}
