"""The wording of an agreement in English. Comes in: nothing. Goes out: `WORDING`."""

from __future__ import annotations

from sample_docs.agreement_text import Fixed, Grammar, Terms, Wording

TERMS = Terms(
    title="Master Services Agreement",
    subtitle="for application development, hosting and support services",
    between="between",
    conjunction="and",
    dated="Dated",
    date="14 April 2025",
    confidential="Confidential",
    contents="Contents",
    parties="Parties",
    party_lines=(
        "{} is a company with its registered office at {} (the “Client”).",
        "{} is a company with its registered office at {} (the “Supplier”).",
    ),
    background="Background",
    recitals=(
        "The Client operates a network of distribution sites and wishes to modernise the applications on which those "
        "sites depend.",
        "The Supplier has represented that it has the skill, personnel and experience needed to design, host and "
        "support applications of that kind.",
        "Following a competitive selection, the Client has chosen the Supplier, and the Supplier has agreed, to "
        "provide "
        "the Services on the terms that follow.",
    ),
    agreed="The parties agree as follows.",
    article="Article",
    section="Section",
    schedule="Schedule",
    appendix="Appendix",
    paragraph="paragraph",
    page="Page {} of {}",
    signature="Signatures",
    witness="This Agreement has been entered into by the duly authorised representatives of the parties on the date "
    "stated "
    "at its beginning. Each person who signs below confirms having the authority to bind the party named.",
    signed_for="Signed for and on behalf of",
    sign_lines=("By:", "Name:", "Title:", "Date:"),
    reference="Ref.",
    letters="abcdefghij",
    appendix_letters="AB",
    last_and="and",
    namely="in particular",
    defined="In this Agreement the following terms have the meanings given beside them.",
    means="means",
    forms=("plc", "Ltd"),
    quotes="“{}”",
    streets=("Foundry Lane", "Mill Quay", "Harbour Street", "Linden Row", "Station Parade", "Orchard Road"),
    towns=("Wexcombe", "Eastmarrow", "Portlow", "Gravenham", "Saltmere"),
    address="{number} {street}, {code} {town}",
)

GRAMMAR = Grammar(
    patterns=(
        "{lead}, {p} shall {verb} {x} {time}.",
        "{lead}, {p} shall {verb} {x} {manner}, {except}.",
        "{p} shall {verb} {x} {manner}, {except}.",
        "{p} shall {verb} {x} and shall {verb} {y} {time}.",
        "If {cond}, {p} may require {q} to {verb~} {y} {time}, {except}.",
        "If {cond}, {p} shall {verb} {x} {time} and shall tell {q} what it has done.",
        "{p} acknowledges that {x} {state}, and that {y} {state}.",
        "{x} shall be {done} {manner}, {except}.",
        "{x} shall be {done} {time}.",
        "Nothing in {ref} relieves {p} of its duty to {verb} {x} {manner}.",
        "For the purposes of {ref}, {x} shall be treated as {done} once {p} has confirmed {y} in writing.",
        "Where {x} is inconsistent with {y}, {p} shall raise the point {time} and {x} shall prevail until it is "
        "resolved.",
        "Neither party shall {neglect} {x} {unless}, and any attempt to do so is of no effect against the other.",
        "The parties shall meet {meet} to discuss {x}, after which {p} shall {verb} {y} {time}.",
        "Any failure by {p} to {verb} {x} {time} shall be entered in the {log} and escalated under {ref}.",
        "{p} has set its Charges on the footing that {x} {state}; if that proves wrong, {ref} applies.",
        "On request, {p} shall {verb} {x}, and {q} shall not unreasonably withhold its agreement to {y}.",
        "{x} includes, for this purpose, {y} and every record that {p} has made of it.",
        "{p} may rely on {x} as supplied by {q}, {except}, and has no duty to enquire into {y}.",
        "{lead}, {x} shall be {done} {manner}.",
        "Save as set out in {sch}, {x} {state} and {p} shall {verb} it {time}.",
        "{p} shall procure that each of its subcontractors is able to {verb} {x} to the same standard as {p} itself.",
        "The cost of {x} {cost}, {except}.",
        "Should {p} be unable to {verb} {x} {time}, it shall say so at once and propose {y} on an interim basis.",
    ),
    intros=(
        "{lead}, {p} shall:",
        "In relation to {x}, {p} shall:",
        "{p} shall, {manner}:",
        "So that {q} can rely on {x}, {p} undertakes to:",
        "Before {x} is used or relied on, {p} shall:",
    ),
    points=(
        "{verb} {x} {time}",
        "{verb} {x}, {except}",
        "{verb} {x} {manner}",
        "where {cond}, {verb} {y} {time}",
        "{verb} {x} and, if {q} so asks, {verb} {y}",
    ),
    subpoints=(
        "{x}, {subject}",
        "{x} in so far as it concerns {subject2}",
        "any change to {x} since {since}",
        "{x} as recorded in {sch}",
    ),
    slots={
        "lead": (
            "Subject to {ref}",
            "Unless the parties agree otherwise in writing",
            "Without limiting {ref}",
            "Except as expressly stated in {ref}",
            "To the extent permitted by applicable law",
            "On the written request of {q}",
            "Within {n} Business Days of the Effective Date",
            "For as long as any Work Order remains in force",
            "Notwithstanding {ref}",
            "In performing the Services",
            "Before the start of each Contract Year",
            "Where reasonably practicable",
            "In addition to its obligations under {ref}",
            "Following each quarterly review",
            "Having first consulted {q}",
            "From the Effective Date",
            "At all times during the Term",
            "Once the relevant Milestone has been achieved",
            "In the circumstances described in {sch}",
        ),
        "verb": (
            "document", "review and update", "maintain", "keep complete records of", "make available to {q}",
            "notify {q} in writing of any change to", "submit for approval", "verify", "monitor and report on",
            "take reasonable steps to protect", "deliver to {q}", "bear the reasonable cost of",
            "correct without undue delay any error in", "coordinate with {q}", "retain a dated copy of",
            "allocate suitably qualified personnel to", "explain on request the basis of", "give {q} access to",
            "assess the effect on the Services of", "seek the prior written consent of {q} before altering",
            "record on the governance portal", "test", "appoint a named individual to oversee", "confirm in writing",
            "cooperate with {q} in preparing", "identify any dependency on", "certify the accuracy of",
        ),
        "time": (
            "within {n} Business Days of receiving a written request", "no later than the {nth} Business Day of each "
            "month",
            "at least once in each Contract Year", "before the relevant Milestone date", "within {n} days",
            "for a period of {years} years after delivery", "on a quarterly basis", "at the intervals set out in {sch}",
            "by close of business on the day on which it becomes aware of the matter", "throughout the Term",
            "not less than {n} Business Days before the date on which it is to take effect",
            "as soon as reasonably practicable and in any event within {n} Business Days",
            "at the next meeting of the Governance Board", "on or before the last Business Day of each quarter",
        ),
        "manner": (
            "in accordance with Good Industry Practice", "in the form set out in {sch}",
            "with reasonable skill, care and diligence", "using the procedure in {ref}", "at no additional charge",
            "in English and in a commonly used electronic format", "through its nominated representative",
            "consistently with the Acceptance Criteria", "in compliance with the Client Policies notified to it",
            "in a manner that does not disrupt the Client’s business", "to the standard described in {sch}",
            "by means of the governance portal", "free from any lien or charge",
        ),
        "except": (
            "except where {ref} provides for a different period", "save to the extent that the delay was caused by {q}",
            "unless {q} has waived the requirement in writing",
            "provided that {q} has supplied the information that it needs", "other than in respect of {y}",
            "having due regard to {y}", "whether or not {y} has already been approved", "even if {y} is in dispute",
            "in each case without prejudice to {ref}", "to the extent that this is consistent with {sch}",
            "unless and until {y} has been agreed", "subject always to the limits in {ref}",
            "and shall keep {q} informed of its progress", "taking account of any comments made by {q}",
        ),
        "cond": (
            "{x} has not been approved", "{x} is incomplete or inaccurate", "a change in law affects {x}",
            "{p} reasonably believes that {x} has been compromised", "{x} falls below the standard required by {sch}",
            "{q} disputes {x} in good faith", "a third party makes a claim relating to {x}", "{x} is no longer current",
            "{x} is delayed by more than {n} Business Days", "an audit shows a material discrepancy in {x}",
            "the volume of work connected with {x} differs materially from the forecast",
        ),
        "done": (
            "prepared by {p}", "approved in writing by both parties", "reviewed by {p}", "stored securely",
            "kept confidential", "delivered to {q}", "updated by {p}", "agreed between the parties", "made in writing",
            "supported by evidence satisfactory to {q}", "held on behalf of {q}", "signed by an authorised "
            "representative",
        ),
        "state": (
            "may change during the Term", "forms part of the Deliverables", "is of material importance to the Services",
            "remains the responsibility of {p}", "has been priced on the assumptions in {sch}",
            "is confidential to {q}", "may be audited under {ref}", "is needed for the proper performance of the "
            "Services",
            "cannot be recreated without disproportionate effort", "depends on information supplied by {q}",
            "does not of itself create a right to payment", "is to be read together with {ref}",
        ),
        "neglect": ("disclose", "assign or charge", "alter", "dispose of", "withhold", "make public", "rely on",
        "copy"),
        "unless": (
            "without the prior written consent of the other", "unless {ref} expressly permits it",
            "except as required by a competent authority", "otherwise than for the purposes of this Agreement",
            "before the matter has been discussed at the Governance Board",
        ),
        "meet": (
            "at least once in each quarter", "within {n} Business Days of a request by either of them",
            "before the end of each Contract Year", "as often as the Governance Board requires",
        ),
        "log": ("risk register", "issues log", "service report for the month", "minutes of the Governance Board"),
        "cost": (
            "shall be borne by {p}", "is included in the Charges", "shall be shared equally by the parties",
            "shall be agreed in advance under {ref}", "shall be charged at the rates in {sch}",
        ),
        "subject": (
            "together with the evidence on which it rests", "with the date on which it was last changed",
            "including any part prepared by a subcontractor", "whether held in written or electronic form",
            "and the name of the person responsible for it", "with an estimate of the effort that remains",
        ),
        "subject2": (
            "personnel who have access to the Client’s sites", "data that leaves the Client’s network",
            "work charged on a time and materials basis", "equipment owned by the Client",
            "services supplied by third parties", "obligations that survive the end of the Term",
        ),
        "since": (
            "the last report", "the Effective Date", "the previous Milestone", "the start of the Contract Year",
            "the most recent audit",
        ),
        "n": ("five", "seven", "ten", "twelve", "fifteen", "twenty", "thirty", "forty-five"),
        "nth": ("third", "fifth", "eighth", "tenth"),
        "years": ("two", "three", "five", "six"),
    },
    parties=(("the Supplier", "the Client"), ("the Supplier", "the Client"), ("the Client", "the Supplier")),
)  # fmt: skip

DEFINITIONS = (
    ("Acceptance Criteria", "the objective tests set out in a Work Order that a Deliverable must pass before it is "
    "accepted"),
    ("Affiliate", "any entity that controls, is controlled by, or is under common control with a party"),
    ("Background Materials", "all materials owned by or licensed to a party before the Effective Date or developed "
     "independently of this Agreement"),
    ("Business Day", "a day other than a Saturday, a Sunday or a public holiday at the Client’s registered office"),
    ("Change Request", "a written request, in the form shown in Appendix A, to alter the scope, timing or cost of the "
     "Services"),
    ("Charges", "the sums payable for the Services as calculated under Schedule 3"),
    ("Client Data", "all data, in any form, that is supplied by or on behalf of the Client or generated for it by the "
     "Services"),
    ("Client Policies", "the policies on security, conduct and expenses that the Client has notified to the Supplier "
    "in "
     "writing"),
    ("Confidential Information", "information that is marked confidential or that a reasonable person would "
    "understand to "
     "be confidential, however it is disclosed"),
    ("Contract Year", "each period of twelve months that begins on the Effective Date or on an anniversary of it"),
    ("Deliverable", "anything that the Supplier is to create for the Client under a Work Order"),
    ("Effective Date", "the date stated on the cover of this Agreement"),
    ("Force Majeure Event", "an event beyond the reasonable control of a party that could not have been avoided by "
     "reasonable precautions, other than a shortage of its own personnel or funds"),
    ("Good Industry Practice", "the degree of skill, care and foresight that would ordinarily be expected of a skilled "
     "and experienced provider of similar services"),
    ("Governance Board", "the body established under Section 15.1, on which both parties are represented"),
    ("Intellectual Property Rights", "patents, copyright, database rights, designs, trade marks, know-how and all "
    "similar "
     "rights, whether or not registered"),
    ("Key Personnel", "the individuals named as such in a Work Order"),
    ("Milestone", "an event or task that a Work Order describes as a milestone, to be completed by the date stated "
    "there"),
    ("Personal Data", "information that relates to an identified or identifiable natural person"),
    ("Personnel", "the employees, agents and contractors of a party or of its subcontractors"),
    ("Security Incident", "any accidental or unlawful loss, alteration, disclosure of, or access to, Client Data"),
    ("Service Credit", "a reduction of the Charges that becomes due under Schedule 2 when a Service Level is missed"),
    ("Service Level", "a standard of performance stated in Schedule 2"),
    ("Services", "the services described in Schedule 1 and in each Work Order"),
    ("Subcontractor", "a third party to whom the Supplier has entrusted any part of the Services"),
    ("Term", "the period during which this Agreement is in force, as determined under Article 4"),
    ("Transition Plan", "the plan described in Appendix B for an orderly transfer of the Services"),
    ("Work Order", "a document signed by both parties that describes particular Services and refers to this Agreement"),
)  # fmt: skip

ARTICLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Definitions and Interpretation", (
        "*definitions Defined Terms",
        "Interpretation | the heading of a clause; the singular of a word; a reference to a statute; an example given "
        "after "
        "the word “including”; a period expressed in days",
        "Order of Precedence | the body of this Agreement; a Schedule; a Work Order; a document incorporated by "
        "reference; "
        "the Supplier’s quotation",
        "Entire Agreement | an earlier proposal; a statement made during negotiations; the request for proposals; "
        "a side letter; an oral assurance",
    )),
    ("The Services", (
        "Scope of the Services | the service description; each Work Order; the allocation of responsibilities; the "
        "list of "
        "supported applications; the interface specification",
        "Work Orders | the draft Work Order; the estimate of effort; the project timetable; the list of Deliverables; "
        "the "
        "statement of requirements",
        "Standard of Performance | the applicable Service Level; the quality plan; the design standard; the coding "
        "guideline; "
        "the release checklist",
        "Acceptance of Deliverables | the acceptance test; the test environment; the defect list; the acceptance "
        "certificate; the corrected Deliverable",
        "Delay and Milestones | the Milestone date; the recovery plan; the revised timetable; the notice of delay; the "
        "critical path",
        "Subcontracting | the subcontractor register; the proposed Subcontractor; the flow-down provision; the due "
        "diligence report; the subcontract",
        "Non-exclusivity | a competing procurement; the market comparison; the framework volume; work placed with a "
        "third "
        "party",
    )),
    ("Charges and Payment", (
        "Charges | the rate card; the fixed price; the monthly service fee; the pricing assumption; the charging model",
        "Invoicing | each invoice; the purchase order number; the supporting timesheet; the statement of account; the "
        "itemised breakdown",
        "Payment Terms | the undisputed amount; the payment run; the remittance advice; the bank mandate; the due date",
        "Disputed Amounts | the disputed item; the notice of dispute; the withheld sum; the reconciliation; the "
        "credit note",
        "Taxes | the tax invoice; the withholding certificate; the applicable rate of tax; the evidence of residence",
        "Expenses | the travel booking; the expense claim; the original receipt; the accommodation limit; the "
        "approval form",
        "Indexation | the published index; the base month; the indexed rate; the notice of adjustment; the cap on "
        "increases",
        "Set-off and Service Credits | the Service Credit; the amount to be set off; the monthly calculation; the "
        "credit balance",
    )),
    ("Term and Renewal", (
        "Commencement and Initial Term | the Effective Date; the initial term; the mobilisation period; the first "
        "Contract "
        "Year; the condition precedent",
        "*early",
        "Renewal | the renewal notice; the renewal period; the price review on renewal; the performance summary; the "
        "Governance Board’s recommendation",
        "Conditions to Extension | the extension request; the financial standing check; the benchmark report; the "
        "updated "
        "insurance certificate",
        "*early",
        "Survival of Work Orders | a Work Order in progress; the remaining Deliverable; the run-off timetable; the "
        "work in hand",
    )),
    ("Obligations of the Client", (
        "Cooperation | the information request; the decision log; the nominated contact; the response time; the "
        "escalation path",
        "Access to Premises and Systems | the access badge; the remote connection; the visitor protocol; the user "
        "account; "
        "the site induction",
        "Client Materials | the source data; the licence held by the Client; the style guide; the legacy "
        "documentation; the "
        "test data set",
        "Decisions and Approvals | the approval matrix; the written approval; the delegated authority; the sign-off "
        "record",
        "Client Dependencies | the dependency schedule; the network capacity; the third-party interface; the hardware "
        "delivery; the business continuity window",
        "Relief Events | the relief notice; the extension of time; the adjusted Milestone; the record of the relief "
        "event",
    )),
    ("Intellectual Property", (
        "Background Materials | the Background Materials; the inventory of pre-existing code; the licence file; the "
        "open-source component list",
        "Ownership of Deliverables | the assigned right; the deed of assignment; the moral right waiver; the source "
        "code; the build instruction",
        "Licence to the Client | the perpetual licence; the licensed territory; the permitted user; the embedded tool; "
        "the sub-licence",
        "Licence to the Supplier | the limited licence; the Client’s trade mark; the branding approval; the licence "
        "period",
        "Third-Party Materials | the third-party software; the end-user licence; the subscription fee; the vendor "
        "notice",
        "Open-Source Software | the open-source policy; the software bill of materials; the copyleft obligation; the "
        "vulnerability scan",
        "Infringement Claims | the claim notice; the conduct of the defence; the settlement proposal; the replacement "
        "component; the indemnified loss",
    )),
    ("Confidentiality", (
        "Duty of Confidence | the Confidential Information; the need-to-know list; the confidentiality undertaking; "
        "the "
        "protective marking",
        "Permitted Disclosure | the compelled disclosure; the regulator’s request; the disclosure to advisers; the "
        "redacted copy",
        "Exceptions | information already in the public domain; independently developed information; information "
        "received from a third party; the written evidence of prior knowledge",
        "Return and Destruction | the destruction certificate; the archived copy; the backup medium; the return "
        "inventory",
        "Publicity | the press statement; the reference project; the use of a logo; the announcement approved by both "
        "parties",
        "Duration of the Obligation | the confidentiality period; the trade secret; the residual obligation; the "
        "extended protection",
    )),
    ("Data Protection and Security", (
        "Processing of Personal Data | the processing instruction; the record of processing; the purpose limitation; "
        "the "
        "description of data subjects",
        "Sub-processors | the sub-processor list; the objection period; the transfer assessment; the sub-processing "
        "contract",
        "Security Measures | the access control policy; the encryption standard; the patch cycle; the penetration "
        "test; "
        "the hardening baseline",
        "Security Incidents | the incident notification; the containment measure; the root cause analysis; the "
        "forensic "
        "copy; the lessons-learned report",
        "Data Subject Requests | the access request; the rectification request; the erasure log; the response template",
        "International Transfers | the transfer mechanism; the adequacy review; the supplementary measure; the hosting "
        "location",
        "Return of Client Data | the data export; the agreed format; the deletion confirmation; the retention period; "
        "the restore test",
    )),
    ("Default, Suspension and Exit", (
        "*late",
        "*late",
        "Suspension of Services | the suspension notice; the suspended Service; the reinstatement request; the unpaid "
        "undisputed invoice; the minimum service",
        "*late",
        "Exit Assistance | the Transition Plan; the exit manager; the knowledge transfer session; the asset register; "
        "the "
        "handover checklist",
        "Accrued Rights | the accrued right; the outstanding invoice; the surviving provision; the final account; the "
        "prepaid fee",
    )),
    ("Warranties, Liability and Indemnities", (
        "Mutual Warranties | the corporate authority; the binding effect of this Agreement; the necessary consent; the "
        "absence of litigation",
        "Supplier Warranties | the warranty period; the conformity of the Deliverable; the absence of malicious code; "
        "the professional qualification",
        "Remedies for Defects | the defect notice; the remedial work; the re-performance; the temporary workaround; "
        "the "
        "price reduction",
        "Limitation of Liability | the annual cap; the aggregate liability; the heads of loss; the recoverable cost; "
        "the "
        "apportionment of fault",
        "Unlimited Liabilities | liability for personal injury; liability for fraud; the confidentiality breach; the "
        "liability that cannot be excluded by law",
        "Indemnities | the indemnity claim; the indemnified person; the duty to mitigate; the claim file; the defence "
        "cost",
        "Claims Procedure | the notice of claim; the limitation period; the supporting document; the joint expert; the "
        "settlement record",
    )),
    ("Law, Disputes and Notices", (
        "Escalation | the escalation notice; the senior representative; the escalation meeting; the position paper; "
        "the "
        "interim arrangement",
        "Mediation | the mediation request; the appointed mediator; the mediation agreement; the shared fee; the "
        "without-prejudice statement",
        "*law",
        "Jurisdiction | the competent court; the interim relief; the service address; the agreed forum; the language "
        "of "
        "the proceedings",
        "Expert Determination | the technical question; the appointed expert; the expert’s report; the terms of "
        "reference; the hearing timetable",
        "Notices | the written notice; the notice address; the deemed time of receipt; the change of address; the "
        "electronic copy",
        "Continued Performance | the service in dispute; the undisputed payment; the standstill; the continuity "
        "measure",
    )),
    ("Insurance", (
        "Required Cover | the professional indemnity policy; the public liability policy; the cyber policy; the "
        "minimum "
        "sum insured",
        "Evidence of Insurance | the broker’s letter; the insurance certificate; the premium receipt; the renewal slip",
        "Changes in Cover | the notice of cancellation; the increased excess; the replacement insurer; the gap in "
        "cover",
        "Claims under Policies | the notification to insurers; the claims reserve; the insurer’s decision; the "
        "subrogation waiver",
    )),
    ("Personnel", (
        "Key Personnel | the curriculum vitae; the replacement candidate; the handover period; the availability "
        "commitment; the absence plan",
        "Vetting and Conduct | the background check; the code of conduct; the right-to-work document; the disciplinary "
        "record",
        "Training | the training plan; the certification record; the induction course; the refresher session",
        "Removal of Personnel | the removal request; the reason for removal; the interim replacement; the access "
        "revocation",
        "Non-solicitation | the restricted person; the restricted period; the public advertisement; the agreed "
        "compensation",
        "Employment Liabilities | the transfer of employment; the redundancy cost; the wage record; the pension "
        "contribution",
    )),
    ("Audit and Records", (
        "Keeping of Records | the time record; the cost ledger; the configuration record; the archive index; the "
        "retention schedule",
        "Audit Rights | the audit notice; the audit scope; the auditor’s undertaking; the interview list; the "
        "evidence room",
        "Audit Findings | the audit finding; the remediation plan; the overcharge; the follow-up review; the closing "
        "letter",
        "Regulatory Access | the supervisory request; the regulator’s visit; the inspection record; the disclosure log",
        "Benchmarking | the comparison group; the benchmarker’s report; the normalised price; the price adjustment",
    )),
    ("Governance and Change", (
        "Governance Board | the agenda; the minutes; the quorum; the chair’s ruling; the action list",
        "Reporting | the service report; the trend analysis; the risk register; the forecast; the dashboard",
        "Change Control | the Change Request; the impact assessment; the change note; the emergency change; the "
        "revised "
        "baseline",
        "Continuous Improvement | the improvement proposal; the innovation fund; the savings estimate; the pilot "
        "result",
        "Relationship Managers | the relationship manager; the deputy; the contact list; the satisfaction survey",
        "Business Continuity | the continuity plan; the recovery time objective; the annual exercise; the fallback "
        "site; "
        "the call tree",
    )),
    ("General Provisions", (
        "Assignment and Novation | the proposed assignment; the deed of novation; the intra-group transfer; the "
        "assignee’s undertaking",
        "Waiver | the written waiver; a delay in exercising a right; the partial exercise of a remedy; the course of "
        "dealing",
        "Severance | the invalid provision; the replacement wording; the commercial intention; the unaffected "
        "remainder",
        "Relationship of the Parties | the independent status; the absence of partnership; the scope of authority; the "
        "agency disclaimer",
        "Third-Party Rights | the benefit of a third party; the Affiliate’s claim; the express right; the consent to "
        "vary",
        "Anti-Corruption and Sanctions | the anti-corruption policy; the gifts register; the sanctions screening; the "
        "whistleblowing channel; the annual certificate",
        "Sustainability | the emissions report; the waste reduction target; the responsible sourcing statement; the "
        "travel policy",
        "Counterparts and Electronic Signature | the signed counterpart; the electronic signature; the signing log; "
        "the "
        "original paper copy",
    )),
)  # fmt: skip

EARLY = (
    Fixed("Termination for Convenience", (
        "The Client may terminate this Agreement, or any Work Order, for convenience at any time after the first "
        "Contract "
        "Year by giving the Supplier not less than ninety days’ written notice.",
        "A notice of termination under this clause shall state whether it applies to the whole Agreement or only to "
        "the "
        "Work Orders that it lists, and the date on which termination is to take effect.",
        "On termination for convenience the Client shall pay the Charges for Services performed up to the date of "
        "termination and the unavoidable costs that the Supplier can evidence, but no loss of profit.",
        "The Supplier may not terminate for convenience, and its duties under Section 7.3(b) and Schedule 2, "
        "paragraph 4 "
        "continue until termination takes effect.",
    )),
    Fixed("Termination on Change of Control", (
        "Each party shall notify the other within ten Business Days of any change of its control.",
        "If control of the Supplier passes to a competitor of the Client, the Client may terminate this Agreement by "
        "giving "
        "sixty days’ written notice, served within six months of the date on which it learned of the change.",
        "No compensation is payable by reason only of termination under this clause.",
    )),
)  # fmt: skip

LATE = (
    Fixed("Termination for Material Breach", (
        "Either party may terminate this Agreement with immediate effect by written notice if the other commits a "
        "material "
        "breach that cannot be remedied, or that it fails to remedy within thirty days of a notice requiring it to do "
        "so.",
        "For this purpose a breach is material if it deprives the party that is not in breach of a substantial part "
        "of the "
        "benefit that it was entitled to expect, and repeated failures to meet the same Service Level in any three of "
        "six "
        "consecutive months shall be treated as one material breach.",
        "The right to terminate under this clause is in addition to any other remedy that is available at law.",
    )),
    Fixed("Termination for Insolvency", (
        "Either party may terminate this Agreement by written notice if the other becomes unable to pay its debts as "
        "they "
        "fall due, enters into liquidation or administration, or makes an arrangement with its creditors.",
        "Termination under this clause takes effect on the date stated in the notice, which may be the date on which "
        "it is "
        "given.",
        "A party that becomes aware of facts that may give rise to a right of termination under this clause shall "
        "inform "
        "the other without delay.",
    )),
    Fixed("Termination for Prolonged Force Majeure", (
        "If a Force Majeure Event prevents the performance of a substantial part of the Services for more than ninety "
        "consecutive days, either party may terminate the affected Work Orders by giving fourteen days’ written "
        "notice.",
        "Neither party is liable to the other for the consequences of termination under this clause, but sums that "
        "were "
        "due before the event began remain payable.",
    )),
)  # fmt: skip

APPENDED = Fixed("Termination of Transition Services", (
    "The Client may terminate the transition services, in whole or in part, by giving the Supplier twenty Business "
    "Days’ "
    "written notice once it has confirmed that the incoming provider is able to perform the Services concerned.",
    "Unless they have ended earlier, the transition services terminate on completion of the handover checklist and in "
    "any "
    "event nine months after the date on which they began.",
    "Termination under this paragraph does not affect the duty to return Client Data.",
))  # fmt: skip

LAW = Fixed("Governing Law", (
    "This Agreement, and any non-contractual obligation that arises out of or in connection with it, is governed by "
    "the law "
    "of the country in which the Client has its registered office, without regard to its rules on the conflict of "
    "laws.",
    "The United Nations Convention on Contracts for the International Sale of Goods does not apply to any supply of "
    "goods "
    "that is incidental to the Services.",
    "A mandatory provision of the law of the place where a Service is performed applies in addition to the governing "
    "law "
    "to the extent that it cannot be excluded by agreement.",
))  # fmt: skip

SCHEDULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Description of Services", (
        "Application Development | the backlog; the sprint plan; the release note; the code review; the regression "
        "suite",
        "Hosting | the hosting platform; the capacity plan; the monitoring tool; the maintenance window; the backup "
        "set",
        "Service Desk | the support ticket; the priority level; the resolution target; the knowledge article; the "
        "call record",
        "Documentation | the operations manual; the user guide; the architecture diagram; the data dictionary",
        "Mobilisation | the mobilisation plan; the entry criterion; the baseline inventory; the readiness review",
        "Out of Scope Items | the excluded service; the separate quotation; the boundary diagram; the interim request",
    )),
    ("Service Levels", (
        "Measurement Period | the measurement period; the sampling method; the excluded downtime; the clock source",
        "Availability | the availability target; the planned outage; the uptime record; the availability report",
        "Incident Response | the response time; the severity class; the incident log; the major incident review",
        "Service Credits | the credit table; the monthly cap; the credit claim; the earn-back",
        "Chronic Failure | the repeated failure; the improvement plan; the executive review; the step-in notice",
        "Changes to Service Levels | the proposed target; the trial period; the historical average; the approved "
        "revision",
    )),
    ("Charges", (
        "Rate Card | the day rate; the grade description; the overtime uplift; the weekend rate",
        "Fixed Charges | the monthly fee; the volume band; the minimum commitment; the true-up",
        "Milestone Payments | the payment milestone; the retention; the release condition; the milestone certificate",
        "Pass-through Costs | the third-party invoice; the handling fee; the supplier discount; the cost approval",
        "Financial Reporting | the cost report; the budget variance; the accrual; the year-end statement",
    )),
    ("Security Requirements", (
        "Organisation of Security | the security officer; the security policy; the risk assessment; the policy "
        "exception",
        "Access Control | the access right; the privileged account; the joiner process; the quarterly recertification",
        "Operations Security | the change record; the malware definition; the log archive; the vulnerability report",
        "Physical Security | the data hall; the visitor log; the camera recording; the equipment disposal",
        "Supplier Chain | the supply chain review; the component origin; the security questionnaire; the contract "
        "clause",
        "Testing and Assurance | the test scope; the tester’s report; the remediation deadline; the retest",
    )),
)  # fmt: skip

APPENDICES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Forms", (
        "Form of Work Order | the order number; the service window; the named contact; the delivery address",
        "Form of Change Request | the change number; the requester; the impact statement; the decision date",
        "Form of Acceptance Certificate | the certificate number; the tested version; the open defect; the acceptance "
        "date",
        "Form of Service Report | the reporting month; the summary table; the incident count; the management comment",
    )),
    ("Transition Plan", (
        "Purpose and Scope | the transition objective; the incoming provider; the service inventory; the transition "
        "team",
        "Transition Services | the parallel run; the data migration; the cut-over rehearsal; the shadowing period",
        "*appended",
        "Knowledge Transfer | the knowledge register; the recorded session; the runbook; the question log",
        "Transfer of Assets | the asset list; the title document; the licence transfer; the inspection note",
        "Transition Charges | the transition budget; the effort record; the discounted rate; the final settlement",
    )),
)  # fmt: skip

WORDING = Wording(TERMS, GRAMMAR, DEFINITIONS, ARTICLES, EARLY, LATE, APPENDED, LAW, SCHEDULES, APPENDICES)
