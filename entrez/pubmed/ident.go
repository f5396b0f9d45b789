package pubmed

import "strings"

// NormalizeORCID takes an ORCID as records write it (bare, without hyphens, as an
// address) and returns it bare, 0000-0002-1825-0097, or "" where it has not sixteen
// characters or its check digit is wrong (ISO 7064 mod 11-2,
// https://support.orcid.org/hc/en-us/articles/360006897674).
func NormalizeORCID(s string) string {
	s = s[strings.LastIndexByte(s, '/')+1:]
	digits := make([]byte, 0, 16)
	total := 0
	for _, r := range s {
		switch {
		case r == '-' || r == '‐' || r == '‑' || r == '–' || r == '−' || r == ' ':
			continue
		case len(digits) < 15 && isDigit(r):
			total = (total + int(r-'0')) * 2
		case len(digits) == 15 && (isDigit(r) || r == 'X' || r == 'x'):
			if r == 'x' {
				r = 'X'
			}
		default:
			return ""
		}
		digits = append(digits, byte(r))
	}
	if len(digits) != 16 || digits[15] != "0123456789X"[(12-total%11)%11] {
		return ""
	}
	return string(digits[:4]) + "-" + string(digits[4:8]) + "-" + string(digits[8:12]) + "-" + string(digits[12:])
}

// NormalizePMCID takes a PubMed Central id as records write it (PMC3531190,
// 3531190, "pmc-id: PMC3531190;") and returns it as PMC3531190, or "" where it is
// none.
func NormalizePMCID(s string) string {
	s = cutPrefixFold(strings.TrimSpace(s), "pmc-id:")
	s = cutPrefixFold(s, "PMC")
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 || n < len(s) && s[n] != ';' && s[n] != '.' {
		return ""
	}
	return "PMC" + s[:n]
}

// NormalizeDOI takes a DOI bare, with "doi:" before it or as an address, and
// returns it bare with its letters unchanged. What does not begin with "10."
// is no DOI and gives "".
func NormalizeDOI(s string) string {
	s = strings.TrimSpace(s)
	for _, prefix := range []string{"doi:", "https://", "http://", "dx.", "doi.org/"} {
		s = cutPrefixFold(s, prefix)
	}
	if !strings.HasPrefix(s, "10.") {
		return ""
	}
	return s
}

// cutPrefixFold is strings.CutPrefix without regard to case; white space after
// the prefix goes with it.
func cutPrefixFold(s, prefix string) string {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s
	}
	return strings.TrimSpace(s[len(prefix):])
}
