// Package pubtator is a client of PubTator3, which annotates PubMed abstracts and PMC full texts by
// text mining: genes, diseases, chemicals, variants, species and cell lines, with an identifier if
// one was found.
//
// [Annotations] fetches and [Parse] parses PubTator3's BioC-JSON export
// (https://www.ncbi.nlm.nih.gov/research/pubtator3/api, publications/export/biocjson; the BioC data
// model is Comeau et al. 2013, doi:10.1093/database/bat064). Parse accepts deviations of the
// service: numbers instead of strings, null and "-" for no identifier, and lists instead of single
// values. The annotations are made by a machine and may be wrong; the package does not filter them.
//
//	docs, err := pubtator.Parse(body)
//	for _, group := range docs[0].Summary() {
//		fmt.Println(group.Type, group.Entities[0].Name, group.Entities[0].Mentions)
//	}
package pubtator
