// Package studytest generates synthetic studies of any size in cBioPortal's format, for
// tests, benchmarks and package example. All data is random with a fixed seed; no such
// patients exist. Genes have real names so that commands look realistic, but nothing about
// them is true.
package studytest
