// Package variationtest simulates NCBI's Variation Services for a few changes made by hand at real
// positions.
package variationtest

import (
	"net/http"
	"strings"

	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation"
)

const base = "/variation/v0/"

// change is one change: its canonical SPDI, the equivalent ones, its HGVS expressions and rs
// numbers.
type change struct {
	canonical  string
	equivalent []string
	hgvs       []string // the first belongs to the canonical SPDI
	rsids      []int
}

var changes = []change{
	{"NC_000007.14:140753335:A:T", []string{"NC_000007.14:140753335:A:T", "NC_000007.13:140453135:A:T",
		"NM_004333.6:2024:T:A"},
		[]string{"NC_000007.14:g.140753336A>T", "NC_000007.13:g.140453136A>T", "NM_004333.6:c.1799T>A"},
		[]int{113488022}},
	{"NC_000008.11:19956017:A:G", []string{"NC_000008.11:19956017:A:G", "NC_000008.10:19813528:A:G",
		"NM_000237.2:1322:A:G"},
		[]string{"NC_000008.11:g.19956018A>G", "NC_000008.10:g.19813529A>G", "NM_000237.2:c.953A>G"}, []int{268}},
	{"NC_000008.11:19962212:C:G", []string{"NC_000008.11:19962212:C:G", "NC_000008.10:19819723:C:G",
		"NM_000237.2:1790:C:G"},
		[]string{"NC_000008.11:g.19962213C>G", "NC_000008.10:g.19819724C>G", "NM_000237.2:c.1421C>G"}, []int{328}},
	{"NC_000010.11:87933118:A:C", []string{"NC_000010.11:87933118:A:C", "NC_000010.10:89692875:A:C"},
		[]string{"NC_000010.11:g.87933119A>C", "NC_000010.10:g.89692876A>C"}, nil},
	{"NC_000010.11:86173362:A:C", []string{"NC_000010.11:86173362:A:C", "NC_000010.10:87933118:A:C"},
		[]string{"NC_000010.11:g.86173363A>C", "NC_000010.10:g.87933119A>C"}, nil},
	{"NC_000007.14:140924659:CT:", []string{"NC_000007.14:140924659:CT:"},
		[]string{"NC_000007.14:g.140924660_140924661del"}, []int{90000002}},
	{"NC_000007.14:140800000:A:G", []string{"NC_000007.14:140800000:A:G"}, []string{"NC_000007.14:g.140800001A>G"},
		nil},
	// An additional T in a repeat of nine has many expressions.
	{"NC_000001.11:1000:TTTTTTTTT:TTTTTTTTTT",
		[]string{"NC_000001.11:1000:TTTTTTTTT:TTTTTTTTTT", "NC_000001.11:1009::T", "NC_000001.11:1000::T"},
		[]string{"NC_000001.11:g.1009dup"}, []int{90000009}},
}

// AddTo makes the server simulate the service, with the endpoints "variation-hgvs"
// and "variation-spdi".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &variation.Source, Path: base, Endpoints: []sourcetest.Endpoint{
		{Name: "variation-hgvs", Path: "hgvs/{hgvs}/contextuals", Answer: contextuals},
		{Name: "variation-spdi", Path: "spdi/{spdi}/{what}", Answer: ofSPDI},
	}})
}

func errorReply(status int, message string) sourcetest.Reply {
	return sourcetest.JSON(status, map[string]any{"error": map[string]any{"code": status, "message": message}})
}

func data(v any) sourcetest.Reply { return sourcetest.JSON(http.StatusOK, map[string]any{"data": v}) }

func wire(text string) map[string]any {
	s, ok := variation.Parse(text)
	if !ok {
		panic("variationtest: " + text) // cannot happen with a simulator's own value
	}
	return map[string]any{"seq_id": s.Sequence, "position": s.Position, "deleted_sequence": s.Deleted,
		"inserted_sequence": s.Inserted}
}

func contextuals(c *sourcetest.Call) sourcetest.Reply {
	asked := strings.Split(strings.TrimPrefix(c.Path, base), "/")[1]
	for _, v := range changes {
		for i, h := range v.hgvs {
			if h == asked {
				return data(map[string]any{"spdis": []any{wire(v.equivalent[i])}})
			}
		}
	}
	return errorReply(http.StatusBadRequest, "HGVS expression cannot be read: "+asked)
}

func ofSPDI(c *sourcetest.Call) sourcetest.Reply {
	parts := strings.Split(strings.TrimPrefix(c.Path, base), "/")
	for _, v := range changes {
		for _, e := range v.equivalent {
			if e != parts[1] {
				continue
			}
			switch parts[2] {
			case "canonical_representative":
				return data(wire(v.canonical))
			case "all_equivalent_contextual":
				var all []any
				for _, e := range v.equivalent {
					all = append(all, wire(e))
				}
				return data(map[string]any{"spdis": all})
			case "hgvs":
				return data(map[string]any{"hgvs": v.hgvs[0]})
			case "rsids":
				if v.rsids == nil {
					return errorReply(http.StatusNotFound, "no RSID for "+e)
				}
				return data(map[string]any{"rsids": v.rsids})
			}
		}
	}
	return errorReply(http.StatusBadRequest, "the reference does not have this sequence there: "+parts[1])
}
