// Package ragtest tests search engines: a reference index in memory
// that scores every chunk by the definition (Memory), and the conformance suite
// that every engine passes (Suite). Package evaluate measures rankings.
//
// Only tests import it.
//
//	func TestEmbeddedPassesTheSuite(t *testing.T) {
//		ragtest.Suite(t, ragtest.Engine{Open: openEmbedded})
//	}
package ragtest
