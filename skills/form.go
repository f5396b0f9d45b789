package skills

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

// topicKinds lists the kinds of spans that are topics by themselves. If a command has no
// placeholder for such a span, its words belong to the topic, whatever a phrasing uses them for.
var topicKinds = []string{"compound", "fusion", "repeat", "cnv", "allele", "band", "variant", "change"}

// requiredForms lists the kinds of names that have a form of their own. Only an Intent with a
// placeholder for the kind uses their values, and no worked example has a default for them.
var requiredForms = []string{"cnv", "band", "change", "test", "region"}

// NamedByForm reports whether only a question that contains a name of the kind leads to a command
// with its placeholder.
func NamedByForm(kind string) bool { return slices.Contains(requiredForms, kind) }

// BeginsCompound reports whether text begins with a compound of nouns, such as gene therapy, whose first word does
// not stand for a kind of record.
func BeginsCompound(text string) bool {
	for _, r := range words().Recognisers {
		if r.Kind != "compound" || r.pattern == nil {
			continue
		}
		if at := r.pattern.FindStringIndex(text); at != nil && at[0] == 0 {
			return true
		}
	}
	return false
}

// compoundPattern matches the compounds of words.yaml.
func compoundPattern(lines string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(strings.Split(strings.TrimSpace(lines), "\n"), "|") + `)\b`)
}

// partnerPattern separates the genes of a fusion.
var partnerPattern = pattern.Lazy(`^([A-Z][A-Z0-9]+)(?:::|-)([A-Z][A-Z0-9]+)`)

// joinsGenes reports whether a text with the form of a fusion names two genes.
func joinsGenes(text string, notGene func(string) bool) bool {
	m := partnerPattern().FindStringSubmatch(text)
	return m != nil && !slices.ContainsFunc(m[1:], notGene)
}

// drugsForPattern matches a question about the drugs for a disease.
var drugsForPattern = pattern.Lazy(`(?i)\b(?:drugs|medicines|medications|treatments|therapies)\b.*\b(?:for|against)\b`)

// isSymbol reports whether text has the form of a gene symbol, not of a number or an accession.
func isSymbol(text string) bool { return symbolPattern().MatchString(text) }

var symbolPattern = pattern.Lazy(`^[A-Z][A-Za-z0-9-]{1,9}$`)

var tokenPattern = pattern.Lazy(`\S+`)

// tokens returns the words of a text and their byte offsets.
func tokens(text []byte) (list []string, at []int) {
	for _, m := range tokenPattern().FindAllIndex(text, -1) {
		list, at = append(list, string(text[m[0]:m[1]])), append(at, m[0])
	}
	return list, at
}

// isName reports whether the byte at an offset belongs to a span whose words are never dropped.
func (q question) isName(at int) bool {
	return slices.ContainsFunc(q.spans, func(s span) bool {
		return s.from <= at && at < s.to && slices.Contains(topicKinds, s.kind)
	})
}

// textSearches lists the searches whose query is any text.
var textSearches = []string{"search article", "search trial", "search corpus", "search library", "search all"}

// accessionPattern matches an accession of a variant, which texts do not contain.
var accessionPattern = pattern.Lazy(`^(?:[RSV]CV|CA)\d`)

// authoredPattern matches the kinds of texts that have authors.
var authoredPattern = pattern.Lazy(`(?i)\b(?:papers?|articles?|publications?)\b`)

// fitsForms returns a factor for the probability of an Intent. It is small if the question has a fusion,
// a repeat, an allele or a band with a change that the commands have no place for, or if it asks texts
// for an accession or for the author of articles, since trials have sponsors.
func (a *Intent) fitsForms(q question) float64 {
	head := a.head()
	if head == "search trial" && q.values["by"] != nil && authoredPattern().MatchString(q.text) {
		return 0.02
	}
	for _, s := range q.spans {
		switch s.kind {
		case "fusion", "repeat", "allele", "cnv":
			if !a.uses[s.kind] && !slices.Contains(textSearches, head) && head != "study query" {
				return 0.02
			}
		case "variant":
			isAccession := accessionPattern().MatchString(q.text[s.from:s.to])
			if isAccession && head == "search article" {
				return 0.1
			}
		}
	}
	return 1
}

// nameSettings lists the kinds of spans that never belong to the name of a disease or a drug.
var nameSettings = []string{
	"ema", "who", "place", "from", "to", "last", "phase", "status", "language", "journal", "significance",
}

// prepareTopic adapts a question to a command with a topic. For a search of texts it sets the words
// that end a compound. For a command that takes the name of a disease or a drug, it adds settings to
// claimed, which it modifies, and words of asking to the returned copy of taken; dropped lists those
// that the command has no place for.
func (q *question) prepareTopic(command []string, claimed, taken map[string]bool) (
	all map[string]bool, dropped []string,
) {
	if !slices.ContainsFunc(command, func(w string) bool { return strings.HasPrefix(w, "{topic") }) {
		return taken, nil
	}
	switch head := command[0] + " " + command[1]; head {
	case "search article", "search trial", "search mesh", "search corpus", "search library", "search all":
		q.heads = headWords()
		return taken, nil
	case "get disease", "get drug", "search disease", "search diagnostic":
		kinds := nameSettings
		if head == "get drug" {
			kinds = append(slices.Clone(kinds), "gene")
		}
		for _, s := range q.spans {
			if slices.Contains(kinds, s.kind) && !claimed[s.kind] {
				dropped = append(dropped, trim(strings.TrimSpace(q.text[s.from:s.to])))
			}
		}
		for _, kind := range kinds {
			claimed[kind] = true
		}
	default:
		return taken, nil
	}
	list, at := tokens([]byte(q.text))
	all = maps.Clone(taken)
	for i, typed := range list {
		word := strings.Trim(typed, punctuation)
		if !askingWords()[strings.ToLower(word)] || q.isName(at[i]) {
			continue
		}
		if !isRequestWord(word, taken) {
			dropped = append(dropped, word)
		}
		for _, stem := range stems(word) {
			all[stem] = true
		}
	}
	return all, dropped
}

// unusedNames returns the names in a question, and the words about its subject, that a command does
// not contain as they were typed.
func (q question) unusedNames(command []string) (list []string) {
	line := strings.ToLower(strings.Join(command, " "))
	for _, typed := range strings.Fields(q.text) {
		word := strings.Trim(typed, punctuation)
		if subjectWords()[strings.ToLower(word)] && !strings.Contains(line, strings.ToLower(word)) {
			list = append(list, word)
		}
	}
	for _, s := range q.spans {
		text := strings.Trim(strings.TrimSpace(q.text[s.from:s.to]), ",;?")
		if nameForms()[s.kind] && !strings.Contains(line, strings.ToLower(text)) {
			list = append(list, text)
		}
	}
	return list
}

// nameForms returns the kinds of spans whose text a command contains as it was typed.
var nameForms = sync.OnceValue(func() map[string]bool {
	return wordSet("gene drug fusion repeat cnv allele band change test region")
})

var (
	headWords    = sync.OnceValue(func() map[string]bool { return wordSet(words().Heads) })
	subjectWords = sync.OnceValue(func() map[string]bool { return wordSet(words().Subjects) })
	askingWords  = sync.OnceValue(func() map[string]bool { return wordSet(words().Asking) })
)

// maxOtherDrugs is the maximum number of drugs that --with accepts.
const maxOtherDrugs = 5

// withOtherDrugs adds the other drugs of a question to a command that reads the interactions of the
// first. It returns any other command unchanged.
func withOtherDrugs(command, drugs []string) []string {
	const section = "interactions"
	if len(drugs) < 2 || !slices.Equal(command, []string{"get", "drug", drugs[0], section}) {
		return command
	}
	for _, d := range drugs[1:min(len(drugs), 1+maxOtherDrugs)] {
		command = append(command, "--with", d)
	}
	return command
}

// absentFeature matches a feature that a patient does not have, with the words before it.
var absentFeature = pattern.Lazy(`(?i)[,;]?\s*\b(?:(?:but|and|with|who|has|have|had) )*(?:not|no|without) (?:any )?` +
	`([^,;:?.!]+)`)

// nextFeature matches the words that end a feature.
var nextFeature = pattern.Lazy(`(?i)\s+(?:and|or|but|with)\s`)

// claimAbsent claims the features that a patient does not have for the kind absent. It returns a changed copy of q.
func (q question) claimAbsent() question {
	q.spans, q.values = slices.Clone(q.spans), maps.Clone(q.values)
	for _, m := range absentFeature().FindAllStringSubmatchIndex(q.text, -1) {
		from, to := m[2], m[3]
		if end := nextFeature().FindStringIndex(q.text[from:to]); end != nil {
			to = from + end[0]
		}
		if name := trim(q.text[from:to]); name != "" && q.claim("absent", m[0], to) {
			q.values["absent"] = append(q.values["absent"], name)
		}
	}
	slices.SortFunc(q.spans, func(a, b span) int { return a.from - b.from })
	return q
}

// withAbsent turns a search by --phenotype into a search by --features, which takes absent features too.
func withAbsent(command, absent []string) []string {
	if len(absent) == 0 || !slices.Contains(command, "--phenotype") {
		return command
	}
	var other, features []string
	for i := 0; i < len(command); i++ {
		if command[i] == "--phenotype" && i+1 < len(command) {
			i++
			features = append(features, command[i])
			continue
		}
		other = append(other, command[i])
	}
	for _, name := range absent {
		features = append(features, "no "+name)
	}
	return slices.Insert(other, 2, "--features", strings.Join(features, ", "))
}

// withGenotypes adds the diplotypes of a question to a command that reads a drug, with the section that uses them.
func withGenotypes(command, genotypes []string) []string {
	if len(genotypes) == 0 || len(command) < 3 || !slices.Equal(command[:2], []string{"get", "drug"}) {
		return command
	}
	if !slices.Contains(command, "pgx") {
		command = append(command, "pgx")
	}
	return append(command, "--genotype", strings.Join(genotypes, "; "))
}

// phenotypePattern matches a gene with the phenotype of its genotype: CYP2D6 poor metaboliser.
var phenotypePattern = pattern.Lazy(`\b([A-Z][A-Z0-9]{2,7}) ((?i:poor|intermediate|normal|rapid|ultrarapid)) ` +
	`(?i:metaboli[sz]ers?)\b`)

// genotypes returns the diplotypes in a question and the phenotypes of genes.
func (q question) genotypes() []string {
	list := slices.Clone(q.values["genotype"])
	for _, m := range phenotypePattern().FindAllStringSubmatch(q.text, -1) {
		list = append(list, m[1]+" "+strings.ToLower(m[2])+" metabolizer")
	}
	return list
}

// genotypeWords returns the words of the question that --genotype of a command stands for.
func (q question) genotypeWords(command []string) []string {
	if !slices.Contains(command, "--genotype") {
		return nil
	}
	typed := phenotypePattern().FindAllString(q.text, -1)
	return strings.Fields(strings.Join(append(typed, q.values["genotype"]...), " "))
}

// queryKey returns a key for a query about a topic.
func queryKey(topic []string) string {
	name := strings.ToLower(strings.Join(topic[:min(3, len(topic))], "-"))
	return strings.Trim(nonKeyChars().ReplaceAllString(name, "-"), "-")
}

var nonKeyChars = pattern.Lazy(`[^a-z0-9]+`)

// namesDisease reports whether the words of a question that are not in taken name a specific
// disease: breast cancer, but not cancer alone.
func (q question) namesDisease(taken map[string]bool) bool {
	taken = maps.Clone(taken)
	maps.Copy(taken, genericStems())
	about, _ := q.topic(wordSet("gene"), taken)
	return len(about) > 0 && slices.Contains(q.hints, "<condition>")
}

// genericStems returns the stems that are common in the names of studies.
var genericStems = sync.OnceValue(func() map[string]bool {
	return wordSet("cancer tumor cell clinic studi cohort patient tcga mutat sequenc dataset")
})

// quotedGroups returns the words of each quoted part of a text, and the text without these parts. It modifies text.
func quotedGroups(text []byte) (groups [][]string, rest []byte) {
	for _, m := range quotePattern().FindAllSubmatchIndex(text, -1) {
		var group []string
		for typed := range strings.FieldsSeq(string(text[m[0]:m[1]])) {
			if word := strings.Trim(typed, punctuation); word != "" {
				group = append(group, word)
			}
		}
		groups = append(groups, group)
		copy(text[m[0]:], strings.Repeat(" ", m[1]-m[0]))
	}
	return slices.DeleteFunc(groups, isEmpty), text
}

// isEmpty reports whether a group has no words.
func isEmpty(group []string) bool { return len(group) == 0 }

var (
	takePartPattern = pattern.Lazy(`(?i)\b(?:recruit\w*|enrol\w*|join\w*|(?:take|taking) part|` +
		`participat(?:e|ing)|eligible|near|accept(?:s|ing)?|takes? me|fits?|sign up)\b|\bopen(?:[^-\w]|$)`)
	retractedPattern = pattern.Lazy(`(?i)\b(?:retract|withdraw|pulled)\w*`)
)

// withoutStatus removes --status RECRUITING from a search for trials unless the question asks for open trials or for
// a trial to take part in.
func (q question) withoutStatus(command []string) []string {
	at := slices.Index(command, "--status")
	if at < 0 || len(q.values["status"]) > 0 || command[1] != "trial" || takePartPattern().MatchString(q.text) {
		return command
	}
	return slices.Delete(command, at, at+2)
}

// asksForRetracted reports whether a question is about retractions.
func (q question) asksForRetracted() bool { return retractedPattern().MatchString(q.text) }

// hasWord reports whether an argument of a command has a word in any letter case.
func hasWord(command []string, word string) bool {
	return slices.ContainsFunc(command, func(arg string) bool {
		return slices.ContainsFunc(strings.Fields(arg), func(w string) bool { return strings.EqualFold(w, word) })
	})
}
