package drug

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"biomcp/cli/result"
	"biomcp/entrez/dailymed"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
)

// maxLabelsRead is the maximum number of labels of a kind read in search of the drug's; each can be
// 400 kB.
const maxLabelsRead = 4

// foundLabel is the label chosen for a drug, or the reason for its absence.
type foundLabel struct {
	*dailymed.Label
	count  int    // number of labels of its kind with the name
	reason string // reason if Label is nil
	unread bool   // Label is nil, and DailyMed has labels with the name that may be the drug's
}

// A labelSource identifies a label.
type labelSource struct {
	SetID     string `json:"setid"`
	Maker     string `json:"maker"`
	Effective string `json:"effective"` // YYYY-MM-DD
	URL       string `json:"url"`
}

// source returns the source of a label, or the zero value if there is none.
func (l foundLabel) source() (s labelSource) {
	if l.Label != nil {
		s = labelSource{l.SetID, l.Maker, record.HyphenateDate(l.Effective),
			"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=" + l.SetID}
	}
	return s
}

// origin returns the maker and the date, for a sentence after "the label".
func (s labelSource) origin() string { return " by " + s.Maker + " of " + s.Effective }

// textOf returns the text of all sections with a LOINC code, each but the first under its title. ok is
// false if the label has no such section.
func (l foundLabel) textOf(loinc string) (text string, ok bool) {
	for i, s := range l.Every(loinc) {
		if i == 0 {
			text = s.Text
		} else {
			text += "\n" + s.Title + "\n" + s.Text
		}
		ok = true
	}
	return text, ok
}

// missing returns an error unless there is a label. A label that was not read may have any section.
func (l foundLabel) missing() error {
	if l.Label != nil {
		return nil
	}
	return errors.New(l.reason)
}

// sharedLabel returns the result of findLabel, which it computes once for all sections.
func (d *Drug) sharedLabel(ctx context.Context, network *httpclient.Client) (foundLabel, error) {
	select {
	case d.labelLock <- struct{}{}:
	case <-ctx.Done():
		return foundLabel{}, context.Cause(ctx)
	}
	defer func() { <-d.labelLock }()
	if d.found == nil {
		l, err := findLabel(ctx, network, d)
		d.found, d.labelErr = &l, err
	}
	return *d.found, d.labelErr
}

// findLabel returns a label whose active ingredients are exactly those of the drug: that of
// a brand if possible, else the newest. It prefers prescription products.
func findLabel(ctx context.Context, network *httpclient.Client, d *Drug) (foundLabel, error) {
	named, read := 0, 0
	codes := sync.OnceValues(func() ([]string, error) { return d.codes(ctx, network) }) // needed only if names do not match
	for _, kind := range dailymed.Kinds {
		for _, name := range d.labelNames() {
			heads, n, err := dailymed.Labels(ctx, network, name, kind)
			if err != nil {
				return foundLabel{}, err
			}
			named += n
			for _, h := range d.candidates(heads) {
				l, err := dailymed.Get(ctx, network, h.SetID)
				if httpclient.IsKind(err, httpclient.NotFound) {
					continue
				}
				if err != nil {
					return foundLabel{}, err
				}
				read++
				switch is, err := d.hasActives(l.Actives, codes); {
				case err != nil:
					return foundLabel{}, err
				case is:
					return foundLabel{Label: l, count: n}, nil
				}
			}
		}
	}
	all := result.Map(dailymed.Kinds, func(k dailymed.Kind) string { return k.Name })
	none := fmt.Sprintf("DailyMed has no label of %s among those of the kinds %s", d.Name, strings.Join(all, ", "))
	if named > 0 {
		none = fmt.Sprintf("DailyMed has labels that name %s (%d), but none was found whose active ingredients "+
			"are exactly this (%d read; kinds: %s)",
			d.Name, named, read, strings.Join(all, ", "))
	}
	return foundLabel{reason: none, unread: named > 0}, nil
}

// labelNames returns the names to search labels by.
func (d *Drug) labelNames() []string {
	if !d.combined() {
		return []string{d.Name}
	}
	if d.brand != "" {
		return []string{d.brand, d.text()}
	}
	return append([]string{d.text()}, d.Brands[:min(2, len(d.Brands))]...)
}

// candidates returns the labels to read: first those of the requested brand, then of other
// brands, then the rest. A title lists the ingredients of a combination ("JANUMET
// (SITAGLIPTIN AND METFORMIN HYDROCHLORIDE) TABLET"), so it drops these for a single drug.
func (d *Drug) candidates(heads []dailymed.LabelHead) []dailymed.LabelHead {
	heads = slices.DeleteFunc(slices.Clone(heads), func(h dailymed.LabelHead) bool {
		return !d.combined() && namesSeveral(h.Title)
	})
	branded := func(h dailymed.LabelHead) int {
		is := func(brand string) bool {
			return strings.HasPrefix(strings.ToLower(h.Title), strings.ToLower(brand)+" ")
		}
		switch {
		case d.brand != "" && is(d.brand):
			return 0
		case slices.ContainsFunc(d.Brands, is):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(heads, func(a, b dailymed.LabelHead) int { return branded(a) - branded(b) })
	return heads[:min(maxLabelsRead, len(heads))]
}

func namesSeveral(title string) bool {
	title, _, _ = strings.Cut(title, "[") // without the maker
	if _, ingredients, ok := strings.Cut(title, "("); ok {
		ingredients, _, _ = strings.Cut(ingredients, ")")
		return strings.Contains(ingredients, " AND ") || strings.ContainsAny(ingredients, ",/")
	}
	return strings.Contains(title, " AND ")
}

// codes returns the UNIIs of the drug's ingredients, "" if unknown.
func (d *Drug) codes(ctx context.Context, network *httpclient.Client) ([]string, error) {
	unii := make([]string, len(d.ingredients))
	for i, ingredient := range d.ingredients {
		if ingredient.RxCUI == "" {
			continue
		}
		all, err := rxnav.New(network).Codes(ctx, ingredient.RxCUI)
		if err != nil {
			return nil, err
		}
		unii[i] = all["UNII_CODE"]
	}
	return unii, nil
}

// hasActives reports whether the active ingredients of a label equal the drug's. It compares names,
// RxNorm's salt names and moieties, and then UNIIs if the number of ingredients agrees.
func (d *Drug) hasActives(actives []dailymed.Active, codes func() ([]string, error)) (bool, error) {
	if d.hasAll(actives, nil) {
		return true, nil
	}
	different := map[string]bool{}
	for _, a := range actives {
		different[append(slices.Clone(a.Moieties), a.Substance)[0].Name] = true
	}
	if len(different) != len(d.ingredients) {
		return false, nil
	}
	unii, err := codes()
	return err == nil && d.hasAll(actives, unii), err
}

func (d *Drug) hasAll(actives []dailymed.Active, unii []string) bool {
	seen := make([]bool, len(d.ingredients))
	for _, a := range actives {
		is := false
		for i, ingredient := range d.ingredients {
			for _, s := range append(slices.Clone(a.Moieties), a.Substance) {
				salt := !d.combined() && resolve.ContainsFolded(d.Synonyms, s.Name)
				sameName := resolve.Fold(s.Name) == resolve.Fold(ingredient.Name)
				sameCode := unii != nil && unii[i] != "" && unii[i] == s.Code.UNII
				if salt || sameName || sameCode {
					is, seen[i] = true, true
				}
			}
		}
		if !is {
			return false
		}
	}
	return !slices.Contains(seen, false)
}
