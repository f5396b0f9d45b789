package variant

import (
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/variantname"
)

// wrong is why a change alone names no variant.
func wrong(word string) string {
	if !variantname.IsChange(word) {
		return ""
	}
	return fmt.Sprintf("%s does not name its gene: write BRAF %[1]s, or search variant -g GENE for those of a gene", command.Clip(word))
}

// instead is what to ask where neither ClinVar nor dbSNP has a variant: for others of its
// gene, or for articles that write of it.
func instead(id string) result.Argv {
	switch n := variantname.Read(id, assembly.GRCh38); n.Kind {
	case variantname.OfGene:
		return result.Argv{"search", "variant", "-g", n.Gene}
	case variantname.RS:
		return result.Argv{"search", "article", "--variant", id}
	}
	return nil
}
