/// What people say for a type instead of its own name, in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish.
enum TypeSynonyms {
  /// One line a kind: words as they fold, `=`, the types that they ask for. Several words that are one are written together; plurals with
  /// `s` need not be written. Left out is what begins names of towns everywhere (`rio`, `lago`, `berg`), and what is a place in one
  /// language and something else in another (Polish `plaża` folds to `plaza`).
  static let lines = """
    chemist apotheke pharmacie farmacia apotheek apteka drogaria=pharmacy drugstore
    hospital krankenhaus spital klinik hopital ospedale ziekenhuis szpital=hospital
    doctor physician arzt hausarzt medecin medico huisarts lekarz przychodnia=doctor medical_clinic
    zahnarzt dentiste dentista tandarts dentysta stomatolog=dentist
    tierarzt veterinaire veterinario dierenarts weterynarz=veterinary_care
    bank sparkasse banque banco banca=bank
    geldautomat bankomat cashmachine distributeur cajero cajeroautomatico bancomat caixaeletronico multibanco geldautomaat pinautomaat=atm
    petrolstation fuel tankstelle stationservice stationessence gasolinera benzinaio distributoredibenzina postodegasolina tankstation \
    benzinestation stacjabenzynowa=gas_station
    chargingstation ladestation ladesaule bornederecharge puntoderecarga colonninadiricarica laadpaal stacjaladowania\
    =electric_vehicle_charging_station
    parkplatz parkhaus aparcamiento estacionamiento parcheggio estacionamento parkeerplaats parkeergarage=parking
    station railwaystation bahnhof gare estaciondetren stazione estacaodetrem stacja dworzec stacjakolejowa treinstation\
    =train_station transit_station
    ubahn metro=subway_station
    bushaltestelle haltestelle arretdebus paradadeautobus paradadebus fermata paragem pontodeonibus bushalte przystanek=bus_stop
    busbahnhof gareroutiere estaciondeautobuses autostazione rodoviaria busstation dworzecautobusowy=bus_station
    flughafen aeroport aeropuerto aeroporto luchthaven vliegveld lotnisko=airport
    taxi taxistand postoj=taxi_stand
    groceries grocer grocerystore supermarkt supermarche supermercado supermercato lebensmittel alimentari epicerie mercearia \
    sklepspozywczy=supermarket grocery_store convenience_store
    backerei boulangerie panaderia panificio panetteria padaria bakkerij piekarnia=bakery
    metzgerei fleischerei boucherie carniceria macelleria talho acougue slagerij slager=butcher_shop
    bookshop buchhandlung librairie libreria livraria boekhandel boekwinkel ksiegarnia=book_store
    blumenladen fleuriste floristeria fioraio florista bloemist kwiaciarnia=florist
    shop shops laden geschaft magasin tienda negozio loja winkel sklep=store
    einkaufszentrum centrecommercial centrocomercial centrocommerciale winkelcentrum galeriahandlowa=shopping_mall
    restaurant gasthaus gaststatte eatery restaurante ristorante trattoria restauracja=restaurant
    kneipe=pub bar
    kaffeehaus coffee coffeehouse caffe cafeteria kawiarnia koffiehuis=cafe coffee_shop
    icecream gelato eisdiele gelateria heladeria sorveteria ijssalon lodziarnia=ice_cream_shop
    hostelry accommodation unterkunft hebergement alojamiento alloggio alojamento accommodatie nocleg=lodging
    albergo=hotel
    jugendherberge aubergedejeunesse albergue ostello jeugdherberg=hostel
    campingplatz camping campeggio kemping=campground
    hairdresser barber friseur coiffeur peluqueria parrucchiere cabeleireiro kapper fryzjer=hair_care
    postoffice post postamt bureaudeposte laposte correos ufficiopostale correios postkantoor poczta=post_office
    polizei policia polizia politie policja commissariat=police
    feuerwehr pompiers bomberos vigilidelfuoco bombeiros brandweer strazpozarna=fire_station
    townhall rathaus mairie hoteldeville ayuntamiento prefeitura gemeentehuis stadhuis ratusz=city_hall
    toilette toilettes wc klo aseos toaleta=toilet
    schule ecole escuela scuola escola szkola=school
    kindergarten kita maternelle creche guarderia jardimdeinfancia kleuterschool przedszkole=preschool
    universitat universite universidad universita universidade universiteit uniwersytet=university
    bibliothek bibliotheque biblioteca bibliotheek biblioteka=library
    musee museo museu muzeum=museum
    theatre theater teatro teatr schouwburg=performing_arts_theater
    movies kino cine bioscoop=cinema movie_theater
    church kirche eglise iglesia chiesa igreja kerk kosciol=church place_of_worship
    moschee mosquee mezquita moschea mesquita meczet moskee=mosque
    friedhof cimetiere cementerio cimitero cemiterio begraafplaats cmentarz=cemetery
    burg schloss chateau castillo castello castelo kasteel zamek=castle
    parc parque parco=park
    playground spielplatz airedejeux parqueinfantil parcogiochi speeltuin placzabaw=playground
    pool schwimmbad hallenbad freibad piscine piscina zwembad basen=swimming_pool
    fitnessstudio gimnasio palestra ginasio sportschool silownia salledesport=gym
    stadion stade estadio stadio=stadium
    mountain peak summit=mountain_peak
    """
}
