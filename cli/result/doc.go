// Package result defines the answers of commands and renders them.
//
// A command returns a [Result]: a [Payload] (the data), notices, the state of
// each section and the commands to run next. Only [Render] turns it into bytes: the
// terminal, a pipe, --json and the MCP server all call it. JSON is the payload
// itself. Markdown and the terminal layout are two renderings of its [Doc].
//
// The package does not fetch data and does not know any command. A payload must be
// complete before it is rendered.
//
//	doc := result.Doc{result.Heading{Level: 1, Text: "BRCA1"}, result.Para{Text: "…"}}
//
// Rules for output:
//   - Text from outside is data: control characters are removed, and markup and
//     escape sequences are escaped.
//   - Text that others wrote is a [Passage], which markdown prints as a block quote. Nothing else
//     is a block quote. A name is one line of a heading, a field or a table.
//   - A missing value is "-" in a table and null in JSON. The type of a JSON member
//     decides whether it can be missing ([JSON]). A list is never null.
//   - Notices precede the answer, and next commands follow it.
//   - A bounded answer never exceeds its bound. Markdown is cut between items, with the
//     command for the rest. JSON and verbatim text are rejected, with a command for less.
//   - Schema-bound JSON contains only members of its schema, and verbatim text is for another
//     program. Their notices go to standard error; an agent gets them as a separate
//     block.
//   - Text shows the data of a figure. The picture is drawn only for a reader that
//     accepts images.
package result
