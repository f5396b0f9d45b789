package result

// Doc is an answer for reading: blocks in order, without formatting.
type Doc []Block

// Block is one of the types below.
type Block interface{ block() }

type (
	// Heading opens a part; Level 1 is the answer's own title.
	Heading struct {
		Level int
		Text  string
	}
	// Para is running text. A newline in it starts a new paragraph.
	Para struct{ Text string }
	// Prose is running text in which Mark stands before and behind what is emphasised;
	// only markdown shows that.
	Prose struct{ Text, Mark string }
	// Alert is important: a retraction, a dropped phrase.
	Alert struct{ Text string }
	// Fields are names with values; a field without a value is left out.
	Fields []Field
	// Field is one name and its value.
	Field struct{ Name, Value string }
	// Table has a header and rows; an empty cell shows as "-". In a Main table
	// each row is an item: an answer is cut after one rather than elsewhere. A table of Hits
	// has a line or two for each row on a terminal; Brief, where there is one, has what
	// these show: what a hit is, then the rest.
	Table struct {
		Columns    []Column
		Rows       [][]string
		Main, Hits bool
		Pairs      bool // the first two columns name a row together
		Brief      *Table
	}
	// Column is a table's column; numbers are aligned right. One that is Whole is not cut
	// where a hit has a line or two.
	Column struct {
		Name         string
		Right, Whole bool
	}
	// List is a list of short texts.
	List struct {
		Items   []string
		Ordered bool
	}
	// Quote is quoted text: a passage that matched, a block quotation.
	Quote struct{ Text string }
	// Fence is text shown literally, in a fence: a citation, a command.
	Fence struct {
		Lang, Text string
		// Draw is the text as it is drawn for the width of a terminal, nil for one that is the same.
		Draw func(width int, color bool) (string, error)
	}
	// Verbatim is the whole answer, unchanged, for another program: a path,
	// a RIS file, NCBI's own XML. It is never cut, coloured or escaped; only a
	// terminal gets it without control characters.
	Verbatim struct{ Text string }
	// Figure is data with a picture. Text shows the data; a reader that takes
	// images gets the picture as well. SVG draws it; Alt says in words what it
	// shows. Data without columns is in another table of the answer. Draw, where
	// there is one, draws the picture with characters for a terminal of a width.
	Figure struct {
		Title, Alt string
		Data       Table
		SVG        func() ([]byte, error)
		PNG        func() ([]byte, error) // for a model
		Format     string                 // svg or png, whatever an agent's client takes; "": that
		Draw       func(width int, color bool) (string, error)
	}
	// Step ends an item.
	Step struct{}
)

func (Heading) block()  {}
func (Para) block()     {}
func (Prose) block()    {}
func (Alert) block()    {}
func (Fields) block()   {}
func (Table) block()    {}
func (List) block()     {}
func (Quote) block()    {}
func (Fence) block()    {}
func (Verbatim) block() {}
func (Figure) block()   {}
func (Step) block()     {}

// Item is the blocks as one item, which may have had items in it.
func (d Doc) Item() Doc {
	var out Doc
	for _, b := range d {
		switch b := b.(type) {
		case Step:
		case Table:
			b.Main = false
			out = append(out, b)
		default:
			out = append(out, b)
		}
	}
	return append(out, Step{})
}

// Columns makes left-aligned columns; a name that starts with ">" is aligned
// right.
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
