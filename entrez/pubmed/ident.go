package pubmed

import "strings"

// NormalizeORCID returns an ORCID in the form 0000-0002-1825-0097. Records write it in that form,
// without hyphens, or as an address. It returns "" if s does not have sixteen characters or the
// check digit is wrong (ISO 7064 mod 11-2,
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

// NormalizePMCID returns a PubMed Central ID in the form PMC3531190. Records write it in that form,
// as 3531190, or as "pmc-id: PMC3531190;". It returns "" if s is not such an ID.
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

// NormalizeDOI removes "doi:" or an address before a DOI, and keeps its letter case. It returns ""
// if the rest does not begin with "10.".
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

// cutPrefixFold removes a prefix, ignoring case, and the white space after it.
func cutPrefixFold(s, prefix string) string {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s
	}
	return strings.TrimSpace(s[len(prefix):])
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
