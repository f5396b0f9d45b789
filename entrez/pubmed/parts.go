package pubmed

import (
	"cmp"
	"slices"
	"strings"
)

// JoinSections joins the sections of an abstract as "LABEL: text", separated by empty lines.
func JoinSections(sections []AbstractSection) string {
	if len(sections) == 1 && sections[0].Label == "" {
		return sections[0].Text
	}
	size := 0
	for _, s := range sections {
		size += len(s.Label) + len(s.Text) + 4
	}
	var out strings.Builder
	out.Grow(size)
	for i, s := range sections {
		if i > 0 {
			out.WriteString("\n\n")
		}
		if s.Label != "" {
			out.WriteString(s.Label)
			out.WriteString(": ")
		}
		out.WriteString(s.Text)
	}
	return out.String()
}

func (d *decoder) abstract(sections *[]AbstractSection, copyright *string) {
	for d.child() {
		switch string(d.name) {
		case "AbstractText":
			s := AbstractSection{Label: d.attrText("Label"), Category: d.attrText("NlmCategory")}
			if s.Text = d.text(); s.Text != "" {
				*sections = append(*sections, s)
			}
		case "CopyrightInformation":
			*copyright = d.text()
		default:
			d.skip()
		}
	}
}

func (d *decoder) otherAbstract(a *Article) {
	o := OtherAbstract{Type: d.attrText("Type"), Language: d.attrText("Language"), Sections: []AbstractSection{}}
	o.Language = cmp.Or(o.Language, "eng")
	if d.abstract(&o.Sections, &o.Copyright); len(o.Sections) > 0 {
		a.OtherAbstracts = append(a.OtherAbstracts, o)
	}
}

func (d *decoder) journal(a *Article) {
	j := &a.Journal
	for d.child() {
		switch string(d.name) {
		case "ISSN":
			kind := d.attrText("IssnType")
			if text := d.raw(); j.ISSN == "" && len(text) > 0 {
				j.ISSN, j.ISSNType = string(text), kind
			}
		case "JournalIssue":
			j.Medium = d.attrText("CitedMedium")
			for d.child() {
				if string(d.name) == "PubDate" {
					a.PublicationDate = d.date()
					continue
				}
				d.fill(field{"Volume", &j.Volume}, field{"Issue", &j.Issue})
			}
		default:
			d.fill(field{"Title", &j.Title}, field{"ISOAbbreviation", &j.ISOAbbreviation})
		}
	}
}

func (d *decoder) journalInfo(j *Journal) {
	d.texts(field{"Country", &j.Country}, field{"MedlineTA", &j.Abbreviation},
		field{"NlmUniqueID", &j.NLMID}, field{"ISSNLinking", &j.ISSNLinking})
}

func (d *decoder) pagination(j *Journal) {
	d.texts(field{"StartPage", &j.StartPage}, field{"EndPage", &j.EndPage}, field{"MedlinePgn", &j.Pages})
}

// authorList reads an AuthorList into authors, or into the editors of the record if its Type is
// editors.
func (d *decoder) authorList(authors *[]Author, a *Article) {
	if string(d.value("CompleteYN")) == "N" {
		a.AuthorsComplete = false
	}
	if string(d.value("Type")) == "editors" {
		authors = &a.Editors
	}
	d.people(authors, "Author")
}

// people reads the children with the given name as people. It skips misprinted names.
func (d *decoder) people(list *[]Author, name string) {
	for d.childNamed(name) {
		if string(d.value("ValidYN")) == "N" {
			d.skip()
			continue
		}
		if p := d.person(); p.LastName != "" || p.ForeName != "" || p.CollectiveName != "" {
			*list = append(*list, p)
		}
	}
}

func (d *decoder) person() Author {
	p := Author{EqualContrib: string(d.value("EqualContrib")) == "Y", Affiliations: []string{}}
	for d.child() {
		switch string(d.name) {
		case "Identifier":
			orcid := strings.EqualFold(string(d.value("Source")), "ORCID")
			if text := d.raw(); orcid && p.ORCID == "" {
				p.ORCID = NormalizeORCID(string(text))
			}
		case "AffiliationInfo":
			d.textList(&p.Affiliations, "Affiliation")
		case "Affiliation": // before 2015
			d.appendText(&p.Affiliations)
		default:
			d.fill(field{"LastName", &p.LastName}, field{"ForeName", &p.ForeName}, field{"Initials", &p.Initials},
				field{"Suffix", &p.Suffix}, field{"CollectiveName", &p.CollectiveName})
		}
	}
	return p
}

func (d *decoder) chemicals(a *Article) {
	for d.childNamed("Chemical") {
		var c Chemical
		for d.child() {
			switch string(d.name) {
			case "RegistryNumber":
				c.Registry = d.text()
			case "NameOfSubstance":
				c.UI = d.attrText("UI")
				c.Name = d.text()
			default:
				d.skip()
			}
		}
		if c.Name != "" {
			a.Chemicals = append(a.Chemicals, c)
		}
	}
}

func (d *decoder) supplMesh(a *Article) {
	for d.childNamed("SupplMeshName") {
		s := SupplMesh{UI: d.attrText("UI"), Type: d.attrText("Type")}
		if s.Name = d.text(); s.Name != "" {
			a.SupplMesh = append(a.SupplMesh, s)
		}
	}
}

func (d *decoder) mesh(a *Article) {
	for d.childNamed("MeshHeading") {
		m := Mesh{Qualifiers: []Qualifier{}}
		for d.child() {
			ui, major := d.attrText("UI"), string(d.value("MajorTopicYN")) == "Y"
			switch string(d.name) {
			case "DescriptorName":
				m.Descriptor, m.UI, m.Major = d.text(), ui, major
			case "QualifierName":
				m.Qualifiers = append(m.Qualifiers, Qualifier{d.text(), ui, major})
			default:
				d.skip()
			}
		}
		if m.Descriptor != "" {
			a.Mesh = append(a.Mesh, m)
		}
	}
}

func (d *decoder) dataBanks(a *Article) {
	for d.childNamed("DataBank") {
		b := DataBank{Accessions: []string{}}
		for d.child() {
			switch string(d.name) {
			case "DataBankName":
				b.Name = d.text()
			case "AccessionNumberList":
				d.textList(&b.Accessions, "AccessionNumber")
			default:
				d.skip()
			}
		}
		if b.Name != "" {
			a.DataBanks = append(a.DataBanks, b)
		}
	}
}

func (d *decoder) grants(a *Article) {
	for d.childNamed("Grant") {
		var g Grant
		all := []field{{"GrantID", &g.ID}, {"Acronym", &g.Acronym}, {"Agency", &g.Agency}, {"Country", &g.Country}}
		d.texts(all...)
		for _, f := range all { // NLM encodes these twice
			*f.target = decodeReferences(*f.target)
		}
		if g != (Grant{}) {
			a.Grants = append(a.Grants, g)
		}
	}
}

func (d *decoder) corrections(a *Article) {
	for d.childNamed("CommentsCorrections") {
		c := Correction{Type: d.attrText("RefType")}
		d.texts(field{"RefSource", &c.Source}, field{"PMID", &c.PMID}, field{"Note", &c.Note})
		a.Corrections = append(a.Corrections, c)
	}
}

// articleIDs reads the record's own ArticleIdList. A book record has two, which mostly agree.
func (d *decoder) articleIDs(a *Article) {
	for d.childNamed("ArticleId") {
		id := ArticleID{Type: d.idType()}
		if id.Value = d.text(); id.Value != "" && !slices.Contains(a.ArticleIDs, id) {
			a.ArticleIDs = append(a.ArticleIDs, id)
		}
	}
}

// idType returns the IdType of an ArticleId. The DTD's default is pubmed.
func (d *decoder) idType() string {
	if kind := d.attrText("IdType"); kind != "" {
		return kind
	}
	return "pubmed"
}

// referenceList reads a ReferenceList and the lists nested in it.
func (d *decoder) referenceList() {
	for d.child() {
		switch string(d.name) {
		case "Reference":
			if r := d.reference(); r != (Reference{}) {
				d.refs = append(d.refs, r)
			}
		case "ReferenceList":
			d.referenceList()
		default:
			d.skip()
		}
	}
}

func (d *decoder) reference() Reference {
	var r Reference
	for d.child() {
		switch string(d.name) {
		case "Citation":
			r.Citation = d.text()
		case "ArticleIdList":
			for d.childNamed("ArticleId") {
				switch string(d.value("IdType")) {
				case "pubmed", "":
					r.PMID = d.text()
				case "doi":
					r.DOI = NormalizeDOI(d.text())
				case "pmc", "pmcid":
					r.PMCID = NormalizePMCID(d.text())
				default:
					d.skip()
				}
			}
		default:
			d.skip()
		}
	}
	return r
}
