// Package oql reads cBioPortal's query language (OQL) and finds the samples of a study that meet
// an expression.
//
// Two functions read text. [ParseQuery] reads a query as cBioPortal does: lines of a gene with its
// alterations, which are the tracks of an oncoprint. [ParseExpr] reads an expression that combines
// such lines and clinical values with & | ! and parentheses, and defines a group of samples.
//
//	x, err := oql.ParseExpr(`TP53: MUT = R273H & AGE >= 60`)
//	r, err := oql.NewEvaluator(source).Eval(x) // r.State by sample
//
// # Language
//
// The source is https://docs.cbioportal.org/user-guide/oql/ with the grammar oql-parser.pegjs of
// github.com/cBioPortal/cbioportal-frontend. A line is GENE, or GENE: with alterations, of which
// one suffices; lines end with a line break or a semicolon, and a line without a colon lists
// genes. Keywords may be in any letter case. An alteration that is no keyword is a protein change,
// such as V600E, or a position, such as V600. Beyond the grammar, DIPLOID is a state of copy number
// and a comma may separate alterations: a word after it is a gene if it is followed by a colon or
// neither a keyword nor a protein change. AND, OR and NOT may be in any letter case. ! before several lines
// needs parentheses.
//
// A clinical value without quotes ends before an operator. It contains and, or, or a sign of the language,
// such as a comma, only if [ParseStudyExpr] knows that it is a value of the study.
//
// # States
//
// A sample meets an expression, does not meet it, or it is unknown: a sample that was not profiled
// for the gene, or has no value. The operators follow Kleene's logic: one side can decide although
// the other is unknown. The alterations of a line are joined by OR in this sense. A gene without
// alterations is MUT FUSION AMP HOMDEL, as far as the study has such data; structural variants
// count if found, but if nothing lists the examined samples, a sample without one is no less
// known.
package oql
