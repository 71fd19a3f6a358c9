"""A first look at a table: profiles of its columns, guesses of their roles, and a project drafted from both."""

from sfumato.profile.columns import ColumnProfile, Profile, profile
from sfumato.profile.draft import Draft, draft
from sfumato.profile.project_file import PROJECT, make_folders, project_text, require_free, write_project
from sfumato.profile.roles import Guess, Role, guess_roles

__all__ = [
    "PROJECT",
    "ColumnProfile",
    "Draft",
    "Guess",
    "Profile",
    "Role",
    "draft",
    "guess_roles",
    "make_folders",
    "profile",
    "project_text",
    "require_free",
    "write_project",
]
