package gene

import (
	"fmt"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
)

func card(g *Gene, asked entity.Asked) result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: strings.TrimSuffix(g.Symbol+": "+g.Name, ": ")}}
	if len(asked) > 0 {
		return doc
	}
	doc = append(doc, result.Fields{
		{Name: "GeneID", Value: g.ID}, {Name: "HGNC", Value: g.HGNC},
		{Name: "Ensembl", Value: entity.Some(g.Ensembl)}, {Name: "UniProt", Value: entity.Some(g.UniProt)}, {Name: "OMIM", Value: entity.Some(g.OMIM)},
		{Name: "Type", Value: g.Type}, {Name: "Organism", Value: g.Organism.Name},
		{Name: "Aliases", Value: entity.EtAl(g.Aliases, 8)}, {Name: "Other names", Value: entity.EtAl(g.OtherNames, 3)},
		{Name: "Cytoband", Value: g.Cytoband}, {Name: "Place", Value: g.Location.text()}, {Name: "Place, earlier", Value: g.Location37.text()},
	})
	for i := range g.OtherLocations {
		doc = append(doc, result.Fields{{Name: "Also at", Value: g.OtherLocations[i].text()}})
	}
	return append(doc, result.Para{Text: entity.Cut(g.Summary, 600)}, result.Fields{{Name: "Page", Value: g.URL}})
}

// text is a place with its assembly: "GRCh38 7:140719327-140924929 (-), 20 exons".
func (p *location) text() string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("%s %s:%d-%d (%s)", p.Assembly, p.Chromosome, p.Start, p.End, p.Strand)
	if p.Exons != nil && *p.Exons > 0 {
		text += fmt.Sprintf(", %d exons", *p.Exons)
	}
	return text
}
