"""TLS trust: the system's certificate store and the profile's bundle."""

from __future__ import annotations

import os
import re
import ssl
from pathlib import Path
from typing import Final

import httpx

from platui.core.errors import ConfigError

_HASHED: Final = re.compile(r"[0-9a-f]{8}\.\d+")


def tls_context(ca_bundle: Path | None = None) -> ssl.SSLContext:
    """Return a context with the system's store and `ca_bundle`; takes 20 ms, so use a thread."""
    context = _system_context()
    if ca_bundle is not None:
        _load(context, ca_bundle, "ca_bundle")
    return context


def _system_context() -> ssl.SSLContext:
    file, folders = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folders:
        # OpenSSL silently skips unreadable files and then trusts no certificate.
        context = ssl.create_default_context()
        if file:
            _load(context, Path(file), "SSL_CERT_FILE")
        if folders and not any(Path(folder).is_dir() for folder in folders.split(os.pathsep)):
            raise ConfigError(f"SSL_CERT_DIR: {folders} is not a folder.")
        return context
    paths = ssl.get_default_verify_paths()
    if paths.cafile is None and paths.capath is not None and _is_hashed(paths.capath):
        return ssl.create_default_context(capath=paths.capath)  # 0.2 ms: read when needed
    context = ssl.create_default_context()
    if paths.capath is None and not context.cert_store_stats()["x509_ca"]:
        return httpx.create_ssl_context(trust_env=False)  # no system store: the bundle of certifi
    return context


def _is_hashed(folder: str) -> bool:
    """Return whether OpenSSL finds certificates in this folder by subject hash."""
    try:
        with os.scandir(folder) as entries:
            return any(_HASHED.fullmatch(entry.name) for entry in entries)
    except OSError:
        return False


def _load(context: ssl.SSLContext, path: Path, setting: str) -> None:
    try:
        if path.is_dir():
            context.load_verify_locations(capath=path)
        else:
            context.load_verify_locations(cafile=path)
    except ssl.SSLError:
        raise ConfigError(f"{setting}: {path} holds no certificates in PEM form.") from None
    except OSError as error:
        raise ConfigError(f"{setting}: {path} cannot be read ({error.strerror}).") from None
