"""What the sample catalogue sells: chapters, categories, groups, and the words its products are described with.

Comes in: nothing. Goes out: `CHAPTERS`, `INTROS`. A category without groups has its product table directly under it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Category:
    """A heading of the second tier. goods, makes, sizes: words of its products.

    groups: headings of the third tier as "Title: good, good", with their own goods.
    """

    title: str
    groups: tuple[str, ...]
    goods: tuple[str, ...]
    makes: tuple[str, ...]
    sizes: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    """A heading of the first tier; letter begins its product codes."""

    title: str
    letter: str
    intro: str
    categories: tuple[Category, ...]


CHAPTERS = (
    Chapter("Hand Tools", "H", "Tools for the bench, the vehicle and the building site. All steel tools are drop "
    "forged and "
            "carry a two-year replacement promise; insulated tools are tested individually.", (
        Category("Screwdrivers", ("Slotted Drivers: slotted driver, slotted stubby driver, slotted long-reach "
        "driver", "Cross-Head Drivers: cross-head driver, cross-head stubby driver", "Insulated Drivers: insulated "
        "driver, voltage tester"),
                 ("screwdriver", "stubby driver", "long-reach driver", "precision driver"),
                 ("two-component grip", "wooden handle", "through-tang", "magnetic tip"),
                 ("3.5 x 75 mm", "4.0 x 100 mm", "5.5 x 125 mm", "PH1 x 80 mm", "PH2 x 100 mm", "PZ2 x 150 mm")),
        Category("Pliers and Cutters", ("Combination Pliers: combination pliers, long-nose pliers, water-pump "
        "pliers", "Side Cutters: side cutters, end nippers, cable cutters"),
                 ("combination pliers", "long-nose pliers", "side cutters", "end nippers", "bolt croppers"),
                 ("chrome plated", "dipped handles", "spring return", "induction hardened"),
                 ("140 mm", "160 mm", "180 mm", "200 mm", "250 mm")),
        Category("Wrenches", ("Open-End Wrenches: open-end wrench, flare-nut wrench", "Ring Wrenches: ring wrench, "
        "ratchet ring wrench", "Adjustable Wrenches: adjustable wrench, pipe wrench"),
                 ("open-end wrench", "ring wrench", "ratchet wrench", "adjustable wrench", "flare-nut wrench"),
                 ("matt chrome", "cranked", "slim jaw", "12-point"),
                 ("8 mm", "10 mm", "13 mm", "17 mm", "19 mm", "24 mm", "30 mm")),
        Category("Hammers and Mallets", (),
                 ("engineer's hammer", "claw hammer", "rubber mallet", "dead-blow hammer", "club hammer"),
                 ("hickory shaft", "fibreglass shaft", "tubular steel shaft"),
                 ("300 g", "500 g", "800 g", "1000 g", "1500 g")),
    )),
    Chapter("Power Tools", "P", "Cordless and mains machines for daily use. Each machine is supplied with a carry "
    "case unless "
            "the table says body only.", (
        Category("Drills", ("Cordless Drills: drill driver, combi drill, impact driver", "Mains Drills: hammer drill, "
        "angle drill, magnetic drill"),
                 ("drill driver", "combi drill", "hammer drill", "angle drill", "magnetic drill"),
                 ("brushless", "two-speed", "keyless chuck", "body only"), ("12 V", "18 V", "36 V", "750 W", "1100 W")),
        Category("Grinders", (), ("angle grinder", "die grinder", "bench grinder", "belt file"),
                 ("variable speed", "paddle switch", "soft start"), ("115 mm", "125 mm", "150 mm", "230 mm")),
        Category("Saws", ("Circular Saws: circular saw, plunge saw", "Jigsaws: jigsaw, reciprocating saw", "Band "
        "Saws: band saw, portable band saw"),
                 ("circular saw", "plunge saw", "jigsaw", "reciprocating saw", "portable band saw"),
                 ("orbital action", "with guide rail", "dust port", "quick blade change"),
                 ("160 mm", "190 mm", "235 mm", "650 W", "900 W")),
        Category("Batteries and Chargers", (), ("battery pack", "rapid charger", "twin charger", "battery adapter"),
                 ("lithium ion", "with gauge", "slim", "cold weather"), ("2.0 Ah", "4.0 Ah", "5.0 Ah", "8.0 Ah")),
    )),
    Chapter("Abrasives and Cutting", "A", "Discs, sheets and bits for steel, stainless steel, wood and masonry. "
    "Maximum speeds "
            "are printed on every disc.", (
        Category("Grinding and Cutting Discs", ("Cutting Discs: cutting disc, grinding disc", "Flap Discs: flap disc, "
        "fibre disc"),
                 ("cutting disc", "grinding disc", "flap disc", "fibre disc"),
                 ("A 46", "A 60", "zirconia P40", "ceramic P80", "inox"), ("115 x 1.0", "125 x 1.6", "125 x 6", "230 "
                 "x 2.0")),
        Category("Sanding Sheets and Belts", (), ("sanding sheet", "sanding belt", "hook-and-loop disc", "abrasive "
        "roll"),
                 ("P60", "P80", "P120", "P180", "P240"), ("115 x 280 mm", "75 x 533 mm", "150 mm", "50 m roll")),
        Category("Drill Bits", ("HSS Bits: jobber drill, step drill", "Carbide Bits: carbide drill, stub drill",
        "Masonry Bits: masonry drill, core drill"),
                 ("jobber drill", "stub drill", "step drill", "masonry drill", "core drill"),
                 ("ground", "split point", "TiN coated", "four-flute"), ("3.2 mm", "5.0 mm", "6.8 mm", "8.5 mm",
                 "12.0 mm")),
    )),
    Chapter("Industrial Fasteners", "X", "All-purpose fasteners for structural applications, machinery and plant. "
    "Strength "
            "classes and certificates are stated by category; quantities are per pack.", (
        Category("Zinc-Plated Steel", ("Hex Bolts: hex bolt, flange bolt", "Socket Screws: socket screw, countersunk "
        "screw", "Self-Drilling Screws: self-drilling screw, roofing screw"),
                 ("hex bolt", "hex nut", "socket cap screw", "countersunk screw", "self-drilling screw"),
                 ("grade 8.8", "grade 10.9", "blue passivated", "partial thread"),
                 ("M5x16", "M6x20", "M6x30", "M8x25", "M8x40", "M10x50", "M12x60")),
        Category("Stainless Steel (304/316)", (),
                 ("hex bolt", "socket screw", "washer head screw", "threaded rod", "coach screw"),
                 ("304 grade", "316 grade", "316 grade, pickled"), ("M6x25", "M8x30", "M8x40", "M10x50", "M12x70",
                 "M16x90")),
        Category("Structural Bolting", ("Preloaded Assemblies: bolt assembly, tension control bolt", "Foundation "
        "Bolts: foundation bolt, anchor rod"),
                 ("bolt assembly", "tension control bolt", "foundation bolt", "anchor rod"),
                 ("10.9 HV", "8.8 SB", "hot-dip galvanised", "with two washers"),
                 ("M12x50", "M16x60", "M20x80", "M24x100", "M27x130")),
        Category("Threaded Inserts", (), ("wire thread insert", "press-in insert", "blind rivet nut", "weld stud"),
                 ("brass", "stainless", "knurled", "flat head"), ("M3", "M4", "M5", "M6", "M8", "M10")),
        Category("Washers and Retaining Rings", ("Plain Washers: plain washer, spring washer, fan washer", "Retaining "
        "Rings: shaft ring, bore ring"),
                 ("plain washer", "spring washer", "fan washer", "shaft ring", "bore ring"),
                 ("zinc plated", "spring steel", "A2", "A4"), ("5.3 mm", "6.4 mm", "8.4 mm", "10.5 mm", "25 mm")),
    )),
    Chapter("Garden Tools", "G", "Tools for grounds maintenance, from digging to watering. Handles are of certified "
    "ash or "
            "coated steel; spare handles are listed with each tool.", (
        Category("Digging and Planting", ("Spades and Forks: digging spade, border fork", "Trowels and Dibbers: "
        "planting trowel, bulb planter, dibber"),
                 ("digging spade", "border fork", "planting trowel", "bulb planter", "dibber"),
                 ("ash handle", "stainless head", "treaded", "long socket"), ("700 mm", "900 mm", "1100 mm", "300 mm")),
        Category("Pruning and Cutting", (), ("bypass secateurs", "anvil loppers", "hedge shears", "pruning saw"),
                 ("forged", "telescopic", "replaceable blade"), ("20 mm cut", "35 mm cut", "50 mm cut", "300 mm "
                 "blade")),
        Category("Watering", ("Hoses: garden hose, hose reel", "Connectors and Sprinklers: tap connector, sprinkler, "
        "spray nozzle"),
                 ("garden hose", "hose reel", "tap connector", "sprinkler", "watering can"),
                 ("anti-kink", "brass", "three-layer", "frost proof"), ("13 mm", "19 mm", "25 m", "50 m", "10 l")),
        Category("Lawn Care", (), ("lawn rake", "edging iron", "aerator", "spreader", "scarifier"),
                 ("spring steel", "with wheels", "adjustable"), ("350 mm", "400 mm", "500 mm")),
    )),
    Chapter("Electrical Supplies", "E", "Cable, switchgear and lighting for installation and maintenance. Cut lengths "
    "of cable "
            "cannot be returned.", (
        Category("Cable and Flex", ("Installation Cable: installation cable, rubber flex", "Control Cable: control "
        "cable, data cable"),
                 ("installation cable", "control cable", "rubber flex", "data cable"),
                 ("halogen free", "screened", "oil resistant", "UV stable"),
                 ("3 x 1.5", "3 x 2.5", "5 x 2.5", "7 x 1.0", "Cat 6A")),
        Category("Switches and Sockets", (), ("two-way switch", "double socket", "key switch", "fused spur"),
                 ("IP44", "IP66", "flush", "surface"), ("white", "grey", "stainless")),
        Category("Lighting", ("Indoor Luminaires: LED panel, batten", "Site Lights: floodlight, hand lamp, site "
        "light"), ("LED panel", "batten", "floodlight", "hand lamp", "site light"),
                 ("4000 K", "emergency pack", "sensor", "IP65"), ("18 W", "30 W", "50 W", "100 W")),
        Category("Terminals and Glands", (), ("terminal block", "ferrule", "cable gland", "ring terminal"),
                 ("nickel plated", "polyamide", "double entry"), ("1.5 mm2", "4 mm2", "M16", "M20", "M25")),
    )),
    Chapter("Plumbing and Fittings", "F", "Pipe, valves and fittings for water, compressed air and heating. Pressure "
    "ratings "
            "apply at 20 degrees.", (
        Category("Pipe and Tube", (), ("copper tube", "multilayer pipe", "steel pipe", "polyamide hose"),
                 ("half hard", "coil", "galvanised", "food safe"), ("12 mm", "15 mm", "22 mm", "28 mm", "3/4 in")),
        Category("Valves", ("Ball Valves: ball valve, mini valve", "Check Valves: check valve, foot valve"), ("ball "
        "valve", "gate valve", "check valve", "mini valve"),
                 ("nickel-plated brass", "lever handle", "lockable", "PN 25"), ("1/4 in", "1/2 in", "3/4 in", "1 in")),
        Category("Press and Push Fittings", ("Elbows and Tees: elbow, equal tee", "Couplings: coupling, reducer, end "
        "cap"),
                 ("elbow", "equal tee", "coupling", "reducer", "end cap"), ("press", "push-fit", "brass"),
                 ("15 mm", "22 mm", "28 mm", "35 mm")),
        Category("Pumps", (), ("circulation pump", "submersible pump", "drill pump", "condensate pump"),
                 ("variable speed", "float switch", "self priming"), ("25-40", "32-60", "400 W", "750 W")),
    )),
    Chapter("Safety and Workwear", "S", "Protective equipment with its test standard. Sizes follow the chart on "
    "request; single "
            "pairs are supplied on all gloves.", (
        Category("Hand Protection", ("Assembly Gloves: assembly glove, nitrile glove", "Cut-Resistant Gloves: "
        "cut-resistant glove, welding gauntlet"),
                 ("assembly glove", "cut-resistant glove", "welding gauntlet", "nitrile glove"),
                 ("PU coated", "level C", "level F", "long cuff"), ("size 8", "size 9", "size 10", "size 11")),
        Category("Eye and Face Protection", (), ("safety spectacles", "goggles", "face shield", "welding helmet"),
                 ("clear", "tinted", "anti-fog", "auto-darkening"), ("one size", "narrow", "overspec")),
        Category("Footwear", (), ("safety shoe", "safety boot", "rigger boot", "wellington"),
                 ("S1P", "S3", "metal free", "ESD"), ("size 40", "size 42", "size 44", "size 46")),
        Category("Fall Protection", ("Harnesses: full-body harness, work belt", "Lanyards: lanyard, retractable "
        "block"), ("full-body harness", "work positioning belt", "lanyard", "retractable block"),
                 ("two-point", "with absorber", "twin leg"), ("M/L", "XL", "1.8 m", "6 m", "10 m")),
    )),
    Chapter("Storage and Handling", "T", "Shelving, containers and trucks for stores and workshops. Load ratings "
    "assume an evenly "
            "spread load.", (
        Category("Shelving", ("Boltless Shelving: shelving bay, extra shelf", "Heavy-Duty Racking: rack frame, rack "
        "beam"), ("shelving bay", "add-on bay", "extra shelf", "rack beam"),
                 ("galvanised", "powder coated", "chipboard deck"), ("900 x 400", "1200 x 500", "1800 x 600", "2700 "
                 "mm")),
        Category("Bins and Containers", (), ("storage bin", "euro container", "small-parts case", "lidded crate"),
                 ("blue", "grey", "ESD safe", "stackable"), ("3 l", "10 l", "25 l", "60 l")),
        Category("Trolleys and Trucks", ("Platform Trucks: platform truck, table trolley", "Pallet Trucks: pallet "
        "truck, stacker"), ("platform truck", "table trolley", "sack truck", "pallet truck"),
                 ("solid tyres", "folding", "quick lift", "stainless"), ("150 kg", "250 kg", "500 kg", "2500 kg")),
    )),
    Chapter("Adhesives and Sealants", "C", "Adhesives, sealants and lubricants. Safety data sheets are available for "
    "every "
            "product in this chapter.", (
        Category("Structural Adhesives", (), ("epoxy adhesive", "acrylic adhesive", "instant adhesive", "activator"),
                 ("fast cure", "high temperature", "gel"), ("20 g", "50 ml", "400 ml")),
        Category("Sealants", ("Silicone Sealants: silicone sealant, sanitary silicone", "Hybrid Sealants: hybrid "
        "sealant, fire sealant"), ("silicone sealant", "hybrid sealant", "acrylic sealant", "fire sealant"),
                 ("clear", "white", "black", "neutral cure"), ("290 ml", "310 ml", "600 ml")),
        Category("Lubricants", (), ("multi-purpose oil", "chain lubricant", "lithium grease", "dry lubricant"),
                 ("food grade", "with PTFE", "high load"), ("100 ml", "400 ml", "1 l", "5 kg")),
    )),
)  # fmt: skip

INTROS = (
    "Supplied from stock; orders received before noon leave the same day.",
    "Mixed quantities from this table count towards the same discount band.",
    "Please state the code when ordering; sizes are nominal.",
    "Other sizes are made to order within three weeks.",
    "Test certificates can be supplied on request.",
    "The pack is the smallest quantity sold.",
    "New in this edition: codes printed in this table replace those of last year.",
    "Suitable for indoor and sheltered outdoor use.",
)
PACKS = ("each", "5", "10", "20", "25", "50", "100", "200")
# (where a product belongs, where it is listed as well)
TWICE = (
    ("Hoses", "Pipe and Tube"), ("Pumps", "Connectors and Sprinklers"), ("Threaded Inserts", "Foundation Bolts"),
    ("Site Lights", "Batteries and Chargers"), ("Lubricants", "Cutting Discs"), ("Carbide Bits", "Mains Drills"),
)  # fmt: skip
