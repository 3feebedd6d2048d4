"""Small access data: two teams, what both have, one grant that stands out, users with a forbidden pair."""

import csv
import io


def pairs(n: int = 24) -> list[tuple[str, str]]:
    found = []
    for i in range(n):
        team = ("crm:read", "crm:write") if i % 2 else ("pay:create", "ledger:read")
        found += [(f"u{i:02d}", p) for p in ("mail:read", "mail:send", *team)]
    found += [("u01", "pay:approve"), ("u02", "pay:approve"), ("u03", "<b>root</b>")]
    return sorted(found)


def as_csv() -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("user", "permission"), *pairs()])
    return out.getvalue().encode()


def users() -> bytes:
    lines = [f"u{i:02d},{'Sales' if i % 2 else 'Finance'}" for i in range(24)]
    return ("user,team\n" + "\n".join(lines) + "\n").encode()
