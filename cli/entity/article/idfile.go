package article

import (
	"errors"
	"fmt"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/cite/refparse"
)

// idsOfFile returns the identifiers of the records in a file of references, such as PubMed's CSV, nbib,
// RIS or BibTeX. isFile is false for a plain list. It returns an error if no record has an identifier.
func idsOfFile(text string) (ids, notices []string, isFile bool, err error) {
	file, err := refparse.Read(text)
	if bad, is := errors.AsType[*refparse.FormatError](err); is {
		return nil, nil, true, result.Invalid("the list cannot be read: "+bad.Reason, "search", "citation", "--help")
	}
	if err != nil || file.Format == refparse.Lines {
		return nil, nil, false, err
	}
	ids, without := file.IDs()
	notices = skippedLines(file)
	records := fmt.Sprintf("%d of %d records of this %s file have no PMID, PMCID or DOI", without, len(file.References),
		file.Format)
	switch {
	case len(ids) == 0:
		problems := strings.Join(append(notices, records), "; ")
		return nil, nil, true, result.Invalid(problems+"; search citation --from looks them up", "search", "citation",
			"--help")
	case without > 0:
		notices = append(notices, records+" and are left out; search citation --from looks them up")
	}
	return ids, notices, true, nil
}

// ReadIDs returns the article ids of a plain list, or of a file of references. A word of a plain list
// may be invalid.
func ReadIDs(text string) (ids, notices []string, err error) {
	if ids, notices, isFile, err := idsOfFile(text); isFile || err != nil {
		return ids, notices, err
	}
	return entity.SplitIDs(entity.WithoutComments(text), IsID), nil, nil
}
