"""Certificates: the system's store, a bundle of one's own, and each fault in plain words."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.performing import yes_to
from tests.support.wire import answer, says, wire_server

from platui.api import endpoints
from platui.api.connect import Server, open_project_api
from platui.api.transport import tls_context
from platui.api.write_guard import WriteGuard
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError, OfflineError, OfflineReason, OutcomeUnknownError
from platui.models.values.connection import Urgency
from platui.models.values.writes import NewSchedule, WriteMode

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.wire import Heard


@dataclass
class StorePaths:
    """Where OpenSSL says that its store lies."""

    cafile: str | None = None
    capath: str | None = None


pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="certificates are made with openssl"
)


@pytest.fixture(autouse=True)
def _no_store_of_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shut out the certificates that the caller's environment names."""
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


def certificate(folder: Path, name: str) -> Path:
    """Make a self-signed certificate, with its key in the same file."""
    made, key = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", made, "-days", "2", "-subj", f"/CN={name}",
            "-addext", f"subjectAltName={name}",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    both = folder / f"{name}.pem"
    both.write_bytes(key.read_bytes() + made.read_bytes())
    return both


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for loopback."""
    return certificate(tmp_path_factory.mktemp("own"), "IP:127.0.0.1")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for another host."""
    return certificate(tmp_path_factory.mktemp("foreign"), "DNS:elsewhere.example.org")


def server_context(certificate: Path) -> ssl.SSLContext:
    """Return a server's side."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


async def asked(url: str, ca_bundle: Path | None = None) -> int:
    """Return the id of the user that a server names."""
    server = Server(url, ca_bundle=ca_bundle, timeout=5)
    api = await open_project_api(server, None, SystemClock())
    try:
        return (await api.client.get(endpoints.session.user(), Urgency.USER)).id
    finally:
        await api.aclose()


async def test_a_bundle_of_ones_own_is_trusted(own: Path) -> None:
    """As `ca_bundle` of the profile, besides the system's store."""
    async with wire_server(says({"id": 3}), server_context(own)) as server:
        assert await asked(server.url, own) == 3


@pytest.mark.parametrize(("with_bundle", "words"), [(False, "self-signed"), (True, "another")])
async def test_a_wrong_certificate_is_named(
    own: Path, foreign: Path, words: str, *, with_bundle: bool
) -> None:
    """Not trusted, or for somebody else; nothing was sent, and it is not tried again."""
    served = foreign if with_bundle else own
    async with wire_server(says({"id": 3}), server_context(served)) as server:
        with pytest.raises(OfflineError) as raised:
            await asked(server.url, foreign if with_bundle else None)
    assert raised.value.reason is OfflineReason.TLS
    assert words in raised.value.sentence
    assert server.heard == []


async def test_a_connection_whose_encryption_breaks_is_dropped(own: Path) -> None:
    """A write that was sent on it may have happened."""

    async def breaks(_: Heard, writer: asyncio.StreamWriter) -> None:
        transport: Any = writer.transport
        transport._ssl_protocol._transport.write(b"\x17\x03\x03\x00\x20" + bytes(32))

    write = endpoints.schedules.create(NewSchedule(7, "nightly", "main", "0 1 * * *"))
    async with wire_server(breaks, server_context(own)) as server:
        with pytest.raises(OfflineError) as raised:
            await asked(server.url, own)
        target, clock = Server(server.url, ca_bundle=own), SystemClock()
        guard = WriteGuard(WriteMode.CONFIRM, clock)
        api = await open_project_api(target, None, clock, guard=lambda: guard)
        with pytest.raises(OutcomeUnknownError):
            await api.writes.send(write, yes_to(write))
        await api.aclose()
    assert raised.value.reason is OfflineReason.DROPPED
    assert [one.method for one in server.heard][-1] == "POST"


async def test_a_port_without_tls_is_told_apart() -> None:
    """The wrong port is another matter than a wrong certificate."""

    async def plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer({}, "400 Bad Request"))
        writer.close()

    listener = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(OfflineError) as raised:
            await asked(f"https://127.0.0.1:{port}")
    assert raised.value.reason is OfflineReason.NOT_TLS
    assert f"127.0.0.1:{port} does not support TLS" in raised.value.sentence
    assert f"http://127.0.0.1:{port}" in raised.value.hint


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_bundle_that_is_none_is_a_matter_of_configuration(
    tmp_path: Path, content: str | None
) -> None:
    """Missing or not PEM: said plainly, with its name."""
    bundle = tmp_path / "ca.pem"
    if content is not None:
        bundle.write_text(content)
    with pytest.raises(ConfigError, match=r"ca_bundle: .*ca\.pem"):
        tls_context(bundle)


async def test_a_folder_of_certificates_is_one_of_their_hashes(own: Path, tmp_path: Path) -> None:
    """OpenSSL finds no others, and says that the authority is unknown."""
    shutil.copy(own, tmp_path / "ca.pem")
    with pytest.raises(ConfigError, match=f"ca_bundle: the folder {tmp_path} has no"):
        tls_context(tmp_path)
    rehash = await asyncio.create_subprocess_exec("openssl", "rehash", str(tmp_path))
    assert await rehash.wait() == 0
    async with wire_server(says({"id": 3}), server_context(own)) as server:
        assert await asked(server.url, tmp_path) == 3


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_the_environments_certificates_are_used_or_missed_aloud(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own: Path, name: str
) -> None:
    """OpenSSL would skip a missing file without a word."""
    monkeypatch.setenv(name, str(tmp_path / "missing"))
    with pytest.raises(ConfigError, match=name):
        tls_context()
    there = own if name == "SSL_CERT_FILE" else f"{tmp_path}/missing:{own.parent}"
    monkeypatch.setenv(name, str(there))
    assert tls_context().verify_mode is ssl.CERT_REQUIRED


def test_the_systems_store_is_the_ground() -> None:
    """Verification is on, and authorities are known or found when needed."""
    context = tls_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    paths = ssl.get_default_verify_paths()
    assert context.cert_store_stats()["x509_ca"] or paths.capath


def test_a_store_in_one_file_is_read(monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    """Where there is no folder of hashed names."""
    one_file = StorePaths(cafile=str(own))
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: one_file)
    assert tls_context().verify_mode is ssl.CERT_REQUIRED


def test_without_any_store_the_bundled_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that was built elsewhere knows no store of this machine."""
    monkeypatch.setattr(ssl, "get_default_verify_paths", StorePaths)
    monkeypatch.setattr(ssl.SSLContext, "load_default_certs", lambda *_: None)
    assert tls_context().cert_store_stats()["x509_ca"] > 50
