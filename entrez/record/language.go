package record

import (
	"iter"
	"strings"
)

// languages lists MEDLINE's languages (https://www.nlm.nih.gov/bsd/language_table.html): the code
// in a record, the ISO 639-1 code (or ISO 639-2 if there is none), and the name.
const languages = `
afr af Afrikaans
alb sq Albanian
amh am Amharic
ara ar Arabic
arm hy Armenian
aze az Azerbaijani
ben bn Bengali
bos bs Bosnian
bul bg Bulgarian
cat ca Catalan
chi zh Chinese
cze cs Czech
dan da Danish
dut nl Dutch
eng en English
epo eo Esperanto
est et Estonian
fin fi Finnish
fre fr French
geo ka Georgian
ger de German
gla gd Scottish Gaelic
gre el Greek
heb he Hebrew
hin hi Hindi
hrv hr Croatian
hun hu Hungarian
ice is Icelandic
ind id Indonesian
ita it Italian
jpn ja Japanese
kin rw Kinyarwanda
kor ko Korean
lat la Latin
lav lv Latvian
lit lt Lithuanian
mac mk Macedonian
mal ml Malayalam
mao mi Maori
may ms Malay
mul mul Multiple languages
nor no Norwegian
per fa Persian
pol pl Polish
por pt Portuguese
pus ps Pushto
rum ro Romanian
rus ru Russian
san sa Sanskrit
slo sk Slovak
slv sl Slovenian
spa es Spanish
srp sr Serbian
swe sv Swedish
tha th Thai
tur tr Turkish
ukr uk Ukrainian
urd ur Urdu
vie vi Vietnamese
wel cy Welsh
`

// terminological lists the codes of ISO 639-2/T that differ from MEDLINE's, each before MEDLINE's
// (https://www.loc.gov/standards/iso639-2/php/code_list.php).
const terminological = "sqi alb, hye arm, zho chi, ces cze, nld dut, fra fre, kat geo, deu ger, ell gre, isl ice, " +
	"mkd mac, mri mao, msa may, fas per, ron rum, slk slo, cym wel, scr hrv, scc srp"

// A LanguageRow is a language with its codes in lower case.
type LanguageRow struct {
	Code string // MEDLINE's, of three letters
	ISO  string // of ISO 639-1, or of ISO 639-2 if there is none
	Name string // in English
}

// Languages returns the languages of MEDLINE, sorted by code.
func Languages() iter.Seq[LanguageRow] {
	return func(yield func(LanguageRow) bool) {
		for row := range strings.SplitSeq(strings.TrimSpace(languages), "\n") {
			if f := strings.SplitN(row, " ", 3); !yield(LanguageRow{f[0], f[1], f[2]}) {
				return
			}
		}
	}
}

// LanguageCode returns MEDLINE's code of a language, given its name or a code of MEDLINE, ISO 639-1
// or ISO 639-2. It returns "" if the language is unknown.
func LanguageCode(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for pair := range strings.SplitSeq(terminological, ", ") {
		if code, found := strings.CutPrefix(pair, name+" "); found {
			return code
		}
	}
	for row := range Languages() {
		if name == row.Code || name == row.ISO || strings.EqualFold(name, row.Name) {
			return row.Code
		}
	}
	return ""
}

// Language returns the ISO code and the name of a MEDLINE language. If code is not in the table, it
// returns code and an empty name.
func Language(code string) (iso, name string) {
	code = strings.ToLower(strings.TrimSpace(code))
	_, row, found := strings.Cut(languages, "\n"+code+" ")
	if !found || code == "" {
		return code, ""
	}
	row, _, _ = strings.Cut(row, "\n")
	iso, name, _ = strings.Cut(row, " ")
	return iso, name
}

// LanguageName returns the name of the language of a tag, such as "French" for fr or fr-CA, or else
// the tag. A code of MEDLINE's is accepted.
func LanguageName(tag string) string {
	code, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-"), "-")
	for row := range Languages() {
		if row.Code == code || row.ISO == code {
			return row.Name
		}
	}
	return tag
}
