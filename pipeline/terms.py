"""What columns, totals and suppliers are called on statements, in seven languages; Serbian in either script.

Comes in: printed words. Goes out: the column a title names, the kind of total a label announces, the name in a
supplier's heading. Words it does not know give None; a profile adds its own titles.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from pipeline.amounts import is_month

Kind = Literal["text", "date", "amount"]
TotalKind = Literal[
    "document",
    "total",
    "period",
    "tax",
    "supplier",
    "page",
    "carried",
    "brought",
    "carry",
    "opening",
    "closing",
    "debits",
    "credits",
]

KINDS: dict[str, Kind] = {
    "invoice_number": "text", "date": "date", "supplier": "text", "description": "text", "quantity": "amount",
    "unit_price": "amount", "amount": "amount", "debit": "amount", "credit": "amount", "balance": "amount",
    "currency": "text", "type": "text", "other_date": "date", "other_amount": "amount", "other": "text",
    "unknown": "text", "unit": "text", "tax_rate": "text",
}  # fmt: skip

_TITLES = {
    "invoice_number": """
        invoice|invoice no|invoice number|invoice nr|inv no|invoice ref|document|document no|document number|doc no
        reference|ref|ref no|reference no|bill no|voucher|voucher no|number|transaction id|rechnung|rechnungsnr
        rechnung nr|rechnungsnummer|rechnungs nr|beleg|belegnr|beleg nr|belegnummer|beleg no|referenz|facture
        no facture|n facture|numero de facture|facture no|piece|no piece|fattura|n fattura|numero fattura|fattura n
        documento|n documento|factura|n factura|no factura|numero de factura|num factura|referencia|factuur|re nr
        rg nr|n piece
        no documento|no document|        n o factura|n o facture|n o fattura|factuurnr|factuurnummer|faktura
        broj fakture|broj racuna|racun|racun br
        br racuna|broj dokumenta|dokument|br fakture|poziv na broj|broj|invoice document""",
    "date": """
        date|invoice date|transaction date|trans date|posting date|posted|post date|doc date|document date|date time
        booking date|tran date|date posted|datum|rechnungsdatum|buchungsdatum|buchungstag|belegdatum|buchung
        date de facture|date d operation|date operation|date facture|data|data fattura|data operazione
        data contabile|data documento|fecha|fecha factura|fecha de factura|fecha operacion|factuurdatum|boekdatum
        datum racuna|datum fakture|datum dokumenta|datum knjizenja|datum transakcije""",
    "supplier": """
        supplier|supplier name|vendor|vendor name|creditor|payee|lieferant|kreditor|fournisseur|fornitore|proveedor
        leverancier|dobavljac|naziv dobavljaca""",
    "description": """
        description|details|item|item description|particulars|transaction|transactions|transaction details|narrative
        transaction description|transaction type and details|product|service|goods|article|text|memo|line item
        description of goods|goods service|goods services
        goods and services|goods or service|payment type and details|bezeichnung|beschreibung|artikel|leistung
        buchungstext
        verwendungszweck|vorgang|leistungsbeschreibung|position|designation|libelle|nature de l operation|operation
        detail|operations|intitule|descrizione|descrizione operazione|causale|articolo|dettagli|descripcion|concepto
        detalle|articulo|omschrijving|opis|opis stavke|naziv|naziv robe|naziv artikla|opis transakcije|artikal
        svrha placanja|svrha|stavka""",
    "quantity": """
        quantity|qty|units|pcs|hours|menge|anzahl|stuck|quantite|qte|nombre|quantita|q ta|qta|cantidad|cant|uds
        aantal|kolicina|kol""",
    "unit_price": """
        unit price|price|unit cost|rate|price per unit|price unit|unit rate|einzelpreis|preis|stuckpreis|e preis|ep
        preis je einheit|prix unitaire|prix unit|prix|pu|p u|pu ht|prix unitaire ht|prezzo|prezzo unitario|prezzo unit
        pr unitario|precio|precio unitario|precio unit|p unitario|prijs|stukprijs|eenheidsprijs|cena|jedinicna cena
        cena po jedinici|jed cena""",
    "amount": """
        amount|line total|total amount|line amount|total price|value|net amount|total|sum|net|betrag|gesamt
        gesamtpreis|summe|nettobetrag|gesamtbetrag|wert|umsatz|montant|montant ht|total ht|prix total|importo|totale
        importo totale|valore|importe|total linea|monto|bedrag|totaal|iznos|vrednost|ukupno|iznos stavke""",
    "debit": """
        debit|debits|debit withdrawal|withdrawals|withdrawal|money out|paid out|payments|paid|out|dr|debit amount
        payments out|charges|soll|belastung|lastschrift|lastschriften|belastungen|ausgang|ausgaben|debits dr
        addebiti|dare|uscite|addebito|cargo|cargos|debe|adeudo|retiros|af|bij af|duguje|zaduzenje|isplata|isplate
        na teret|rashod""",
    "credit": """
        credit|credits|deposit|deposits|money in|paid in|in|cr|credit amount|payments in|receipts|haben|gutschrift
        gutschriften|eingang|einnahmen|accrediti|avere|entrate|accredito|abono|abonos|haber|depositos|bij|potrazuje
        odobrenje|uplata|uplate|u korist|prihod""",
    "balance": """
        balance|running balance|account balance|closing balance|saldo|kontostand|solde|saldo dopo operazione|stanje
        saldo disponible|saldo contabile""",
    "currency": "currency|ccy|cur|wahrung|whg|devise|valuta|divisa|moneda|valuta iznosa",
    "type": "type|dr cr|cr dr|debit credit|s h|soll haben|art|type d operation|tipo|vrsta",
    "other_date": """
        due date|value date|due|maturity|value dt|falligkeit|fallig|falligkeitsdatum|valuta datum|wertstellung
        wert am|valutadatum|echeance|date d echeance|date valeur|date de valeur|scadenza|data valuta|vencimiento
        fecha vencimiento|fecha valor|vervaldatum|datum valute|datum dospeca|dospece|rok placanja|fallig am
        zahlbar bis|payment due|due on|payable by|a payer le|scade il|vence el""",
    "other_amount": """
        current|not due|not yet due|nicht fallig|non echu|non scaduto|a scadere|no vencido|por vencer|nedospelo
        netto|ht|base|base imponible|hors taxe|hors taxes
        cumulative|running total|cumulative total|kumuliert|cumul|progressivo|acumulado|kumulativno
        vat|vat amount|tax|tax amount|gst|vat rate|tax rate|gross|gross amount|discount|disc|open|outstanding
        open amount|amount due|original amount|mwst|ust|steuer|brutto|rabatt|offen|bruttobetrag|tva|taux tva|remise
        ttc|montant tva|montant ttc|total ttc|montant initial|montant d origine|restant du|reste du|reste a payer
        solde du|importo originale|importo residuo|residuo|saldo residuo|importo aperto|importe original
        importe pendiente|pendiente|saldo pendiente|originalbetrag|ursprungsbetrag|offener betrag|offener saldo
        otvoreno|otvoren iznos|preostalo|neplaceno|iznos fakture|iznos racuna|rechnungsbetrag
        iva|sconto|lordo|imponibile|descuento|bruto|btw|korting|pdv|stopa pdv
        iznos pdv|rabat|osnovica|neto|mwst satz|ust satz|steuersatz|mehrwertsteuersatz|umsatzsteuersatz|taux de tva
        aliquota|aliquota iva|tipo iva|tipo de iva|btw tarief|poreska stopa""",
    "other": """
        unit|uom|u m|unit of measure|account|account no|project|cost centre|notes|notes tags|tags|your account
        your reference|branch|category|code|item code|item no|product code|sku|line|pos|no|n|einheit|eh|konto|unite
        unita|um|unidad|eenheid|jm|j m|jedinica mere|jed mere|sifra|rb|r br|redni broj|konto br|order no|po number
        po no|contract|terms|status|nr|zeile|riga|linea|ligne|rn|compte|conto|cuenta|commessa|projet|proyecto
        progetto|projekt|        kostenstelle|kst|cost center|centre de cout|centro di costo|centro de coste
        mesto troska|mesto troskova|ud
        unidades|mj|kundennr|customer|kunde|client|cliente|kupac""",
}  # fmt: skip

_LABELS: dict[TotalKind, str] = {
    "brought": """
        brought forward|b f|bf|total brought forward|balance brought forward|amount brought forward
        carried over from|ubertrag von|ubertrag aus|ubertrag vorseite|vortrag|report de la page precedente
        report page precedente|riporto da|riporto pagina precedente|suma anterior|suma y sigue anterior
        transport vorige pagina|overgebracht|prenos sa|preneto|preneseno|donos""",
    "carried": """
        carried forward|carry forward|c f|cf|total carried forward|balance carried forward|amount carried forward
        to be carried forward|carried over|continued on next page|ubertrag auf|zu ubertragen|a reporter
        report a la page|da riportare|a riportare|suma y sigue|a reportar|over te brengen|transporteren|prenos na
        za prenos|preneti""",
    "carry": "ubertrag|report|riporto|transport|prenos|suma y sigue",
    "opening": """
        opening balance|previous balance|starting balance|start balance|beginning balance|balance at start
        old balance|last month s balance|last months balance|balance last statement|previous statement balance
        anfangssaldo|alter kontostand|alter saldo|anfangsbestand|saldovortrag|kontostand am beginn|startsaldo
        ancien solde|solde initial|solde precedent|solde d ouverture|solde anterieur|saldo iniziale|saldo precedente
        saldo inicial|saldo anterior|beginsaldo|vorig saldo|oud saldo|pocetno stanje|prethodno stanje|pocetni saldo
        prethodni saldo""",
    "closing": """
        closing balance|new balance|ending balance|end balance|final balance|balance at end|endsaldo
        neuer kontostand|neuer saldo|schlusssaldo|schlussaldo|endbestand|nouveau solde|solde final|solde de cloture
        saldo finale|nuovo saldo|saldo final|nuevo saldo|saldo actual|eindsaldo|nieuw saldo|krajnje stanje
        novo stanje|zavrsno stanje|krajnji saldo|novi saldo""",
    "debits": """
        total debits|total debit|total withdrawals|total paid out|total money out|total money paid|total payments
        total charges|money out total|summe soll|summe lastschriften|summe belastungen|total debit operations
        total des debits|total debite|totale addebiti|totale uscite|totale dare|total cargos|total debe
        total de cargos|totaal af|ukupno duguje|ukupno zaduzenje|ukupno isplate|ukupno na teret""",
    "credits": """
        total credits|total credit|total deposits|total paid in|total money in|total money received|total receipts
        money in total|summe haben|summe gutschriften|total des credits|total credite|totale accrediti
        totale entrate|totale avere|total abonos|total haber|total de abonos|totaal bij|ukupno potrazuje
        ukupno odobrenje|ukupno uplate|ukupno u korist""",
    "document": """
        grand total|total amount|statement total|total of statement|total outstanding|total due|total amount due
        total all suppliers|total of all suppliers|total payable|overall total|amount due|balance due|gesamtsumme
        gesamttotal|gesamtbetrag|endsumme|endbetrag|gesamtsaldo|total general|total global|montant total
        total a payer|total geral|totale generale|totale complessivo|importo totale|totale da pagare|total a pagar
        importe total|eindtotaal|totaal generaal|algemeen totaal|sveukupno|ukupan iznos|ukupno za uplatu|sve ukupno
        gross total|gross amount|bruttobetrag|bruttosumme|montant ttc|bruto iznos""",
    "page": """
        page total|total this page|total for page|total of page|page sum|seitensumme|summe seite|seitentotal
        total de la page|total page|total de page|totale pagina|totale della pagina|total pagina|total de la pagina
        paginatotaal|totaal pagina|ukupno na strani|zbir strane|ukupno strana""",
    "supplier": """
        subtotal|sub total|supplier total|total for supplier|total supplier|vendor total|zwischensumme|teilsumme
        summe lieferant|lieferantensumme|sous total|total fournisseur|subtotale|totale fornitore|totale parziale
        sub totale|total proveedor|subtotaal|tussentotaal|totaal leverancier|medjuzbir|meduzbir|medzbir
        ukupno dobavljac|zbir za dobavljaca|zbir""",
    "total": """
        total|totals|summe|gesamt|totale|totaal|ukupno|suma|insgesamt|sum|zbir|totaux|totali|totales
        net total|net amount|nettobetrag|nettosumme|montant ht|imponibile|base imponible|osnovica|neto iznos
        poreska osnovica""",
}  # fmt: skip

_SUPPLIER = """supplier|vendor|creditor|supplier name|lieferant|kreditor|fournisseur|fornitore|proveedor|leverancier
dobavljac|name of supplier"""
_CONTINUED = re.compile(
    r"\s*[(\[–-]*\s*\b(?:continued|cont\.?|cont'd|contd|fortsetzung|forts\.|suite|segue|continuación|continuacion|"
    r"continua|vervolg|nastavak|наставак)\b[.:]?\s*[)\]]*\s*$",
    re.IGNORECASE,
)
_MONEY_WORDS = re.compile(
    r"[€$£¥₹]|\b(?:eur|usd|gbp|chf|rsd|sgd|nzd|aud|inr|czk|pln|bam|huf|ron|sek|nok|dkk|cad|jpy|дин|din|рсд|rs|kn)\b"
)


LATIN = str.maketrans(
    dict(zip("абвгдежзијклмнопрстћуфхцчш", "abvgdezzijklmnoprstcufhccs", strict=True))
    | {
        "đ": "dj",
        "ђ": "dj",
        "љ": "lj",
        "њ": "nj",
        "џ": "dz",
        "й": "j",
        "ы": "i",
        "ь": "",
        "ъ": "",
        "я": "ja",
        "ю": "ju",
    }
)


_IN_MONEY = re.compile(rf"\b(?:in|en|u|у)\s+(?:{_MONEY_WORDS.pattern})", re.IGNORECASE)
_AGES = re.compile(  # of open items: `1-30 days`, `over 90`
    r"\d{1,3} \d{1,3}(?: (?:days?|tage|jours|giorni|dias|dana|dagen))?"
    r"|(?:(?:over|uber|mehr als|plus de|oltre|mas de|preko) )?\d{1,3} (?:days?|tage|jours|giorni|dias|dana|dagen)"
    r"|(?:over|uber|mehr als|plus de|oltre|mas de|preko) \d{1,3}"
)
COUNTERS = ("#", "№")  # titles of a column that counts the rows
_COUNTING = frozenset({"n", "nr", "no", "num", "pos", "rb", "br", "line", "ligne", "zeile", "riga", "linea"})


def counts(title: str) -> bool:
    """Whether a title may head a column that counts the rows: `#`, `N.`, `Pos.`."""
    return title.strip() in COUNTERS or plainly(title) in _COUNTING


class Title(NamedTuple):
    """A column that a title names; exact: nothing else stands in the title."""

    name: str
    exact: bool


@lru_cache(maxsize=16384)
def plainly(text: str) -> str:
    """Lower case Latin without accents and punctuation, single spaces: what words are compared by."""
    folded = unicodedata.normalize("NFKD", text.casefold().translate(LATIN))
    bare = "".join(c if c.isalnum() else " " for c in folded if not unicodedata.combining(c))
    return " ".join(bare.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(plainly(part) for line in text.splitlines() for part in line.split("|") if part.strip())


_BY_TITLE = {phrase: name for name, text in reversed(_TITLES.items()) for phrase in _phrases(text)}
_BY_LABEL = {phrase: kind for kind, text in reversed(_LABELS.items()) for phrase in _phrases(text)}
_LONGEST_LABEL = max(len(phrase.split()) for phrase in _BY_LABEL)
_SUPPLIER_WORDS = _phrases(_SUPPLIER)


def titles(extra: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The title → column table with a profile's own titles, which come first."""
    own = {plainly(phrase): name for name, phrases in extra.items() for phrase in phrases}
    return {**_BY_TITLE, **own}


def title(text: str, known: Mapping[str, str]) -> Title | None:
    """The column that `text` names as a whole, or by its last or first words."""
    words = plainly(_MONEY_WORDS.sub(" ", _IN_MONEY.sub(" ", text.casefold()))).split()
    if not words:
        return Title("other", True) if text.strip() in COUNTERS else None
    whole = " ".join(words)
    if _AGES.fullmatch(whole):
        return Title("other_amount", True)
    if whole in known:
        return Title(known[whole], True)
    if words[:2] == ["n", "o"] and f"no {whole[4:]}" in known:
        return Title(known[f"no {whole[4:]}"], True)
    for size in range(len(words) - 1, 0, -1):
        names = [name for part in (words[-size:], words[:size]) if (name := known.get(" ".join(part)))]
        if names:
            telling = next((name for name in names if name != "other"), names[0])  # `Facture n°` is no counter
            exact = size == len(words) - 1 and len(words[-1]) == 1 and known.get(" ".join(words[:size])) == telling
            return Title(telling, exact)
    return None


_NOT_ENGLISH_WORDS = """
    datum data fecha datums belegdatum rechnungsdatum buchungsdatum buchungstag rechnung beleg lieferant kreditor
    bezeichnung menge anzahl betrag gesamt einzelpreis soll haben fallig libelle designation montant quantite facture
    fournisseur echeance solde piece fattura fornitore descrizione quantita importo prezzo scadenza dare avere factura
    proveedor descripcion concepto cantidad importe precio vencimiento debe haber faktura racuna dobavljac opis kolicina
    iznos cena duguje potrazuje stanje factuur leverancier omschrijving aantal bedrag prijs"""
_NOT_ENGLISH = frozenset(_NOT_ENGLISH_WORDS.split())


_NET_WORDS = "net netto neto gross brutto bruto ht ttc excl incl excluding including ohne mit zzgl hors bez"
_NETS = frozenset(_NET_WORDS.split())


def is_qualifier(text: str) -> bool:
    """Whether a part of a title only says which amount its column has: `(net)`, `HT`, `neto EUR`."""
    words = plainly(_MONEY_WORDS.sub(" ", text.casefold())).split()
    return not _NETS.isdisjoint(words) and _TAXES.issuperset(words)


def puts_day_first(titles_: Iterable[str]) -> bool:
    """Whether columns are titled in a language all of whose countries print the day before the month."""
    return any(not _NOT_ENGLISH.isdisjoint(plainly(text).split()) for text in titles_)


class Label(NamedTuple):
    """A kind of total and what its label says besides: a supplier's name, or for `total` what may be one."""

    kind: TotalKind
    rest: str


@lru_cache(maxsize=8192)
def label(text: str) -> Label | None:
    """The kind of total that `text` begins with; None where it is no label of a total."""
    words = text.split()
    plain = [plainly(_MONEY_WORDS.sub(" ", word.casefold())) for word in words]
    for size in range(min(len(words), _LONGEST_LABEL + 1), 0, -1):
        kind = _BY_LABEL.get(" ".join(" ".join(plain[:size]).split()))
        if kind:
            rest = [word for word, bare in zip(words[size:], plain[size:], strict=True) if bare or word == "&"]
            return _labelled(kind, " ".join(rest))
    bare = [word for word in " ".join(plain).split() if not word.isdigit()]
    return Label("tax", "") if _LEVIES & set(bare) and (_LEVIES | _LEVIED).issuperset(bare) else None


def _labelled(kind: TotalKind, rest: str) -> Label | None:
    rest = rest.strip(" :·-–")
    if kind in ("total", "supplier", "document") and is_period(rest):
        return Label("period", rest)
    if kind in ("total", "document") and (taxed := _with_tax(rest)):
        return Label(taxed, "")
    if kind == "total" and rest:
        link = re.match(r"(?:for|of|für|von|pour|per|para|za|voor|за|fournisseur|supplier)\s+", rest, re.IGNORECASE)
        if link:
            return Label("supplier", rest[link.end() :])
        return Label("total", rest) if is_name(rest) else None
    if kind in ("brought", "carried", "carry") and not _is_place(rest):
        return None  # a transfer to or from somebody: `Übertrag Sparkonto`, `Prenos na …`
    if kind in ("document", "page") and len(rest.split()) > 4:
        return None
    return Label(kind, rest)


_BEFORE_TAX = frozenset(("net", "netto", "neto", "ht", "imponibile"))
_AFTER_TAX = frozenset(("gross", "brutto", "bruto", "ttc"))
_WITHOUT_WORDS = "excl excluding exclusive before ohne exkl hors bez sin esclusa escluso excluido"
_WITH_WORDS = "incl including inclusive after mit inkl inclusa incluso incluido compris comprises sa con"
_BESIDE_WORDS = "taxe taxes porez poreza porezom impuestos imposte steuer of de la the toutes amount"
_WITHOUT, _WITH, _BESIDE_TAX = (frozenset(text.split()) for text in (_WITHOUT_WORDS, _WITH_WORDS, _BESIDE_WORDS))


def _with_tax(rest: str) -> TotalKind | None:
    """What a total is by what its label says of tax: `total` before it (`Total HT`), `document` with it (`TTC`)."""
    words = set(plainly(rest).split())
    if not words or not words <= _BEFORE_TAX | _AFTER_TAX | _WITHOUT | _WITH | _BESIDE_TAX | _LEVIES:
        return None
    levied = not words.isdisjoint(_LEVIES | _BESIDE_TAX)
    if words & _BEFORE_TAX or (levied and words & _WITHOUT):
        return "total"
    return "document" if words & _AFTER_TAX or (levied and words & _WITH) else None


_PLACE_WORDS = """
    page pages p pg sheet seite blatt strana strani stranu strane str pagina pag hoja folio feuille feuillet from to
    of on
    at as the next last previous prior vorige vorigen vorseite nachste nachster letzte suivante precedente siguiente
    anterior sledeca sledecu prethodna prethodne prethodni de del della la le les du des di da dal al a auf von vom aus
    nach zu zur zum per na sa za iz no nr n br balance saldo total sum amount statement invoice invoices account period
    month konto kontoauszug releve estratto extracto izvod"""
_PLACES = frozenset(_PLACE_WORDS.split())


def _is_place(rest: str) -> bool:
    """Whether what follows `carried` or `brought forward` says where or when to, and names nobody."""
    words = [word for word in plainly(rest).split() if not any(map(str.isdigit, word))]
    return all(word in _PLACES or is_month(word) for word in words)


_SPAN_WORDS = "q quarter quartal trimestre trimestar kvartal week kw semaine settimana semana nedelja h"
_SPANS = frozenset(_SPAN_WORDS.split())


def is_period(text: str) -> bool:
    """Whether words name a month, a quarter or a week, with or without its year: `March 2025`, `Q1`."""
    words = [word for word in plainly(text).split() if not word.isdigit()]
    spans = [word.rstrip("1234") in _SPANS for word in words]
    return bool(words) and all(span or is_month(word) for span, word in zip(spans, words, strict=True))


_TURN_WORDS = "continued continua continue fortsetzung suite segue continuacion nastavak vervolg please bitte weiter"
_OVER_WORDS = "overleaf over turn wenden umseitig rest vidi suivi strani"
_OVER = _PLACES | frozenset((*_OVER_WORDS.split(), "nachsten", "naredna", "sledecoj", "pagina", "en", "nella", "sur"))


def turns_over(text: str) -> bool:
    """Whether words at a page's foot only say that the next one goes on: `Continued overleaf`."""
    words = plainly(text).split()
    return len(words) > 1 and words[0] in _TURN_WORDS.split() and _OVER.issuperset(words[1:])


def undated(text: str) -> str:
    """The text without words that hold figures: a title without its page, date or time."""
    return " ".join(word for word in text.split() if not any(map(str.isdigit, word)))


def is_made_of(text: str, phrases: frozenset[str]) -> bool:
    """Whether a text without its numbers is some of the phrases behind each other, whatever marks part them."""
    rest = " ".join(word for word in undated(text).split() if any(map(str.isalnum, word)))
    named = bool(rest)
    while rest:
        ahead = [phrase for phrase in phrases if phrase and f"{rest} ".startswith(f"{phrase} ")]
        if not ahead:
            return False
        rest = rest[len(max(ahead, key=len)) :].strip()
    return named


def heading(text: str) -> str | None:
    """The name in a supplier's heading (`Supplier: Norvik Ltd (continued)`), or None where no label says so."""
    before, colon, after = text.partition(":")
    if colon and plainly(before) in _SUPPLIER_WORDS and after.strip():
        return unmarked(after)
    return None


def unmarked(name: str) -> str:
    """A heading's name without `(continued)` and its like."""
    return _CONTINUED.sub("", name).strip()


_TAX_WORDS = (
    "net netto gross brutto excl incl excluding including before after ohne mit zzgl vat tax gst mwst ust ht ttc tva "
    "hors taxe taxes iva imponibile btw pdv bez sa porez porezom neto bruto page seite pagina strana items lines"
)
_TAXES = frozenset(_TAX_WORDS.split())


_LEVY_WORDS = "vat gst tax mwst ust umsatzsteuer mehrwertsteuer tva iva pdv btw"
_LEVIES = frozenset(_LEVY_WORDS.split())
_LEVY_LINKS = "plus zzgl zuzuglich value added sales of on at von auf sur su sobre de la na the total rate"
_LEVIED = frozenset(_LEVY_LINKS.split())


def is_name(text: str) -> bool:
    """Whether what follows a subtotal's label can be somebody's name: not `excl. VAT`, not a number."""
    words = [word for word in plainly(text).split() if not word.isdigit()]
    said = words[:-1] if words[-1:] == ["sa"] else words  # `Norvik SA` ends with its legal form, `sa PDV` begins so
    return any(len(word) > 1 for word in said) and not _TAXES & set(said)
