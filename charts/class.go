package charts

import (
	"slices"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// mutationClasses lists the mutation classes in the order of the palette's colours, as returned
// by classKey.
var mutationClasses = []string{
	"missense", "nonsense", "frameshiftdel", "frameshiftins", "splice", "inframedel", "silent", "inframeins",
	"nonstop", "start", "fusion", "spliceregion", "frameshift", "inframe",
}

// cbioportalClasses holds the colours of mutationClasses in cBioPortal's figures, which draw every
// truncating class in one colour. Sources, in github.com/cBioPortal/cbioportal-frontend below
// packages/cbioportal-frontend-commons/src/lib: AlterationColors.ts (commit 04261fd5) has the
// colours, and getCanonicalMutationType.ts (commit 17b1e657) the kind of each class. There a lost
// start counts with fusions.
const cbioportalClasses = "008000 000000 000000 000000 e5802b 993404 cf58bc 993404 " +
	"000000 8b00c9 8b00c9 e5802b 000000 993404"

// classKey returns the letters of a class of the MAF format, such as Frame_Shift_Del, or of its
// short name, such as Frameshift Del, in lower case and without words that tell no classes apart.
func classKey(class string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(class))
	for _, word := range []string{"mutation", "translation", "site"} {
		letters = strings.ReplaceAll(letters, word, "")
	}
	return letters
}

// classColor returns the colour of a mutation class, which does not depend on the other classes
// of a chart. An unknown class has the colour of notes.
func (l look) classColor(class string) drawing.Color {
	i := slices.Index(mutationClasses, classKey(class))
	switch {
	case i < 0:
		return l.muted
	case l.classes != nil:
		return l.classes[i]
	}
	return l.color(i)
}

// nameColor returns the colour of group i: by its name if the names are mutation classes.
func (c *canvas) nameColor(l Labels, name string, i int) drawing.Color {
	if l.MutationClasses {
		return c.classColor(name)
	}
	return c.color(i)
}
