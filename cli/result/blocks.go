package result

// A Doc is an answer for readers: a list of blocks without formatting.
type Doc []Block

// A Block is one of the types below.
type Block interface{ block() }

type (
	// Heading begins a part. A Level of 1 is the title of the answer.
	Heading struct {
		Level int
		Text  string
	}
	// Para is running text. A newline in it starts a new paragraph.
	Para struct{ Text string }
	// Prose is running text with emphasised parts between two Marks. Only markdown shows
	// the emphasis.
	Prose struct{ Text, Mark string }
	// Alert is an important message: a retraction, a dropped phrase.
	Alert struct{ Text string }
	// Fields holds names with values. A field without a value is not shown.
	Fields []Field
	// Field is one name and its value.
	Field struct{ Name, Value string }
	// Table has a header and rows. An empty cell is shown as "-".
	Table struct {
		Columns []Column
		Rows    [][]string
		Main    bool   // each row is an item, and the answer is preferably cut after an item
		Hits    bool   // on a terminal each row takes one line or two
		Pairs   bool   // the first two columns name the row together
		Terms   bool   // on a terminal the second column explains the first, without a header
		Brief   *Table // the columns to show on a terminal if Hits or Terms is true; nil means all
		Narrow  *Table // the columns to show on a terminal that is too narrow for all; nil means all, in a list
	}
	// Column is a column of a table.
	Column struct {
		Name  string
		Right bool   // align right, as numbers
		Whole bool   // never truncate the cells if Hits is true
		Code  bool   // in markdown the cells are code, so that they can be copied
		Note  string // explains the name; shown below the table if the column is shown
	}
	// List is a list of short texts.
	List struct {
		Items   []string
		Ordered bool
	}
	// Quote is quoted text: a matching passage, a block quotation.
	Quote struct{ Text string }
	// Passage is a block of text that others wrote: an abstract, a part of a label. Markdown
	// prints it as a block quote, so that an agent can tell it from instructions. A
	// terminal shows the block itself. A table does not need this mark.
	Passage struct{ Block Block }
	// Fence is text shown literally in a code fence: a citation, a command.
	Fence struct {
		Lang, Text string
		// Draw, if not nil, returns another version of the text for a terminal.
		Draw func(width int, color bool) (string, error)
	}
	// Verbatim is the complete answer for another program: a path, a RIS file, NCBI's
	// XML. It is never cut, coloured or escaped. Control characters are removed only
	// for a terminal.
	Verbatim struct{ Text string }
	// Figure is data with a picture. Text shows the data. A reader that accepts images
	// gets the picture as well.
	Figure struct {
		Title  string
		Alt    string                 // describes the picture in words
		Data   Table                  // no columns if another table of the answer has the data
		SVG    func() ([]byte, error) // returns the picture
		PNG    func() ([]byte, error) // returns the picture for a language model
		Format string                 // svg or png; "" means the format that the agent's client accepts
		// Draw, if not nil, returns the picture drawn with characters for a terminal.
		Draw func(width int, color bool) (string, error)
	}
	// ItemEnd marks the end of an item.
	ItemEnd struct{}
)

func (Heading) block()  {}
func (Para) block()     {}
func (Prose) block()    {}
func (Alert) block()    {}
func (Fields) block()   {}
func (Table) block()    {}
func (List) block()     {}
func (Quote) block()    {}
func (Passage) block()  {}
func (Fence) block()    {}
func (Verbatim) block() {}
func (Figure) block()   {}
func (ItemEnd) block()  {}

// Item returns the blocks as one item. It removes the items within.
func (d Doc) Item() Doc {
	var out Doc
	for _, b := range d {
		switch b := b.(type) {
		case ItemEnd:
		case Table:
			b.Main = false
			out = append(out, b)
		default:
			out = append(out, b)
		}
	}
	return append(out, ItemEnd{})
}

// Passages returns d with every block of text as a Passage. Blocks that are already quoted
// or are tables stay as they are.
func (d Doc) Passages() Doc {
	return Map(d, func(b Block) Block {
		switch b.(type) {
		case Table, Figure, Passage, ItemEnd:
			return b
		}
		return Passage{b}
	})
}

// PassageOf returns text that others wrote as a document of one Passage.
func PassageOf(text string) Doc { return Doc{Passage{Para{Text: text}}} }

// Columns returns columns with the given names. A leading ">" aligns a column to the right
// and is not part of the name.
func Columns(names ...string) []Column {
	cols := make([]Column, len(names))
	for i, n := range names {
		if n != "" && n[0] == '>' {
			cols[i] = Column{Name: n[1:], Right: true}
		} else {
			cols[i] = Column{Name: n}
		}
	}
	return cols
}
