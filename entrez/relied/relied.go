// Package relied says what the uses that a source declares ([polite.Use]) have to do with a
// request or a reply. The simulators answer by it, and build writes the table of what is relied
// on; the program itself does not need it, and so does not have it.
//
//	if what := relied.Undeclared(&toy.Source, "status", params); what != "" {
//		panic("toy does not declare " + what)
//	}
package relied

import (
	"cmp"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"biomcp/entrez/polite"
)

// about reports whether u is about a call.
func about(u *polite.Use, at string, params url.Values) bool {
	for _, p := range strings.Fields(u.Params) {
		if name, value, only := strings.Cut(p, "="); only && params.Get(name) != value {
			return false
		}
	}
	is, _ := path.Match(u.Path, at)
	return is
}

// Reads are the members, or the elements and attributes, that are read of a reply.
func Reads(u *polite.Use) []string {
	if u.Into == nil {
		var all []string
		for _, p := range strings.Fields(u.Reply) {
			before, rest, _ := strings.Cut(p, "{")
			names, _, _ := strings.Cut(rest, "}")
			for name := range strings.SplitSeq(names, ",") {
				all = append(all, before+name)
			}
		}
		return all
	}
	return slices.Compact(slices.Sorted(slices.Values(members(reflect.TypeOf(u.Into), "", nil))))
}

// members are the names of XML that a type is decoded from, within the element at; in are
// the types around it.
func members(t reflect.Type, at string, in []reflect.Type) (all []string) {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(in, t) {
		return []string{at}
	}
	in = append(in, t)
	for f := range t.Fields() {
		name := at
		switch text, tagged := f.Tag.Lookup("xml"); {
		case f.Anonymous: // around what is read
		case !tagged:
			all, name = append(all, f.Name), f.Name
		default:
			path, kind, _ := strings.Cut(text[strings.LastIndexByte(text, ' ')+1:], ",")
			switch {
			case kind == "attr":
				name = "@" + cmp.Or(path, f.Name)
			case kind == "innerxml":
				name = at + "/*"
			case path != "":
				steps := strings.Split(path, ">")
				all, name = append(all, steps...), steps[len(steps)-1]
			}
		}
		all = append(all, members(f.Type, name, in)...)
	}
	return all
}

// At are the uses of a source that are about a call: at is the path under its address.
func At(s *polite.Source, at string, params url.Values) (uses []polite.Use) {
	for _, u := range s.Uses {
		if about(&u, at, params) {
			uses = append(uses, u)
		}
	}
	return uses
}

// Undeclared says what of a request is not in s.Uses, "" where all is. The simulators
// refuse such requests, and send nothing that the Uses do not read, so that the table of
// what is relied on has all.
func Undeclared(s *polite.Source, at string, params url.Values) string {
	uses, names := At(s, at, params), []string{s.ToolParam, s.EmailParam, s.Key.Param}
	if len(uses) == 0 {
		return "the address " + at
	}
	for _, u := range uses {
		for _, p := range strings.Fields(u.Params) {
			name, _, _ := strings.Cut(p, "=")
			names = append(names, name)
		}
	}
	for name := range params {
		if !slices.Contains(names, name) {
			return "the parameter " + name + " of " + at
		}
	}
	return ""
}

// StrangeTags are the tags of a call that s.Uses does not have, where it has any at that
// address.
func StrangeTags(s *polite.Source, at string, params url.Values) (tags []string) {
	if s.TagsOf == nil || !slices.ContainsFunc(s.Uses, func(u polite.Use) bool { return u.Path == at && u.Tags != "" }) {
		return nil
	}
	tags = s.TagsOf(params)
	for _, u := range At(s, at, params) {
		tags = slices.DeleteFunc(tags, func(tag string) bool {
			return slices.Contains(strings.Split(u.Tags, ","),
				tag)
		})
	}
	return tags
}
