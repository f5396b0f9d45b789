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

// SourceLine is where an article appeared, as in "J Test. 2024 Mar 15;10(2):100-10", of the
// parts that are known.
func SourceLine(name, date, volume, issue, pages string) string {
	if issue != "" {
		issue = "(" + issue + ")"
	}
	line := name
	for _, part := range [][2]string{{". ", date}, {";", volume + issue}, {":", pages}} {
		if part[1] != "" {
			line += part[0] + part[1]
		}
	}
	return strings.TrimPrefix(line, ". ")
}
