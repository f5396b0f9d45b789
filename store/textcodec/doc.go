// Package textcodec compresses short texts that have much in common, each one separately, with a
// code trained on samples. It suits collections of millions of texts that are read one at a time.
// For long texts, and texts that repeat themselves, zstd is better.
//
//	c := textcodec.Train(samples)
//	packed := c.Append(nil, text)
//	text, err := c.Text(packed)
//
// # Method
//
// A text consists of words (runs of letters, digits and bytes from 0x80 on) and the bytes between
// them. The single space between two words is omitted, as in the spaceless words of E. S. de Moura,
// G. Navarro, N. Ziviani and R. Baeza-Yates, Fast and flexible word searching on compressed text,
// ACM TOIS 18, 2000. The Code contains the frequent words of the samples, and phrases: a word or
// byte that often follows another word, byte or phrase forms a symbol with it. A text is split
// greedily into the longest phrases, and each symbol is written with a canonical Huffman code. A
// word that the Code lacks is spelled, each letter with a code that depends on the previous letter.
//
// So text that records share (the name of a journal with its identifiers, a heading with its UI)
// takes one or two bytes, and a word takes the bits that its frequency warrants. Synthetic records
// (package storetest) take 516 bytes, against 780 by zstd with a dictionary and numbered words.
// Real records, 163 of 2,196 that were not used for training, take 451 bytes on average, against
// 677 by zstd with a dictionary.
//
// # Format
//
// A compressed text is the length of the text in bytes, an unsigned varint, followed by the codes
// of its symbols, the highest bit first, padded with zeros to a whole byte. Symbol 'a' precedes a
// spelled word, which ends with a space.
//
// A Code is stored as the length of its words; the words, separated by line feeds; the number of
// phrases; for each phrase its first symbol and the token that follows; a byte with the length of
// its code for each symbol, and for each letter (256) in each of 30 contexts; and the CRC-32C of
// all this, little-endian. The other numbers are unsigned varints.
package textcodec
