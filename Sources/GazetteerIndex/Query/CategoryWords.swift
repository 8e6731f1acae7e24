import PlacesKit
import Text

/// Recognizes words for types of places: the names of the types (`gas station`), their plurals, and synonyms (`CategorySynonyms`).
enum CategoryWords {
  /// The types that a query names, and its other words, which name a location.
  struct Match: Equatable {
    var types: [PlaceType]
    var otherWords: [String]
    /// Whether the query also has a word such as `near`, which joins the type and the location.
    var isJoined = false
  }

  /// The types and the location that the words name; nil if no sequence of words names a type.
  /// - Parameter mistyped: whether the word for the type may have typing errors.
  static func split(_ words: [String], mistyped: Bool = false) -> Match? {
    let relevantWords = withoutJoiningWords(words)
    // The longest sequence is tried first: a `gas station` is not a station.
    for length in stride(from: min(3, relevantWords.count), to: 0, by: -1) {
      for start in 0...(relevantWords.count - length) {
        let word = relevantWords[start..<(start + length)].joined()
        guard let types = typesByWord[word] ?? (mistyped ? types(similarTo: word) : nil) else { continue }
        let otherWords = Array(relevantWords[..<start] + relevantWords[(start + length)...])
        return Match(types: types, otherWords: otherWords, isJoined: relevantWords.count < words.count)
      }
    }
    return nil
  }

  /// The types of the most similar word for a type with the same first letter; nil if it has too many typing errors.
  private static func types(similarTo word: String) -> [PlaceType]? {
    guard word.utf8.count >= minMistypedLength else { return nil }
    let maxErrors = TypoTolerance.allowedErrors(word.utf8.count)
    let similarWords = typesByWord.keys.filter { $0.first == word.first && abs($0.utf8.count - word.utf8.count) <= maxErrors }
    let best = similarWords.map { (errors: typingErrors(between: word, and: $0), word: $0) }.min { $0 < $1 }
    return best.flatMap { $0.errors <= maxErrors ? typesByWord[$0.word] : nil }
  }

  /// The minimum length in bytes of a mistyped word for a type. A shorter word is more likely a name.
  private static let minMistypedLength = 6

  /// The types whose words begin with these words, which the user is typing. Nil if the words are too short, or if no type or too many
  /// types have such a word. If there are several words, a type's word must have further letters after them: `park s` is not the plural of
  /// park.
  static func types(beginningWith words: [String]) -> [PlaceType]? {
    let prefix = words.joined()
    guard prefix.utf8.count >= minPrefixLength else { return nil }
    var types: [PlaceType] = []
    for (word, wordTypes) in typesByWord where word.hasPrefix(prefix) && (words.count == 1 || word != prefix) {
      types += wordTypes.filter { !types.contains($0) }
    }
    return types.isEmpty || types.count > maxTypesOfPrefix ? nil : types
  }

  /// The minimum length in bytes of the beginning of a word for a type.
  private static let minPrefixLength = 4
  /// The beginning of words for more types than this says too little about what the user means.
  private static let maxTypesOfPrefix = 6

  /// The words without those that only join a type and a place, such as `near` and `close to`.
  private static func withoutJoiningWords(_ words: [String]) -> [String] {
    words.indices.filter { index in
      let followsNear = particles.contains(words[index]) && meansNear(words, index - 1)
      return !joiningWords.contains(words[index]) && !meansNear(words, index) && !followsNear
    }.map { words[$0] }
  }

  /// Whether the word at an index means near, as in `près de Nice` and `vicino a Roma`. After an article or a particle it is part of a name:
  /// `Saint-Germain-des-Prés`.
  private static func meansNear(_ words: [String], _ index: Int) -> Bool {
    guard words.indices.contains(index), nearWords.contains(words[index]) else { return false }
    return index == words.startIndex || !articles.contains(words[index - 1]) && !particles.contains(words[index - 1])
  }

  /// Words between a word for a type and the name of a place.
  private static let joiningWords: Set<String> = [
    "in", "near", "at", "by", "around", "close", "to", "the", "of", "nearby", "me", "bei", "im", "nahe", "bij",
  ]
  private static let nearWords: Set<String> = ["pres", "proche", "cerca", "vicino", "perto", "blisko", "nabij"]
  private static let articles: Set<String> = ["le", "la", "les", "des", "el", "los", "las", "il", "gli", "os", "as", "dos", "das"]
  private static let particles: Set<String> = ["a", "al", "alla", "ao", "da", "de", "del", "di", "do", "du"]

  /// The types by their words, which are folded and have no spaces. Synonyms take precedence over the names of types.
  private static let typesByWord: [String: [PlaceType]] = {
    var table: [String: [PlaceType]] = [:]
    for type in PlaceType.all where type.group != .region {
      let word = type.rawValue.filter { $0 != "_" }
      table[word, default: []].append(type)
      for plural in plurals(word) { table[plural, default: []].append(type) }
    }
    for line in CategorySynonyms.lines.split(separator: "\n") {
      let sides = line.split(separator: "=")
      let types = sides[1].split(separator: " ").map { PlaceType(rawValue: String($0)) }
      for word in sides[0].split(separator: " ") { for form in [String(word)] + plurals(String(word)) { table[form] = types } }
    }
    return table
  }()

  private static func plurals(_ word: String) -> [String] {
    if word.hasSuffix("y"), let previousLetter = word.dropLast().last, !"aeiou".contains(previousLetter) {
      return [word.dropLast() + "ies"]
    }
    if word.hasSuffix("s") || word.hasSuffix("ch") || word.hasSuffix("sh") { return [word + "es"] }
    return [word + "s"]
  }
}

/// Synonyms of types in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish.
enum CategorySynonyms {
  /// Each line has folded synonyms, `=`, and their types. Synonyms of several words are written without spaces. Plurals in `s`, `es` and
  /// `ies` are added to the table. Words that begin the names of many towns (`rio`, `lago`, `berg`) are left out, and so are words with
  /// different meanings in two languages (Polish `plaża` folds to `plaza`).
  static let lines = """
    chemist apotheke apotheken pharmacie farmacia apotheek apteka drogaria=pharmacy drugstore
    hospital krankenhaus krankenhauser spital spitaler klinik kliniken hopital ospedale ziekenhuis szpital=hospital
    doctor physician arzt arzte hausarzt medecin medico huisarts lekarz przychodnia=doctor medical_clinic
    zahnarzt zahnarzte dentiste dentista tandarts dentysta stomatolog=dentist
    tierarzt veterinaire veterinario dierenarts weterynarz=veterinary_care
    bank banken sparkasse sparkassen banque banco banca=bank
    geldautomat geldautomaten bankomat cashmachine distributeur cajero cajeroautomatico bancomat caixaeletronico multibanco geldautomaat pinautomaat=atm
    petrolstation fuel tankstelle tankstellen stationservice stationessence gasolinera benzinaio distributoredibenzina postodegasolina tankstation \
    benzinestation stacjabenzynowa=gas_station
    chargingstation ladestation ladestationen ladesaule ladesaulen bornederecharge puntoderecarga colonninadiricarica laadpaal stacjaladowania\
    =electric_vehicle_charging_station
    parkplatz parkplatze parkhaus parkhauser aparcamiento estacionamiento parcheggio estacionamento parkeerplaats parkeergarage=parking
    station=train_station subway_station light_rail_station bus_station
    railwaystation bahnhof bhf gare estaciondetren stazione estacaodetrem stacja dworzec stacjakolejowa treinstation=train_station
    ubahn metro=subway_station
    tram strassenbahn=tram_stop
    bus=bus_stop bus_station
    bushaltestelle bushaltestellen haltestelle haltestellen arretdebus paradadeautobus paradadebus fermata paragem pontodeonibus bushalte przystanek=bus_stop
    busbahnhof gareroutiere estaciondeautobuses autostazione rodoviaria busstation dworzecautobusowy=bus_station
    flughafen aeroport aeropuerto aeroporto luchthaven vliegveld lotnisko=airport
    taxi taxistand postoj=taxi_stand
    groceries grocer grocerystore supermarkt supermarkte supermarche supermercado supermercato lebensmittel alimentari epicerie mercearia \
    sklepspozywczy=supermarket grocery_store convenience_store
    backerei backereien boulangerie panaderia panificio panetteria padaria bakkerij piekarnia=bakery
    metzgerei metzgereien fleischerei boucherie carniceria macelleria talho acougue slagerij slager=butcher_shop
    bookshop buchhandlung buchhandlungen librairie libreria livraria boekhandel boekwinkel ksiegarnia=book_store
    blumen blumenladen fleuriste floristeria fioraio florista bloemist kwiaciarnia=florist
    shop shops laden geschaft magasin tienda negozio loja winkel sklep=store
    einkaufszentrum einkaufszentren centrecommercial centrocomercial centrocommerciale winkelcentrum galeriahandlowa=shopping_mall
    restaurant gasthaus gasthauser gaststatte eatery restaurante ristorante trattoria restauracja=restaurant
    kneipe kneipen=pub bar
    pizza pizzeria=pizza_restaurant
    sushi=sushi_restaurant
    ramen=ramen_restaurant
    kebab kebap doner=kebab_shop
    burger hamburger=hamburger_restaurant
    taco=taco_restaurant
    tapas=tapas_restaurant
    steakhouse steakhaus=steak_house
    kaffeehaus coffee coffeehouse caffe cafeteria kawiarnia koffiehuis=cafe coffee_shop
    icecream gelato eisdiele gelateria heladeria sorveteria ijssalon lodziarnia=ice_cream_shop
    hostelry accommodation unterkunft hebergement alojamiento alloggio alojamento accommodatie nocleg=lodging
    albergo=hotel
    jugendherberge aubergedejeunesse albergue ostello jeugdherberg=hostel
    campingplatz camping campeggio kemping=campground
    hairdresser barber friseur coiffeur peluqueria parrucchiere cabeleireiro kapper fryzjer=hair_care
    postoffice post postamt postfiliale bureaudeposte laposte correos ufficiopostale correios postkantoor poczta=post_office
    polizei policia polizia politie policja commissariat=police
    feuerwehr pompiers bomberos vigilidelfuoco bombeiros brandweer strazpozarna=fire_station
    townhall rathaus mairie hoteldeville ayuntamiento prefeitura gemeentehuis stadhuis ratusz=city_hall
    toilette toilettes wc klo aseos toaleta=toilet
    schule schulen ecole escuela scuola escola szkola=school
    kindergarten kita maternelle creche guarderia jardimdeinfancia kleuterschool przedszkole=preschool
    universitat universite universidad universita universidade universiteit uniwersytet=university
    bibliothek bibliotheken bibliotheque biblioteca bibliotheek biblioteka=library
    museen musee museo museu muzeum=museum
    theatre theater teatro teatr schouwburg=performing_arts_theater
    movies kino cine bioscoop=cinema movie_theater
    church kirche kirchen eglise iglesia chiesa igreja kerk kosciol=church place_of_worship
    moschee moscheen mosquee mezquita moschea mesquita meczet moskee=mosque
    friedhof friedhofe cimetiere cementerio cimitero cemiterio begraafplaats cmentarz=cemetery
    burg burgen schloss schlosser chateau castillo castello castelo kasteel zamek=castle
    parc parque parco=park
    playground spielplatz spielplatze airedejeux parqueinfantil parcogiochi speeltuin placzabaw=playground
    pool schwimmbad schwimmbader hallenbad freibad piscine piscina zwembad basen=swimming_pool
    fitness fitnessstudio gimnasio palestra ginasio sportschool silownia salledesport=gym
    stadion stade estadio stadio=stadium
    mountain peak summit gipfel berggipfel=mountain_peak
    botschaft=embassy
    bikeshop fahrradladen velogeschaft=bicycle_store
    baumarkt=hardware_store
    """
}
