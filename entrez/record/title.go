package record

import "strings"

// Untitled reports whether a record has no title in English. PubMed then writes
// "[Not Available]." in its place; the title in the work's own language is in
// VernacularTitle.
func Untitled(title string) bool {
	title = strings.TrimRight(strings.TrimSpace(title), ".")
	return title == "" || strings.EqualFold(title, "[Not Available]")
}

// Title is the title of a record, or the vernacular one where it is untitled.
func Title(title, vernacular string) string {
	if Untitled(title) && vernacular != "" {
		return vernacular
	}
	return title
}
