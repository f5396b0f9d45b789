package meant

import (
	"biomcp/cli/command"
	"biomcp/cli/result"
)

// anyReason makes a rule apply to every rejected line.
const anyReason = command.Reason(-1)

// A rule proposes corrections for lines that were rejected for one reason.
type rule struct {
	on    command.Reason
	slip  bool // the line can mean nothing else than the proposal
	lines func(l *Line) []result.Argv
}

// rules lists the rules in the order in which they are tried.
var rules = []rule{
	{anyReason, false, ofFailure},

	// A word where a command is expected.
	{command.NoMember, false, question},
	{command.NoMember, true, memberAlso},
	{command.NoMember, true, joinedName},
	{command.NoMember, true, entityFirst},
	{command.NoMember, false, switchFirst},
	{command.NoMember, false, otherGroup},
	{command.NoMember, false, withoutGroup},
	{command.NoMember, false, ofEntity},
	{command.NoMember, false, mistypedMember},
	{command.NoMember, false, helpOfMistyped},
	{command.NoMember, false, sectionFirst},
	{command.NoMember, false, filterFirst},
	{command.NoMember, false, sectionSearched},
	{command.NoMember, false, idAlone},
	{command.NoMember, false, placeFirst},
	{command.NoMember, false, listOfGroup},
	{command.NoMember, false, sentence},
	{command.NoMember, false, nameOrText},

	// A flag that the command does not have.
	{command.NoFlag, false, moreValues}, // --expression-below EGFR -1
	{command.NoFlag, true, page},
	{command.NoFlag, true, years},
	{command.NoFlag, true, flagAlso},
	{command.NoFlag, true, format},
	{command.NoFlag, false, sectionAsFlag},
	{command.NoFlag, false, endingAsFlag},
	{command.NoFlag, false, valueAsFlag},
	{command.NoFlag, false, ofRecord},
	{command.NoFlag, false, inWords},
	{command.NoFlag, false, ofMember},
	{command.NoFlag, false, ofEntityRead},
	{command.NoFlag, false, longerName},
	{command.NoFlag, true, begunFlag},
	{command.NoFlag, false, mistypedFlag},

	// A value that a flag does not accept.
	{command.BadValue, true, switched},
	{command.BadValue, true, valueAlso},
	{command.BadValue, true, format},
	{command.BadValue, false, nearValue},
	{command.BadValue, false, defaultValue},

	{command.Twice, false, twice},

	// Words that are neither IDs nor sections, and surplus words.
	{command.TooManyWords, false, joinedCommand},
	{command.TooManyWords, false, flagAsWord},
	{command.TooManyWords, false, moreValues},
	{command.TooManyWords, true, surePlaces},
	{command.TooManyWords, false, places},
	{command.TooManyWords, false, withoutVerb},
	{command.TooManyWords, false, valueAsWord},
	{command.NoSection, false, flagAsWord},
	{command.NoSection, false, sectionAlso},
	{command.NoSection, false, valueAsSection},
	{command.NoSection, false, mistypedSection},
}

// ofFailure returns the lines that the failure itself suggests, or nil if it suggests help.
func ofFailure(l *Line) []result.Argv {
	if try := l.Fault.Try; len(try) > 0 && !IsHelp(try) {
		return append(one(try), l.Fault.Or...)
	}
	return nil
}
