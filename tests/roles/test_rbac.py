"""The model of role-based access control: every lookup against sets by definition, from every form, and back."""

import numpy as np
import pandas
import polars
import pytest
from scipy.sparse import csr_array

from unmix.roles import RBAC, Access, explain, mine, read, write_pairs
from unmix.roles.explanation.document import document

UA = [("ann", "clerk"), ("ann", "boss"), ("bob", "clerk"), ("eve", "boss")]
PA = [("clerk", ("mail", "read")), ("clerk", ("mail", "send")), ("boss", ("pay", "sign")), ("boss", ("mail", "read"))]
USERS, ROLES = ["ann", "bob", "eve"], ["clerk", "boss"]
PERMISSIONS = [("mail", "read"), ("mail", "send"), ("pay", "sign")]
UA_MATRIX, PA_MATRIX = np.array([[1, 1], [1, 0], [0, 1]]), np.array([[1, 1, 0], [1, 0, 1]])


def grouped(pairs):
    return {name: [b for a, b in pairs if a == name] for name in dict.fromkeys(a for a, _ in pairs)}


def forms():
    names = {"users": USERS, "roles": ROLES, "permissions": PERMISSIONS}
    columns = pandas.MultiIndex.from_tuples(PERMISSIONS)
    frames = pandas.DataFrame(UA_MATRIX, USERS, ROLES), pandas.DataFrame(PA_MATRIX, ROLES, columns)
    triples = pandas.DataFrame([(r, *p) for r, p in PA], columns=["role", "object", "operation"])
    return {
        "pairs": RBAC(UA, PA),
        "generators": RBAC(iter(UA), iter(PA)),
        "mappings": RBAC(grouped(UA), grouped(PA)),
        "arrays": RBAC(UA_MATRIX, PA_MATRIX, **names),
        "lists": RBAC(UA_MATRIX.tolist(), PA_MATRIX.tolist(), **names),
        "sparse": RBAC(csr_array(UA_MATRIX), csr_array(PA_MATRIX).tocsc(), **names),
        "bool": RBAC(UA_MATRIX > 0, PA_MATRIX > 0, **names),
        "frames": RBAC(*frames),
        "frames of pairs": RBAC(pandas.DataFrame(UA, columns=["user", "role"]), triples),
        "polars": RBAC(polars.DataFrame(UA, schema=["user", "role"], orient="row"), polars.from_pandas(triples)),
        "mixed": RBAC(UA, PA_MATRIX, roles=ROLES, permissions=PERMISSIONS),
        "access": RBAC(Access(USERS, ROLES, UA_MATRIX), Access(ROLES, PERMISSIONS, PA_MATRIX)),
    }


@pytest.mark.parametrize("form", list(forms()))
def test_lookups_by_definition(form):
    model = forms()[form]
    assert (model.users, model.roles, model.permissions) == (USERS, ROLES, PERMISSIONS)
    for role in ROLES:
        assert model.assigned_users(role) == {u for u, r in UA if r == role}
        assert model.assigned_permissions(role) == {p for r, p in PA if r == role}
    upa = {(u, p) for u, r in UA for s, p in PA if r == s}
    for user in USERS:
        assert model.assigned_roles(user) == {r for u, r in UA if u == user}
        assert model.user_permissions(user) == {p for u, p in upa if u == user}
    for permission in PERMISSIONS:
        assert model.roles_with(permission) == {r for r, p in PA if p == permission}
        assert model.permitted_users(permission) == {u for u, p in upa if p == permission}
        assert all(model.check_access(u, permission) == ((u, permission) in upa) for u in USERS)
    assert np.array_equal(model.UA.toarray(), UA_MATRIX) and np.array_equal(model.PA.toarray(), PA_MATRIX)
    assert np.array_equal(model.UPA.toarray(), UA_MATRIX @ PA_MATRIX > 0)
    assert set(model.access.pairs()) == upa
    assert (model.objects(), model.operations(), model.operations("mail")) == (
        ["mail", "pay"], ["read", "send", "sign"], ["read", "send"],
    )  # fmt: skip
    assert model.role_operations("boss", "mail") == ["read"]


def same(one, other):
    assert (one.users, one.roles, one.permissions) == (other.users, other.roles, other.permissions)
    assert (one.UA != other.UA).nnz == 0 and (one.PA != other.PA).nnz == 0


@pytest.mark.parametrize("texts", [False, True])
def test_round_trip_through_files(tmp_path, texts):
    """Also of a user without a role, a role without users or permissions, a permission no role has, and odd names."""
    PA_ = [(r, ":".join(p)) for r, p in PA] if texts else PA
    model = RBAC([*UA, ("=x", "clerk"), ("'-y", "boss")], PA_)
    model.add_user("new")
    model.add_role("empty")
    model.grant_permission("clerk", "a:b" if texts else ("a", "b"))
    model.revoke_permission("clerk", "a:b" if texts else ("a", "b"))
    model.write(tmp_path / "model")
    back = RBAC.read(tmp_path / "model")
    assert set(back.users) == set(model.users) and set(back.roles) == set(model.roles)
    assert set(back.permissions) == set(model.permissions)
    assert set(back.user_roles().pairs) == set(model.user_roles().pairs)
    assert set(back.role_permissions().pairs) == set(model.role_permissions().pairs)
    back.write(tmp_path / "again")
    same(RBAC.read(tmp_path / "again"), back)


def test_round_trip_through_pairs_and_matrices():
    model = RBAC(UA, PA)
    same(RBAC(model.user_roles().pairs, model.role_permissions().pairs), model)
    names = {"users": model.users, "roles": model.roles, "permissions": model.permissions}
    same(RBAC(model.UA, model.PA, **names), model)


def test_changes():
    model = RBAC(UA, PA)
    model.add_role("guest", [("wiki", "read")])
    model.add_user("dan", ["guest"])
    assert model.user_permissions("dan") == {("wiki", "read")}
    model.deassign_user("ann", "boss")
    assert model.user_permissions("ann") == {("mail", "read"), ("mail", "send")}
    model.revoke_permission("boss", ("mail", "read"))
    assert model.user_permissions("eve") == {("pay", "sign")}
    model.delete_role("boss")
    assert model.assigned_roles("eve") == set() and model.roles == ["clerk", "guest"]
    assert model.permitted_users(("pay", "sign")) == set()
    model.delete_permission(("pay", "sign"))
    model.delete_user("bob")
    assert model.permissions == [("mail", "read"), ("mail", "send"), ("wiki", "read")] and "bob" not in model.users
    expected = [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert model.UPA.toarray().astype(int).tolist() == expected  # ann, eve, dan


def test_unknown_names_are_met_with_the_nearest():
    model = RBAC(UA, PA)
    with pytest.raises(KeyError, match="no user named 'anne'; did you mean 'ann'"):
        model.assigned_roles("anne")
    with pytest.raises(KeyError, match="no role named 'Boss'; did you mean 'boss'"):
        model.assign_user("bob", "Boss")
    with pytest.raises(KeyError, match=r"no permission named 'mail:read'; did you mean \('mail', 'read'\)"):
        model.permitted_users("mail:read")
    with pytest.raises(KeyError, match=r"no user named 'zzz'\.\""):
        model.delete_user("zzz")
    with pytest.raises(KeyError, match="does not have the role 'boss'"):
        model.deassign_user("bob", "boss")
    with pytest.raises(KeyError, match="does not have the permission"):
        model.revoke_permission("clerk", ("pay", "sign"))
    with pytest.raises(ValueError, match="a user named 'ann' already"):
        model.add_user("ann")
    with pytest.raises(ValueError, match="no role named 'clerc'; did you mean 'clerk'"):
        RBAC([("ann", "clerc")], PA, roles=ROLES)
    with pytest.raises(ValueError, match=r"matrix of 2 roles \(columns\), PA one of 3"):
        RBAC(UA_MATRIX, PA_MATRIX.T)
    with pytest.raises(ValueError, match="Two users have one name"):
        RBAC(UA, PA, users=["ann", "ann", "bob", "eve"])


def test_mined_roles_become_a_model():
    found = mine(RBAC(UA, PA).access)
    model = RBAC.of_roles(found)
    assert np.array_equal(model.UPA.toarray(), UA_MATRIX @ PA_MATRIX > 0)
    assert {name: model.assigned_permissions(name) for name in found.names} == found.roles
    assert {user: model.assigned_roles(user) for user in USERS} == found.assignments


def test_pairs_of_object_and_operation_go_everywhere(tmp_path):
    access = RBAC(UA, PA).access
    assert access.objects() == ["mail", "pay"] and access.operations("mail") == ["read", "send"]
    write_pairs(access, tmp_path / "grants.csv")
    again = read(tmp_path / "grants.csv")
    assert set(again.pairs()) == set(access.pairs()) and again.problems == ()
    for one in (("mail", "read"), "mail:read"):
        kept = mine(access, keep={"all": one})
        assert kept.roles["all"] == {("mail", "read")} and kept.verify()
        apart = mine(access, forbidden=[(one, ("pay", "sign"))])
        assert not any({("mail", "read"), ("pay", "sign")} <= held for held in apart.roles.values())
        assert explain(kept, risk={one: 2.0}) is not None
    tree = document(kept, explain(kept))
    assert tree["permissions"] == ["mail:read", "mail:send", "pay:sign"]


def test_nobody_and_nothing():
    model = RBAC([], [])
    assert (model.users, model.roles, model.permissions) == ([], [], []) and model.UPA.shape == (0, 0)
    model.add_role("r", ["p"])
    model.add_user("u", ["r"])
    assert model.check_access("u", "p")


def test_a_model_is_written_whole_or_as_before(tmp_path, monkeypatch):
    RBAC(UA, PA).write(tmp_path / "model")
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("unmix.roles.rbac.write_relation", full)
    with pytest.raises(OSError, match="No space"):
        RBAC([("zoe", "guest")], [("guest", ("door", "open"))]).write(tmp_path / "model")
    assert {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_pairs_are_written_whole_or_as_before(tmp_path, monkeypatch):
    path = tmp_path / "pairs.csv"
    write_pairs(UA, path)
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_pairs([("zoe", "guest")], path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["pairs.csv"]
