"""A certificate of our own for https in the local network, made once and kept in the data folder."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

VALID_DAYS = 397
"""The longest that browsers accept."""


def certificate_in(folder: Path, names: Iterable[str]) -> tuple[Path, Path]:
    """Files (certificate, key) for these host names and addresses; made anew if missing, old, or for others."""
    certificate, key = folder / "https-certificate.pem", folder / "https-key.pem"
    wanted = sorted(set(names))
    if not (certificate.is_file() and key.is_file() and _suits(certificate.read_bytes(), wanted)):
        _make(certificate, key, wanted)
    return certificate, key


def _suits(data: bytes, names: list[str]) -> bool:
    try:
        known = x509.load_pem_x509_certificate(data)
        listed = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    have = {str(name.value) for name in listed}
    return set(names) <= have and known.not_valid_after_utc > datetime.now(UTC) + timedelta(days=7)


def _make(certificate: Path, key: Path, names: list[str]) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Referee at home")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    key.touch(mode=0o600)
    with contextlib.suppress(NotImplementedError):
        key.chmod(0o600)
    pem = serialization.Encoding.PEM
    key.write_bytes(private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    certificate.write_bytes(made.public_bytes(pem))


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
