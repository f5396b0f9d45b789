package entity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
)

// notFound returns the failure for words without a record. It suggests the other entity whose ID
// format a word has, or a record with a similar name. Any other name may belong to anything, so it
// suggests discover.
func (s *SpecOf[R]) notFound(ctx context.Context, in *command.Input, words, sections []string,
	requested Sections) *result.Failure {
	for _, w := range words {
		if owner := s.otherEntity(in, w); owner != "" {
			f := (&Alias{
				Entity: s.Name, Word: w, Tier: "id",
				Description: "an id of " + command.WithArticle(owner) + ", not of " + command.WithArticle(s.Name),
				Matches:     []result.Candidate{{Symbol: w, ID: w}}, MatchEntity: owner,
			}).Failure()
			f.Details = map[string]any{"not_found": words}
			return f
		}
	}
	f := result.Missing(fmt.Sprintf("no %s found for %s", s.Name, command.Clip(strings.Join(words, ", "))),
		"get", s.Name, "--help")
	if args := s.sectionArgs(in.Args, words, sections); args != nil {
		f.Try = in.Line(args)
		if other := s.aliasFailure(ctx, in.WithArgs(args), sections); other != nil {
			f.Message, f.Try = f.Message+"; "+other.Message, other.Try
		}
	} else if reason, line := s.explain(words[0]); line != nil {
		f.Try = line
		if reason != "" {
			f.Message += "; " + reason
		}
	} else if line := s.numberCommand(in, words); line != nil {
		f.Try = line
	} else if s.IDs.MatchExclusive == nil || !s.IDs.MatchExclusive(words[0]) {
		f.Try = s.searchCommand(words)
		if near := s.similarName(ctx, in, words); near != "" {
			f.Message += command.Guess(near)
			f.Try, f.Alternatives = in.Line(append([]string{near}, requested...)), []result.Argv{f.Try}
		} else if names := splitAtCommas(words); s.IDs.Fuzzy != nil && len(names) > 1 {
			f.Try, f.Alternatives = in.Line(append(names, requested...)), []result.Argv{f.Try}
		}
	}
	f.Details = map[string]any{"not_found": words}
	return f
}

// aliasFailure runs Fetch with the arguments of in. It returns the alias failure if no record was found
// and every name is another name; otherwise nil.
func (s *SpecOf[R]) aliasFailure(ctx context.Context, in *command.Input, sections []string) *result.Failure {
	ids, asked, err := splitArgs(in, *s, sections, false)
	if err != nil || len(ids) == 0 || in.Nested {
		return nil
	}
	found, err := s.Fetch(ctx, in, ids, asked)
	if err != nil || found.explanation() == nil {
		return nil
	}
	f, _ := errors.AsType[*result.Failure](s.keepSections(in, asked, found.explanation()))
	if f == nil || f.Meta.Alias == nil {
		return nil
	}
	return f
}

// splitAtCommas splits ids at commas and removes duplicates. It returns nil if this changes nothing.
func splitAtCommas(ids []string) (names []string) {
	for name := range strings.SplitSeq(strings.Join(ids, ","), ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if slices.Equal(names, ids) {
		return nil
	}
	return names
}

// sectionArgs returns the arguments to suggest if the only name ends with the name of a section, or
// begins with one followed by "of" or "for"; otherwise nil. A part that every record shows needs no
// section, so it is only removed from the name.
func (s *SpecOf[R]) sectionArgs(args, names, sections []string) []string {
	words := strings.Fields(names[0])
	if len(names) != 1 || len(words) < 2 {
		return nil
	}
	line := func(name []string, part ...string) []string {
		word := strings.ToLower(strings.Join(part, "-"))
		section := cmp.Or(sectionFor(word, s.sections()), word)
		if !slices.Contains(sections, section) {
			if section = ""; !s.isRecordField(word) {
				return nil
			}
		}
		others := slices.DeleteFunc(slices.Clone(args),
			func(w string) bool { return !slices.Contains(sections, w) || w == section })
		all := slices.Concat([]string{strings.Join(name, " "), section}, others)
		n := len(args) - len(part)
		separate := n > 0 && slices.Equal(args[n:], part) // the section was typed as separate words
		if separate && !slices.Contains(sections, part[0]) {
			all = append(slices.Clone(args[:n]), section)
		}
		return slices.DeleteFunc(all, func(w string) bool { return w == "" })
	}
	if len(words) > 2 && (words[1] == "of" || words[1] == "for") {
		return line(words[2:], words[0])
	}
	for n := min(2, len(words)-1); n > 0; n-- { // "side effects", "label"
		i := len(words) - n
		if all := line(words[:i], words[i:]...); all != nil {
			return all
		}
	}
	return nil
}

// isRecordField reports whether word is a field of the record, which every answer shows.
func (s *SpecOf[R]) isRecordField(word string) bool {
	// R is a pointer
	return slices.ContainsFunc(reflect.VisibleFields(reflect.TypeFor[R]().Elem()), func(f reflect.StructField) bool {
		return f.Tag.Get("json") == word
	})
}

// otherEntityCommands returns a get command for each missing word that is an id of another entity,
// either alone or together with the word before it, as in BRAF V600E.
func (s *SpecOf[R]) otherEntityCommands(in *command.Input, ids, missing []string) (lines []result.Argv) {
	for i, w := range ids {
		if !slices.Contains(missing, w) {
			continue
		}
		for _, id := range []string{w, ids[max(0, i-1)] + " " + w} {
			if owner := s.otherEntity(in, id); owner != "" {
				lines = append(lines, result.Argv{"get", owner, id})
				break
			}
		}
	}
	return lines
}

// otherEntity returns the other entity whose ID format word matches, or "" if none does.
func (s *SpecOf[R]) otherEntity(in *command.Input, word string) string {
	if owner := in.Tree().Owner(word); owner != s.Name && owner != s.IDs.Entity {
		return owner
	}
	return ""
}

// invalidID returns the failure for a word that cannot be an id. It suggests the entity that word is
// an id of, or else a search for it and the words after it.
func (s *SpecOf[R]) invalidID(in *command.Input, word string, words []string) *result.Failure {
	message := fmt.Sprintf("%q is not an id of this kind: %s%s", command.Clip(word), s.IDs.Placeholder, s.exampleSuffix())
	if owner := s.otherEntity(in, word); owner != "" {
		return result.Invalid(message+"; it is an id of "+command.WithArticle(owner), "get", owner, word)
	}
	if why, try := s.explain(word); why != "" {
		return result.Invalid(why, try...)
	}
	args := s.sectionArgs(in.Args, words, append(namesOf(s.sections()), "all"))
	if len(args) > 1 && strings.Contains(word, args[1]) {
		return result.Invalid(message, in.Line(args)...)
	}
	if id := s.completeID(word); id != "" {
		f := result.Invalid(message, in.Line(replaceWord(in.Args, word, id))...)
		if line := s.numberCommand(in, []string{word}); line != nil && len(in.Args) == 1 {
			f.Alternatives = []result.Argv{line}
		}
		return f
	}
	return result.Invalid(message, s.searchCommand(words)...)
}

// similarName returns the name of a record similar to the missing one, or "" if there is none or several
// are missing.
func (s *SpecOf[R]) similarName(ctx context.Context, in *command.Input, missing []string) string {
	if s.IDs.Fuzzy == nil || len(missing) != 1 || in.Nested || s.IDs.MatchExclusive != nil && s.IDs.MatchExclusive(missing[0]) {
		return ""
	}
	if near := s.IDs.Fuzzy(ctx, in, missing[0]); !strings.EqualFold(near, missing[0]) {
		return near
	}
	return ""
}

// numberCommand returns the get command of the first entity for words that are numbers only, such as
// PMIDs. It returns nil for other words and for that entity itself.
func (s *SpecOf[R]) numberCommand(in *command.Input, missing []string) result.Argv {
	first := NumericIDEntity(in.Tree(), missing...)
	if first == "" || first == s.Name {
		return nil
	}
	return append(result.Argv{"get", first}, missing...)
}

// NumericIDEntity returns the name of the first entity, whose ids may be plain numbers such as PMIDs, if
// all words are such ids; otherwise "".
func NumericIDEntity(tree *command.Tree, words ...string) string {
	first := tree.Commands(tree.Member(tree.Root, "get"))[0]
	def := tree.Command(first)
	if def.IsID == nil || slices.ContainsFunc(words, func(w string) bool { return !isNumber(w) || !def.IsID(w) }) {
		return ""
	}
	return first.Name()
}

const digits = "0123456789"

// isNumber reports whether word has digits only.
func isNumber(word string) bool { return strings.Trim(word, digits) == "" }

// completeID completes number to an id by adding the prefix of this entity's ids: NCT02576665 for
// 02576665. It returns "" if the outcome is not an id.
func (s *SpecOf[R]) completeID(number string) string {
	example, _, _ := strings.Cut(s.example(), " ")
	prefix := strings.TrimRight(example, digits)
	if id := prefix + number; prefix != "" && isNumber(number) && s.IDs.Match != nil && s.IDs.Match(id) {
		return id
	}
	return ""
}

// explain says why word is not an id with a record, and suggests a command. It returns "", nil if
// it has nothing to add.
func (s *SpecOf[R]) explain(word string) (reason string, try result.Argv) {
	if s.IDs.Explain == nil {
		return "", nil
	}
	if reason, try = s.IDs.Explain(word); reason != "" && try == nil {
		try = s.searchCommand([]string{word})
	}
	return reason, try
}

// maxSearchWords is the maximum number of ids that one text to search for may have.
const maxSearchWords = 10

// searchCommand returns the command that finds words which are not ids here: discover if records have
// names, otherwise the search of this entity. For a malformed id or text without letters it returns
// the help of get.
func (s *SpecOf[R]) searchCommand(words []string) result.Argv {
	text := strings.Join(words, " ")
	switch {
	case len(words) > maxSearchWords, s.isMalformedID(text), query.CheckTerm(text) != nil || !strings.ContainsFunc(text, unicode.IsLetter):
	case s.IDs.Fuzzy != nil:
		return command.Line([]string{"discover"}, []string{text}, nil)
	case s.Search != nil && s.Search.Args.FreeText:
		return command.Line([]string{"search", s.Name}, []string{text}, nil)
	}
	return result.Argv{"get", s.Name, "--help"}
}

// example returns the words after "get <entity>" in the first example, or "" if there are no examples.
func (s *SpecOf[R]) example() string {
	if len(s.Get.Examples) == 0 {
		return ""
	}
	return strings.TrimPrefix(s.Get.Examples[0].Line, "biomcp get "+s.Name+" ")
}

// exampleSuffix returns the id in the first example as the end of a sentence, or "" if there are no
// examples.
func (s *SpecOf[R]) exampleSuffix() string {
	if example := s.example(); example != "" {
		return ", such as " + example
	}
	return ""
}

// isMalformedID reports whether word starts with the prefix of this entity's ids and then has a digit,
// so that it is a malformed id, such as NCT1.
func (s *SpecOf[R]) isMalformedID(word string) bool {
	id := s.example()
	i, j := strings.IndexAny(id, digits), strings.IndexAny(word, digits)
	return i > 0 && i == j && strings.EqualFold(id[:i], word[:j])
}

// replaceWord returns a copy of words in which every old is replaced by another word.
func replaceWord(words []string, old, by string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if w == old {
			out[i] = by
		}
	}
	return out
}
