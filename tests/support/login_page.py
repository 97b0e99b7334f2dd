"""A web server that is no platform: it answers everything with a page to sign in on."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = b"<html><head><title>Sign in</title></head><body>Please sign in.</body></html>"


class LoginPage(BaseHTTPRequestHandler):
    """Answers everything as a proxy does that wants somebody to sign in."""

    def do_GET(self) -> None:
        """Send the page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def sent_on(root: str) -> Iterator[int]:
    """Send everybody on to another host, as before a platform that has moved; yields the port."""

    class Moved(LoginPage):
        def do_GET(self) -> None:
            """Say where it is now."""
            self.send_response(301)
            self.send_header("Location", f"{root}{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()

    with login_page(answers=Moved) as port:
        yield port


@contextmanager
def login_page(
    certificate: Path | None = None, answers: type[LoginPage] = LoginPage
) -> Iterator[int]:
    """Serve the page on loopback, with TLS where there is a certificate; yields the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), answers)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def own_certificate(folder: Path) -> Path:
    """Return a certificate for loopback that nobody knows, with its key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    certificate, made = folder / "own.pem", folder / "made"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=own",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate, "-out", made],
        check=True, capture_output=True,
    )  # fmt: skip
    certificate.write_bytes(certificate.read_bytes() + made.read_bytes())
    return certificate
