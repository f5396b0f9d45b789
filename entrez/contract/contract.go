// Package contract matches requests and replies with the uses that a source declares ([httpclient.Dependency]).
// The simulators reject undeclared requests by it, and build writes the table of declared uses from
// it. The program itself does not need it.
//
//	if what := contract.UndeclaredPart(&toy.Source, "status", params); what != "" {
//		panic("toy does not declare " + what)
//	}
package contract

import (
	"cmp"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"biomcp/entrez/httpclient"
)

// covers reports whether u covers a call with the given path and parameters.
func covers(u *httpclient.Dependency, at string, params url.Values) bool {
	for _, p := range strings.Fields(u.Params) {
		name, value, restricted := strings.Cut(p, "=")
		if restricted && params.Get(name) != value {
			return false
		}
	}
	matched, _ := path.Match(u.Path, at)
	return matched
}

// ReplyParts returns the JSON members, or the XML elements and attributes, that u reads of a reply.
func ReplyParts(u *httpclient.Dependency) []string {
	if u.Decoded == nil {
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
	return slices.Compact(slices.Sorted(slices.Values(members(reflect.TypeOf(u.Decoded), "", nil))))
}

// members returns the XML names that type t is decoded from, inside the element at. in lists the
// enclosing types, so that a recursive type ends.
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
		case f.Anonymous: // an embedded struct has no element of its own
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

// MatchingUses returns the uses of a source that cover a call; at is the path under the source's address.
func MatchingUses(s *httpclient.Source, at string, params url.Values) (uses []httpclient.Dependency) {
	for _, u := range s.Dependencies {
		if covers(&u, at, params) {
			uses = append(uses, u)
		}
	}
	return uses
}

// UndeclaredPart returns the part of a request that s.Uses does not declare, or "" if it declares all
// of it. The simulators refuse undeclared requests and send only parts of a reply that the Uses
// read, so the table of uses is complete.
func UndeclaredPart(s *httpclient.Source, at string, params url.Values) string {
	uses, names := MatchingUses(s, at, params), []string{s.ToolParam, s.EmailParam, s.Key.Param}
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

// UndeclaredTags returns the search tags of a call that s.Uses does not declare. It returns nil if no
// Use of that path declares tags.
func UndeclaredTags(s *httpclient.Source, at string, params url.Values) (tags []string) {
	declares := func(u httpclient.Dependency) bool { return u.Path == at && u.Tags != "" }
	if s.TagsOf == nil || !slices.ContainsFunc(s.Dependencies, declares) {
		return nil
	}
	tags = s.TagsOf(params)
	for _, u := range MatchingUses(s, at, params) {
		declared := strings.Split(u.Tags, ",")
		tags = slices.DeleteFunc(tags, func(tag string) bool { return slices.Contains(declared, tag) })
	}
	return tags
}
