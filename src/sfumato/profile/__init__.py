"""A first look at a table: profiles of its columns, guesses of their roles, and a project drafted from both."""

from sfumato.profile.baskets import BasketDraft, draft_transactions, transactions_in, write_transactions_project
from sfumato.profile.columns import ColumnProfile, Profile, profile
from sfumato.profile.draft import Draft, draft
from sfumato.profile.files import make_folders, require_free
from sfumato.profile.one_line import Proposal, anonymize
from sfumato.profile.project_file import PROJECT, project_text, write_project
from sfumato.profile.roles import Guess, Role, guess_roles
from sfumato.profile.text import draft_lines

__all__ = [
    "PROJECT",
    "BasketDraft",
    "ColumnProfile",
    "Draft",
    "Guess",
    "Profile",
    "Proposal",
    "Role",
    "anonymize",
    "draft",
    "draft_lines",
    "draft_transactions",
    "guess_roles",
    "make_folders",
    "profile",
    "project_text",
    "require_free",
    "transactions_in",
    "write_project",
    "write_transactions_project",
]
