// Package related has the sections that several entities have: trials, drugs, variants and
// pharmacogenetics. An entity says what to ask for.
package related
