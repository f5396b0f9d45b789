package record

import (
	"fmt"
	"math"
	"strconv"
)

// PMID identifies a PubMed record; 0 is none. Records, requests and answers have
// it as text, everything that compares or stores PMIDs has it as this number.
type PMID uint32

// MaxPMID is the greatest number that a PMID can have.
const MaxPMID PMID = math.MaxUint32

// ParsePMID reads decimal digits without a sign, blanks or leading zeros, from 1
// to 4,294,967,295; PubMed's largest has eight digits.
func ParsePMID(s string) (PMID, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || s[0] == '0' {
		return 0, fmt.Errorf("%.40q is not a PMID: a whole number from 1 to %d", s, uint32(MaxPMID))
	}
	return PMID(n), nil
}

// ValidPMID reports whether ParsePMID reads s.
func ValidPMID(s string) bool {
	_, err := ParsePMID(s)
	return err == nil
}

func (p PMID) String() string { return strconv.FormatUint(uint64(p), 10) }

// ResultWindow is how many records of one query PubMed gives out: retstart may be
// 9998 at most (NBK25499).
const ResultWindow = 9999
