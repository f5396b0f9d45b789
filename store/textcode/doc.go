// Package textcode compresses short texts that have much in common: each by itself, by a
// code made from samples of them. It is for reading one of millions of texts without
// the others; long texts, and such as repeat themselves, are better off with zstd.
//
//	c := textcode.Train(samples)
//	packed := c.Append(nil, text)
//	text, err := c.Text(packed)
//
// # Method
//
// A text is words (runs of letters, digits and bytes from 0x80 on) and the bytes between
// them. The single space between two words is left out, as in the spaceless words of
// E. S. de Moura, G. Navarro, N. Ziviani and R. Baeza-Yates, Fast and flexible word
// searching on compressed text, ACM TOIS 18, 2000. The Code has the words that the samples
// have often, and phrases: a word or byte that often follows another one, or another
// phrase, becomes a symbol together with it. A text is cut into the longest phrases from
// its beginning on, and each symbol gets its code of a canonical Huffman code. A word that
// the Code does not have is spelled, each letter in a code that depends on the one before.
//
// So what two records have in common (the name of a journal with all that belongs to it,
// a heading with its identifier) takes one or two bytes, and a word what its frequency
// is worth. Made-up records (package storetest) take 516 bytes, and by zstd with a
// dictionary, words numbered, 780. Of 2,196 real records 163 that had no part in making the
// code took 451 at the mean, and by zstd with a dictionary 677.
//
// # Format
//
// A compressed text is the length of the text in bytes, an unsigned varint, then the codes
// of its symbols, the highest bit first, and zeros up to a whole byte. Symbol 'a' stands
// before a word that is spelled, which a space ends.
//
// A Code is written as the length of its words, the words with a line end between two, the
// number of phrases, of each the symbol that it begins with and the token behind that, then
// a byte for each symbol, and for each letter (256) in each of 30 contexts, with the length
// of its code; at the end the CRC-32C of what is before it, little-endian. Every other
// number is an unsigned varint.
package textcode
