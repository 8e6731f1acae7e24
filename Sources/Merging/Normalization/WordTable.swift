import PlacesKit

/// Words that are common to many names, in several languages, folded to Latin letters.
enum WordTable {
  struct Entry: Sendable {
    var kind: Word.Kind
    var weight: Double
    /// The key of the canonical word: the digits, the long form, or the first word of the line. Nil if the word is its own canonical form.
    var key: UInt64?
    /// The kinds of places that the word means, as the bits of their groups of types (`CategoryTable.bit`).
    var groups: UInt32 = 0
  }

  /// The entries by the keys of their words. If a word is in several tables, the table that is added last determines its entry.
  static let entries: [UInt64: Entry] = {
    var entries: [UInt64: Entry] = [:]
    func add(_ words: String, _ kind: Word.Kind, _ weight: Double) {
      for word in words.split(whereSeparator: \.isWhitespace) { entries[Word.key(of: word)] = Entry(kind: kind, weight: weight) }
    }
    add(generic, .generic, 0.35)
    add(parts, .part, 0.5)
    add(prepositionWords, .filler, 0.08)
    add(fillers, .filler, 0.08)
    add(legal, .legal, 0.05)
    func addMeanings(_ lines: String, _ kind: Word.Kind, _ weight: Double) {
      for line in lines.split(separator: "\n") {
        let words = line.split(separator: " ")
        let key = Word.key(of: words[0])
        for word in words { entries[Word.key(of: word)] = Entry(kind: kind, weight: weight, key: key) }
      }
    }
    addMeanings(modifiers, .modifier, 0.7)
    addMeanings(numbers, .number, 0.8)
    for line in abbreviations.split(separator: "\n") {
      let words = line.split(separator: " ")
      let long = entries[Word.key(of: words[0])]
      for word in words.dropFirst() {
        entries[Word.key(of: word)] = Entry(kind: long?.kind ?? .name, weight: long?.weight ?? 0.6, key: Word.key(of: words[0]))
      }
    }
    var groups: [UInt64: UInt32] = [:]
    for (word, group) in CategoryTable.groups {
      let key = Word.key(of: word)
      if entries[key] == nil { entries[key] = Entry(kind: .name, weight: Word.weight(ofName: word.utf8.count)) }
      groups[entries[key]?.key ?? key, default: 0] |= CategoryTable.bit(group)
    }
    for (key, entry) in entries { entries[key]?.groups = groups[entry.key ?? key] ?? 0 }
    return entries
  }()

  /// All words of the lists, for a test. Each word may be in one list only, because its entry would replace that of an earlier list. A word
  /// with several meanings is in the list of the meaning that is commonest in names of places. The first word on a line of `abbreviations`
  /// is left out, because it may also be in another list, which determines its kind.
  static var listedWords: [Substring] {
    var words: [Substring] = []
    for list in [generic, parts, prepositionWords, fillers, legal, modifiers, numbers] {
      words += list.split(whereSeparator: \.isWhitespace)
    }
    for line in abbreviations.split(separator: "\n") { words += line.split(separator: " ").dropFirst() }
    return words
  }

  /// Prepositions that introduce the containing place: Starbucks at Plaza Singapura. They are fillers too.
  static let prepositions: Set<UInt64> = Set(prepositionWords.split(separator: " ").map { Word.key(of: $0) })
  private static let prepositionWords = "at in im am inside within chez en presso dans beim"

  /// Articles, other prepositions, conjunctions, and words such as `nr` that introduce a number.
  private static let fillers = """
    the a an and of on by for to with from der die das des dem den bei zu zum zur fur von vom mit auf de del la las \
    el los le les du au aux l d di da do dos della dello dei delle il lo gli al alla con por para em na no nas nos \
    o os as van het een te ter op pa til af t ve wa ha number nr
    """

  /// Legal forms and professional titles.
  private static let legal = """
    anstalt inc incorporated llc llp lp pllc pc ltd limited plc co company corp corporation gmbh ag kg ohg ug ek ev gbr mbh kgaa se sa sas sarl sasu eurl \
    sl slu srl snc scrl bv nv cv vof ab asa aps oy oyj sp zoo kft zrt bt sro doo dd ad ood eood ooo oao zao ltda eireli me epp mei \
    pty pte sdn bhd tbk pt kk yk kabushiki gaisha kaisha md dds dmd od phd cpa esq np fnp dvm dpm aprn rn lmt lcsw jr sr
    """

  /// Words for kinds of places.
  private static let generic = """
    restaurant restoran restauracja gaststatte gasthaus gasthof wirtshaus trattoria osteria taverna taverne tavern brasserie \
    bistro cafe caffe caffetteria coffee kaffee kafe cafeteria tea bar pub grill grille diner eatery kitchen cuisine food foods pizza pizzeria \
    burger burgers sushi bbq barbecue steakhouse noodle noodles ramen deli delicatessen buffet lounge tapas seafood chicken sandwich sandwiches \
    bakery backerei boulangerie panaderia panificio padaria patisserie pasteleria konditorei hotel hotels hostel motel inn lodge resort suites suite pension \
    pousada posada hosteria guesthouse apartments apartment apartamentos ferienwohnung residence residencial residencia edificio condominio villa \
    shop store stores market supermarket supermercado supermarkt mercado mart boutique outlet mall plaza shopping emporium grocery groceries \
    tienda loja laden geschaft magasin negozio books salon salao hair friseur coiffure peluqueria barber barbershop beauty nail nails spa massage studio \
    gym fitness yoga club clube verein school schule escuela escola ecole scuola college university universidad universidade universitat academy academia \
    academie institute instituto institut kindergarten church kirche iglesia igreja eglise chiesa chapel kapelle temple mosque parish museum gallery galerie galeria \
    theatre theater teatro cinema kino biblioteca bibliothek hospital clinic clinica klinik clinique praxis medical health healthcare care dental \
    dentist dentistry zahnarzt physicians physician doctors doctor dr surgery medicine center centro zentrum central services service servicios servicos \
    solutions group grupo gruppe associates partners agency agencia agentur office insurance seguros versicherung bank banco banque banca sparkasse credit union financial finance \
    law legal attorney attorneys lawyer auto autos automotive car cars motors motor garage tire tires repair supply supplies \
    rental rentals realty estate real properties property positions home house haus casa maison station tankstelle gas petrol \
    park parc parque garden gardens field sports sport arena stadium stadion express international national global \
    city town village municipality ville stadt gemeinde ciudad cidade municipio comune district county province region state oblast raion \
    street road avenue airport flughafen aeropuerto aeroport rathaus apotheke farmacia pharmacie drugstore
    """

  /// Words for places that are often inside, next to or named after another place.
  private static let parts = """
    atm atms geldautomat cajero pharmacy optical vision eyewear photo bitcoin parking parkplatz parkhaus entrance exit eingang ausgang toilet toilets wc \
    gate terminal platform gleis bahnsteig quai hall building gebaude block floor department emergency room bookshop annex warehouse depot carwash wash \
    cardiology neurology urology oncology pediatrics pediatric radiology imaging orthopedics orthopedic dermatology rehabilitation laboratory lab campus \
    drive thru delivery pickup mortgage money floral grooming training vaccination vaccinations glasses parts fuel auctions library bookstore nursery \
    charging charger supercharger kiosk lobby rooftop gift bus tram metro subway halt haltestelle stop playground pool
    """

  /// Words that distinguish neighbours, one meaning on each line. Words of other scripts are given as `Transliteration` spells them, so
  /// that ICU is not loaded for this table.
  private static let modifiers = """
    north northern n nord norte norra nordre utara kuzey shamali shamaliyah septentrional severnyy voreia shmal shmali uttara \
    vatakku tspon myeak chrdiloet
    south southern s sud sur zuid sodra sondre selatan guney janubi janubiyah yuzhnyy notia jnub jnubi daksina terku drom teang \
    debub samkhret
    east eastern est ost oost este leste ostra timur dogu sharqi sharqiyah vostochnyy anatoliki shrq shrqi purva purba kilakku mzrh \
    ashe msraq
    west western w ouest oeste vastra barat bati gharbi gharbiyah zapadnyy dytiki ghrb ghrbi pascima merku aneak mrab
    northeast nordost noreste nordeste
    northwest nordwest noroeste
    southeast sudost sureste sudeste
    southwest sudwest suroeste sudoeste
    upper ober oberer obere superior alta alto haut haute ovre gorno gornji gornja gorna gorny horni horna horne felso yukari yuxari \
    ano olya bala fawqa fawqani verkhniy verkhnyaya verkhnee verkhnye verkhnya gorni gornje alfuqa alfuqani alalia zemo zeda verin \
    ahtt upari ailit alion
    lower unter unterer untere inferior baja bajo bas basse nedre dolno dolni donji donja dolna dolny dolne asagi kato sofla tahta \
    tahtani nizhniy nizhnyaya nizhnee nizhnye nizhnya donje sfli paiin althta althtani alsfla kvemo kveda nerkin aeak nicala thtit \
    thton
    middle mittel mittlere moyen srednje srednja srednyaya sredniy srednee serednye mesi wsti alusta mijin
    old alt alte altes vieja viejo velho velha vieux vieille oud oude gamla gamle staro stara stari stary stare eski palaia palaio \
    palaios staryy staraya staroe palia palio qdim alqdima alqdim dzveli purana puratana palaiya
    new neu neue neues nueva nuevo novo nova novi novy nouveau neuf nouvelle nuova nuovo nieuw nieuwe nya uj yeni nea neo neos baru \
    novyy novaya novoe nove jdid aljdida aljdid akhali nor naya natuna putiya hdsh hdshh
    big great greater gross grosse groot grote grand grande gran stora velike veliki velika veliko velka velke velky wielki wielka \
    wielkie nagy buyuk megalo megali bolshoy bolshaya bolshoe velikiy golyama golyamo kbir alkbir alkbira bzrg didi mets kyi
    little small klein kleine petit petite pequeno lilla male mali mala malo maly kis kucuk mikro mikri malyy malaya maloe maliy \
    malka malko sghir alsghir alsghira kuchk patara pokr khel khurda chota
    inner innere atwn dakhli
    outer aussere apyn
    senior
    junior
    men mens
    women womens
    boys
    girls
    """

  /// One number on each line: its digits, then the words for it.
  private static let numbers = """
    1 one first i eins erste uno primero premier primo
    2 two second ii zwei zweite segundo deuxieme due secondo
    3 three third iii drei dritte tres tercero troisieme tre
    4 four fourth iv vier quatro cuatro quatre quattro
    5 five fifth v funf cinco cinq cinque
    6 six sixth vi sechs seis sei
    7 seven seventh vii sieben siete sete sept sette
    8 eight eighth viii acht ocho oito huit otto
    9 nine ninth ix neun nueve
    10 ten tenth zehn diez dez dix dieci
    11 eleven eleventh xi
    12 twelve twelfth xii
    13 thirteen thirteenth xiii
    14 fourteen fourteenth xiv
    15 fifteen fifteenth xv
    16 sixteen sixteenth xvi
    17 seventeen seventeenth xvii
    18 eighteen eighteenth xviii
    19 nineteen nineteenth xix
    20 twenty twentieth xx
    30 thirty
    40 forty
    50 fifty
    60 sixty
    70 seventy
    80 eighty
    90 ninety
    """

  /// One word on each line: its long form, then its abbreviations and other forms.
  private static let abbreviations = """
    saint st ste sta sto sankt skt san santa sao santo sant
    mount mt
    fort ft
    center ctr cntr centre
    street str
    road rd
    avenue ave av
    international intl internacional
    national natl
    university univ uni
    hospital hosp
    school sch
    station stn
    restaurant rest restaurante ristorante
    pharmacy pharm
    department dept
    building bldg
    block blk
    apartments apts apt
    association assn assoc
    brothers bros
    and und et y e og och
    """
}
