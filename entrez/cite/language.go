package cite

import "strings"

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

// Language returns the ISO code and the name of a MEDLINE language. If code is not in the table, it
// returns code and an empty name.
func Language(code string) (iso, name string) {
	code = strings.ToLower(oneLine(code))
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
	for row := range strings.SplitSeq(strings.TrimSpace(languages), "\n") {
		if f := strings.SplitN(row, " ", 3); len(f) == 3 && (f[0] == code || f[1] == code) {
			return f[2]
		}
	}
	return tag
}

// languageNames returns the languages of a work, such as "German" or "English, Norwegian". It
// returns "" if the work is only in English.
func (w *work) languageNames() string {
	names := w.allLanguages()
	if names == "English" {
		return ""
	}
	return names
}

func (w *work) allLanguages() string {
	var out []string
	for _, code := range w.Language {
		if _, name := Language(code); name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
