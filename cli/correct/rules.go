package correct

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
	{command.UnknownMember, false, splitQuoted},
	{command.UnknownMember, false, answerQuestion},
	{command.UnknownMember, false, storeRequest},
	{command.UnknownMember, true, memberSynonym},
	{command.UnknownMember, true, joinMember},
	{command.UnknownMember, false, memberVariant},
	{command.UnknownMember, true, entityFirst},
	{command.UnknownMember, false, switchFirst},
	{command.UnknownMember, false, otherGroup},
	{command.UnknownMember, false, dropGroup},
	{command.UnknownMember, false, insertGroup},
	{command.UnknownMember, false, mistypedMember},
	{command.UnknownMember, false, helpOfMistyped},
	{command.UnknownMember, false, sectionFirst},
	{command.UnknownMember, false, filterFirst},
	{command.UnknownMember, false, sectionAfterSearch},
	{command.UnknownMember, false, bareID},
	{command.UnknownMember, false, insertMemberFor},
	{command.UnknownMember, false, request},
	{command.UnknownMember, false, suggestSentence},
	{command.UnknownMember, false, otherRequest},
	{command.UnknownMember, false, nameOrText},

	// A flag that the command does not have.
	{command.UnknownFlag, false, joinValues}, // --expression-below EGFR -1
	{command.UnknownFlag, true, pageToOffset},
	{command.UnknownFlag, true, yearsToDates},
	{command.UnknownFlag, false, idFlag},
	{command.UnknownFlag, true, flagSynonym},
	{command.UnknownFlag, true, formatFlag},
	{command.UnknownFlag, false, sectionAsFlag},
	{command.UnknownFlag, false, extensionAsFlag},
	{command.UnknownFlag, false, valueAsFlag},
	{command.UnknownFlag, false, flagOfRecord},
	{command.UnknownFlag, false, flagAsArg},
	{command.UnknownFlag, true, flagPrefix},
	{command.UnknownFlag, false, mistypedFlag},

	// A value that a flag does not accept.
	{command.InvalidValue, true, switchValue},
	{command.InvalidValue, true, valueSynonym},
	{command.InvalidValue, true, formatFlag},
	{command.InvalidValue, false, mistypedValue},
	{command.InvalidValue, false, defaultValue},

	// Words that are neither IDs nor sections, and surplus words.
	{command.TooManyWords, false, joinCommand},
	{command.TooManyWords, false, flagAsWord},
	{command.TooManyWords, false, joinValues},
	{command.TooManyWords, true, certainArgsToFlags},
	{command.TooManyWords, false, argsToFlags},
	{command.TooManyWords, false, dropVerb},
	{command.TooManyWords, false, valueAsWord},
	{command.UnknownSection, false, flagAsWord},
	{command.UnknownSection, false, sectionSynonym},
	{command.UnknownSection, false, valueAsSection},
	{command.UnknownSection, false, mistypedSection},
}

// failureTry returns the lines that the failure itself suggests, or nil if it suggests help.
func failureTry(l *Line) []result.Argv {
	if try := l.Fault.Try; len(try) > 0 && !IsHelp(try) {
		return append(asList(try), l.Fault.Alternatives...)
	}
	return nil
}
