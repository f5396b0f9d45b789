// Package ctgov searches ClinicalTrials.gov with version 2 of its API
// (https://clinicaltrials.gov/data-api/api) and reads its studies. It splits eligibility criteria
// into those that include and those that exclude.
//
// Queries are expressions of the search engine Essie, in which words such as OR, NOT and ALL are
// operators. [Words] and [All] make expressions from a user's words, which never become operators:
//
//	page, err := ctgov.Search(ctx, client, ctgov.Query{
//		Condition: ctgov.Words("melanoma"), Fields: []string{"NCTId", "BriefTitle"},
//	}, "", 20)
//
// A study can be half a megabyte long, so a query names the fields it needs. The records are in the
// public domain; each has the date of the data it was taken from.
package ctgov
