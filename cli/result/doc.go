// Package result is what a command answers and how an answer looks.
//
// A command returns a [Result]: a [Payload] (the data), notices, the state of
// each section and the commands to type next. [Render] turns it into bytes, and
// nothing else in the program does: the terminal, a pipe, --json and the MCP
// server all call it. JSON is the payload itself; markdown and the terminal
// layout are two renderings of its [Doc].
//
// It is not for getting data, and it knows no command: a payload must be
// complete before it gets here.
//
//	doc := result.Doc{result.Heading{Level: 1, Text: "BRCA1"}, result.Para{Text: "…"}}
//
// Rules for output, kept here because this is where it is made:
//   - text from outside is data: control characters are dropped, what would be
//     markup or an escape sequence is made harmless;
//   - missing is "-" in a table and null in JSON, where the type of a member says
//     whether it can be missing ([JSON]); a list is never null;
//   - notices come before the answer, next commands after it;
//   - a bounded answer keeps its bound: markdown is cut between items, JSON and
//     verbatim text are refused, each with the command for the rest or for less;
//   - schema-bound JSON is exactly its schema, and verbatim text is for another
//     program: their notices go to standard error, from where an agent gets them
//     as a separate block;
//   - a figure is its data in every text; the picture is drawn only for a reader
//     that takes images.
package result
