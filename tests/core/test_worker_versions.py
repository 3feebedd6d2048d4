"""Workers of other versions, or without unmix, are refused; others are asked once."""

import pytest

from unmix.core.worker_versions import check_versions, versions


class Client:
    def __init__(self, **answers):
        self.answers, self.asked = answers, []

    def nthreads(self):
        return dict.fromkeys(self.answers, 1)

    def run(self, function, workers, on_error):
        self.asked += workers
        return {address: self.answers[address] for address in workers}


def test_workers_that_agree_are_asked_once():
    client = Client(one=versions(), two=versions())
    check_versions(client)
    check_versions(client)
    assert client.asked == ["one", "two"]


@pytest.mark.parametrize("package", list(versions()))
def test_another_version_is_refused_with_both(package):
    with pytest.raises(RuntimeError, match=rf"the worker two has {package} 0\.1\.9 \(here {versions()[package]}"):
        check_versions(Client(one=versions(), two=versions() | {package: "0.1.9"}))


def test_a_worker_without_unmix_is_refused():
    with pytest.raises(RuntimeError, match=r"cannot use unmix .*install on every worker"):
        check_versions(Client(one=ModuleNotFoundError("No module named 'unmix'")))
