// Package stats holds the estimators and tests of a cohort study: survival,
// tables of counts, ranks.
//
// It knows no files, genes or patients: numbers come in, numbers go out. It is
// not for drawing and not for wording.
//
//	curve, err := stats.KaplanMeier(obs)
//	median := curve.Median()          // {18.9569 13.9 26.3}
//	test, err := stats.LogRank(obs, group, nil)
//	fmt.Println(test.Chi2, test.DF, test.P)
//
// # Conventions
//
// Confidence is 95 % everywhere. A number that does not exist is NaN: a median
// that was not reached, the bound of an interval that is not bounded by data. Where
// a whole result does not exist, such as a test with one group only, the function
// returns one of the errors of errors.go. Input is never changed.
//
// Results agree with R 4.2.2 and its package survival 3.5-3 to 1e-9;
// testdata/reference.R computes the numbers in testdata/reference.json. Two things
// differ on purpose. The median is the first time with S(t) ≤ 0.5, where R takes the
// middle of a flat stretch at exactly 0.5. The conditional odds ratio is solved to
// 1e-12, where R's fisher.test stops at about 1e-4.
package stats
