package eutils

import (
	"fmt"

	"biomcp/cli/entity"
	"biomcp/entrez/assembly"
)

// Region makes the value of --region of search <name> a place on GRCh38 as ClinVar and
// NCBI Gene search for it. The example is of a place.
func Region(name, example string) func(string) (string, error) {
	return entity.Formed(name, "region", "a place such as "+example, func(v string) (string, bool) {
		chromosome, first, last, ok := assembly.Region(v)
		return fmt.Sprintf("%s[CHR] AND %d:%d[CPOS]", chromosome, first, last), ok
	})
}
