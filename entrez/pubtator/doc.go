// Package pubtator reads the annotations that PubTator3 makes of PubMed
// abstracts and PMC full texts: genes, diseases, chemicals, variants, species
// and cell lines, each tied to an identifier where the machine found one.
//
// It reads PubTator3's BioC-JSON export
// (https://www.ncbi.nlm.nih.gov/research/pubtator3/api, publications/export/biocjson;
// the BioC data model is Comeau et al. 2013, doi:10.1093/database/bat064) and
// tolerates what that service really answers: numbers where the format has
// strings, null and "-" for "no identifier", lists where one value is meant.
// It makes no network call (see package entrez) and judges no annotation: they
// are made by a machine and may be wrong.
//
//	docs, err := pubtator.Parse(body)
//	for _, group := range docs[0].Summary() {
//		fmt.Println(group.Type, group.Entities[0].Name, group.Entities[0].Mentions)
//	}
package pubtator
