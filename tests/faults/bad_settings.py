"""Faults of hierarchies and project files."""

from __future__ import annotations

from .fault import PROJECT, Fault

_VALUES = "age\na\nb\na\nb\n"
_ASK = "anonymize ab.csv -o out.csv --require k-anonymity:k=2 --qi age={}"


def _tree(what: str, says: str, content: str | bytes, form: str = "levels", name: str = "h.csv", do: str = "") -> Fault:
    source = name if form == "levels" else f"{form}:{name}"
    return Fault(what, says, _ASK.format(source), {name: content, "ab.csv": _VALUES}, do)


def _generator(what: str, says: str, text: str, do: str = "") -> Fault:
    return Fault(what, says, _ASK.format(text), {"ab.csv": _VALUES}, do)


HIERARCHIES = [
    _tree(
        "a value that the hierarchy does not have",
        "h.csv has no path for 1 of the 2 values of 'age' (2 rows); add a line for each",
        "a;*\n",
    ),
    _tree(
        "lines of different lengths",
        "line 2: 2 labels instead of 3 as in line 1; give every line the same number",
        "a;x;*\nb;*\n",
    ),
    _tree("a value in two lines", "line 2: 'a' is already in line 1; keep one of the two.", "a;x;*\na;y;*\nb;y;*\n"),
    _tree("a label with two parents", "has two parents ('y', 'z')", "a;x;y;*\nb;x;z;*\n", do="give it one"),
    _tree("an empty hierarchy", "h.csv has no rows; give one per value: value;parent;…;*.", ""),
    _tree("no root", "h.csv has 2 roots ('x', 'y'); add a last column with one label such as '*'.", "a;x\nb;y\n"),
    _tree(
        "a quotation mark in a hierarchy that is not closed",
        "line 1: no CSV (unexpected end of data); close every quotation mark",
        'a;"x;*\nb;x;*\n',
    ),
    _tree(
        "a hierarchy that is not UTF-8",
        "line 2: not UTF-8; save the file with that encoding.",
        "a;x;*\nb;É;*\n".encode("latin-1"),
    ),
    _tree(
        "more levels than fit",
        "h.csv: 70,001 levels are more than 65,535; leave levels out.",
        "".join(f"{leaf};" + ";".join(f"n{i}" for i in range(70_000)) + "\n" for leaf in "ab"),
    ),
    _tree(
        "pairs that go round",
        "'a' is its own ancestor ('a' → 'b' → 'a'); give one of them another parent.",
        "a;b\nb;a\n",
        "pairs",
    ),
    _tree(
        "a value above itself",
        "'a' is its own parent; name another, or delete the line if it is the root.",
        "a;a\nb;a\n",
        "pairs",
    ),
    _tree(
        "pairs with two parents", "line 2: 'a' has two parents ('x', 'y'); keep one of them", "a;x\na;y\nb;x\n", "pairs"
    ),
    _tree(
        "an outline that leans the wrong way",
        "the indentation of 'b' fits no line above; give children of one parent the same spaces or tabs.",
        "   a\n b\n",
        "outline",
    ),
    _generator("a device as a hierarchy", "'/dev/zero' is a device or a pipe; give the path of a file.", "/dev/zero"),
    _generator("a folder as a hierarchy", "'.' is a folder; give the path of one hierarchy file in it.", "."),
    _generator(
        "a hierarchy that is not there", "There is no file 'absent.csv'; check the path of the hierarchy", "absent.csv"
    ),
    _generator("a width of 0", "the width 0 is not positive; give widths above 0.", "intervals:0"),
    _generator("a width that is not a number", "The width 'nan' is not a number; give numbers", "intervals:nan"),
    _generator("a width without an end", "The width '1e9999999' is not a number; give numbers", "intervals:1e9999999"),
    _generator(
        "numbers for texts",
        "intervals(5) has no place for 2 of the 2 values of 'age'",
        "intervals:5",
        do="choose another generator, or correct the values",
    ),
    _generator("groups of one", "groups of 1 never grow together; give at least 2, as in fanout(5).", "fanout:1"),
    _generator("groups that grow", "9 groups after 3 blur nothing; give fewer at each level", "groups:3,9"),
    _generator("one group", "1 groups say no more than '*'; ask for at least 2.", "groups:1"),
    _generator("a mask that hides nothing", "masking 0 characters hides nothing; mask at least 1.", "masking:0"),
    _generator("a unit that is not one of time", "'eon' is not a unit; choose from", "dates:eon"),
    _generator("a generator that there is not", "fanoot", "fanoot:5", do="sfumato tells what is near"),
]


def _project(what: str, says: str, text: str | bytes, do: str = "") -> Fault:
    return Fault(what, says, "anonymize bad.toml", {"bad.toml": text}, do)


_SPARK = (
    PROJECT.replace("[data]\n", '[data]\nengine = "spark"\n').replace("out.csv", "out.parquet") + "[engine.spark]\n"
)
PROJECTS = [
    _project(
        "a line that is not TOML",
        "line 1, column 6: not valid TOML (expected ']' at the end of a table declaration); correct the line.",
        "[data\n",
    ),
    _project(
        "a section twice", "not valid TOML (cannot declare ('data',) twice); correct the line.", PROJECT + "[data]\n"
    ),
    _project(
        "a project that is not UTF-8",
        "bad.toml, line 2: not UTF-8; save the file with that encoding.",
        b"[data]\nsource = '\xe9'\n",
    ),
    _project(
        "deep nesting",
        "bad.toml is nested too deeply; write it with fewer brackets and dots.",
        "x = " + "[" * 5000 + "]" * 5000,
    ),
    _project(
        "a table's name of 100,000 dots",
        "bad.toml is nested too deeply; write it with fewer brackets and dots.",
        "[" + "a." * 100_000 + "a]\n",
    ),
    _project(
        "a number of thousands of digits",
        "bad.toml has a number that is too long; shorten it.",
        PROJECT.replace("k = 2", "k = " + "9" * 5000),
    ),
    _project("an empty project", "bad.toml does not say data; give a table.", ""),
    _project(
        "an engine that there is not",
        "bad.toml, [data]: There is no engine 'sparc'; did you mean 'spark'?",
        PROJECT.replace("[data]\n", '[data]\nengine = "sparc"\n'),
    ),
    _project(
        "an engine outside of all sections",
        "bad.toml: engine stands above all sections; put it into [data].",
        'engine = "spark"\n' + PROJECT,
    ),
    _project(
        "settings of an engine that does not read the data",
        '[engine.spark] has settings, but [data] does not say engine = "spark"; say it, or leave them out.',
        PROJECT + '[engine.spark]\nmaster = "local[2]"\n',
    ),
    _project(
        "a setting of an engine that there is not",
        "[engine.spark] has no 'mastr'; did you mean 'master'?",
        _SPARK + 'mastr = "local[2]"\n',
    ),
    _project(
        "a master that Spark does not have",
        "[engine.spark]: master = 'loca' is not a master of Spark; give one such as local[2] or spark://host:7077",
        _SPARK + 'master = "loca"\n',
    ),
    _project(
        "two places where Spark may be",
        "master starts Spark, and remote is a server that runs already; leave one of them out.",
        _SPARK + 'master = "local[2]"\nremote = "sc://localhost:15002"\n',
    ),
    _project(
        "a server that is not one of Spark Connect",
        "remote = 'localhost:15002' is not a server of Spark Connect; give one such as sc://host:15002.",
        _SPARK + 'remote = "localhost:15002"\n',
    ),
    _project(
        "a token in a project file",
        "remote has a token in it; leave it out, and give it in the environment, as SPARK_CONNECT_AUTHENTICATE_TOKEN.",
        _SPARK + 'remote = "sc://localhost:15002/;token=SECRET"\n',
    ),
    _project(
        "a key of an object store in a project file",
        "'spark.hadoop.fs.s3a.secret.key' looks like a password or key, which no project file has; give it to Spark",
        _SPARK + 'config = { "spark.hadoop.fs.s3a.secret.key" = "SECRET" }\n',
    ),
    _project(
        "a setting that Spark does not have",
        "config has 'shuffle', which is not a setting of Spark; their names start with spark.",
        _SPARK + "config = { shuffle = 3 }\n",
    ),
    _project(
        "a section that there is not",
        "bad.toml has no 'zzz'; choose from data, engine, constraints",
        PROJECT + "[zzz]\na = 1\n",
    ),
    _project(
        "a key that there is not",
        "[release] has no 'outptu'; did you mean 'output'?",
        PROJECT.replace("output", "outptu"),
    ),
    _project(
        "a key outside of all sections",
        "bad.toml: 'k' stands above all sections; put it into one, such as [data].",
        "k = 2\n" + PROJECT,
    ),
    _project("no data", "[data] does not say source; give a text", PROJECT.replace('source = "people.csv"', "")),
    _project(
        "a text for a number",
        "[[constraints]] 1: k is a text; give a whole number.",
        PROJECT.replace("k = 2", 'k = "x"'),
    ),
    _project(
        "a list for a number",
        "[[constraints]] 1: k is a list; give a whole number.",
        PROJECT.replace("k = 2", "k = [2]"),
    ),
    _project(
        "a date for a number", "k is a date or a time; give a whole number.", PROJECT.replace("k = 2", "k = 2020-01-01")
    ),
    _project("infinity for a whole number", "k is a number; give a whole number.", PROJECT.replace("k = 2", "k = inf")),
    _project(
        "a number for a list",
        "[data]: sensitive is a whole number; give a list of texts",
        PROJECT.replace('["town"]', "5"),
    ),
    _project(
        "a model that there is not",
        "[[constraints]] 1: 'k-anonimity' is not a privacy model; did you mean 'k-anonymity'?",
        PROJECT.replace("k-anonymity", "k-anonimity"),
    ),
    _project(
        "NUL in the path of the data",
        "[data]: 'p\\x00.csv' is not a path; leave out the character NUL.",
        PROJECT.replace("people.csv", "p\\u0000.csv"),
    ),
    _project(
        "NUL in the path of the release",
        "[release]: 'o\\x00.csv' is not a path; leave out the character NUL.",
        PROJECT.replace("out.csv", "o\\u0000.csv"),
    ),
    _project(
        "NUL in the path of a hierarchy",
        "'h\\x00.csv' is not a path; leave out the character NUL.",
        PROJECT.replace("intervals:5,10", "h\\u0000.csv"),
    ),
    _project(
        "a line end in a path",
        "There is no file 'a\\u000ab.csv'; check the path.",
        PROJECT.replace("people.csv", "a\\nb.csv"),
    ),
    _project(
        "a terminal's control codes in a path",
        "There is no file 'a\\u001b[31mb.csv'; check the path.",
        PROJECT.replace("people.csv", "a\\u001b[31mb.csv"),
    ),
    _project(
        "no time", "[solve]: time_limit = nan is not a time; give seconds", PROJECT + "[solve]\ntime_limit = nan\n"
    ),
    _project("no seed", "[solve]: seed = -1 is not a whole number from 0 up.", PROJECT + "[solve]\nseed = -1\n"),
    _project(
        "an infinite price",
        "[loss]: value = inf is not a number; write it like 0.05",
        PROJECT + '[loss]\nmodel = "lm"\nvalue = inf\n',
    ),
    Fault(
        "a project that is not there",
        "There is no file 'absent.toml'; check the path, or draft one with sfumato init DATA.",
        "anonymize absent.toml",
    ),
]
