// Package studytest makes synthetic studies in cBioPortal's format, of any size, for
// tests, benchmarks and package example. No patient in them exists: everything is
// drawn from a fixed seed. The genes have real names so that commands read as they
// would; nothing about them is true.
package studytest
