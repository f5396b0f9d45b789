package meant

import (
	"biomcp/cli/command"
	"biomcp/cli/result"
)

// anyReason makes a rule apply to every rejected line.
const anyReason = command.Reason(-1)

// A rule proposes corrections for lines that were rejected for one reason.
type rule struct {
	reason  command.Reason
	certain bool // the line can mean nothing else than the proposal
	lines   func(l *Line) []result.Argv
}

// rules lists the rules in the order in which they are tried.
var rules = []rule{
	{anyReason, false, failureTry},

	// A word where a command is expected.
	{command.NoMember, false, answerQuestion},
	{command.NoMember, true, memberSynonym},
	{command.NoMember, true, joinMember},
	{command.NoMember, true, entityFirst},
	{command.NoMember, false, switchFirst},
	{command.NoMember, false, otherGroup},
	{command.NoMember, false, dropGroup},
	{command.NoMember, false, insertGroup},
	{command.NoMember, false, mistypedMember},
	{command.NoMember, false, helpOfMistyped},
	{command.NoMember, false, sectionFirst},
	{command.NoMember, false, filterFirst},
	{command.NoMember, false, sectionAfterSearch},
	{command.NoMember, false, bareID},
	{command.NoMember, false, insertMemberFor},
	{command.NoMember, false, listGroup},
	{command.NoMember, false, suggestSentence},
	{command.NoMember, false, nameOrText},

	// A flag that the command does not have.
	{command.NoFlag, false, joinValues}, // --expression-below EGFR -1
	{command.NoFlag, true, pageToOffset},
	{command.NoFlag, true, yearsToDates},
	{command.NoFlag, true, flagSynonym},
	{command.NoFlag, true, formatFlag},
	{command.NoFlag, false, sectionAsFlag},
	{command.NoFlag, false, extensionAsFlag},
	{command.NoFlag, false, valueAsFlag},
	{command.NoFlag, false, flagOfRecord},
	{command.NoFlag, false, flagAsArg},
	{command.NoFlag, false, insertMember},
	{command.NoFlag, false, batchToGet},
	{command.NoFlag, false, longerCommand},
	{command.NoFlag, true, flagPrefix},
	{command.NoFlag, false, mistypedFlag},

	// A value that a flag does not accept.
	{command.BadValue, true, switchValue},
	{command.BadValue, true, valueSynonym},
	{command.BadValue, true, formatFlag},
	{command.BadValue, false, mistypedValue},
	{command.BadValue, false, defaultValue},

	{command.Twice, false, mergeRepeated},

	// Words that are neither IDs nor sections, and surplus words.
	{command.TooManyWords, false, joinCommand},
	{command.TooManyWords, false, flagAsWord},
	{command.TooManyWords, false, joinValues},
	{command.TooManyWords, true, certainArgsToFlags},
	{command.TooManyWords, false, argsToFlags},
	{command.TooManyWords, false, dropVerb},
	{command.TooManyWords, false, valueAsWord},
	{command.NoSection, false, flagAsWord},
	{command.NoSection, false, sectionSynonym},
	{command.NoSection, false, valueAsSection},
	{command.NoSection, false, mistypedSection},
}

// failureTry returns the lines that the failure itself suggests, or nil if it suggests help.
func failureTry(l *Line) []result.Argv {
	if try := l.Fault.Try; len(try) > 0 && !IsHelp(try) {
		return append(asList(try), l.Fault.Or...)
	}
	return nil
}
