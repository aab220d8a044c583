"""The wording of an agreement in German. Comes in: nothing. Goes out: `WORDING`.

Topics stand in the nominative and are feminine, so that they read alike in the accusative.
"""

from __future__ import annotations

from sample_docs.agreement_text import Fixed, Grammar, Terms, Wording

TERMS = Terms(
    title="Rahmenvertrag über IT-Dienstleistungen",
    subtitle="Entwicklung, Betrieb und Betreuung von Anwendungen",
    between="zwischen",
    conjunction="und",
    dated="vom",
    date="14. April 2025",
    confidential="Vertraulich",
    contents="Inhaltsverzeichnis",
    parties="Vertragsparteien",
    party_lines=(
        "{} mit Sitz in {} (nachfolgend „Auftraggeberin“).",
        "{} mit Sitz in {} (nachfolgend „Auftragnehmerin“).",
    ),
    background="Präambel",
    recitals=(
        "Die Auftraggeberin betreibt mehrere Logistikstandorte und will die dort eingesetzten Anwendungen erneuern.",
        "Die Auftragnehmerin verfügt über die Erfahrung und das Personal, um solche Anwendungen zu entwickeln und zu "
        "betreiben.",
        "Nach einem Auswahlverfahren hat sich die Auftraggeberin für die Auftragnehmerin entschieden.",
    ),
    agreed="Dies vorausgeschickt, vereinbaren die Parteien Folgendes.",
    article="Artikel",
    section="Ziffer",
    schedule="Anlage",
    appendix="Anhang",
    paragraph="Absatz",
    page="Seite {} von {}",
    signature="Unterschriften",
    witness="Dieser Vertrag wird von den ordnungsgemäß bevollmächtigten Vertretern der Parteien unterzeichnet. Wer "
    "unterschreibt, "
    "bestätigt, die genannte Partei verpflichten zu dürfen.",
    signed_for="Für",
    sign_lines=("Unterschrift:", "Name:", "Funktion:", "Datum:"),
    reference="Nr.",
    letters="abcdefghij",
    appendix_letters="AB",
    last_and="und",
    namely="insbesondere",
    defined="Die folgenden Begriffe haben in diesem Vertrag die nachstehende Bedeutung.",
    means="bezeichnet",
    forms=("AG", "GmbH"),
    quotes="„{}“",
    streets=("Lindenweg", "Am Mühlkai", "Hafenstraße", "Gartenzeile", "Bahnhofsallee", "Obstgasse"),
    towns=("Sternfeld", "Grauwinkel", "Oststern", "Hohenmark", "Lintdorf an der Aue"),
    address="{street} {number}, {code} {town}",
)

GRAMMAR = Grammar(
    patterns=(
        "{lead} hat {p} {x} {time} {verb}.",
        "{lead} hat {p} {x} {manner} {verb}, {except}.",
        "{p} hat {x} {manner} {verb}, {except}.",
        "{p} hat {x} {time} {verb} und {y} {manner} {verb}.",
        "{p} hat {x} zu dokumentieren und {y} {time} {verb}.",
        "Sofern {cond}, hat {p} {y} {time} {verb} und darüber zu berichten.",
        "Sofern {cond}, darf {p} verlangen, dass {y} {time} {passive} wird.",
        "{p} erkennt an, dass {x} {state} und dass {y} {state}.",
        "{x} wird {manner} {passive}, {except}.",
        "{x} wird {time} {passive}.",
        "Die Pflicht, {x} {manner} {verb}, bleibt von {ref} unberührt.",
        "Im Sinne von {ref} gilt {x} als {passive}, sobald {p} {y} schriftlich bestätigt hat.",
        "Steht {x} in Widerspruch zu einer Regelung in {ref}, so ist {y} {time} zu prüfen.",
        "Keine Partei darf {x} {neglect}, {except}.",
        "Die Parteien beraten {meet} darüber, wie {x} {passive} wird; danach hat {p} {y} {time} {verb}.",
        "Versäumt es {p}, {x} {time} {verb}, so ist dies im {log} zu vermerken und nach {ref} zu behandeln.",
        "Der Vergütung liegt zugrunde, dass {x} {state}; trifft dies nicht zu, gilt {ref}.",
        "Hierzu gehört auch {y}, wenn {x} {state}.",
        "{lead} wird {x} {manner} {passive}.",
        "{p} stellt sicher, dass {x} auch durch Unterauftragnehmer {manner} {passive} wird.",
    ),
    intros=(
        "{lead} ist {p} verpflichtet,",
        "Damit {x} {time} {passive} wird, ist {p} verpflichtet,",
        "Bevor {x} verwendet wird, ist {p} gehalten,",
    ),
    points=(
        "{x} {time} {verb}",
        "{x} {manner} {verb}",
        "{x} {verb} und {y} {time} {verb}",
        "sofern {cond}, {y} {time} {verb}",
    ),
    subpoints=("{x}, {subject}", "{x}, soweit dies {subject2} betrifft", "{x} nach {sch}"),
    slots={
        "lead": (
            "Vorbehaltlich {ref}", "Auf schriftliches Verlangen", "Unbeschadet {ref}", "Nach jeder Quartalsbesprechung",
            "Zu Beginn jedes Vertragsjahres", "Soweit gesetzlich zulässig", "Während der gesamten Laufzeit",
            "Ergänzend zu {ref}", "Im Rahmen der Leistungserbringung", "Abweichend von {ref}", "Auf eigene Kosten",
            "Unter den Voraussetzungen von {sch}", "Nach Erreichen des jeweiligen Meilensteins",
        ),
        "verb": (
            "zu dokumentieren", "zu prüfen", "zu pflegen", "vorzulegen", "zu überwachen", "zu aktualisieren", "zu "
            "sichern",
            "bereitzustellen", "zu berichtigen", "abzustimmen", "aufzubewahren", "zu bewerten", "zu erläutern",
            "zu bestätigen", "zu testen", "zu veranlassen", "nachzuweisen", "freizugeben",
        ),
        "passive": (
            "dokumentiert", "geprüft", "gepflegt", "vorgelegt", "überwacht", "aktualisiert", "gesichert",
            "bereitgestellt",
            "berichtigt", "abgestimmt", "aufbewahrt", "bewertet", "erläutert", "freigegeben", "nachgewiesen",
        ),
        "time": (
            "innerhalb von {n} Werktagen nach Aufforderung", "spätestens am {nth} Werktag jedes Monats",
            "mindestens einmal je Vertragsjahr", "vor dem jeweiligen Meilenstein", "binnen {n} Tagen",
            "vierteljährlich",
            "in den Abständen nach {sch}", "unverzüglich", "bis zur nächsten Sitzung des Lenkungsausschusses",
            "für die Dauer von {years} Jahren", "spätestens {n} Werktage vor Inkrafttreten",
        ),
        "manner": (
            "nach den anerkannten Regeln der Technik", "in der Form nach {sch}", "mit der gebotenen Sorgfalt",
            "im Verfahren nach {ref}", "ohne gesonderte Vergütung", "in deutscher Sprache", "durch eine benannte "
            "Person",
            "entsprechend den Abnahmekriterien", "unter Beachtung der Richtlinien", "über das Projektportal",
        ),
        "except": (
            "soweit {ref} nichts anderes bestimmt", "sofern die nötigen Angaben vorliegen",
            "es sei denn, {q} hat schriftlich darauf verzichtet", "wobei {y} zu berücksichtigen ist",
            "unabhängig davon, ob {y} bereits vorliegt", "auch wenn {y} streitig ist",
            "in den Grenzen von {ref}", "solange {y} nicht vereinbart ist", "soweit dies mit {sch} vereinbar ist",
        ),
        "cond": (
            "{x} nicht freigegeben ist", "{x} unvollständig ist", "eine Gesetzesänderung dies erfordert",
            "{x} hinter {sch} zurückbleibt", "{q} dies in gutem Glauben bestreitet", "ein Dritter Ansprüche erhebt",
            "{x} sich um mehr als {n} Werktage verzögert", "eine Prüfung wesentliche Abweichungen ergibt",
        ),
        "state": (
            "sich während der Laufzeit ändern kann", "Bestandteil der Leistungen ist", "für die Leistungen wesentlich "
            "ist",
            "vertraulich zu behandeln ist", "nach {ref} geprüft werden darf", "auf den Annahmen in {sch} beruht",
            "keinen eigenen Zahlungsanspruch begründet", "im Zusammenhang mit {ref} zu lesen ist",
        ),
        "neglect": ("offenlegen", "abtreten", "verändern", "zurückhalten", "veröffentlichen", "vervielfältigen"),
        "meet": ("vierteljährlich", "innerhalb von {n} Werktagen nach Aufforderung", "vor Ende jedes Vertragsjahres"),
        "log": ("Risikoverzeichnis", "Monatsbericht", "Protokoll des Lenkungsausschusses"),
        "subject": (
            "einschließlich der zugrunde liegenden Nachweise", "mit dem Datum der letzten Änderung",
            "auch soweit von Unterauftragnehmern erstellt", "unter Angabe der verantwortlichen Person",
        ),
        "subject2": (
            "Personal mit Zugang zu den Standorten", "Leistungen nach Aufwand", "Geräte der Auftraggeberin",
            "Leistungen Dritter",
        ),
        "n": ("fünf", "sieben", "zehn", "zwölf", "fünfzehn", "zwanzig", "dreißig"),
        "nth": ("dritten", "fünften", "achten", "zehnten"),
        "years": ("zwei", "drei", "fünf", "sechs"),
    },
    parties=(("die Auftragnehmerin", "die Auftraggeberin"), ("die Auftraggeberin", "die Auftragnehmerin")),
)  # fmt: skip

DEFINITIONS = (
    ("Abnahmekriterien", "die in einem Einzelauftrag festgelegten Prüfungen, die ein Arbeitsergebnis bestehen muss"),
    ("Arbeitsergebnis", "alles, was die Auftragnehmerin nach einem Einzelauftrag zu erstellen hat"),
    ("Einzelauftrag", "ein von beiden Parteien unterzeichnetes Dokument, das bestimmte Leistungen beschreibt"),
    ("Höhere Gewalt", "ein von außen kommendes Ereignis, das auch mit der gebotenen Sorgfalt nicht abzuwenden war"),
    ("Kundendaten", "alle Daten, die die Auftraggeberin liefert oder die durch die Leistungen für sie entstehen"),
    ("Laufzeit", "den Zeitraum, in dem dieser Vertrag in Kraft ist"),
    ("Leistungen", "die in Anlage 1 und in den Einzelaufträgen beschriebenen Leistungen"),
    ("Lenkungsausschuss", "das Gremium, in dem beide Parteien vertreten sind"),
    ("Meilenstein", "ein Ereignis, das in einem Einzelauftrag als Meilenstein bezeichnet ist"),
    ("Vergütung", "die nach Anlage 3 zu zahlenden Beträge"),
    ("Vertragsjahr", "jeden Zeitraum von zwölf Monaten ab dem Tag des Inkrafttretens"),
    ("Werktag", "jeden Tag außer Samstag, Sonntag und den gesetzlichen Feiertagen am Sitz der Auftraggeberin"),
)

ARTICLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Begriffe und Auslegung", (
        "*definitions Begriffsbestimmungen",
        "Auslegung | die Überschrift; die Verweisung; die Frist; die Aufzählung",
        "Rangfolge | die Anlage; die Leistungsbeschreibung; die Angebotsunterlage; die Nebenabrede",
    )),
    ("Leistungen", (
        "Umfang der Leistungen | die Leistungsbeschreibung; die Aufgabenverteilung; die Schnittstelle; die "
        "Anwendungsliste",
        "Einzelaufträge | die Aufwandsschätzung; die Terminplanung; die Anforderung; die Ergebnisliste",
        "Leistungsstandard | die Qualitätsplanung; die Programmierrichtlinie; die Freigabeliste; die Servicequalität",
        "Abnahme | die Abnahmeprüfung; die Testumgebung; die Mängelliste; die Abnahmeerklärung",
        "Unterauftragnehmer | die Beauftragung; die Eignungsprüfung; die Unterauftragsliste; die Weitergabe der "
        "Pflichten",
    )),
    ("Vergütung und Zahlung", (
        "Vergütung | die Preisliste; die Monatspauschale; die Preisannahme; die Stundenabrechnung",
        "Rechnungsstellung | die Rechnung; die Bestellnummer; die Zeitaufstellung; die Gutschrift",
        "Zahlungsbedingungen | die Zahlung; die Bankverbindung; die Fälligkeit; die Zahlungsanzeige",
        "Streitige Beträge | die Beanstandung; die Abstimmung; die Einbehaltung; die Korrekturrechnung",
        "Preisanpassung | die Indexentwicklung; die Anpassungsmitteilung; die Obergrenze; die Preisbasis",
    )),
    ("Laufzeit und Verlängerung", (
        "Beginn und Erstlaufzeit | die Erstlaufzeit; die Anlaufphase; die aufschiebende Bedingung; die Inbetriebnahme",
        "*early",
        "Verlängerung | die Verlängerungsmitteilung; die Preisprüfung; die Empfehlung; die Leistungsübersicht",
        "Voraussetzungen der Verlängerung | die Bonitätsprüfung; die Vergleichsstudie; die Versicherungsbestätigung",
        "*early",
    )),
    ("Mitwirkung der Auftraggeberin", (
        "Zusammenarbeit | die Auskunft; die Entscheidungsliste; die Ansprechperson; die Rückmeldung",
        "Zugang zu Standorten und Systemen | die Zugangskarte; die Fernverbindung; die Besucherregelung; die "
        "Einweisung",
        "Beistellungen | die Datenlieferung; die Lizenz; die Altdokumentation; die Testdatenmenge",
        "Folgen fehlender Mitwirkung | die Fristverlängerung; die Mehraufwandsanzeige; die Terminanpassung",
    )),
    ("Rechte an Arbeitsergebnissen", (
        "Vorbestehende Rechte | die Bestandsliste; die Fremdkomponente; die Lizenzdatei",
        "Übertragung von Rechten | die Rechteübertragung; die Quelldatei; die Bauanleitung; die Nutzungsart",
        "Quelloffene Software | die Komponentenliste; die Lizenzpflicht; die Schwachstellenprüfung",
        "Schutzrechtsverletzungen | die Anspruchsmeldung; die Verteidigung; die Ersatzlösung; die Vergleichslösung",
    )),
    ("Vertraulichkeit", (
        "Verschwiegenheit | die vertrauliche Information; die Verpflichtungserklärung; die Kennzeichnung",
        "Zulässige Weitergabe | die behördliche Anordnung; die Weitergabe an Berater; die geschwärzte Fassung",
        "Ausnahmen | die bereits bekannte Information; die unabhängige Entwicklung; die öffentliche Quelle",
        "Rückgabe und Löschung | die Löschbestätigung; die Archivkopie; die Datensicherung",
    )),
    ("Datenschutz und Sicherheit", (
        "Verarbeitung personenbezogener Daten | die Weisung; die Verarbeitungsübersicht; die Zweckbindung",
        "Technische Maßnahmen | die Zugriffsregelung; die Verschlüsselung; die Aktualisierung; die Härtung",
        "Sicherheitsvorfälle | die Vorfallmeldung; die Ursachenanalyse; die Eindämmung; die Beweissicherung",
        "Betroffenenrechte | die Auskunftsanfrage; die Berichtigung; die Antwortvorlage",
    )),
    ("Vertragsverletzung, Aussetzung und Übergang", (
        "*late",
        "*late",
        "Aussetzung der Leistungen | die Aussetzungsmitteilung; die Wiederaufnahme; die Mindestleistung",
        "*late",
        "Unterstützung beim Übergang | die Übergangsplanung; die Wissensübergabe; die Bestandsübersicht",
    )),
    ("Gewährleistung und Haftung", (
        "Zusicherungen | die Vertretungsmacht; die Zustimmung; die Mangelfreiheit",
        "Mängelrechte | die Mängelanzeige; die Nachbesserung; die Minderung; die Zwischenlösung",
        "Haftungsbeschränkung | die Haftungsgrenze; die Schadensart; die Mitverantwortung",
        "Freistellung | die Freistellung; die Schadensminderung; die Verteidigungsführung",
    )),
    ("Recht, Streitbeilegung und Mitteilungen", (
        "Eskalation | die Eskalationsmeldung; die Leitungsebene; die Stellungnahme; die Zwischenregelung",
        "Mediation | die Mediationsanfrage; die Kostenteilung; die Vertraulichkeitsabrede",
        "*law",
        "Gerichtsstand | die Zuständigkeit; die einstweilige Maßnahme; die Zustellungsanschrift",
        "Mitteilungen | die Mitteilung; die Anschrift; die Anschriftenänderung; die elektronische Kopie",
    )),
    ("Schlussbestimmungen", (
        "Abtretung | die Abtretung; die Vertragsübernahme; die Zustimmungserklärung",
        "Verzicht | die Verzichtserklärung; die verspätete Ausübung; die Duldung",
        "Salvatorische Klausel | die unwirksame Bestimmung; die Ersatzregelung; die Vertragslücke",
        "Nachhaltigkeit | die Emissionsübersicht; die Reiserichtlinie; die Beschaffungserklärung",
        "Schriftform | die Vertragsänderung; die elektronische Signatur; die Ausfertigung",
    )),
)  # fmt: skip

EARLY = (
    Fixed("Ordentliche Kündigung", (
        "Die Auftraggeberin kann diesen Vertrag oder einzelne Einzelaufträge nach Ablauf des ersten Vertragsjahres "
        "mit einer "
        "Frist von neunzig Tagen schriftlich kündigen.",
        "Die Kündigung muss angeben, ob sie den ganzen Vertrag oder nur die bezeichneten Einzelaufträge betrifft.",
        "Bis zum Wirksamwerden der Kündigung erbrachte Leistungen werden vergütet; entgangener Gewinn wird nicht "
        "ersetzt.",
    )),
    Fixed("Kündigung bei Kontrollwechsel", (
        "Jede Partei zeigt der anderen einen Wechsel der Kontrolle binnen zehn Werktagen an.",
        "Geht die Kontrolle über die Auftragnehmerin auf einen Wettbewerber über, kann die Auftraggeberin den Vertrag "
        "mit einer "
        "Frist von sechzig Tagen kündigen.",
    )),
)  # fmt: skip

LATE = (
    Fixed("Kündigung wegen wesentlicher Vertragsverletzung", (
        "Jede Partei kann diesen Vertrag fristlos kündigen, wenn die andere eine wesentliche Pflicht verletzt und die "
        "Verletzung nicht binnen dreißig Tagen nach Aufforderung abstellt.",
        "Das Recht zur Kündigung nach dieser Ziffer tritt neben alle übrigen gesetzlichen Rechte.",
    )),
    Fixed("Kündigung bei Zahlungsunfähigkeit", (
        "Jede Partei kann den Vertrag kündigen, wenn die andere zahlungsunfähig wird oder ein Insolvenzverfahren über "
        "ihr "
        "Vermögen eröffnet wird.",
        "Die Kündigung wird mit dem in ihr genannten Tag wirksam.",
    )),
    Fixed("Kündigung bei anhaltender höherer Gewalt", (
        "Verhindert höhere Gewalt einen wesentlichen Teil der Leistungen länger als neunzig Tage, kann jede Partei die "
        "betroffenen Einzelaufträge mit einer Frist von vierzehn Tagen kündigen.",
        "Aus der Kündigung nach dieser Ziffer folgen keine Ersatzansprüche.",
    )),
)  # fmt: skip

APPENDED = Fixed("Kündigung der Übergangsleistungen", (
    "Die Auftraggeberin kann die Übergangsleistungen ganz oder teilweise mit einer Frist von zwanzig Werktagen "
    "kündigen.",
    "Die Pflicht zur Rückgabe der Kundendaten bleibt von der Kündigung unberührt.",
))  # fmt: skip

LAW = Fixed("Anwendbares Recht", (
    "Dieser Vertrag unterliegt dem Recht des Staates, in dem die Auftraggeberin ihren Sitz hat, unter Ausschluss der "
    "Regeln "
    "des internationalen Privatrechts.",
    "Das Übereinkommen der Vereinten Nationen über Verträge über den internationalen Warenkauf findet keine Anwendung.",
    "Zwingende Vorschriften am Ort der Leistung bleiben unberührt.",
))  # fmt: skip

SCHEDULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Leistungsbeschreibung", (
        "Entwicklung | die Aufgabenliste; die Versionsplanung; die Quelltextprüfung; die Testreihe",
        "Betrieb | die Plattform; die Kapazitätsplanung; die Überwachung; die Datensicherung",
        "Anwenderunterstützung | die Störungsmeldung; die Dringlichkeit; die Lösungszeit; die Wissensdatenbank",
        "Dokumentation | die Betriebsanleitung; die Anwenderanleitung; die Architekturübersicht",
    )),
    ("Servicequalität", (
        "Messung | die Messperiode; die Stichprobe; die Zeitquelle",
        "Verfügbarkeit | die Zielverfügbarkeit; die geplante Unterbrechung; die Verfügbarkeitsmeldung",
        "Reaktionszeiten | die Reaktionszeit; die Störungsklasse; die Störungsliste",
        "Minderung | die Minderungstabelle; die Monatsgrenze; die Verrechnung",
    )),
    ("Preise", (
        "Preisliste | die Tagespauschale; die Qualifikationsstufe; die Überstundenregelung",
        "Festpreise | die Monatsgebühr; die Mengenstaffel; die Mindestabnahme",
        "Meilensteinzahlungen | die Teilzahlung; die Freigabebedingung; die Einbehaltung",
    )),
)  # fmt: skip

APPENDICES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Formulare", (
        "Muster eines Einzelauftrags | die Auftragsnummer; die Lieferanschrift; die Kontaktperson",
        "Muster einer Abnahmeerklärung | die geprüfte Version; die Restmängelliste; die Abnahmebestätigung",
    )),
    ("Übergangsplan", (
        "Zweck | die Zielsetzung; die Bestandsaufnahme; die Übergangsorganisation",
        "Übergangsleistungen | die Parallelphase; die Datenübernahme; die Generalprobe",
        "*appended",
        "Wissensübergabe | die Schulung; die Aufzeichnung; die Fragenliste",
    )),
)  # fmt: skip

WORDING = Wording(TERMS, GRAMMAR, DEFINITIONS, ARTICLES, EARLY, LATE, APPENDED, LAW, SCHEDULES, APPENDICES)
