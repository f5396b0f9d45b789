// Package replies caches the compressed replies of remote services in an SQLite file in the cache
// folder. Nothing in it is precious: a damaged file is set aside and a new one created, and a file
// with another layout is emptied. A database of another program is rejected and left unchanged.
//
//	c, err := replies.Open(path)
//	body, ok, err := c.Get(ctx, "efetch https://…")
//	err = c.Put(ctx, "efetch https://…", body, time.Hour)
//
// A key is any text. The part before its first space names the source for Stats: "efetch https://…"
// belongs to "efetch".
package replies
