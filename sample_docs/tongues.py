"""How invoices look in other countries: labels, figures, dates, goods, names, and identifiers with valid check digits.

Comes in: a language code, a random generator. Goes out: a `Tongue`, tax identifiers, IBANs, payment references.
Refuses nothing. Companies and streets are invented.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from stdnum import get_cc_module, iban as ibans
from stdnum.iso7064 import mod_97_10

from sample_docs.words import Numbers


@dataclass(frozen=True)
class Tongue:
    """labels: by what they label, each printed in one of several ways; dates: strftime patterns, `{month}` is the
    month's name; goods: name, unit, usual price; account: the IBAN's national part, `0` a digit, `A` a letter.
    """

    country: str
    numbers: Numbers
    dates: tuple[str, ...]
    months: tuple[str, ...]
    currency: str
    sign: str
    rates: tuple[str, str]
    labels: Mapping[str, tuple[str, ...]]
    goods: tuple[tuple[str, str, int], ...]
    suppliers: tuple[str, ...]
    buyers: tuple[str, ...]
    streets: tuple[str, ...]
    towns: tuple[str, ...]
    tax_id: str
    account: str


# fmt: off
TONGUES: dict[str, Tongue] = {
    "en": Tongue(
        "gb", "1,234.56", ("%d {month} %Y", "%d/%m/%Y", "%Y-%m-%d"),
        ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
         "December"),
        "GBP", "£", ("20", "5"),
        {
            "title": ("INVOICE", "Tax Invoice"), "number": ("Invoice No.", "Invoice number", "Invoice #"),
            "issued": ("Invoice date", "Date of issue", "Date"), "supplied": ("Date of supply", "Delivery date"),
            "due": ("Due date", "Payment due", "Pay by"), "buyer": ("Bill to", "Invoice to", "Customer"),
            "tax_id": ("VAT No.", "VAT Reg No", "VAT number"), "currency": ("Currency",),
            "description": ("Description", "Item"), "quantity": ("Qty", "Quantity"), "unit": ("Unit", "UoM"),
            "price": ("Unit price", "Price"), "rate": ("VAT %", "VAT rate"), "amount": ("Amount", "Line total", "Net"),
            "net": ("Subtotal", "Net total", "Total excl. VAT"), "tax": ("Total VAT", "VAT total"),
            "gross": ("Total due", "Invoice total", "Total incl. VAT"), "base": ("Taxable amount", "Net"),
            "vat": ("VAT",), "iban": ("IBAN",), "reference": ("Payment reference", "Reference"), "page": ("Page",),
            "bank": ("Bank details", "Payment details"), "article": ("Item no.", "Code"),
            "thanks": ("Thank you for your business.",),
        },
        (("Copper fitting 22 mm", "pcs", 7), ("Boiler service", "hrs", 68), ("Filter cartridge F12", "pcs", 19),
         ("Insulation tape", "roll", 4), ("Site survey", "day", 420), ("Ventilation duct 125 mm", "m", 12),
         ("Condensate pump", "pcs", 84), ("Delivery and handling", "unit", 35)),
        ("Brannock Heating Ltd", "Quillfeather Works Ltd", "Kestrelford Supplies Ltd"),
        ("Amberlow Hotels plc", "Pinemoor Bakery Ltd", "Dunmarrow Estates Ltd"),
        ("Tannery Lane", "Mill Rise", "Orchard Way"), ("Brannockford BX4 7QN", "Lower Amberlow AM9 2TJ"),
        "GB000000000", "AAAA00000000000000",
    ),
    "de": Tongue(
        "de", "1.234,56", ("%d.%m.%Y", "%d. {month} %Y"),
        ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
         "Dezember"),
        "EUR", "€", ("19", "7"),
        {
            "title": ("RECHNUNG", "Rechnung"), "number": ("Rechnungsnummer", "Rechnungs-Nr.", "Rechnung Nr."),
            "issued": ("Rechnungsdatum", "Datum"), "supplied": ("Lieferdatum", "Leistungsdatum"),
            "due": ("Fällig am", "Zahlbar bis", "Fälligkeitsdatum"), "buyer": ("Rechnung an", "Kunde", "Empfänger"),
            "tax_id": ("USt-IdNr.", "USt-ID", "Umsatzsteuer-ID"), "currency": ("Währung",),
            "description": ("Bezeichnung", "Beschreibung", "Artikel"), "quantity": ("Menge", "Anzahl"),
            "unit": ("Einheit", "ME"), "price": ("Einzelpreis", "E-Preis", "Preis"), "rate": ("MwSt. %", "USt %"),
            "amount": ("Betrag", "Gesamtpreis", "Gesamt"),
            "net": ("Nettobetrag", "Summe netto", "Zwischensumme"), "tax": ("Umsatzsteuer gesamt", "Summe MwSt."),
            "gross": ("Rechnungsbetrag", "Gesamtbetrag", "Zu zahlen"), "base": ("Netto", "Bemessungsgrundlage"),
            "vat": ("MwSt.", "USt."), "iban": ("IBAN",), "reference": ("Verwendungszweck", "Zahlungsreferenz"),
            "page": ("Seite",), "bank": ("Bankverbindung",), "article": ("Art.-Nr.", "Artikelnr."),
            "thanks": ("Wir danken für Ihren Auftrag.",),
        },
        (("Dachlatte 30x50 mm", "m", 2), ("Montagestunde Geselle", "Std", 58), ("Unterspannbahn", "Rolle", 94),
         ("Dachziegel rot", "Stk", 1), ("Anfahrtspauschale", "psch", 45), ("Schraubenset A2", "Pack", 17),
         ("Türbeschlag Größe M", "Stk", 38), ("Kehrblech", "Stk", 23)),
        ("Velbrück Bedachung GmbH", "Sandhölzer & Söhne KG", "Grauwinkel Technik GmbH"),
        ("Eschenrode Wohnbau AG", "Oststern Hotel GmbH", "Bäckerei Müggenfeld e.K."),
        ("Gerberstraße", "Am Mühlgraben", "Königsallee"), ("99997 Velbrück", "88892 Eschenrode"),
        "DE000000000", "000000000000000000",
    ),
    "fr": Tongue(
        "fr", "1 234,56", ("%d/%m/%Y", "%d {month} %Y"),
        ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
         "décembre"),
        "EUR", "€", ("20", "10"),
        {
            "title": ("FACTURE", "Facture"), "number": ("Facture N°", "N° de facture", "Numéro de facture"),
            "issued": ("Date de facture", "Date d'émission", "Date"), "supplied": ("Date de livraison",),
            "due": ("Date d'échéance", "Échéance"), "buyer": ("Facturé à", "Client", "Adresse de facturation"),
            "tax_id": ("N° TVA", "TVA intracom.", "N° TVA intracommunautaire"), "currency": ("Devise",),
            "description": ("Désignation", "Description"), "quantity": ("Qté", "Quantité"), "unit": ("Unité",),
            "price": ("Prix unitaire", "P.U. HT"), "rate": ("TVA %", "Taux TVA"), "amount": ("Montant HT", "Total HT"),
            "net": ("Total HT", "Montant HT"), "tax": ("Total TVA", "Montant TVA"),
            "gross": ("Total TTC", "Net à payer"), "base": ("Base HT",), "vat": ("TVA",), "iban": ("IBAN",),
            "reference": ("Référence de paiement", "Référence"), "page": ("Page",),
            "bank": ("Coordonnées bancaires",), "article": ("Réf.", "Code"),
            "thanks": ("Nous vous remercions de votre confiance.",),
        },
        (("Peinture blanche mate 10 L", "u", 62), ("Main d'œuvre", "h", 46), ("Enduit de façade", "sac", 21),
         ("Déplacement", "forfait", 39), ("Bâche de protection", "u", 8), ("Échafaudage, location", "jour", 75),
         ("Rouleau à poils courts", "u", 11), ("Toile de verre", "m", 3)),
        ("Peintures Valdoro SARL", "Atelier Mirabrand SAS", "Bâtisseurs de Trimonte SARL"),
        ("Hôtel du Vieux Chêne SAS", "Boulangerie Lapierrelle", "Résidence Clairebrande"),
        ("rue des Tanneurs", "allée du Moulin", "quai Sainte-Brande"), ("99420 Valdoro", "98760 Clairebrande"),
        "FR00000000000", "00000000000000000000000",
    ),
    "it": Tongue(
        "it", "1.234,56", ("%d/%m/%Y", "%d {month} %Y"),
        ("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
         "novembre", "dicembre"),
        "EUR", "€", ("22", "10"),
        {
            "title": ("FATTURA", "Fattura"), "number": ("Fattura n.", "Numero fattura", "N. fattura"),
            "issued": ("Data fattura", "Data di emissione", "Data"), "supplied": ("Data di consegna",),
            "due": ("Scadenza", "Data scadenza"), "buyer": ("Cliente", "Destinatario"),
            "tax_id": ("Partita IVA", "P. IVA", "P.IVA"), "currency": ("Valuta",),
            "description": ("Descrizione",), "quantity": ("Q.tà", "Quantità"), "unit": ("U.M.", "Unità"),
            "price": ("Prezzo unitario", "Prezzo"), "rate": ("IVA %", "Aliquota IVA"), "amount": ("Importo",),
            "net": ("Totale imponibile", "Imponibile"), "tax": ("Totale IVA", "Imposta"),
            "gross": ("Totale fattura", "Totale da pagare"), "base": ("Imponibile",), "vat": ("IVA",),
            "iban": ("IBAN",), "reference": ("Riferimento pagamento", "Riferimento"), "page": ("Pagina",),
            "bank": ("Coordinate bancarie",), "article": ("Codice", "Cod. art."),
            "thanks": ("Grazie per averci scelto.",),
        },
        (("Piastrella gres 60x60", "mq", 27), ("Posa in opera", "ore", 34), ("Collante rapido", "sacco", 18),
         ("Battiscopa laccato", "m", 6), ("Trasporto", "corpo", 55), ("Fugante grigio", "kg", 4),
         ("Rubinetto a sfera 1/2", "pz", 13), ("Sopralluogo", "corpo", 80)),
        ("Ceramiche Trimonte S.r.l.", "Officine Ravnaporto S.p.A.", "Edilvaldoro S.r.l."),
        ("Albergo Belcolle S.r.l.", "Panificio Montebrando", "Residenza Querciagrande S.p.A."),
        ("Via dei Conciatori", "Viale del Mulino", "Piazza Libertà"), ("98123 Trimonte", "97456 Belcolle"),
        "IT00000000000", "A0000000000000000000000",
    ),
    "es": Tongue(
        "es", "1.234,56", ("%d/%m/%Y", "%d de {month} de %Y"),
        ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
         "noviembre", "diciembre"),
        "EUR", "€", ("21", "10"),
        {
            "title": ("FACTURA", "Factura"), "number": ("Factura n.º", "Número de factura", "N.º de factura"),
            "issued": ("Fecha de factura", "Fecha de emisión", "Fecha"), "supplied": ("Fecha de entrega",),
            "due": ("Vencimiento", "Fecha de vencimiento"), "buyer": ("Cliente", "Facturar a"),
            "tax_id": ("NIF", "CIF", "NIF/CIF"), "currency": ("Moneda", "Divisa"),
            "description": ("Descripción", "Concepto"), "quantity": ("Cantidad", "Cant."), "unit": ("Unidad", "Ud."),
            "price": ("Precio unitario", "Precio"), "rate": ("IVA %", "% IVA"), "amount": ("Importe",),
            "net": ("Base imponible", "Subtotal"), "tax": ("Total IVA", "Cuota IVA"),
            "gross": ("Total factura", "Total a pagar"), "base": ("Base",), "vat": ("IVA",), "iban": ("IBAN",),
            "reference": ("Referencia de pago", "Referencia"), "page": ("Página",), "bank": ("Datos bancarios",),
            "article": ("Código", "Ref."), "thanks": ("Gracias por su confianza.",),
        },
        (("Ventana de aluminio 120x100", "ud", 184), ("Mano de obra", "h", 32), ("Cristal templado", "m2", 66),
         ("Sellador neutro", "ud", 7), ("Desplazamiento", "ud", 30), ("Persiana enrollable", "ud", 92),
         ("Bisagra reforzada", "ud", 5), ("Año de mantenimiento", "ud", 240)),
        ("Carpintería Valdequilla S.L.", "Instalaciones Ñandubay S.L.", "Montajes Peñalosa del Río S.A."),
        ("Hostal Fuentebrava S.L.", "Panadería Castromar S.L.", "Residencial Altavega S.A."),
        ("Calle del Molino", "Avenida de los Curtidores", "Plaza Mayor"), ("99214 Valdequilla", "98530 Altavega"),
        "ESB00000000", "00000000000000000000",
    ),
    "nl": Tongue(
        "nl", "1.234,56", ("%d-%m-%Y", "%d {month} %Y"),
        ("januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober",
         "november", "december"),
        "EUR", "€", ("21", "9"),
        {
            "title": ("FACTUUR", "Factuur"), "number": ("Factuurnummer", "Factuurnr."),
            "issued": ("Factuurdatum", "Datum"), "supplied": ("Leverdatum", "Leveringsdatum"),
            "due": ("Vervaldatum", "Te betalen voor"), "buyer": ("Factuur aan", "Klant"),
            "tax_id": ("BTW-nummer", "Btw-nr.", "BTW-id"), "currency": ("Valuta",),
            "description": ("Omschrijving",), "quantity": ("Aantal",), "unit": ("Eenheid",),
            "price": ("Prijs", "Prijs per stuk"), "rate": ("BTW %", "Btw"), "amount": ("Bedrag", "Totaal"),
            "net": ("Totaal excl. BTW", "Subtotaal"), "tax": ("Totaal BTW", "BTW bedrag"),
            "gross": ("Totaal incl. BTW", "Te betalen"), "base": ("Grondslag",), "vat": ("BTW",), "iban": ("IBAN",),
            "reference": ("Betalingskenmerk",), "page": ("Pagina",), "bank": ("Bankgegevens",),
            "article": ("Artikelnr.",), "thanks": ("Bedankt voor uw opdracht.",),
        },
        (("Zonnepaneel 410 Wp", "st", 129), ("Montage", "uur", 54), ("Omvormer 3,6 kW", "st", 845),
         ("Bekabeling 6 mm2", "m", 2), ("Voorrijkosten", "st", 35), ("Dakhaak RVS", "st", 9),
         ("Meterkast aanpassing", "st", 310), ("Jaarlijkse controle", "st", 95)),
        ("Zonwerk Lintorff B.V.", "Installatie Colvestad B.V.", "De Fallowbrug Techniek V.O.F."),
        ("Hotel Grauwhoek B.V.", "Bakkerij Van Oosterbrand", "Woonstichting Ravenpoort"),
        ("Molenstraat", "Leerlooiersgracht", "Kerkplein"), ("9999 ZX Lintorff", "9987 QJ Colvestad"),
        "NL000000000B01", "AAAA0000000000",
    ),
    "sr": Tongue(
        "rs", "1.234,56", ("%d.%m.%Y.", "%d. {month} %Y."),
        ("januar", "februar", "mart", "april", "maj", "jun", "jul", "avgust", "septembar", "oktobar", "novembar",
         "decembar"),
        "RSD", "din.", ("20", "10"),
        {
            "title": ("RAČUN", "Faktura"), "number": ("Račun br.", "Broj računa", "Faktura br.", "Broj fakture"),
            "issued": ("Datum izdavanja", "Datum fakture", "Datum računa"),
            "supplied": ("Datum prometa", "Datum isporuke"), "due": ("Rok plaćanja", "Datum dospeća"),
            "buyer": ("Kupac", "Primalac"), "tax_id": ("PIB",), "currency": ("Valuta",),
            "description": ("Opis", "Naziv robe / usluge", "Naziv"), "quantity": ("Količina", "Kol."),
            "unit": ("J.m.", "Jed. mere"), "price": ("Cena", "Jedinična cena"), "rate": ("PDV %", "Stopa PDV"),
            "amount": ("Iznos", "Vrednost"), "net": ("Ukupno bez PDV", "Osnovica ukupno"),
            "tax": ("Ukupno PDV", "Iznos PDV"), "gross": ("Ukupno za uplatu", "ZA UPLATU", "Ukupno sa PDV"),
            "base": ("Osnovica",), "vat": ("PDV",), "iban": ("IBAN",), "reference": ("Poziv na broj",),
            "page": ("Strana",), "bank": ("Podaci za uplatu",), "article": ("Šifra",),
            "thanks": ("Hvala na ukazanom poverenju.",),
        },
        (("Servis klima uređaja", "usl", 4500), ("Zamena ventila DN25", "kom", 2480), ("PPR cev fi20", "m", 185),
         ("Rad električara", "h", 2400), ("Toner crni", "kom", 4850), ("Đačka tabla", "kom", 5600),
         ("Čišćenje kanalizacije", "h", 5200), ("Nosač spoljne jedinice", "kom", 2350)),
        ("Ledozor Klima d.o.o.", "Čvorak Elektro d.o.o.", "Žubor Instalacije d.o.o.", "Đinđer Servis d.o.o."),
        ("Zlatni Klas Promet d.o.o.", "Pekara Belogaj d.o.o.", "Džep Market a.d."),
        ("Lipova", "Đurđevdanska", "Šljivićeva"), ("21483 Belogaj", "18266 Gornja Lipa", "25999 Ravnište"),
        "100000000", "000000000000000000",
    ),
}
# fmt: on


def _filled(rng: Random, pattern: str) -> str:
    """`pattern` with random digits for its noughts and random letters for each `A`."""
    letters = {"0": "0123456789", "A": "BCDFGHJKLMNPQRSTVWXZ"}
    return "".join(rng.choice(letters.get(sign, sign)) for sign in pattern)


def tax_id(rng: Random, tongue: Tongue) -> str:
    """A tax identifier whose check digits hold: the national module of python-stdnum takes it."""
    module = get_cc_module(tongue.country, "pib" if tongue.country == "rs" else "vat")
    assert module is not None
    while not module.is_valid(found := _filled(rng, tongue.tax_id)):
        pass
    return found


def iban(rng: Random, tongue: Tongue) -> str:
    """An IBAN, unspaced, whose own and national check digits hold."""
    country = tongue.country.upper()
    while True:
        body = _filled(rng, tongue.account)
        found = f"{country}{mod_97_10.calc_check_digits(body + country)}{body}"
        if ibans.is_valid(found):
            return found


def reference(rng: Random) -> str:
    """An ISO 11649 creditor reference in groups of four."""
    body = f"{rng.randrange(10**9, 10**10)}"
    found = f"RF{mod_97_10.calc_check_digits(body + 'RF')}{body}"
    return fours(found)


def fours(text: str) -> str:
    """The text in groups of four characters, as IBANs and references are printed."""
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))
