package entreztest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
)

// The words of synthetic records. Headings are real MeSH descriptors with their UIs; journals and
// persons are invented.

var madeHeadings = []struct{ name, ui string }{
	{"Humans", "D006801"}, {"Animals", "D000818"}, {"Male", "D008297"}, {"Female", "D005260"},
	{"Adult", "D000328"}, {"Aged", "D000368"}, {"Middle Aged", "D008875"}, {"Child", "D002648"},
	{"Risk Factors", "D012307"}, {"Treatment Outcome", "D016896"}, {"Prognosis", "D011379"},
	{"Neoplasms", "D009369"}, {"Hypertension", "D006973"}, {"Diabetes Mellitus, Type 2", "D003924"},
	{"Asthma", "D001249"}, {"Obesity", "D009765"}, {"Inflammation", "D007249"}, {"Oxidative Stress", "D018384"},
	{"Breast Neoplasms", "D001943"}, {"Lung Neoplasms", "D008175"}, {"Stroke", "D020521"},
	{"Heart Failure", "D006333"}, {"Alzheimer Disease", "D000544"}, {"Myocardial Infarction", "D009203"},
	{"Kidney Diseases", "D007674"}, {"Pneumonia", "D011014"}, {"Sepsis", "D018805"}, {"COVID-19", "D000086382"},
	{"Signal Transduction", "D015398"}, {"Mutation", "D009154"},
}

// topicHeadings lists the indexes of the headings that can be the topic of a record.
var topicHeadings = func() (out []int) {
	for i := 11; i < len(madeHeadings); i++ {
		out = append(out, i)
	}
	return out
}()

var madeJournals = func() (out []struct{ title, short, issn, nlmID string }) {
	for i, subject := range strings.Fields("Medicine Oncology Cardiology Genetics Immunology Neurology Surgery " +
		"Nutrition Physiology Pharmacology Epidemiology Pathology") {
		forms := [][2]string{{"Synthetic journal of ", "Synth J "}, {"Annals of synthetic ", "Ann Synth "}}
		for k, form := range forms {
			n := 2*i + k
			out = append(out, struct{ title, short, issn, nlmID string }{
				form[0] + strings.ToLower(subject), form[1] + subject[:5],
				fmt.Sprintf("9999-%04d", n), fmt.Sprintf("9990%03dS", n),
			})
		}
	}
	return out
}()

var (
	openings = strings.Fields("Effect Influence Role Impact Association Evaluation Comparison Modulation")
	agents   = strings.Split("metformin|aspirin|statins|exercise|vitamin D|corticosteroids|interleukin-6 blockade|"+
		"a low-salt diet|beta-blockers|probiotics|TNF-α inhibitors|insulin", "|")
	groups = strings.Split("adults|older adults|children|mice|rats|pregnant women|hospitalised patients|"+
		"a rural cohort|primary care", "|")
	lastNames = strings.Fields("Abara Brandt Castillo Dahl Eriksen Fontaine Grünwald Haddad Ivanova Jensen Kaur " +
		"Lindqvist Moreau Nakagawa Okafor Petrov Quiroga Rossi Šimek Tanaka Ueda Vasquez Weber Xu Yilmaz Zhang")
	foreNames = strings.Fields("Ada Bruno Chidi Dina Emil Farah Goran Hana Igor Julia Kenji Lena Mateo Nora Omar " +
		"Priya Quinn Rosa Sven Tala Uma Viktor Wei Ximena Yusuf Zoe")
)

// common lists the most frequent words.
var common = strings.Fields(`patients treatment study cells results clinical group expression analysis effect protein
risk disease levels control increased associated compared significant gene data activity months response outcome
cancer blood therapy years mean reduced dose serum receptor tumor cell survival tissue infection trial cohort
plasma baseline factor function model rate symptoms diagnosis pressure insulin glucose brain liver kidney heart
muscle bone lung immune antibody inflammatory cytokine mitochondrial oxidative metabolic cardiac renal hepatic
neuronal vascular mortality prevalence incidence exposure biomarker mutation pathway signaling kinase inhibitor
vaccine placebo randomized regression hazard ratio interval confidence follow-up hospital surgery intervention`)

const vocabularySize = 12000

// vocabulary returns the common words, followed by words invented from typical syllables.
var vocabulary = sync.OnceValue(func() []string {
	starts := strings.Fields("acro andro bio brady cardi cephal cyto derm electro endo epi erythro gastro glyco " +
		"hemo hepato hydro immuno kerato lacto lipo macro micro myo nephro neuro onco osteo patho phago poly proto " +
		"pulmo radio sero spleno thrombo toxo vaso")
	middles := strings.Fields("ba bri ce cla cor da dol fi fra ga gli ki la lo mal mer na no pa pel ra ri sa sti " +
		"ta tri va vo xi zo")
	ends := strings.Fields("ase ation emia gen genic itis kine lysis metry nin oid ol oma osis pathy phage plasty " +
		"rin scopy side stasis tide tin trophy")
	out := common
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	for len(out) < vocabularySize {
		w := starts[rng.IntN(len(starts))]
		for range rng.IntN(3) {
			w += middles[rng.IntN(len(middles))]
		}
		w += ends[rng.IntN(len(ends))]
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
})

// word draws a word by Zipf's law: the probability of rank r is proportional to 1/r.
func word(rng *rand.Rand) string {
	list := vocabulary()
	rank := int(math.Exp(rng.Float64()*math.Log(float64(len(list))))) - 1
	return list[rank]
}

func sentence(rng *rand.Rand, words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
			switch rng.IntN(12) {
			case 0:
				b.WriteString("of the ")
			case 1:
				b.WriteString("and ")
			case 2:
				b.WriteString("in ")
			case 3:
				fmt.Fprintf(&b, "%d.%d%% ", rng.IntN(90), rng.IntN(10))
			}
		}
		b.WriteString(word(rng))
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// typeUI returns the MeSH UI of a publication type.
func typeUI(name string) string {
	ui := map[string]string{
		"Journal Article": "D016428", "Review": "D016454", "Randomized Controlled Trial": "D016449",
		"Case Reports": "D002363", "Meta-Analysis": "D017418", "Systematic Review": "D000078182",
		"Retracted Publication": "D016441", "Retraction of Publication": "D016440", "Editorial": "D016421",
		"Letter": "D016422", "Practice Guideline": "D017065", "Clinical Trial": "D016430",
		"Observational Study": "D064888", "Published Erratum": "D016425", "Comment": "D016420",
	}[name]
	if ui == "" {
		return "D016428"
	}
	return ui
}
