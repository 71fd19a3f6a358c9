"""What the names of columns say about people: words that hint at a role, in a few languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that name people whatever the values look like.
NAMES_PEOPLE = _set(
    "email mail ssn passport iban phone telephone telefon telefono mobile fax surname firstname lastname forename "
    "fullname middlename vorname nachname prenom apellido apellidos cognome nombre username login uuid guid mrn nhs "
    "cpf dni nif nino matricule steuerid ausweis address adresse direccion indirizzo street strasse rue calle "
    "licence license plate kennzeichen url ip mac device imei"
)
# Words for a number of a person, which several records of the person have.
PERSONAL_NUMBERS = _set("ssn mrn nhs cpf dni nif nino matricule steuerid uuid guid login username pid")
PERSONS = _set(
    "patient patients person persons subject client customer member user employee pupil student insured kunde kundin "
    "versicherte mitglied mitarbeiter schueler paciente cliente paziente persona participant respondent"
)
# Columns that are called so, and nothing more, have the names of people.
FULL_NAMES = _set("name names namen nom noms nome nomi")
# Of the following, those that number nobody.
NAMES_ONLY = _set("name nom nome konto compte account")
# Words that name people if there are many different values; a hospital's number is shared by many.
MAY_NAME_PEOPLE = _set("id ids identifier name nom nome number nummer numero nr num no key code account konto compte")
# What a neighbour, an employer or a register knows.
WELL_KNOWN = _set(
    "age alter edad eta birth birthday birthdate birthplace birthyear dob yob born geb gebdatum gebjahr geburt "
    "geburtsdatum geburtstag geburtsort naissance nacimiento nascita sex gender geschlecht sexe sexo sesso genere "
    "zip zipcode postcode postal plz postleitzahl cap city town village stadt ort ville ciudad citta comune "
    "municipality gemeinde county region state province provincia bundesland kreis country land pays pais paese "
    "nation nationality native citizenship race ethnic ethnicity ethnie hispanic marital married familienstand "
    "civil relationship education schooling degree bildung abschluss schulabschluss etudes educacion istruzione "
    "workclass worker employer employed"
)
KNOWN = _set(
    "household family children kids kinder enfants hijos figli parents housing house residence wohnung logement "
    "vivienda industry branche employment job work language sprache langue idioma lingua height weight size "
    "grosse groesse gewicht taille poids year "
    "jahr annee ano anno date admission discharge visit school schule ecole escuela scuola migration"
)
# What nobody should learn about somebody.
SENSITIVE = _set(
    "diagnosis diagnoses diagnose diagnostic diag dx befund drg disease illness sickness krankheit maladie enfermedad "
    "malattia icd treatment therapy therapie medication medicine drug drugs symptom hiv aids cancer health gesundheit "
    "sante salud salute disability behinderung income einkommen revenu ingreso ingresos reddito salary gehalt salaire "
    "salario stipendio wage wages lohn earnings religion faith glaube konfession religione political politics "
    "orientation sexual crime offence offense conviction occupation profession beruf metier ocupacion professione"
)
RATHER_SENSITIVE = _set(
    "condition blood pay debt schulden loan credit score capital dividend dividends benefit benefits tax steuer "
    "wealth finance finances balance party vote union gewerkschaft unemployment"
)
OUTCOME = _set("class target label outcome response y klasse ziel zielvariable clase classe etiqueta")
# How many people a record stands for: nothing about the person, but often a value of its own.
SURVEY_WEIGHT = _set("fnlwgt wgt pweight sampleweight samplingweight instanceweight surveyweight")

SEX = _set("sex gender geschlecht sexe sexo sesso genere")
AMOUNTS = _set(
    "cost costs price amount charge charges fee total bill paid eur euro usd gbp chf kosten preis betrag summe gebuehr "
    "entgelt cout prix montant coste precio importe costo prezzo importo"
)
TEXTS = _set(
    "note notes comment comments remark remarks text freetext description narrative history letter memo anamnese "
    "bemerkung notiz kommentar freitext beschreibung commentaire remarque nota notas comentario osservazioni"
)

_ENDINGS = ("nr", "id")  # of a word such as "fallnr" or "patid", where what stands before them says whose number it is
_NUMBERED = PERSONS | _set("pat pers fall case visit stay record")
_LONG = 5  # words from this length on are also found inside longer ones, as in "patientdiagnosis"


def words(name: str) -> list[str]:
    """The words of a column's name: split at signs, digits and capitals, without accents, in small letters."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    parts = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain))
    return [part.casefold() for part in parts]


def hints(name: str, lexicon: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """For each kind of hint in the lexicon, the first word of it that the name has; whole words come first."""
    return {
        kind: word for kind, entries in lexicon.items() if (word := next(_matches(name, entries), None)) is not None
    }


def _numbers(word: str, ending: str) -> bool:
    """Whether a word is a number of something: by "nr" always, by "id" if that is somebody, for many words end so."""
    before = word.removesuffix(ending)
    return before != word and (before in _NUMBERED or (ending == "nr" and len(before) > 1))


def _matches(name: str, entries: frozenset[str]) -> Iterator[str]:
    said = words(name)
    together = "".join(said)
    yield from (word for word in (together, *said) if word in entries)
    everything = NAMES_PEOPLE | WELL_KNOWN | KNOWN | SENSITIVE | RATHER_SENSITIVE | OUTCOME | SURVEY_WEIGHT
    everything |= AMOUNTS | TEXTS | PERSONS
    for word in said:
        if word not in everything:  # "workclass" says what it says, and not "class"
            yield from (part for part in _ENDINGS if part in entries and _numbers(word, part))
            yield from sorted(part for part in entries if len(part) >= _LONG and part in word)
