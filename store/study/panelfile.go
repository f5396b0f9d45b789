package study

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/store/replace"
)

// A Panel is a gene panel: the genes that an assay covers.
type Panel struct {
	ID          string
	Description string
	Genes       []PanelGene
	Origin      PanelOrigin

	symbols map[string]bool // in upper case
	ids     map[int32]bool
}

// A PanelGene is a gene of a panel. Entrez is 0 or Symbol "" if the file does not give it.
type PanelGene struct {
	Entrez int32  `json:"entrezGeneId,omitempty"`
	Symbol string `json:"hugoGeneSymbol,omitempty"`
}

// A PanelOrigin records the source of a panel.
type PanelOrigin struct {
	Source    string    `json:"source,omitempty"`
	Retrieved time.Time `json:"retrieved,omitzero"`
	Licence   string    `json:"licence,omitempty"`
}

// A panelObject is the JSON form of a panel, in the portal's replies and in our files.
type panelObject struct {
	ID          string      `json:"genePanelId"`
	Description string      `json:"description"`
	Genes       []PanelGene `json:"genes"`
	PanelOrigin
}

// ParsePanels parses a file of gene panels. The file is in cBioPortal's format, with stable_id
// and a gene_list of symbols or Entrez IDs (https://docs.cbioportal.org/import-gene-panels/),
// or holds one or several panels in JSON, as the portal returns for
// gene-panels?projection=DETAILED.
func ParsePanels(file string, r io.Reader) ([]Panel, error) {
	text, _ := newText(bufio.NewReader(r))
	b, err := io.ReadAll(io.LimitReader(text, maxLine))
	if err != nil {
		return nil, &Error{Kind: Failed, File: file, Message: "the file cannot be read", Err: err}
	}
	wrong := &Error{Kind: Malformed, File: file, Message: "this is not a gene panel: " +
		"expected lines with stable_id and gene_list, or the portal's JSON with genePanelId and genes"}
	var objects []panelObject
	switch b = bytes.TrimSpace(b); {
	case bytes.HasPrefix(b, []byte("[")):
		err = json.Unmarshal(b, &objects)
	case bytes.HasPrefix(b, []byte("{")):
		objects = make([]panelObject, 1)
		err = json.Unmarshal(b, &objects[0])
	default:
		meta, badLine := parseMeta(newLines(file, bytes.NewReader(b)))
		if badLine != nil {
			return nil, badLine
		}
		objects = []panelObject{{
			ID: meta["stable_id"], Description: meta["description"], Genes: genesOf(meta["gene_list"]),
		}}
	}
	if wrong.Err = err; err != nil || len(objects) == 0 {
		return nil, wrong
	}
	panels := make([]Panel, len(objects))
	for i, o := range objects {
		if o.ID == "" || len(o.Genes) == 0 {
			return nil, wrong
		}
		panels[i] = o.panel()
	}
	return panels, nil
}

// genesOf parses a gene_list. Numbers are Entrez IDs, other words symbols.
func genesOf(list string) (genes []PanelGene) {
	for _, word := range strings.Fields(list) {
		if id, err := strconv.ParseInt(word, 10, 32); err == nil {
			genes = append(genes, PanelGene{Entrez: int32(id)})
		} else {
			genes = append(genes, PanelGene{Symbol: word})
		}
	}
	return genes
}

func (o panelObject) panel() Panel {
	p := Panel{
		ID: o.ID, Description: o.Description, Genes: o.Genes, Origin: o.PanelOrigin,
		symbols: map[string]bool{}, ids: map[int32]bool{},
	}
	for _, g := range o.Genes {
		if g.Symbol != "" {
			p.symbols[strings.ToUpper(g.Symbol)] = true
		}
		if g.Entrez > 0 {
			p.ids[g.Entrez] = true
		}
	}
	return p
}

// AddPanel saves a panel in the folder shared by all studies of the library. It replaces a
// panel with the same ID.
func (l Library) AddPanel(p Panel) error {
	dir := filepath.Join(l.Dir, PanelFolder)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = replace.File(filepath.Join(dir, panelFile(p.ID)), func(w io.Writer) error {
			return json.NewEncoder(w).Encode(panelObject{p.ID, p.Description, p.Genes, p.Origin})
		})
	}
	if err != nil {
		return &Error{Kind: Failed, Message: "the panel cannot be written into the folder " + PanelFolder, Err: err}
	}
	return nil
}

// panelFile returns the file name for a panel. It replaces characters that are not allowed
// everywhere and appends a hash to keep such names distinct.
func panelFile(id string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, id[:min(len(id), 80)])
	if name != id {
		name += "-" + shortHash(id)
	}
	return name + ".json"
}

// A panelSet holds the gene panels available to a study and the gene IDs and symbols they
// define.
type panelSet struct {
	byID   map[string]Panel // keyed by ID in upper case
	entrez map[string]int32 // keyed by symbol in upper case
	symbol map[int32]string
}

// readPanels reads the gene panels in the study's folder, in its gene_panels and in the
// gene_panels next to the studies. If an ID repeats, the first panel counts. Files without a
// valid panel are ignored.
func (s *Study) readPanels() *panelSet {
	set := &panelSet{byID: map[string]Panel{}, entrez: map[string]int32{}, symbol: map[int32]string{}}
	shared := cmp.Or(s.shared, filepath.Join(filepath.Dir(s.dir), PanelFolder))
	for _, dir := range []string{s.dir, filepath.Join(s.dir, PanelFolder), shared} {
		names, _ := filesOf(dir) // the folder is optional
		folder := &Study{dir: dir}
		for _, name := range names {
			mayBePanel := strings.Contains(strings.ToLower(name), "panel") && !s.isProfile(name)
			if strings.HasPrefix(name, ".") || dir == s.dir && !mayBePanel {
				continue
			}
			panels, err := folder.readPanelFile(name)
			if err != nil {
				continue
			}
			for _, p := range panels {
				set.add(p)
			}
		}
	}
	return set
}

func (s *Study) isProfile(file string) bool {
	return slices.ContainsFunc(s.profiles, func(p Profile) bool { return p.File == file })
}

func (s *Study) readPanelFile(name string) ([]Panel, error) {
	src, r, err := s.read(name)
	if err != nil {
		return nil, err
	}
	defer src.close()
	return ParsePanels(name, r)
}

func (set *panelSet) add(p Panel) {
	id := strings.ToUpper(p.ID)
	if _, known := set.byID[id]; known {
		return
	}
	set.byID[id] = p
	for _, g := range p.Genes {
		if name := strings.ToUpper(g.Symbol); g.Entrez > 0 && name != "" {
			if _, known := set.entrez[name]; !known {
				set.entrez[name] = g.Entrez
			}
			if _, known := set.symbol[g.Entrez]; !known {
				set.symbol[g.Entrez] = name
			}
		}
	}
}
