"""Faults of commands: options with wrong values."""

from __future__ import annotations

from .fault import ANONYMIZE, TRANSACTIONS, Fault

_NINES = "9" * 20


def _option(says: str, words: str, what: str = "", do: str = "", command: str = ANONYMIZE) -> Fault:
    return Fault(what or f"`{words}`", says, f"{command} {words}", {}, do)


COMMANDS = [
    _option(
        f"k = {_NINES} is not a whole number from 1 to 1,000,000,000,000,000,000.", f"--require k-anonymity:k={_NINES}"
    ),
    _option("k = 1e99999999 is not a whole number from 1 up.", "--require k-anonymity:k=1e99999999"),
    _option("k = 0 is not a whole number from 1 up.", "--require k-anonymity:k=0"),
    _option("'k-anonymity' has no 'kk'; did you mean 'k'?", "--require k-anonymity:kk=5"),
    _option("'nope' is not a privacy model; choose from", "--require nope"),
    _option("t = 2 is not a share; give a number from 0 to 1", "--require t-closeness:t=2"),
    _option("distance = 'x' is unknown; choose", "--require t-closeness:t=0.5,distance=x"),
    _option("is a device or a pipe; give the path of a file.", "--require k-map:k=3,population=/dev/zero"),
    _option("threads = 1000000 is not a whole number from 1 to 1,024.", "--threads 1000000"),
    _option("--threads", "--threads 0", do="give a whole number from 1 up"),
    _option("--threads", "--threads many", do="give a whole number from 1 up"),
    _option("--time-limit = -1 is not a time; give seconds, or a time such as 60s, 5m or 1h.", "--time-limit=-1"),
    _option("--time-limit = nan is not a time; give seconds, or a time such as 60s, 5m or 1h.", "--time-limit nan"),
    _option("--time-limit = soon is not a time; give seconds, or a time such as 60s, 5m or 1h.", "--time-limit soon"),
    _option("memory_limit = 0 is too little to work with; give 1MB or more.", "--memory-limit 0"),
    _option("memory_limit = 1B is too little to work with; give 1MB or more.", "--memory-limit 1B"),
    _option("memory_limit = much is not an amount of memory; write it like 512MB or 2GB.", "--memory-limit much"),
    _option("--seed", "--seed=-1", do="give a whole number from 0 up"),
    _option(" is not a whole number from 0 to 9,223,372,036,854,775,807.", f"--seed {_NINES}"),
    _option(
        "The weights and prices of the loss are too large to be added up; make all of them smaller.",
        "--loss lm:weights.age=1e300",
    ),
    _option("value is a number of more than 400 digits; give one that is shorter.", "--loss lm:value=1e401"),
    _option("weights['age'] = 'nan' is not a number; write it like 0.05, '5%' or '1/20'.", "--loss lm:weights.age=nan"),
    _option("weights has 'town', which is not a quasi-identifier; choose from age.", "--loss lm:weights.town=2"),
    _option("'lm' has no 'x'; choose from weights, record, value.", "--loss lm:x=1"),
    _option("max_level['age'] = -1 is not a whole number from 0 up.", "--recoding full-domain:max_level.age=-1"),
    _option("'x' is not a recoding; choose from", "--recoding x"),
    _option("suppression_limit = 2 is not a share; give a number from 0 to 1", "--suppression-limit 2"),
    _option("suppression_limit = 'nan' is not a number; write it like 0.05", "--suppression-limit nan"),
    _option("suppression = 'x' is unknown; choose", "--suppression x"),
    _option("'x' is not an algorithm; choose from", "--algorithm x"),
    _option(
        "No algorithm for this problem: vpa anonymizes transactions, not tables.", "--algorithm vpa", do="leave it out"
    ),
    _option(
        "approximation = '99999999999999999999' asks for nothing; give up to 1,000,000.",
        f"--recoding multidimensional --algorithm gen-search:approximation={_NINES}",
    ),
    _option("delimiter = ';;' is not one character; give one such as ';'.", "--delimiter ;;"),
    _option("quote = 'ab' is not one plain character; give one such as", "--quote ab"),
    _option("decimal = 'x' is not a decimal mark; give '.' or ','.", "--decimal x"),
    _option("'name' is not a weight in 40 of the 40 rows", "--weight name", do="give each row a number from 0 up"),
    _option("people.csv has no column 'nane'; did you mean 'name'?", "--unit nane"),
    _option("has no hierarchy; write name=flat, name=intervals:5,10 or name=file.csv.", "--qi name"),
    _option("'town' is both sensitive and identifier; give it one role.", "--identifier town"),
    _option(
        "A query asks for 'town', which is not a quasi-identifier: age.",
        "--report r.html --query town=a|b",
        do="ask for one that is",
    ),
    _option("No such option '--zzz'", "--zzz 1", do="see sfumato anonymize --help"),
    _option("parts = 0 is not a whole number from 1 up.", "--algorithm vpa:parts=0", command=TRANSACTIONS),
    _option(
        f"parts = {_NINES} is not a whole number from 1 to 1,000,000,000,000,000,000.",
        f"--algorithm vpa:parts={_NINES}",
        command=TRANSACTIONS,
    ),
    _option(
        "level = 99, but the hierarchy has levels 0 to",
        "--algorithm vpa:level=99",
        command=TRANSACTIONS,
        do="give one of them",
    ),
    _option("does not say m; write it like km-anonymity:m=….", "--require km-anonymity:k=2", command=TRANSACTIONS),
    _option(
        "is not a table that a spreadsheet opens; end the name in .csv or .parquet.",
        "--spreadsheet-safe",
        command=TRANSACTIONS,
    ),
]
