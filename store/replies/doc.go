// Package replies keeps replies of remote services for a while, compressed, in an SQLite
// file in the cache folder. Nothing in it is precious: a damaged file is set aside, one of
// another layout is emptied, and a new one begun; a database of another program is refused
// and left as it is.
//
//	c, err := replies.Open(path)
//	body, ok, err := c.Get(ctx, "efetch https://…")
//	err = c.Put(ctx, "efetch https://…", body, time.Hour)
//
// A key is any text. What comes before its first space names the source, for Stats:
// "efetch https://…" belongs to "efetch".
package replies
