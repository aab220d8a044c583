"""Invoices with an XML inside, drawn for tests: three XMLs by hand, and a page that prints what it is told to."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from sample_docs.drawing import FONTS

CII = """<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID>
</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>RG-2044</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>
<udt:DateTimeString format="102">20250314</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID>
</ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>Dachlatte</ram:Name>
</ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>
<ram:ChargeAmount>2.50</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="MTR">40</ram:BilledQuantity>
</ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax>
<ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19
</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation>
<ram:LineTotalAmount>100.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
</ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Grauwinkel Technik GmbH</ram:Name>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration>
</ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Eschenrode Wohnbau AG</ram:Name></ram:BuyerTradeParty>
</ram:ApplicableHeaderTradeAgreement><ram:ApplicableHeaderTradeDelivery/>
<ram:ApplicableHeaderTradeSettlement><ram:PaymentReference>RG-2044</ram:PaymentReference>
<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementPaymentMeans>
<ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID>
</ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans><ram:ApplicableTradeTax>
<ram:CalculatedAmount>19.00</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>100.00
</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19</ram:RateApplicablePercent>
</ram:ApplicableTradeTax><ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>
<udt:DateTimeString format="102">20250413</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount>
<ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00
</ram:TaxTotalAmount><ram:GrandTotalAmount>119.00</ram:GrandTotalAmount><ram:DuePayableAmount>119.00
</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"""

FERD = """<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15">
<rsm:HeaderExchangedDocument><ram:ID>471102</ram:ID><ram:IssueDateTime><udt:DateTimeString format="102">20130305
</udt:DateTimeString></ram:IssueDateTime></rsm:HeaderExchangedDocument><rsm:SpecifiedSupplyChainTradeTransaction>
<ram:ApplicableSupplyChainTradeAgreement><ram:SellerTradeParty><ram:Name>Velbrück Bedachung GmbH</ram:Name>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration>
</ram:SellerTradeParty></ram:ApplicableSupplyChainTradeAgreement><ram:ApplicableSupplyChainTradeSettlement>
<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:ApplicableTradeTax><ram:CalculatedAmount>37.62
</ram:CalculatedAmount><ram:BasisAmount>198.00</ram:BasisAmount><ram:ApplicablePercent>19.00</ram:ApplicablePercent>
</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementMonetarySummation><ram:TaxBasisTotalAmount>198.00
</ram:TaxBasisTotalAmount><ram:TaxTotalAmount>37.62</ram:TaxTotalAmount><ram:GrandTotalAmount>235.62
</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementMonetarySummation></ram:ApplicableSupplyChainTradeSettlement>
<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedSupplyChainTradeSettlement>
<ram:SpecifiedTradeSettlementMonetarySummation><ram:LineTotalAmount>198.00</ram:LineTotalAmount>
</ram:SpecifiedTradeSettlementMonetarySummation></ram:SpecifiedSupplyChainTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem></rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>"""

UBL = """<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
<cbc:ID>FV-7/2025</cbc:ID><cbc:IssueDate>2025-05-02</cbc:IssueDate><cbc:DueDate>2025-05-16</cbc:DueDate>
<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>PLN</cbc:DocumentCurrencyCode>
<cac:TaxTotal><cbc:TaxAmount currencyID="PLN">23.00</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>
<cbc:TaxExclusiveAmount currencyID="PLN">100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="PLN">123.00
</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal></Invoice>"""

PRINTED = (
    ("Grauwinkel Technik GmbH", "", 60), ("USt-IdNr.:", "DE136695976", 76), ("Rechnung an", "", 120),
    ("Eschenrode Wohnbau AG", "", 134), ("Rechnungsnummer:", "RG-2044", 180), ("Rechnungsdatum:", "14.03.2025", 196),
    ("Fällig am:", "13.04.2025", 212), ("Nettobetrag", "100,00 EUR", 420), ("MwSt. 19 %", "19,00 EUR", 436),
    ("Gesamtbetrag", "119,00 EUR", 452), ("IBAN:", "DE02 1203 0000 0000 2020 51", 500),
)  # fmt: skip


def drawn(
    path: Path,
    changes: dict[str, str] | None = None,
    files: dict[str, bytes] | None = None,
    shown: dict[str, str] | None = None,
) -> Path:
    """An invoice as the CII above states it, with other values where `changes` has them by label, and with files.
    shown: what a picture over a value shows, which stays in the text layer below.
    """
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(60, 842 - 36, "Rechnung")
    canvas.setFont("Helvetica", 10)
    for label, value, y in PRINTED:
        canvas.drawString(60, 842 - y, label)
        canvas.drawString(200, 842 - y, (changes or {}).get(label, value))
        if label in (shown or {}):
            _picture(canvas, (shown or {})[label], 200, 842 - y)
    canvas.drawString(60, 842 - 560, (changes or {}).get("note", ""))
    for x, head, value in ((60, "Bezeichnung", "Dachlatte"), (200, "Menge", "40"), (280, "Einzelpreis", "2,50"),
                           (380, "MwSt. %", "19"), (460, "Gesamtpreis", "100,00")):  # fmt: skip
        canvas.drawString(x, 842 - 300, head)
        canvas.drawString(x, 842 - 318, (changes or {}).get(head, value))
        if head in (shown or {}):
            _picture(canvas, (shown or {})[head], x, 842 - 318)
    canvas.save()
    return attached(path, files or {})


def _picture(canvas: Canvas, text: str, x: float, y: float) -> None:
    """The text as a picture on white, no letter of which is in the text layer."""
    font = ImageFont.truetype(str(FONTS / "NotoSans-Regular.ttf"), 40)
    picture = Image.new("L", (round(font.getlength(text)), 56), 255)
    ImageDraw.Draw(picture).text((0, 44), text, font=font, fill=0, anchor="ls")
    canvas.drawImage(ImageReader(picture), x, y - 3, width=picture.width / 4, height=14)


def attached(path: Path, files: dict[str, bytes]) -> Path:
    """The PDF with these files inside."""
    if files:
        document = pikepdf.open(BytesIO(path.read_bytes()))
        for name, content in files.items():
            document.attachments[name] = pikepdf.AttachedFileSpec(document, content, filename=name)
        document.save(path)
    return path
