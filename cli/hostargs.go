package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
)

// withArguments returns the words of the line with those arguments of a tool call that name a flag
// of the command, such as limit, or its missing query or id. It also returns their names; no names
// mean that there are no such arguments. line is nil if an argument has a value that its flag cannot
// have, or a different value than the line: the caller must choose.
func (c *call) withArguments(arguments map[string]any) (line, names []string) {
	var flags, args []string
	unclear := false
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		values := valuesOf(arguments[name])
		kebab := kebabCase(name)
		f := c.flagNamed(kebab)
		switch {
		case f != nil && isFalse(arguments[name]), f == nil && len(values) == 0:
			continue
		case f != nil:
			typed, ok := c.flagWords(f, values)
			if ok && len(typed) == 0 {
				continue // the line has it already
			}
			flags, unclear = append(flags, typed...), unclear || !ok
		case len(c.args) == 0 && correct.NamesArgument(c.def(), c.cmd.Name(), kebab):
			args = append(args, values...)
		default:
			continue
		}
		names = append(names, name)
	}
	if unclear {
		return nil, names
	}
	end := slices.Index(c.words, "--")
	if end < 0 {
		end = len(c.words)
	}
	return slices.Concat(c.words[:end], args, flags, c.words[end:]), names
}

// flagWords returns the words that set a flag of the line to the values of an argument, none if the
// line sets it so. ok is false if the flag cannot have the values, or has another one.
func (c *call) flagWords(f *pflag.Flag, values []string) (typed []string, ok bool) {
	if len(values) == 0 {
		return nil, false
	}
	if f.Value.Type() == "bool" {
		set := len(values) == 1 && slices.Contains([]string{"true", "yes", "1"}, strings.ToLower(values[0]))
		if set && !f.Changed {
			typed = []string{"--" + f.Name}
		}
		return typed, set && (!f.Changed || f.Value.String() == "true")
	}
	if _, repeatable := f.Value.(pflag.SliceValue); !repeatable {
		values = []string{strings.Join(values, ",")}
		if f.Changed {
			return nil, f.Value.String() == values[0]
		}
	}
	for _, v := range values {
		typed = append(typed, "--"+f.Name, v)
	}
	return typed, true
}

// isFalse reports whether a JSON value says that a flag is not set.
func isFalse(v any) bool {
	text, isText := v.(string)
	return v == false || isText && slices.Contains([]string{"false", "no", "0"}, strings.ToLower(text))
}

// flagNamed returns the flag of the command with the name or synonym name, or nil. It skips flags
// of every command and flags that an agent may not use.
func (c *call) flagNamed(name string) (found *pflag.Flag) {
	c.tree.Flags(c.cmd).VisitAll(func(f *pflag.Flag) {
		skip := command.IsHostOnly(f) || c.cmd.InheritedFlags().Lookup(f.Name) != nil
		if !skip && len(name) > 1 && command.IsFlag(f, name) && (found == nil || f.Name == name) {
			found = f
		}
	})
	return found
}

// valuesOf returns the texts of a JSON value or of its elements, or nil if one is an object.
func valuesOf(v any) (texts []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case bool:
		return []string{strconv.FormatBool(v)}
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case []any:
		for _, element := range v {
			one := valuesOf(element)
			if len(one) != 1 {
				return nil
			}
			texts = append(texts, one...)
		}
	}
	return texts
}

// kebabCase converts pageSize and page_size to page-size.
func kebabCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_':
			r = '-'
		case unicode.IsUpper(r) && i > 0:
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
