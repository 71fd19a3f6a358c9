"""Project: a problem in a file, with how it is solved and where the release goes."""

from sfumato.project import remedies
from sfumato.project.forms import FORMS, Form
from sfumato.project.project import Project, report_files

__all__ = ["FORMS", "Form", "Project", "remedies", "report_files"]
