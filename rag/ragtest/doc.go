// Package ragtest tests search engines. It has a reference index in memory
// that scores every chunk as defined (Memory), and the conformance suite
// for all engines (Suite). Package evaluate measures rankings.
//
// Only tests import it.
//
//	func TestEmbeddedPassesTheSuite(t *testing.T) {
//		ragtest.Suite(t, ragtest.Engine{Open: openEmbedded})
//	}
package ragtest
