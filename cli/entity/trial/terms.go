package trial

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// textTerm returns a Term function that applies expression and requires at least one word.
func textTerm(flag string, expression func(string) string) func(string) (string, error) {
	return entity.ParsedTerm("trial", flag, "a text with a word in it", func(v string) (string, bool) {
		e := expression(v)
		return e, e != ""
	})
}

// phaseName normalizes a phase: 2, II and "phase 2" become PHASE2, 2/3 becomes
// PHASE2/PHASE3, and phase 0 is the former name of EARLY_PHASE1.
func phaseName(word string) string {
	numbers := map[string]string{
		"1": "PHASE1", "I": "PHASE1", "2": "PHASE2", "II": "PHASE2", "3": "PHASE3", "III": "PHASE3",
		"4": "PHASE4", "IV": "PHASE4",
	}
	parts := strings.Split(strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(word)), "/")
	for i, p := range parts {
		parts[i] = cmp.Or(numbers[strings.TrimPrefix(p, "PHASE")], p)
	}
	switch name := strings.Join(parts, "/"); name {
	case "0", "PHASE0", "EARLY1", "EARLYI", "EARLYPHASE1", "EARLYPHASEI":
		return "EARLY_PHASE1"
	case "N/A", "NOTAPPLICABLE":
		return "NA"
	default:
		return name
	}
}

func phase(v string) (string, error) {
	terms := result.Map(strings.Split(v, ","), func(p string) string {
		return "AREA[Phase]" + strings.ReplaceAll(p, "/", " AND AREA[Phase]")
	})
	return strings.Join(terms, " OR "), nil
}

// age returns an expression for trials whose age limits admit v; a missing limit admits all.
func age(v string) (string, bool) {
	m := ageForm().FindStringSubmatch(strings.ToLower(v))
	if m == nil {
		return "", false
	}
	unit := map[string]string{
		"": "years", "y": "years", "m": "months", "w": "weeks", "d": "days",
	}[m[2][:min(1, len(m[2]))]]
	return fmt.Sprintf("(AREA[MinimumAge]RANGE[MIN, %[1]s %[2]s] OR AREA[MinimumAge]MISSING) AND "+
			"(AREA[MaximumAge]RANGE[%[1]s %[2]s, MAX] OR AREA[MaximumAge]MISSING)",
			m[1], unit),
		true
}

// sex returns an expression that excludes trials for the other sex only. It does not use
// the value ALL, because that is also an operator.
func sex(v string) (string, error) {
	return "NOT AREA[Sex]" + map[string]string{"FEMALE": "MALE", "MALE": "FEMALE"}[v], nil
}

// startDateTerm returns an expression for the start date. Trials without one never match.
func startDateTerm(s *entity.Span, _ string) (term, notice string) {
	from, to := "MIN", "MAX"
	if s.From != (record.Date{}) {
		from = s.From.First().String()
	}
	if s.To != (record.Date{}) {
		to = s.To.Last().String()
	}
	return "AREA[StartDate]RANGE[" + from + ", " + to + "]", ""
}

// point returns latitude and longitude as "48.2,16.4", or "" if v is not valid.
func point(v string) string {
	if m := number().FindStringSubmatch(v); m != nil {
		lat, _ := strconv.ParseFloat(m[1], 64) // cannot fail: number has checked the form
		lon, _ := strconv.ParseFloat(m[2], 64)
		if math.Abs(lat) <= 90 && math.Abs(lon) <= 180 {
			return m[1] + "," + m[2]
		}
	}
	return ""
}

// notPoint returns an error for an invalid --near; for a name it suggests --location.
func notPoint(in *command.Input, v string) error {
	text, try := fmt.Sprintf("--near %q is not a point: write latitude and longitude in degrees, 48.2,16.4",
		command.Clip(v)),
		in.LineWith("--near", "48.2,16.4")
	if strings.ContainsFunc(v, unicode.IsLetter) {
		text, try = text+"; --location takes the name of a place, without a distance",
			in.LineWith("--near", "", "--within", "", "--location", v)
	}
	return result.Invalid(text, try...)
}
