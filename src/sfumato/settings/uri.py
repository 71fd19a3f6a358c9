"""Uri: where data is that is not a file here. It is a text without a secret in it: passwords come from elsewhere."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass, field

from sfumato.errors import DataError

_FORM = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
_IN_PATH = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):[/\\](?![/\\])")  # what is left of one in a Path
_SECRET = re.compile(
    r"[?&;][^=&;]*(password|passwd|pwd|secret|token|signature|credential|access[_-]?key|api[_-]?key|\bsig\b)[^=&;]*=",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"[^@/?\[]*:(?!:)[^@]*@")
_NAMED_IN = "password_env"  # the setting that names the variable with a password: no secret itself
_SETTING = re.compile(r"[\w.-]+=")


@dataclass(frozen=True)
class Uri(os.PathLike[str]):
    """`scheme://user@host:port/path?settings::table`, of which messages and reports show neither user nor settings."""

    text: str = field(repr=False)

    def __post_init__(self) -> None:
        if not is_uri(self.text):
            raise DataError("A URI starts like s3:// or postgres://; give such a text.")
        if any(unicodedata.category(character).startswith("C") for character in self.text):
            raise DataError(f"The {self.scheme}:// URI has a control character in it; write it as %0A or the like.")
        user, _, host = self._authority.rpartition("@")
        if ":" in user or _SECRET.search(self.text.replace(f"{_NAMED_IN}=", "=")):
            raise DataError(
                f"The {self.scheme}:// URI has a password or key in it; leave it out, and give it in the environment."
            )
        if not re.fullmatch(r"(\[[0-9A-Fa-f:.%]*\]|[^:\[\]]*)(:[0-9]*)?", host):
            raise DataError(f"The {self.scheme}:// URI has a colon but no port after its host; write host:port.")

    def __fspath__(self) -> str:
        return self.text

    def __str__(self) -> str:
        """As messages and reports show it."""
        table = f"::{self.table}" if self.table else ""
        return f"{self.scheme}://{self.host}{self._after[0]}{table}"

    @property
    def scheme(self) -> str:
        """What stands before `://`, in small letters."""
        return self._parts[0].lower()

    @property
    def user(self) -> str:
        """Who logs in; empty if that is not said."""
        return self._authority.rpartition("@")[0]

    @property
    def host(self) -> str:
        """The host with its port, or the bucket."""
        return self._authority.rpartition("@")[2]

    @property
    def hostname(self) -> str:
        """The host without its port."""
        return re.sub(r":[0-9]*$", "", self.host).strip("[]")

    @property
    def port(self) -> str:
        """The port; empty if none is named."""
        return port[1] if (port := re.search(r":([0-9]*)$", self.host)) else ""

    @property
    def path(self) -> str:
        """The path after the host, without the slash before it."""
        return self._after[0].removeprefix("/")

    @property
    def settings(self) -> dict[str, str]:
        """What stands after the question mark."""
        pairs = (pair.partition("=") for pair in self._after[1].split("&") if pair)
        return {key: value for key, _, value in pairs}

    @property
    def table(self) -> str:
        """The table of a database, after two colons; empty if none is named."""
        return self._after[2]

    @property
    def plain(self) -> str:
        """The URI without its table."""
        return self.text.removesuffix(f"::{self.table}") if self.table else self.text

    @property
    def name(self) -> str:
        """The last name of the path; that of the host if there is no path."""
        return self.path.rstrip("/").rpartition("/")[2] or self.host

    @property
    def suffix(self) -> str:
        """The ending of the last name of the path."""
        return os.path.splitext(self.path.rstrip("/").rpartition("/")[2])[1]

    @property
    def _parts(self) -> tuple[str, str]:
        form = _FORM.fullmatch(self.text)
        return (form[1], form[2]) if form else ("", "")

    @property
    def _authority(self) -> str:
        rest = self._parts[1]
        if password := _LOGIN.match(rest):  # which may have anything in it, a slash too
            return password[0] + rest[password.end() :].partition("/")[0]
        return re.split(r"[/?]|::(?![^\[]*\])", rest, maxsplit=1)[0]

    @property
    def _after(self) -> tuple[str, str, str]:
        """The path with its slash, the settings, and the table."""
        rest = self._parts[1].removeprefix(self._authority)
        path, _, table = rest.partition("::")
        start, mark, settings = path.rpartition("?")
        if mark and _SETTING.match(settings):  # anything else is a wildcard
            return start, settings, table
        return path, "", table


def is_uri(value: object) -> bool:
    """Whether a value is a URI, or a text that is one."""
    return isinstance(value, Uri) or (isinstance(value, str) and _FORM.fullmatch(value) is not None)


def scheme_in(value: object) -> str | None:
    """The scheme of a URI, also of one that was made a Path, which has a slash less; None of anything else."""
    if is_uri(value):
        return str(os.fspath(value)).partition("://")[0].lower()  # type: ignore[call-overload]
    squeezed = _IN_PATH.match(os.fspath(value)) if isinstance(value, os.PathLike) else None
    return squeezed[1].lower() if squeezed and not os.path.exists(f"{squeezed[1]}:") else None
