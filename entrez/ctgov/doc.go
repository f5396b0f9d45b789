// Package ctgov asks ClinicalTrials.gov, by version 2 of its API
// (https://clinicaltrials.gov/data-api/api), and reads what it says of a study:
// among others, which of its criteria of eligibility include and which exclude.
//
// Queries are expressions of the search engine Essie, in which words such as OR, NOT
// and ALL are operators. [Words] and [All] make expressions of a user's own words,
// which can never become operators:
//
//	page, err := ctgov.Search(ctx, client, ctgov.Query{
//		Condition: ctgov.Words("melanoma"), Fields: []string{"NCTId", "BriefTitle"},
//	}, "", 20)
//
// A study may be half a megabyte long, so that a query names the fields it needs. The
// records are in the public domain; each has the date of the data it was taken from.
package ctgov
