package studytest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// proteins lists the lengths of the proteins of symbols (UniProt's canonical sequences), and
// substitutions that are frequent in cancers, each as often as it is named.
var proteins = strings.Split("393 R175H R175H R248Q R248W R273C R273H R273H R282W,189 G12D G12D G12V G12C G13D Q61H,"+
	"1210 L858R L858R T790M,1068 E542K E545K E545K H1047R H1047R H1047L,403 R130G R130Q,766 V600E V600E V600E V600K,"+
	"433 D194Y,624 R320Q G333C,2839 R1276Q,928 R661W,156 H83Y D84N,3056 R337C,2285 R1989Q,552 R361H R361C,2843 R1114G,"+
	"781 S37F S45F S45P,1255 S310F V842I,1390 T1010I,189 Q61R Q61R Q61K,414 R132H R132H R132C,806 S249C S249C Y373C,"+
	"1132 R859Q,5537 R5048C,2555 A465T,1863 C61G,3418 D2723H,1620 F1174L R1275Q,2347 G2032R,1114 M918T,454 P74L T73I,"+
	"295 T286I,303 R24C,491 P30H,213 R161Q,1689 R876C,2564 R1625C,729 H169Q,443 R366Q,1512 S1344L,472 F254L", ",")

// proteinLength returns the number of amino acids of the protein of gene i.
func proteinLength(i int) int {
	if i >= len(proteins) {
		return 300 + i*37%1200
	}
	length, _, _ := strings.Cut(proteins[i], " ")
	n, _ := strconv.Atoi(length) // a number, as TestChangesFitTheirProteins checks
	return n
}

// place returns the place of a mutation in the protein of gene i, given a standard normal number.
// Half of the missense mutations are among the frequent ones. The change assumes a missense mutation.
func place(i int, class string, normal float64) (change string, position int) {
	u := math.Erfc(-normal/math.Sqrt2) / 2 // uniform
	if class == "Missense_Mutation" && i < len(proteins) {
		if known := strings.Fields(proteins[i])[1:]; u < 0.5 {
			change = known[int(2*u*float64(len(known)))]
			position, _ = strconv.Atoi(change[1 : len(change)-1])
			return "p." + change, position
		}
		u = 2*u - 1
	}
	position = 1 + int(u*float64(proteinLength(i)-20)) // a frameshift needs some room
	return fmt.Sprintf("p.R%dH", position), position
}
