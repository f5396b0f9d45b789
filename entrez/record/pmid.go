package record

import (
	"fmt"
	"math"
	"strconv"
)

// PMID identifies a PubMed record; 0 means no record. Records, requests and replies hold a PMID as
// text. Code that compares or stores PMIDs uses this number.
type PMID uint32

// MaxPMID is the largest possible PMID.
const MaxPMID PMID = math.MaxUint32

// ParsePMID parses decimal digits without sign, spaces or leading zeros, from 1 to 4,294,967,295.
// PubMed's largest PMID has eight digits.
func ParsePMID(s string) (PMID, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || s[0] == '0' {
		return 0, fmt.Errorf("%.40q is not a PMID: a whole number from 1 to %d", s, uint32(MaxPMID))
	}
	return PMID(n), nil
}

// ValidPMID reports whether s is a PMID that ParsePMID accepts.
func ValidPMID(s string) bool {
	_, err := ParsePMID(s)
	return err == nil
}

func (p PMID) String() string { return strconv.FormatUint(uint64(p), 10) }

// ResultWindow is the number of records that PubMed returns for one query: retstart may be at most
// 9998 (NBK25499).
const ResultWindow = 9999
