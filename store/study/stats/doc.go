// Package stats holds the estimators and tests of a cohort study: survival,
// tables of counts, ranks.
//
// It handles numbers only and knows nothing of files, genes or patients. Drawing and wording
// are up to the caller.
//
//	curve, err := stats.KaplanMeier(obs)
//	median := curve.Median()          // {18.9569 13.9 26.3}
//	test, err := stats.LogRank(obs, group, nil)
//	fmt.Println(test.Chi2, test.DF, test.P)
//
// # Conventions
//
// The confidence level is always 95 %. An undefined number is NaN, such as a median that
// was not reached or an interval limit that the data do not determine. If the whole result
// is undefined, such as a test with only one group, the function returns one of the errors
// in errors.go. Functions do not modify their input.
//
// Results agree with R 4.2.2 and its package survival 3.5-3 to 1e-9;
// testdata/reference.R computes the numbers in testdata/reference.json. There are two
// intended differences. The median is the first time with S(t) ≤ 0.5, whereas R takes the
// middle of a flat stretch at exactly 0.5. The conditional odds ratio is solved to 1e-12,
// whereas R's fisher.test stops at about 1e-4.
package stats
