package skills

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// countries are the names of countries that people write, in any letter case.
const countries = `Afghanistan|Albania|Algeria|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|Belarus|Belgium|Benin|Bolivia|Bosnia|Botswana|
Brazil|Bulgaria|Burkina Faso|Cambodia|Cameroon|Canada|Chad|Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czechia|Czech Republic|Denmark|
Dominican Republic|Ecuador|Egypt|El Salvador|England|Estonia|Ethiopia|Finland|France|Gabon|Gambia|Georgia|Germany|Ghana|Greece|Guatemala|Guinea-Bissau|Guinea|Haiti|
Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Ivory Coast|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Korea|Kuwait|Laos|Latvia|Lebanon|
Liberia|Libya|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Mali|Malta|Mexico|Moldova|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|
New Zealand|Nicaragua|Niger|Nigeria|North Macedonia|Northern Ireland|Norway|Oman|Pakistan|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland|Portugal|Puerto Rico|
Qatar|Romania|Russia|Rwanda|Saudi Arabia|Scotland|Senegal|Serbia|Sierra Leone|Singapore|Slovakia|Slovenia|Somalia|South Africa|South Korea|Spain|Sri Lanka|Sudan|
Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Togo|Trinidad and Tobago|Tunisia|Turkey|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|Uruguay|
Uzbekistan|Venezuela|Vietnam|Wales|Yemen|Zambia|Zimbabwe`

// towns are states and towns with many sites of trials, which begin with a capital letter:
// the names of some are words too.
const towns = `Alabama|Arizona|California|Colorado|Connecticut|Florida|Illinois|Maryland|Massachusetts|Michigan|Minnesota|New Jersey|North Carolina|Ohio|Ontario|Oregon|
Pennsylvania|Quebec|Tennessee|Texas|Utah|Virginia|Washington|Wisconsin|Bavaria|Catalonia|
Amsterdam|Ankara|Antwerp|Athens|Atlanta|Auckland|Baltimore|Bangkok|Barcelona|Basel|Beijing|Berlin|Bern|Birmingham|Bologna|Bordeaux|Boston|Brisbane|Brussels|Bucharest|
Budapest|Buenos Aires|Cairo|Calgary|Cape Town|Chicago|Cleveland|Cologne|Copenhagen|Dallas|Delhi|Denver|Detroit|Dresden|Dublin|Düsseldorf|Edinburgh|Essen|Florence|
Frankfurt|Geneva|Ghent|Glasgow|Gothenburg|Graz|Groningen|Guangzhou|Hamburg|Hannover|Heidelberg|Helsinki|Houston|Innsbruck|Istanbul|Jerusalem|Johannesburg|Kampala|
Karachi|Krakow|Lagos|Lausanne|Leeds|Leiden|Leipzig|Leuven|Lille|Lima|Linz|Lisbon|Liverpool|London|Los Angeles|Lyon|Madrid|Mainz|Manchester|Marseille|Melbourne|
Mexico City|Miami|Milan|Montreal|Moscow|Mumbai|Munich|Münster|Nairobi|Nantes|Naples|New Delhi|New York|Nice|Nijmegen|Oslo|Ottawa|Oxford|Paris|Perth|Philadelphia|
Pittsburgh|Porto|Prague|Rome|Rotterdam|Salzburg|San Diego|San Francisco|Santiago|Seattle|Seoul|Seville|Shanghai|Stockholm|Stuttgart|Sydney|Taipei|Tehran|Tel Aviv|
Tokyo|Toronto|Toulouse|Tübingen|Turin|Ulm|Utrecht|Valencia|Vancouver|Vienna|Warsaw|Würzburg|Zurich|Zürich`

// shortened are the names of countries by the letters that people write for them.
var shortened = map[string]string{"US": "United States", "USA": "United States", "UK": "United Kingdom", "UAE": "United Arab Emirates"}

// someplace is one place or several, after a word that says so. Its last group is a word
// that makes it the name of something else: Guinea pigs, Colorado tick fever.
var someplace = sync.OnceValue(func() *regexp.Regexp {
	one := `(?:[A-Z][\pL-]+, )?(?:(?i:` + longestFirst(countries) + `)|` + longestFirst(towns) + `|USA?|UK|UAE)\b`
	return regexp.MustCompile(`\b(?i:in|within|across|around|near) (?:the )?(` + one + `(?:(?:,? or |,? and |, )(?:in )?(?:the )?` + one + `)*)` +
		`( (?i:encephalitis|fever|virus|syndrome|disease|tick|pigs?)\b)?`)
})

// longestFirst are names in the order in which a pattern must try them: Nigeria, Niger.
func longestFirst(names string) string {
	list := strings.Split(strings.ReplaceAll(names, "\n", ""), "|")
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(list, "|")
}

// between is what separates places, not the parts of one: Vienna, Austria.
var between = lazy(`,? (?:or|and) (?:in )?(?:the )?`)

// placesOf are the places that a text names, as sites of trials have them, and the text
// without them.
func placesOf(text string) (places []string, rest string) {
	rest = someplace().ReplaceAllStringFunc(text, func(found string) string {
		m := someplace().FindStringSubmatch(found)
		if m[2] != "" {
			return found
		}
		for _, name := range between().Split(m[1], -1) {
			places = append(places, cmp.Or(shortened[name], name))
		}
		return " "
	})
	return places, rest
}
