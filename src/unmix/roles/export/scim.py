"""Roles as groups of SCIM (RFC 7643, RFC 7644): a list of Group resources, members by the names of users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
EXTENSION = "urn:ietf:params:scim:schemas:extension:unmix:2.0:Role"


def scim_groups(tree: Mapping[str, Any]) -> dict[str, Any]:
    """A ListResponse with a Group for every role.

    ``externalId`` is the id of the role; ``value`` of a member is the user as named in the access data, to be replaced
    by the identifier the service provider gave. Permissions are in an extension, for SCIM has no place for them.
    """
    members: dict[str, list[str]] = {role["name"]: [] for role in tree["roles"]}
    for user, names in tree["assignments"].items():
        for name in names:
            members[name].append(user)
    groups = [group(role, members[role["name"]]) for role in tree["roles"]]
    count = len(groups)
    return {"schemas": [LIST], "totalResults": count, "startIndex": 1, "itemsPerPage": count, "Resources": groups}


def group(role: Mapping[str, Any], users: list[str]) -> dict[str, Any]:
    return {
        "schemas": [GROUP, EXTENSION],
        "externalId": role["id"],
        "displayName": role["name"],
        "members": [{"value": user, "display": user, "type": "User"} for user in users],
        EXTENSION: {"description": role.get("description", ""), "permissions": list(role["permissions"])},
    }
