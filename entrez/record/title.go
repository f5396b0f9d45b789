package record

import "strings"

// Untitled reports whether a record has no English title. PubMed then writes "[Not Available]."
// instead; VernacularTitle has the title in the original language.
func Untitled(title string) bool {
	title = strings.TrimRight(strings.TrimSpace(title), ".")
	return title == "" || strings.EqualFold(title, "[Not Available]")
}

// Title returns title, or the vernacular title if the record is untitled.
func Title(title, vernacular string) string {
	if Untitled(title) && vernacular != "" {
		return vernacular
	}
	return title
}

// SourceLine returns the citation of an article from its known parts, as in "J Test. 2024 Mar
// 15;10(2):100-10".
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
