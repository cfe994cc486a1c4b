"""Who may ask: tokens, hosts, and what the operator must not forget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.served import DDL, SAME, PlayedDesk, TestClient

from equiv.errors import InputError
from equiv.server.run import Service
from equiv.server.settings import ServiceSettings, token_of

TOKEN = "s\u00e9same"  # noqa: S105 - made up


def client_of(base_url: str = "http://localhost", **settings: Any) -> TestClient:
    """A client of a service whose worker never answers."""
    made = Service(ServiceSettings(**{"seconds": 0.01, **settings}))
    made.desk = PlayedDesk(made.settings, made.metrics)
    return TestClient(made.application(), base_url=base_url)


@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer ", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x"]
)
def test_without_the_token_nothing_is_told(given: str | None) -> None:
    headers = {} if given is None else {b"authorization": given.encode()}
    with client_of(token=TOKEN) as client:
        for path in ("/v1/check", "/v1/check_batch", "/verify", "/seed_session"):
            answer = client.post(path, json={"schema": DDL, **SAME}, headers=headers)
            assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert client.get("/metrics", headers=headers).status_code == 401
        assert client.get("/nowhere", headers=headers).status_code == 401
        assert [client.get(path).status_code for path in ("/", "/healthz", "/openapi.json")] == [200] * 3


def test_with_the_token_pairs_are_taken() -> None:
    with client_of(token=TOKEN) as client:
        for scheme in ("Bearer", "bearer"):
            headers = {b"authorization": f"{scheme} {TOKEN}".encode()}
            assert client.post("/v1/check", json={"schema": DDL, **SAME}, headers=headers).status_code == 200
            assert client.get("/metrics", headers=headers).status_code == 200
        document = client.get("/openapi.json").json()
        assert document["security"] == [{"token": []}]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("http://localhost:8181", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]", 200),
        ("http://evil.test", 400),
    ],
)
def test_on_loopback_a_page_under_another_name_is_refused(host: str, status: int) -> None:
    with client_of(host) as client:
        assert client.get("/healthz").status_code == status


def test_the_operator_may_name_the_machine() -> None:
    with client_of("http://box.test", host_names=("box.test",)) as client:
        assert client.get("/healthz").status_code == 200
    with client_of("http://any.test", host="0.0.0.0", no_token=True) as client:  # noqa: S104 - nothing listens
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"host": "0.0.0.0"},  # noqa: S104 - it is refused
        {"host": "example.test"},
        {"workers": 0},
        {"seconds": 0},
        {"port": 70_000},
        {"db_roots": (Path("no-such-folder"),)},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ServiceSettings(**wrong)


def test_the_token_is_read_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EQUIV_TOKEN", "of the environment")
    assert token_of("") == "of the environment"
    path = tmp_path / "token"
    path.write_text("of the file\n")
    assert token_of(str(path)) == "of the file"
    assert "of the file" not in repr(ServiceSettings(token=token_of(str(path))))
    path.write_text(" \n")
    with pytest.raises(InputError, match="holds no token"):
        token_of(str(path))
