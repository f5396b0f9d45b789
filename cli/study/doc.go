// Package study implements the study commands, which analyze the cohort studies in the study
// folder and show tables and charts. Package store/study reads the studies and contains the
// estimators; this package runs the queries, words the answers and selects the charts.
//
// The commands download, remove and panels add change files on this machine, the first two
// through package store/study/archive. All others only read.
//
// Each analysis has its own file with its flags, its answer and JSON keys, the answer's Doc,
// and its charts. To add one, write the file and add it to Group.
package study
