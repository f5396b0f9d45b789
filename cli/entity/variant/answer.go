package variant

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/variantname"
)

// answer returns the variants in the order of the names, each once.
func (l *lookup) answer(on string) *entity.Found[Variant] {
	out := &entity.Found[Variant]{}
	seen := map[string]*Variant{}
	var unsure []string // found, but ClinVar did not answer
	why := map[string]error{}
	for _, n := range l.names {
		var got []*Variant
		for _, r := range n.records {
			v := newClinVarVariant(r)
			if w := l.whole[r.ID]; w != nil {
				v.read(w)
			} else {
				v.wholeErr = l.wholeErr
			}
			switch s := l.snp(strings.TrimPrefix(r.RSID, "rs")); {
			case s != nil:
				v.add(s)
			case r.RSID == "":
				v.frequencyErr = entity.Inapplicable(v.ID +
					" has no rs number in ClinVar, which dbSNP requires: its frequency is unknown")
			default:
				v.frequencyErr = l.snpErr(strings.TrimPrefix(r.RSID, "rs"))
			}
			got = append(got, v)
		}
		err := cmp.Or(n.err, n.incompleteErr)
		if len(got) > 0 || httpclient.IsKind(err, httpclient.NotFound) {
			err = nil
		}
		if len(got) == 0 {
			got = l.fromDBSNP(n)
		}
		if len(got) == 0 && n.Kind == variantname.Sequence && n.err == nil {
			got = []*Variant{newUnrecorded(n)}
			note := "neither ClinVar nor dbSNP has " + n.Word
			if err != nil {
				note = "dbSNP does not have " + n.Word
			}
			out.Notices = append(out.Notices, note)
		}
		for _, v := range got {
			v.clinVarErr = err
		}
		switch {
		case len(got) > 0:
			unsure, why[n.Word] = append(unsure, n.Word), err
		case err != nil:
			out.Failed(n.Word, err)
		default:
			out.NotFound(n.Word, nil)
		}
		out.Problem = cmp.Or(err, out.Problem)
		l.explain(n, got, on)
		for _, v := range got {
			if old := seen[v.ID]; old != nil {
				v = old
			} else {
				seen[v.ID] = v
			}
			out.Add(n.Word, v)
			if l.isMerged(n) && !slices.Contains(v.MergedFrom, "rs"+n.ID) {
				v.MergedFrom = append(v.MergedFrom, "rs"+n.ID)
			}
		}
	}
	if out.Problem != nil && len(out.Records) == 0 && httpclient.IsKind(out.Problem, httpclient.Refused) {
		e, _ := errors.AsType[*httpclient.Error](out.Problem)
		f := result.Invalid(command.Clip(out.Missing[0])+" cannot be read: "+e.Message, "get", "variant", "--help")
		if variantname.Parse(out.Missing[0], on).Assembly != "" {
			f.Message += "; it was read on " + on
			f.Try = l.in.LineWith("--assembly", assembly.Other(on))
		} else if reason, try := eutils.Explain("variant", out.Missing[0]); reason != "" {
			f.Message, f.Try = f.Message+"; "+reason, try
		}
		out.Problem = f
	}
	unknown := entity.GroupByReason("whether ClinVar has %s is not known: %s", unsure, why)
	out.Notices = slices.Concat(l.notices, unknown, out.Notices)
	return out
}

// fromDBSNP returns the variants that dbSNP alone has for a name.
func (l *lookup) fromDBSNP(n *nameQuery) (got []*Variant) {
	if s := l.snp(n.ID); n.Kind == variantname.RS && s != nil {
		return []*Variant{newSNPVariant(s, "")}
	}
	for _, id := range n.rsids {
		if s := l.snp(id); s != nil {
			got = append(got, newSNPVariant(s, n.SPDI.String()))
		}
	}
	return got
}

// isMerged reports whether the name is an rs number that dbSNP has merged into another.
func (l *lookup) isMerged(n *nameQuery) bool {
	s := l.snp(n.ID)
	return n.Kind == variantname.RS && s != nil && s.Number != n.ID
}

// newUnrecorded returns a variant for a valid change that neither ClinVar nor dbSNP has.
func newUnrecorded(n *nameQuery) *Variant {
	v := &Variant{}
	v.ID, v.SPDI, v.Title = n.SPDI.String(), n.SPDI.String(), n.Word
	v.addSPDI()
	v.URL = "https://www.ncbi.nlm.nih.gov/snp/?term=" + v.ID
	return v
}

// explain adds notices about how a name was interpreted, if that may surprise.
func (l *lookup) explain(n *nameQuery, got []*Variant, on string) {
	note := func(format string, args ...any) { l.notices = append(l.notices, fmt.Sprintf(format, args...)) }
	if n.aliasNote != "" {
		note("%s", n.aliasNote)
	}
	if n.Assembly != "" {
		note("%s was read on %s; --assembly %s reads it on the other", n.Word, on, assembly.Other(on))
	}
	if n.LegacyChange != "" {
		note("%s %s is a familiar name, not numbered as in HGVS: it is %s", n.Gene, n.LegacyChange, n.Change)
	}
	if n.VersionedAccession != "" {
		note("%s was read on the newest version, %s", n.Word, n.VersionedAccession)
	}
	if l.isMerged(n) {
		note("rs%s was merged into rs%s", n.ID, l.snp(n.ID).Number)
	}
	if len(got) > 1 {
		note("%s is %d variants of %s", n.Word, len(got),
			map[bool]string{true: "ClinVar", false: "dbSNP"}[got[0].VCV != ""])
	}
	if n.otherTranscript {
		for _, v := range got {
			note("%s is numbered by another transcript: on ClinVar's transcript it is %s", n.Word, v.Title)
		}
	}
}
