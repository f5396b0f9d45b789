package wordindex

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/record"
	"biomcp/store/disk"
	"biomcp/store/postings"
)

// property returns the term for a name: in lower case, with single spaces, and without the periods
// that ISO journal abbreviations have and NLM's lack. It returns "" if name has no other
// characters.
func property(kind, name string) string {
	term := append(make([]byte, 0, len(kind)+len(name)), kind...)
	gap := false
	for _, r := range name {
		if r == '.' || unicode.IsSpace(r) {
			gap = len(term) > len(kind)
			continue
		}
		if gap {
			term, gap = append(term, ' '), false
		}
		term = utf8.AppendRune(term, unicode.ToLower(r))
	}
	if len(term) == len(kind) {
		return ""
	}
	return CutTerm(string(term))
}

// DayNumber returns the first day of a date of any precision as yyyymmdd, or 0 if date is not a
// date.
func DayNumber(date string) uint32 {
	d, ok := record.ParseDate(date)
	if !ok {
		return 0
	}
	return uint32(d.First().Number())
}

// CompiledFilter is a Filter converted to terms and flags of the index.
type CompiledFilter struct {
	name                         string               // equal for equal filters; "" if everything passes
	from, to                     uint32               // days as yyyymmdd; 0 means no bound
	anyOf                        [][]string           // one property of each list is required; name* matches a prefix
	noneOf                       []string             // excluded properties
	all, any, none               []CompiledFilter     // all, one or none of these must be passed
	hasAny                       bool                 // whether one of any is required, even if it is empty
	pmids                        map[record.PMID]bool // accepted PMIDs; nil means all
	requiredFlags, excludedFlags Flags
}

// Compile validates a filter and converts it to terms and flags of the index.
func (f Filter) Compile() (CompiledFilter, error) {
	var c CompiledFilter
	for _, bound := range []string{f.From, f.To} {
		if _, ok := record.ParseDate(bound); bound != "" && !ok {
			return c, disk.NewError(disk.Invalid, "search", "%q is not a date such as 2024, 2024-05 or 2024-05-11",
				bound)
		}
	}
	c.from = DayNumber(f.From)
	if to, ok := record.ParseDate(f.To); ok {
		c.to = uint32(to.Last().Number())
	}
	c.anyOf, c.noneOf = f.properties()
	for _, list := range []struct {
		filters  []Filter
		compiled *[]CompiledFilter
	}{{f.All, &c.all}, {f.Any, &c.any}, {f.None, &c.none}} {
		for _, part := range list.filters {
			p, err := part.Compile()
			if err != nil {
				return c, err
			}
			*list.compiled = append(*list.compiled, p)
		}
	}
	c.requiredFlags = FlagPMC.OnlyIf(f.HasPMC) | FlagHuman.OnlyIf(f.Humans) | FlagAnimal.OnlyIf(f.Animals)
	c.excludedFlags = FlagRetracted.OnlyIf(f.ExcludeRetracted)
	if f.PMIDs != nil {
		c.pmids = make(map[record.PMID]bool, len(f.PMIDs))
		for _, pmid := range f.PMIDs {
			c.pmids[pmid] = true
		}
	}
	hasDates := c.from != 0 || c.to != 0
	hasProperties := len(c.anyOf) > 0 || len(c.noneOf) > 0
	hasFlags := c.requiredFlags|c.excludedFlags != 0
	hasParts := len(c.all)+len(c.none) > 0 || f.Any != nil
	if hasDates || hasProperties || hasFlags || hasParts || c.pmids != nil {
		pmids := sha256.Sum256(fmt.Append(nil, f.PMIDs, c.pmids != nil))
		c.name = fmt.Sprintf("filter %d %d %q %q %d %d %x %q %q %t %q", c.from, c.to, c.anyOf, c.noneOf,
			c.requiredFlags, c.excludedFlags, pmids, names(c.all), names(c.any), f.Any != nil, names(c.none))
	}
	c.hasAny = f.Any != nil
	return c, nil
}

// Passes reports whether a document with these property terms passes the filter.
func (c CompiledFilter) Passes(pmid record.PMID, day uint32, flags Flags, properties []string) bool {
	has := func(name string) bool {
		prefix, star := strings.CutSuffix(name, "*")
		return slices.ContainsFunc(properties, func(p string) bool {
			return p == name || star && strings.HasPrefix(p, prefix)
		})
	}
	passes := func(part CompiledFilter) bool { return part.Passes(pmid, day, flags, properties) }
	fails := func(part CompiledFilter) bool { return !passes(part) }
	lacksAll := func(names []string) bool { return !slices.ContainsFunc(names, has) }
	dated := c.from == 0 && c.to == 0 || day != 0 && day >= c.from && day <= cmp.Or(c.to, math.MaxUint32)
	return dated && (c.pmids == nil || c.pmids[pmid]) &&
		flags&(c.requiredFlags|c.excludedFlags) == c.requiredFlags &&
		!slices.ContainsFunc(c.anyOf, lacksAll) && !slices.ContainsFunc(c.noneOf, has) &&
		!slices.ContainsFunc(c.all, fails) && !slices.ContainsFunc(c.none, passes) &&
		(!c.hasAny || slices.ContainsFunc(c.any, passes))
}

// names returns the names of filters.
func names(filters []CompiledFilter) []string {
	var list []string
	for _, f := range filters {
		list = append(list, f.name)
	}
	return list
}

// acceptedChunks returns the live chunks of a segment that pass the filter, or nil if all chunks do.
func (g *Segment) acceptedChunks(src Source, f CompiledFilter) (postings.Bits, error) {
	if f.name == "" {
		return g.live(), nil
	}
	key := fmt.Sprint(f.name, " ", g.ID)
	passed, ok := src.Recall(key).(postings.Bits)
	if !ok {
		var err error
		if passed, err = g.filter(src, f); err != nil {
			return nil, err
		}
		src.Remember(key, passed, 8*len(passed)+len(key))
	}
	if g.RemovedChunks == nil {
		return passed, nil
	}
	accepted := slices.Clone(passed)
	for i, w := range g.RemovedChunks {
		accepted[i] &^= w
	}
	return accepted, nil
}

// filter returns the chunks that pass, including removed ones.
func (g *Segment) filter(src Source, f CompiledFilter) (postings.Bits, error) {
	passed := g.all()
	v, dict := &postings.View{Seg: g.Segment, Src: src}, g.Finder(src)
	with := func(names []string) (postings.Bits, error) {
		some := postings.NewBits(g.Chunks)
		for _, name := range names {
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				if err := v.AddPrefixTo(some, []byte(prefix)); err != nil {
					return nil, err
				}
				continue
			}
			l, err := dict.List([]byte(name))
			if err == nil && l != nil {
				err = v.AddTo(some, l)
			}
			if err != nil {
				return nil, err
			}
		}
		return some, nil
	}
	for _, names := range f.anyOf {
		some, err := with(names)
		if err != nil {
			return nil, err
		}
		passed.Keep(some)
	}
	none, err := with(f.noneOf)
	if err != nil {
		return nil, err
	}
	passed.Remove(none)
	for n := 0; n*postings.ColumnLen < g.Chunks; n++ {
		if err := g.filterPage(src, f, passed, n); err != nil {
			return nil, err
		}
	}
	return passed, g.filterParts(src, f, passed)
}

// filterParts clears the chunks that the parts of the filter exclude.
func (g *Segment) filterParts(src Source, f CompiledFilter, passed postings.Bits) error {
	for _, part := range f.all {
		some, err := g.filter(src, part)
		if err != nil {
			return err
		}
		passed.Keep(some)
	}
	for _, part := range f.none {
		some, err := g.filter(src, part)
		if err != nil {
			return err
		}
		passed.Remove(some)
	}
	if !f.hasAny {
		return nil
	}
	union := postings.NewBits(g.Chunks)
	for _, part := range f.any {
		some, err := g.filter(src, part)
		if err != nil {
			return err
		}
		union.Add(some)
	}
	passed.Keep(union)
	return nil
}

// filterPage clears the chunks of a page of columns that do not pass.
func (g *Segment) filterPage(src Source, f CompiledFilter, passed postings.Bits, n int) error {
	size := min(postings.ColumnLen, g.Chunks-n*postings.ColumnLen)
	base := uint32(n * postings.ColumnLen)
	keep := func(stream postings.Stream, width int, passes func(value []byte) bool) error {
		page, err := src.GetPage(g.ID, stream, n)
		if err != nil || len(page) < width*size {
			return cmp.Or(err, postings.ErrDamaged)
		}
		for i := range size {
			if !passes(page[width*i:]) {
				passed.Clear(base + uint32(i))
			}
		}
		return nil
	}
	var err error
	if f.from != 0 || f.to != 0 {
		to := cmp.Or(f.to, math.MaxUint32)
		err = keep(streamDate, 4, func(b []byte) bool {
			day := binary.LittleEndian.Uint32(b)
			return day != 0 && day >= f.from && day <= to
		})
	}
	if f.pmids != nil && err == nil {
		err = keep(postings.IDs, 4, func(b []byte) bool { return f.pmids[record.PMID(binary.LittleEndian.Uint32(b))] })
	}
	if f.requiredFlags|f.excludedFlags != 0 && err == nil {
		err = keep(streamFlags, 1, func(b []byte) bool {
			return Flags(b[0])&(f.requiredFlags|f.excludedFlags) == f.requiredFlags
		})
	}
	return err
}
