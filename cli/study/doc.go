// Package study is the study commands: questions to the cohort studies in the study
// folder, with tables and charts. Package store/study reads the studies and holds the
// estimators; this package asks, words the answers and chooses what is drawn.
//
// download and remove change what is on this machine; package store/study/archive does
// it. Everything else only reads.
//
// An analysis is one file: its flags, its answer with the JSON keys, the answer's Doc,
// and the charts that it can be shown as. To add one, write the file and its line in
// Group.
package study
