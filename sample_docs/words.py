"""Words and figures for the sample documents: numbers and dates as countries print them, company names, trades.

Comes in: Decimals, dates, a random generator, a language code (en, de, sr). Goes out: printed text. Refuses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from random import Random
from typing import Literal

Language = Literal["en", "de", "sr"]
Numbers = Literal["1.234,56", "1,234.56", "1 234,56"]


def figure(value: Decimal, style: Numbers, places: int = 2) -> str:
    """The digits of `value` without its sign, grouped as `style` shows."""
    plain = f"{abs(value):,.{places}f}"
    match style:
        case "1,234.56":
            return plain
        case "1.234,56":
            return plain.translate(str.maketrans(",.", ".,"))
        case "1 234,56":
            return plain.translate(str.maketrans(",.", "\u00a0,"))


def money(value: Decimal, style: Numbers, trailing_minus: bool = False) -> str:
    """`value` with two decimals; a negative one as -1.234,56, or 1.234,56- where `trailing_minus`."""
    digits = figure(value, style)
    if value >= 0:
        return digits
    return f"{digits}-" if trailing_minus else f"-{digits}"


def count(value: Decimal, style: Numbers, trailing_minus: bool = False) -> str:
    """A quantity: whole, or with the decimals it has."""
    exponent = value.normalize().as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else 0
    digits = figure(value, style, places)
    if value >= 0:
        return digits
    return f"{digits}-" if trailing_minus else f"-{digits}"


def dotted(day: date) -> str:
    return day.strftime("%d.%m.%Y")


@dataclass(frozen=True)
class Trade:
    """What a supplier sells: goods, their makes, units of packing, and the range of unit prices in cents."""

    name: str
    goods: tuple[str, ...]
    makes: tuple[str, ...]
    packs: tuple[str, ...]
    cents: tuple[int, int]
    largest: int


DIVISIBLE = (
    "per metre", "per hour", "per m2", "je Meter", "je Stunde", "je m2", "po metru", "po satu", "po m2",
)  # fmt: skip

# fmt: off
TRADES: dict[Language, tuple[Trade, ...]] = {
    "en": (
        Trade(
            "Metals",
            ("Round bar", "Flat bar", "Angle section", "Square tube", "Sheet, cold rolled", "Perforated plate",
             "Wire rod", "Hollow section", "U-channel", "Chequer plate", "Threaded rod", "Expanded mesh"),
            ("S235JR", "S355J2", "1.4301", "1.4404", "EN AW-6060", "CuZn39Pb3", "hot-dip galvanised", "pickled"),
            ("cut to 6 m", "bundle of 12", "sawn 1500 mm", "per metre", "with certificate 3.1", "deburred"),
            (420, 68900), 140,
        ),
        Trade(
            "Packaging",
            ("Folding carton", "Stretch film", "Corrugated sleeve", "Pallet collar", "Void-fill paper",
             "Edge protector",
             "Shipping label roll", "Bubble envelope", "Euro pallet, exchange", "Strapping band", "Kraft tape"),
            ("single wall", "double wall", "recycled", "printed 1/0", "natural brown", "white lined", "reinforced"),
            ("size A", "size C", "pack of 50", "roll of 300 m", "pack of 25", "bundle of 20"),
            (38, 9400), 600,
        ),
        Trade(
            "Chemicals",
            ("Isopropanol", "Citric acid", "Alkaline cleaner", "Cooling lubricant", "Corrosion inhibitor", "Descaler",
             "Demineralised water", "Silicone oil", "Rinse aid", "Phosphating bath", "Degreaser"),
            ("technical grade", "food grade", "concentrate", "ready to use", "low foam", "batch tested"),
            ("10 l canister", "200 l drum", "1000 l IBC", "25 kg sack", "5 l refill"),
            (890, 148000), 60,
        ),
        Trade(
            "Logistics",
            ("Groupage freight", "Full load", "Tail-lift delivery", "Customs clearance", "Pallet storage",
             "Night express",
             "Return haulage", "Container drayage", "Diesel surcharge", "Waiting time", "Order picking"),
            ("domestic", "cross-border", "zone 2", "zone 4", "temperature controlled", "ADR"),
            ("per pallet", "per consignment", "per hour", "per stop", "flat rate"),
            (950, 96500), 40,
        ),
        Trade(
            "Electrical",
            ("Control cable", "Circuit breaker", "Terminal block", "Proximity switch", "Cable gland", "LED panel",
             "Contactor", "Signal lamp", "Power supply 24 V", "Cable duct", "Relay base", "Motor starter"),
            ("3 x 1.5", "B16", "IP67", "DIN rail", "halogen free", "grey", "UL listed", "type 2"),
            ("ring of 100 m", "pack of 10", "each", "pack of 5", "drum"),
            (145, 38500), 250,
        ),
        Trade(
            "Tooling",
            ("End mill", "Drill bit", "Indexable insert", "Tap", "Reamer", "Tool holder", "Grinding wheel", "Saw blade",
             "Clamping jaw", "Gauge block", "Collet", "Boring bar"),
            ("HSS-E", "carbide", "TiAlN coated", "6 mm", "12 mm", "H7", "left hand", "regrind"),
            ("each", "set of 5", "pack of 10", "boxed"),
            (640, 52400), 90,
        ),
        Trade(
            "Office",
            ("Copy paper A4", "Lever arch file", "Toner cartridge", "Ballpoint pen", "Document wallet",
             "Whiteboard marker",
             "Notebook, ruled", "Desk lamp", "Envelope DL", "Label sheet", "Archive box"),
            ("80 g", "blue", "black", "recycled", "FSC", "high yield", "assorted"),
            ("box of 5", "pack of 10", "pack of 100", "each", "carton"),
            (55, 14900), 120,
        ),
        Trade(
            "Facility",
            ("Window cleaning", "Waste collection", "Fire extinguisher service", "Lift inspection", "Grounds care",
             "HVAC filter change", "Floor treatment", "Workwear rental", "Pest monitoring", "Security patrol"),
            ("hall 1", "hall 3", "office wing", "monthly", "on call", "annual"),
            ("per visit", "flat rate", "per m2", "per hour", "per unit"),
            (1150, 74500), 30,
        ),
    ),
    "de": (
        Trade(
            "Metall",
            ("Rundstahl", "Flachstahl", "Winkelprofil", "Vierkantrohr", "Feinblech", "Lochblech", "Walzdraht",
             "U-Profil",
             "Riffelblech", "Gewindestange", "Streckmetall"),
            ("S235JR", "S355J2", "1.4301", "1.4404", "feuerverzinkt", "gebeizt", "blank gezogen"),
            ("Zuschnitt 6 m", "Bund zu 12", "gesägt 1500 mm", "je Meter", "mit Zeugnis 3.1", "entgratet"),
            (420, 68900), 140,
        ),
        Trade(
            "Verpackung",
            ("Faltschachtel", "Stretchfolie", "Wellpapphülse", "Palettenrahmen", "Füllpapier", "Kantenschutz",
             "Versandetiketten", "Luftpolstertasche", "Europalette, Tausch", "Umreifungsband"),
            ("einwellig", "zweiwellig", "Recycling", "bedruckt 1/0", "naturbraun", "verstärkt"),
            ("Größe A", "Größe C", "50 Stück", "Rolle 300 m", "25 Stück"),
            (38, 9400), 600,
        ),
        Trade(
            "Chemie",
            ("Isopropanol", "Zitronensäure", "Alkalireiniger", "Kühlschmierstoff", "Korrosionsschutz", "Entkalker",
             "VE-Wasser", "Silikonöl", "Klarspüler", "Entfetter"),
            ("technisch", "lebensmittelecht", "Konzentrat", "gebrauchsfertig", "schaumarm"),
            ("Kanister 10 l", "Fass 200 l", "IBC 1000 l", "Sack 25 kg"),
            (890, 148000), 60,
        ),
        Trade(
            "Spedition",
            ("Stückgutfracht", "Komplettladung", "Hebebühnenzustellung", "Zollabfertigung", "Palettenlagerung",
             "Nachtexpress", "Rückfracht", "Dieselzuschlag", "Standzeit", "Kommissionierung"),
            ("national", "grenzüberschreitend", "Zone 2", "Zone 4", "temperaturgeführt", "ADR"),
            ("je Palette", "je Sendung", "je Stunde", "pauschal"),
            (950, 96500), 40,
        ),
        Trade(
            "Elektro",
            ("Steuerleitung", "Leitungsschutzschalter", "Reihenklemme", "Näherungsschalter", "Kabelverschraubung",
             "LED-Panel", "Schütz", "Meldeleuchte", "Netzteil 24 V", "Kabelkanal"),
            ("3 x 1,5", "B16", "IP67", "halogenfrei", "grau", "Typ 2"),
            ("Ring 100 m", "10 Stück", "Stück", "Trommel"),
            (145, 38500), 250,
        ),
        Trade(
            "Werkzeug",
            ("Schaftfräser", "Spiralbohrer", "Wendeplatte", "Gewindebohrer", "Reibahle", "Werkzeughalter",
             "Schleifscheibe", "Sägeblatt", "Spannbacke", "Endmaß"),
            ("HSS-E", "Hartmetall", "TiAlN", "6 mm", "12 mm", "H7", "linksschneidend"),
            ("Stück", "Satz zu 5", "10 Stück", "Kassette"),
            (640, 52400), 90,
        ),
        Trade(
            "Büro",
            ("Kopierpapier A4", "Ordner", "Tonerkartusche", "Kugelschreiber", "Sammelmappe", "Boardmarker",
             "Notizbuch, liniert", "Schreibtischleuchte", "Briefumschlag DL", "Archivbox"),
            ("80 g", "blau", "schwarz", "Recycling", "FSC", "sortiert"),
            ("5 Pakete", "10 Stück", "100 Stück", "Stück", "Karton"),
            (55, 14900), 120,
        ),
        Trade(
            "Gebäude",
            ("Glasreinigung", "Abfallentsorgung", "Feuerlöscherwartung", "Aufzugsprüfung", "Grünpflege",
             "Filterwechsel Lüftung", "Bodenpflege", "Mietwäsche", "Wachdienst"),
            ("Halle 1", "Halle 3", "Bürotrakt", "monatlich", "auf Abruf", "jährlich"),
            ("je Einsatz", "pauschal", "je m2", "je Stunde"),
            (1150, 74500), 30,
        ),
    ),
    "sr": (
        Trade(
            "Metali",
            ("Okrugli čelik", "Pljosnati čelik", "Ugaoni profil", "Kvadratna cev", "Hladno valjani lim",
             "Perforirani lim",
             "Žica", "U-profil", "Rebrasti lim", "Navojna šipka"),
            ("S235JR", "S355J2", "1.4301", "1.4404", "pocinkovano", "dekapirano"),
            ("sečeno 6 m", "snop 12 kom", "po metru", "sa atestom 3.1"),
            (420, 68900), 140,
        ),
        Trade(
            "Ambalaža",
            ("Složiva kutija", "Streč folija", "Paletni okvir", "Papir za popunu", "Zaštitni ugaonik",
             "Etikete za otpremu",
             "Vazdušasta koverta", "Euro paleta, zamena", "Traka za vezivanje"),
            ("troslojna", "petoslojna", "reciklirana", "štampana 1/0", "ojačana"),
            ("veličina A", "veličina C", "50 kom", "rolna 300 m"),
            (38, 9400), 600,
        ),
        Trade(
            "Hemija",
            ("Izopropanol", "Limunska kiselina", "Alkalni čistač", "Rashladno sredstvo", "Inhibitor korozije",
             "Sredstvo protiv kamenca", "Demineralizovana voda", "Silikonsko ulje", "Odmašćivač"),
            ("tehnički kvalitet", "koncentrat", "spremno za upotrebu", "slabo peni"),
            ("kanister 10 l", "bure 200 l", "IBC 1000 l", "džak 25 kg"),
            (890, 148000), 60,
        ),
        Trade(
            "Transport",
            ("Zbirni prevoz", "Pun kamion", "Isporuka sa rampom", "Carinjenje", "Skladištenje paleta", "Noćni ekspres",
             "Povratni prevoz", "Dodatak za gorivo", "Čekanje"),
            ("domaći", "prekogranični", "zona 2", "zona 4", "ADR"),
            ("po paleti", "po pošiljci", "po satu", "paušalno"),
            (950, 96500), 40,
        ),
        Trade(
            "Elektro",
            ("Upravljački kabl", "Automatski prekidač", "Redna stezaljka", "Senzor blizine", "Kablovska uvodnica",
             "LED panel", "Kontaktor", "Signalna lampa", "Napajanje 24 V", "Kablovski kanal"),
            ("3 x 1,5", "B16", "IP67", "bez halogena", "siva", "tip 2"),
            ("kolut 100 m", "10 kom", "kom", "doboš"),
            (145, 38500), 250,
        ),
        Trade(
            "Alati",
            ("Glodalo", "Burgija", "Izmenljiva pločica", "Ureznik", "Razvrtač", "Držač alata", "Brusna ploča",
             "List testere", "Stezna čeljust"),
            ("HSS-E", "tvrdi metal", "TiAlN", "6 mm", "12 mm", "H7", "levi"),
            ("kom", "set 5 kom", "10 kom", "kutija"),
            (640, 52400), 90,
        ),
        Trade(
            "Kancelarija",
            ("Papir A4", "Registrator", "Toner", "Hemijska olovka", "Fascikla", "Marker za tablu", "Sveska, linije",
             "Stona lampa", "Koverta DL", "Arhivska kutija"),
            ("80 g", "plavo", "crno", "reciklirano", "razno"),
            ("5 paketa", "10 kom", "100 kom", "kom"),
            (55, 14900), 120,
        ),
        Trade(
            "Objekti",
            ("Pranje stakala", "Odvoz otpada", "Servis aparata za gašenje", "Pregled lifta", "Održavanje zelenila",
             "Zamena filtera", "Najam radne odeće", "Obezbeđenje"),
            ("hala 1", "hala 3", "upravna zgrada", "mesečno", "po pozivu", "godišnje"),
            ("po dolasku", "paušalno", "po m2", "po satu"),
            (1150, 74500), 30,
        ),
    ),
}

# fmt: on

STEMS = (
    "Harrowgate", "Brannock", "Tessmer", "Valdoro", "Quillfeather", "Kestrelford", "Amberlow", "Pinemoor", "Oststern",
    "Dunmarrow", "Velbrück", "Sandhölzer", "Lintorff", "Marrowby", "Ferrengate", "Colvestad", "Ravnaport", "Trimonte",
    "Zelenbrod", "Grauwinkel", "Mirabrand", "Northolme", "Eschenrode", "Fallowbruck",
)  # fmt: skip
FORMS: dict[Language, tuple[str, ...]] = {
    "en": ("Ltd", "GmbH", "B.V.", "S.r.l.", "AB", "plc", "Sp. z o.o."),
    "de": ("GmbH", "AG", "GmbH & Co. KG", "KG", "OHG"),
    "sr": ("d.o.o.", "a.d.", "d.o.o. Beograd", "d.o.o. Novi Sad"),
}


def company_names(rng: Random, trades: list[Trade], language: Language) -> list[str]:
    """One invented name for each trade, all different."""
    stems = rng.sample(STEMS, len(trades))
    forms = rng.sample(FORMS[language] * 2, len(trades))
    return [f"{stem} {trade.name} {form}" for stem, trade, form in zip(stems, trades, forms, strict=True)]


DIGRAPHS = {
    "Lj": "Љ", "LJ": "Љ", "lj": "љ", "Nj": "Њ", "NJ": "Њ", "nj": "њ", "Dž": "Џ", "DŽ": "Џ", "dž": "џ"
}  # fmt: skip
LETTERS = str.maketrans(
    "ABVGDĐEŽZIJKLMNOPRSTĆUFHCČŠabvgdđežzijklmnoprstćufhcčšWwYyQqXx",
    "АБВГДЂЕЖЗИЈКЛМНОПРСТЋУФХЦЧШабвгдђежзијклмнопрстћуфхцчшВвИиКкХх",
)


def cyrillic(text: str) -> str:
    """Serbian Latin text in Serbian Cyrillic."""
    for latin, letter in DIGRAPHS.items():
        text = text.replace(latin, letter)
    return text.translate(LETTERS)
