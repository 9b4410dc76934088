"""Words that end in a full stop without ending a sentence, by language.

Every entry is lower case and lacks its last full stop.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """What a language shortens, by what may follow."""

    titles: frozenset[str]
    """A name follows: `Dr.`; a sentence ends there only before a word that begins sentences."""
    numbered: frozenset[str]
    """Short only before a number: `No. 5`, but `No. I won't.`"""
    inner: frozenset[str]
    """Never the end of a sentence: `e.g.`"""
    final: frozenset[str]
    """Ends a sentence before a capital letter: `etc.`"""
    openers: frozenset[str]
    """Words that, with a capital letter, begin a sentence rather than a name."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Not "mar", "sat" and "sun", which are words.
_MONTHS_AND_DAYS = "jan feb apr jun jul aug sept sep oct nov dec mon tue tues thu thur thurs fri"

_ENGLISH = Abbreviations(
    titles=_words(
        "dr mr mrs ms mx prof st ste rev hon gen col maj capt cmdr lt sgt cpl pvt adm gov sen rep pres supt fr bro sr msgr "
        "messrs mt ft ave blvd rd u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a jr inc ltd co corp llc bros assn dept univ est "
        + _MONTHS_AND_DAYS
    ),
    numbered=_words("no nos vol vols fig figs p pp ch sec art eq ref nr pt ver op bk ext apt rm tel para"),
    inner=_words("e.g i.e eg ie vs v cf viz approx ca resp incl excl esp w.r.t a.k.a aka c/o"),
    final=_words("etc a.m p.m al a.d b.c b.c.e c.e ibid lb lbs hr hrs secs mins tbsp tsp sq"),
    openers=_words(
        "a after all also although an and another any anyway are as at because before both but by can could did do does don't "
        "each either even every everyone everything finally first for from get give go had has have he he's her here here's "
        "hers his how however i i'd i'll i'm i've if in instead is it it's it'll its just keep last later let let's many may "
        "maybe meanwhile more most my never next no nobody not nothing now of on once one only or other our ours perhaps "
        "please she she's should since so some someone sometimes soon still such take thanks that that's the their theirs "
        "then there there's therefore these they they're they've this those though thus to today tomorrow tonight too "
        "turn unless until we we'd we'll we're we've well were what what's when whenever where whether which while who who's "
        "why will with without would yes yesterday yet you you'll you're you've your yours"
    ),
)

_SPANISH = Abbreviations(
    titles=_words("sr sra srta sres dr dra d dña ud uds vd vds prof profa lic ing arq gral cap av avda ee.uu ee uu c"),
    numbered=_words("no nº n núm num pág pag págs vol fig cap art tel aprox"),
    inner=_words("a p.ej p ej vs cf esp"),
    final=_words("etc a.m p.m a.c d.c"),
    openers=_words(
        "a al aunque como con cuando de del después desde donde el él ella ellas ellos en entonces es ese esta este esto hoy "
        "la las le lo los luego mañana más mi muy no nos nosotros nuestro o para pero por porque qué que quién se según si sí "
        "sin su sus también te todo tu tú un una y ya yo"
    ),
)

_FRENCH = Abbreviations(
    titles=_words("m mm mme mmes mlle mlles dr pr me st ste mgr av bd"),
    numbered=_words("no nº n p pp vol fig chap art tél env"),
    inner=_words("p.ex p ex cf c.-à-d vs env"),
    final=_words("etc apr av j.-c"),
    openers=_words(
        "à alors après aujourd'hui au aussi avec avant ce ces cela cette chaque comme dans de demain des deux donc elle elles "
        "en et il ils je l'on la le les leur lorsque ma mais mes mon ne non nos notre nous on ou où oui par pas pendant plus "
        "pour puis quand que qui sa sans se ses si son sur ta tout tous très tu un une voici voilà votre vous y"
    ),
)

_ITALIAN = Abbreviations(
    titles=_words("sig sigg sig.ra sig.na dott dott.ssa dr dr.ssa prof prof.ssa ing avv arch geom on rag s v p.za c.so"),
    numbered=_words("n nn pag pagg p pp vol fig cap art tel"),
    inner=_words("p.es p es cfr vs ca"),
    final=_words("ecc etc a.c d.c"),
    openers=_words(
        "a ad al alla allora anche ancora che chi ci come con così cosa da dal dalla del della di dopo domani dove e è ed "
        "era forse gli ha ho i il in io la le lei lo loro lui ma mentre mi mia mio nel nella no noi non nostro o ogni oggi "
        "per perché più poi prima quando quella quello questa questo qui se sì si siamo sono su sul tra tu tutto un una uno "
        "vi voi"
    ),
)

_PORTUGUESE = Abbreviations(
    titles=_words("sr sra srta srs dr dra prof profa d eng arq av gen cap exmo exma v.exa e.u.a eua s r"),
    numbered=_words("n no nº núm pág págs p pp vol fig cap art tel"),
    inner=_words("p.ex p ex vs cf aprox"),
    final=_words("etc a.c d.c"),
    openers=_words(
        "a agora ainda ao aos as até com como da das de depois do dos e é ela elas ele eles em então era essa esse esta este "
        "eu foi hoje isso isto já mais mas meu minha muito na não nas no nos nós nosso nossa o onde os ou para pela pelo por "
        "porque quando que quem se sem ser seu sim sua também tem toda todo tudo um uma vai você vocês"
    ),
)

_HINDI = Abbreviations(
    titles=_words("डॉ डा श्री श्रीमती प्रो पं कु सु मो ले ब्रि ई बी ए एम पी जी डी के आर एस टी सी"),
    numbered=_words("सं नं पृ क्र"),
    inner=frozenset(),
    final=frozenset(),
    openers=frozenset(),
)

_BY_LANGUAGE = {"es": _SPANISH, "fr": _FRENCH, "it": _ITALIAN, "pt": _PORTUGUESE, "hi": _HINDI}


def abbreviations_of(language: str) -> Abbreviations:
    """Those of a BCP-47 tag; English ones, which turn up everywhere, for a language that has none of its own."""
    return _BY_LANGUAGE.get(language.partition("-")[0].lower(), _ENGLISH)
