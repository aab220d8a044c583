"""The wording of an agreement in Serbian, Latin script, and the same in Cyrillic.

Comes in: nothing. Goes out: `WORDING`, `in_cyrillic`. Topics are masculine or neuter, so that they read alike in the
nominative and the accusative.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from sample_docs.agreement_text import Fixed, Grammar, Terms, Wording
from sample_docs.words import cyrillic

TERMS = Terms(
    title="Okvirni ugovor o uslugama",
    subtitle="razvoj, održavanje i podrška aplikacija",
    between="između",
    conjunction="i",
    dated="Zaključen dana",
    date="14. aprila 2025. godine",
    confidential="Poverljivo",
    contents="Sadržaj",
    parties="Ugovorne strane",
    party_lines=(
        "{}, sa sedištem na adresi {} (u daljem tekstu: Naručilac).",
        "{}, sa sedištem na adresi {} (u daljem tekstu: Pružalac).",
    ),
    background="Uvodne napomene",
    recitals=(
        "Naručilac upravlja mrežom distributivnih centara i želi da obnovi aplikacije od kojih ti centri zavise.",
        "Pružalac raspolaže znanjem, zaposlenima i iskustvom za razvoj i održavanje takvih aplikacija.",
        "Posle sprovedenog izbora Naručilac je izabrao Pružaoca da izvršava Usluge pod uslovima iz ovog ugovora.",
    ),
    agreed="Ugovorne strane su se saglasile o sledećem.",
    article="Član",
    section="Odeljak",
    schedule="Prilog",
    appendix="Dodatak",
    paragraph="stav",
    page="Strana {} od {}",
    signature="Potpisi",
    witness="Ovaj ugovor zaključuju ovlašćeni zastupnici ugovornih strana. Svaki potpisnik potvrđuje da je ovlašćen "
    "da obaveže "
    "stranu koju zastupa.",
    signed_for="U ime i za račun",
    sign_lines=("Potpis:", "Ime i prezime:", "Funkcija:", "Datum:"),
    reference="Br.",
    letters="abcdefghij",
    appendix_letters="AB",
    last_and="i",
    namely="a naročito",
    defined="Izrazi upotrebljeni u ovom ugovoru imaju sledeće značenje.",
    means="označava",
    forms=("a.d.", "d.o.o."),
    quotes="„{}”",
    streets=("Lipova", "Ulica vodenica", "Lučka", "Voćarska", "Stanična", "Zanatska"),
    towns=("Novi Brod", "Zelenbrod", "Gornja Lipa", "Belogaj", "Ravnište"),
    address="{street} {number}, {code} {town}",
)

GRAMMAR = Grammar(
    patterns=(
        "{lead} {p} je dužan da {verb} {x} {time}.",
        "{lead} {p} je dužan da {verb} {x} {manner}, {except}.",
        "{p} je dužan da {verb} {x} {manner}, {except}.",
        "{p} je dužan da {verb} {x} i da {verb} {y} {time}.",
        "Ako {cond}, {p} može da zahteva da {q} {verb} {y} {time}.",
        "Ako {cond}, {p} je dužan da {verb} {x} {time} i da o tome obavesti drugu stranu.",
        "{p} potvrđuje da {x} {state}, kao i da {y} {state}.",
        "Smatra se da {x} {state} kada {p} pisano potvrdi {y}.",
        "Obaveza da se {verbs} {x} {manner} važi bez obzira na {ref}.",
        "Ako je {x} u suprotnosti sa odredbom iz {refgen}, {p} je dužan da {verb} {y} {time}.",
        "Nijedna strana ne sme da {neglect} {x} {unless}.",
        "Ugovorne strane {meet} razmatraju {x}, a zatim {p} {verb} {y} {time}.",
        "Svaki propust da se {verbs} {x} {time} upisuje se u {log}.",
        "Cena je određena uz pretpostavku da {x} {state}; u suprotnom se primenjuje {ref}.",
        "Na zahtev druge strane {p} {verb} {x} {manner}.",
        "{p} obezbeđuje da svaki podizvođač {verb} {x} {time}, {except}.",
        "Trošak za {x} {cost}, {except}.",
    ),
    intros=(
        "{lead} {p} je dužan da:",
        "U vezi sa predmetom ovog odeljka {p} se obavezuje da {manner}:",
        "Pre nego što se koristi {x}, {p} je dužan da:",
    ),
    points=(
        "{verb} {x} {time}",
        "{verb} {x}, {except}",
        "{verb} {x} {manner}",
        "{verb} {x} i {verb} {y} {time}",
        "ako {cond}, {verb} {y} {time}",
    ),
    subpoints=("{x}, {subject}", "{x} prema {sch}", "svaki naknadni dodatak uz {x}, {subject}"),
    slots={
        "lead": (
            "Na pisani zahtev", "Tokom celog trajanja ugovora", "Pored obaveza koje propisuje {ref},",
            "Pre početka svake ugovorne godine", "U meri u kojoj to zakon dopušta", "Posle svakog tromesečnog sastanka",
            "Prilikom izvršavanja Usluga", "O svom trošku", "U slučajevima koje uređuje {sch},",
            "Nezavisno od pravila koje sadrži {ref},", "Čim nastupi odgovarajući rok",
        ),
        "verb": (
            "dokumentuje", "proverava", "ažurira", "čuva", "dostavlja", "nadzire", "ispravlja", "potvrđuje",
            "obrazlaže",
            "testira", "odobrava", "evidentira", "obezbeđuje", "usklađuje", "procenjuje", "štiti",
        ),
        "verbs": ("dokumentuje", "proveri", "ažurira", "čuva", "dostavi", "nadzire", "ispravi", "potvrdi",
        "evidentira"),
        "time": (
            "u roku od {n} radnih dana od prijema zahteva", "najkasnije {nth} radnog dana u mesecu",
            "najmanje jednom u svakoj ugovornoj godini", "u roku od {n} dana", "svakog tromesečja", "bez odlaganja",
            "do sledeće sednice Upravnog odbora projekta", "u razmacima koje određuje {sch}",
            "najmanje {n} radnih dana pre početka primene", "u periodu od {years} godina",
        ),
        "manner": (
            "u skladu sa dobrom praksom struke", "u obliku koji određuje {sch}", "sa dužnom pažnjom",
            "po postupku koji propisuje {ref}", "bez posebne naknade", "preko imenovanog predstavnika",
            "na srpskom jeziku", "u skladu sa kriterijumima prijema", "putem projektnog portala",
        ),
        "except": (
            "osim ako {ref} ne određuje drugačije", "pod uslovom da je druga strana dostavila potrebne podatke",
            "osim kada se druga strana toga pisano odrekla", "uzimajući u obzir {y}", "čak i kada je sporan {y}",
            "u granicama koje postavlja {ref}", "sve dok se ne usaglasi {y}", "ako je to u skladu sa pravilima koja "
            "sadrži {sch}",
        ),
        "cond": (
            "nije odobren {x}", "nije potpun {x}", "izmena propisa utiče na {x}", "druga strana u dobroj veri "
            "osporava {x}",
            "treće lice postavi zahtev u vezi sa ugovorom", "kasni {x} duže od {n} radnih dana",
            "provera pokaže značajno odstupanje", "ne zadovoljava uslove {x}",
        ),
        "state": (
            "može da se menja tokom trajanja ugovora", "čini deo isporuke", "ima bitan značaj za Usluge",
            "predstavlja poverljiv podatak", "može da bude predmet provere koju uređuje {ref}",
            "počiva na pretpostavkama koje sadrži {sch}", "ne stvara sam po sebi pravo na naplatu",
        ),
        "neglect": ("otkriva", "ustupa", "menja", "zadržava", "objavljuje", "umnožava"),
        "unless": (
            "bez prethodne pisane saglasnosti druge strane", "osim ako to izričito dopušta {ref}",
            "osim po nalogu nadležnog organa",
        ),
        "meet": ("jednom u tromesečju", "u roku od {n} radnih dana od zahteva", "pre kraja svake ugovorne godine"),
        "log": ("registar rizika", "mesečni izveštaj", "zapisnik Upravnog odbora projekta"),
        "cost": ("snosi Pružalac", "snosi Naručilac", "uračunat je u cenu", "dele ugovorne strane", "uređuje {sch}"),
        "subject": (
            "zajedno sa dokazima na kojima se zasniva", "sa datumom poslednje izmene", "uz ime odgovornog lica",
            "uključujući deo koji je pripremio podizvođač", "u pisanom ili elektronskom obliku",
        ),
        "refgen": ("ovog ugovora", "posebnog naloga", "priloženog cenovnika", "usvojenog plana"),
        "n": ("pet", "sedam", "deset", "dvanaest", "petnaest", "dvadeset", "trideset"),
        "nth": ("trećeg", "petog", "osmog", "desetog"),
        "years": ("pet", "šest", "sedam"),
    },
    parties=(("Pružalac", "Naručilac"), ("Naručilac", "Pružalac")),
)  # fmt: skip

DEFINITIONS = (
    ("Isporuka", "sve što je Pružalac dužan da izradi po radnom nalogu"),
    ("Kriterijumi prijema", "provere iz radnog naloga koje isporuka mora da zadovolji"),
    ("Podaci Naručioca", "sve podatke koje Naručilac dostavi ili koji za njega nastanu izvršavanjem Usluga"),
    ("Podizvođač", "treće lice kome je Pružalac poverio deo Usluga"),
    ("Poverljiv podatak", "podatak koji je tako označen ili koji se po prirodi stvari smatra poverljivim"),
    ("Radni dan", "svaki dan osim subote, nedelje i državnih praznika"),
    ("Radni nalog", "dokument koji potpisuju obe strane i koji opisuje određene Usluge"),
    ("Ugovorna godina", "svaki period od dvanaest meseci od dana stupanja na snagu"),
    ("Upravni odbor projekta", "telo u kome su zastupljene obe ugovorne strane"),
    ("Usluge", "usluge opisane u Prilogu 1 i u radnim nalozima"),
    ("Viša sila", "događaj van kontrole ugovorne strane koji se nije mogao sprečiti razumnim merama"),
)

ARTICLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Pojmovi i tumačenje", (
        "*definitions Značenje izraza",
        "Tumačenje | naslov odredbe; primer u tekstu; rok izražen u danima; upućujući propis",
        "Redosled dokumenata | osnovni tekst ugovora; radni nalog; prateći dokument; usmeni dogovor",
    )),
    ("Usluge", (
        "Obim usluga | opis usluge; raspored odgovornosti; spisak aplikacija; opis interfejsa",
        "Radni nalozi | nacrt radnog naloga; procenjeni obim rada; vremenski plan; spisak isporuka",
        "Kvalitet izvršenja | plan kvaliteta; standard programiranja; kontrolni spisak; nivo usluge",
        "Prijem isporuka | test prijema; spisak nedostataka; zapisnik o prijemu; ponovljeni test",
        "Podizvođači | registar podizvođača; ugovor sa podizvođačem; izveštaj o proveri; predlog za zamenu",
    )),
    ("Cena i plaćanje", (
        "Cena | cenovnik; fiksni iznos; mesečni paušal; obračunski model",
        "Fakturisanje | račun; broj narudžbenice; evidencioni list; obračun po stavkama",
        "Rok plaćanja | nesporni iznos; platni nalog; datum dospeća; izvod sa računa",
        "Sporni iznosi | prigovor na račun; zadržani iznos; zapisnik o usaglašavanju; knjižno odobrenje",
        "Usklađivanje cena | objavljeni indeks; bazni mesec; usklađeni cenovnik; najviši procenat",
    )),
    ("Trajanje i produženje", (
        "Stupanje na snagu | početni rok; pripremni period; odložni uslov; datum početka",
        "*early",
        "Produženje | zahtev za produženje; pregled učinka; predlog odbora; novi period",
        "Uslovi za produženje | dokaz o solventnosti; uporedni izveštaj; važeći sertifikat",
        "*early",
    )),
    ("Obaveze Naručioca", (
        "Saradnja | zahtev za podatke; dnevnik odluka; kontakt; odgovor u roku",
        "Pristup prostorijama i sistemima | pristupni nalog; udaljeni pristup; protokol za posetioce",
        "Materijali Naručioca | izvorni podatak; postojeći priručnik; skup test podataka; licencni ključ",
        "Posledice izostanka saradnje | produženi rok; izmenjeni plan; zapis o zastoju",
    )),
    ("Intelektualna svojina", (
        "Ranija prava | popis postojećeg koda; licencni dokument; spisak komponenti",
        "Prenos prava | preneti obim prava; izvorni kod; priručnik za izradu; potpisani akt o prenosu",
        "Otvoreni kod | spisak otvorenih komponenti; uslov licence; izveštaj o ranjivosti",
        "Povreda prava | zahtev trećeg lica; predlog poravnanja; zamenski modul; nadoknadivi gubitak",
    )),
    ("Poverljivost", (
        "Obaveza čuvanja | poverljivi podatak; spisak ovlašćenih lica; potpisani pristanak",
        "Dopušteno otkrivanje | nalog organa; podatak za savetnika; zatamnjeni primerak",
        "Izuzeci | javno dostupan podatak; ranije poznat podatak; nezavisno razvijen sadržaj",
        "Vraćanje i uništavanje | zapisnik o uništavanju; arhivski primerak; rezervni medijum",
    )),
    ("Zaštita podataka i bezbednost", (
        "Obrada podataka o ličnosti | nalog za obradu; zapis o obradi; opis svrhe",
        "Mere bezbednosti | pravilnik o pristupu; standard šifrovanja; ciklus ispravki; test proboja",
        "Bezbednosni incidenti | prijavljeni incident; izveštaj o uzroku; forenzički primerak",
        "Zahtevi lica | zahtev za uvid; zahtev za ispravku; obrazac odgovora",
    )),
    ("Povreda ugovora, obustava i izlazak", (
        "*late",
        "*late",
        "Obustava usluga | akt o obustavi; zahtev za nastavak; minimalni obim usluge",
        "*late",
        "Pomoć pri izlasku | plan prelaska; popis opreme; zapisnik o primopredaji; prenos znanja",
    )),
    ("Garancije i odgovornost", (
        "Uzajamne garancije | dokaz o ovlašćenju; potreban pristanak; izvod iz registra",
        "Otklanjanje nedostataka | prigovor na kvalitet; popravljeni modul; privremeni postupak; umanjeni iznos",
        "Ograničenje odgovornosti | godišnji limit; ukupni iznos; vid štete",
        "Naknada štete | odštetni zahtev; dokaz o šteti; trošak odbrane",
    )),
    ("Pravo, sporovi i obaveštenja", (
        "Eskalacija | zahtev za eskalaciju; pisani stav; privremeni dogovor",
        "Posredovanje | predlog za posredovanje; izabrani posrednik; zajednički trošak",
        "*law",
        "Nadležnost suda | nadležni sud; privremeni nalog; jezik postupka",
        "Obaveštenja | pisani dopis; adresni podatak; trenutak prijema; elektronski primerak",
    )),
    ("Završne odredbe", (
        "Ustupanje | predlog za ustupanje; ugovor o ustupanju; pristanak druge strane",
        "Odricanje | pisani akt o odricanju; zakasneli zahtev; prećutni pristanak",
        "Delimična ništavost | ništavi deo odredbe; zamenski tekst; preostali sadržaj",
        "Održivi razvoj | izveštaj o emisijama; plan uštede; pravilnik o putovanjima",
        "Primerci i elektronski potpis | potpisani primerak; elektronski potpis; dnevnik potpisivanja",
    )),
)  # fmt: skip

EARLY = (
    Fixed("Otkaz bez razloga", (
        "Naručilac može da otkaže ovaj ugovor ili pojedini radni nalog posle isteka prve ugovorne godine, pisanim "
        "obaveštenjem "
        "sa otkaznim rokom od devedeset dana.",
        "Obaveštenje o otkazu mora da navede da li se odnosi na ceo ugovor ili samo na pojedine radne naloge.",
        "Usluge izvršene do dana otkaza plaćaju se po ugovorenoj ceni; izmakla dobit se ne nadoknađuje.",
    )),
    Fixed("Otkaz zbog promene kontrole", (
        "Svaka strana obaveštava drugu o promeni kontrole u roku od deset radnih dana.",
        "Ako kontrolu nad Pružaocem stekne konkurent Naručioca, Naručilac može da otkaže ugovor sa rokom od šezdeset "
        "dana.",
    )),
)  # fmt: skip

LATE = (
    Fixed("Raskid zbog bitne povrede", (
        "Svaka strana može da raskine ovaj ugovor pisanom izjavom ako druga strana bitno povredi ugovor i povredu ne "
        "otkloni u "
        "roku od trideset dana od opomene.",
        "Pravo na raskid iz ovog odeljka ne isključuje druga prava po zakonu.",
    )),
    Fixed("Raskid zbog nesolventnosti", (
        "Svaka strana može da raskine ugovor ako druga strana postane nesposobna za plaćanje ili se nad njom otvori "
        "stečaj.",
        "Raskid deluje od dana navedenog u izjavi.",
    )),
    Fixed("Raskid zbog dugotrajne više sile", (
        "Ako viša sila duže od devedeset dana sprečava bitan deo Usluga, svaka strana može da raskine pogođene radne "
        "naloge sa "
        "rokom od četrnaest dana.",
        "Zbog raskida iz ovog odeljka nijedna strana ne odgovara za štetu.",
    )),
)  # fmt: skip

APPENDED = Fixed("Otkaz prelaznih usluga", (
    "Naručilac može da otkaže prelazne usluge u celini ili delimično sa rokom od dvadeset radnih dana.",
    "Otkaz ne utiče na obavezu vraćanja podataka Naručioca.",
))  # fmt: skip

LAW = Fixed("Merodavno pravo", (
    "Na ovaj ugovor primenjuje se pravo države u kojoj Naručilac ima sedište, bez primene kolizionih normi.",
    "Konvencija Ujedinjenih nacija o ugovorima o međunarodnoj prodaji robe ne primenjuje se.",
    "Prinudni propisi mesta izvršenja primenjuju se pored merodavnog prava.",
))  # fmt: skip

SCHEDULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Opis usluga", (
        "Razvoj aplikacija | spisak zadataka; plan iteracije; opis verzije; regresioni test",
        "Održavanje platforme | plan kapaciteta; alat za nadzor; termin održavanja; rezervni skup",
        "Korisnička podrška | prijavljeni zahtev; stepen hitnosti; ciljni rok; članak u bazi znanja",
        "Dokumentacija | priručnik za rad; korisnički vodič; dijagram arhitekture",
    )),
    ("Nivo usluga", (
        "Merenje | period merenja; način uzorkovanja; izvor vremena",
        "Dostupnost | ciljni procenat; planirani prekid; izveštaj o dostupnosti",
        "Vreme odziva | rok odziva; razred kvara; dnevnik kvarova",
        "Umanjenje cene | iznos umanjenja; mesečni limit; zahtev za umanjenje",
    )),
    ("Cene", (
        "Cenovnik rada | dnevni iznos; opis zvanja; dodatak za prekovremeni rad",
        "Fiksne cene | mesečni iznos; obim isporuke; minimalni nalog",
        "Plaćanje po fazama | iznos faze; uslov isplate; zadržani deo",
    )),
)  # fmt: skip

APPENDICES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Obrasci", (
        "Obrazac radnog naloga | broj naloga; termin usluge; kontakt podatak",
        "Obrazac zapisnika o prijemu | broj zapisnika; testirana verzija sistema; otvoreni nedostatak",
    )),
    ("Plan prelaska", (
        "Svrha i obim | cilj prelaska; novi pružalac; popis usluga",
        "Prelazne usluge | paralelni rad; prenos podataka; probni prelazak",
        "*appended",
        "Prenos znanja | registar znanja; snimljeni čas; spisak pitanja",
    )),
)  # fmt: skip

WORDING = Wording(TERMS, GRAMMAR, DEFINITIONS, ARTICLES, EARLY, LATE, APPENDED, LAW, SCHEDULES, APPENDICES)

KEPT = re.compile(r"(\{[^}]*\}|^\*\w+)")
T = TypeVar("T")


def in_cyrillic(wording: Wording) -> Wording:
    """The same wording in Cyrillic: slots and markers stay, points are lettered in the order of the azbuka."""
    changed = _changed(wording)
    terms = replace(changed.terms, letters="абвгдђежзи", address=wording.terms.address)
    return replace(changed, terms=terms)


def _changed(value: T) -> T:
    match value:
        case str():
            parts = KEPT.split(value)
            return "".join(p if KEPT.fullmatch(p) else cyrillic(p) for p in parts)  # type: ignore[return-value]
        case tuple():
            return tuple(_changed(item) for item in value)  # type: ignore[return-value]
        case dict():
            return {key: _changed(item) for key, item in value.items()}  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type):
        changed = {field.name: _changed(getattr(value, field.name)) for field in fields(value)}
        return replace(value, **changed)
    return value
