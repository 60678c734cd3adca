"""What a store of S3's kind computes: signatures, checksums, keys."""
import datetime
import hashlib
import hmac
import json
import re
import typing
import urllib.parse
import xml.etree.ElementTree as Tree

# The handler of a request, see s3_server.py.
Handler = typing.Any

SKEW_S = 900
ALGORITHM = "AWS4-HMAC-SHA256"


def encode(text: str, keep: str = "") -> str:
    """Encode as S3 wants it."""
    return urllib.parse.quote(text, safe="-_.~" + keep,
                              errors="surrogateescape")


def canonical_query(raw: str, refusal: typing.Type[Exception]) -> str:
    """Sort a query; it must have come sorted and well encoded."""
    if not raw:
        return ""
    pairs = urllib.parse.parse_qsl(raw, keep_blank_values=True)
    made = "&".join(f"{encode(n)}={encode(v)}" for n, v in sorted(pairs))
    if made != raw:
        raise refusal(403, "SignatureDoesNotMatch",
                      f"the query is not canonical: {raw}")
    return made


def derive_key(secret: str, scope: typing.List[str]) -> bytes:
    """Derive the key of a day, a region and a service."""
    key = ("AWS4" + secret).encode()
    for part in scope:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


def canonical_request(handler: Handler, signed: typing.List[str],
                      refusal: typing.Type[Exception]) -> str:
    """Make the text that is signed."""
    path = urllib.parse.unquote(handler.raw_path, errors="surrogateescape")
    if encode(path, "/") != handler.raw_path:
        raise refusal(403, "SignatureDoesNotMatch",
                      f"the path is not canonical: {handler.raw_path}")
    lines = [f"{name}:{' '.join((handler.headers.get(name) or '').split())}\n"
             for name in signed]
    return "\n".join([
        handler.command, handler.raw_path,
        canonical_query(handler.raw_query, refusal), "".join(lines),
        ";".join(signed), handler.headers.get("x-amz-content-sha256", "")])


def check_headers(handler: Handler, signed: typing.List[str],
                  refusal: typing.Type[Exception]) -> None:
    """Check what must be signed, the time, and the hash of the body."""
    for name in handler.headers:
        if name.lower().startswith("x-amz-") and name.lower() not in signed:
            raise refusal(403, "AccessDenied", f"{name} is not signed")
    if "host" not in signed or signed != sorted(signed):
        raise refusal(403, "AccessDenied", "the host is not signed")
    date = handler.headers.get("x-amz-date", "")
    sent = datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ").replace(
        tzinfo=datetime.timezone.utc)
    now = datetime.datetime.now(datetime.timezone.utc)
    if abs((now - sent).total_seconds()) > SKEW_S:
        raise refusal(403, "RequestTimeTooSkewed")
    said = handler.headers.get("x-amz-content-sha256", "")
    if said not in ("UNSIGNED-PAYLOAD",
                    hashlib.sha256(handler.body).hexdigest()):
        raise refusal(400, "XAmzContentSHA256Mismatch")


def verify(handler: Handler, keys: typing.Dict[str, typing.Tuple[str, str]],
           refusal: typing.Type[Exception]) -> None:
    """Verify the signature of a request."""
    header = handler.headers.get("Authorization", "")
    match = re.fullmatch(
        ALGORITHM + r" Credential=([^/]+)/([^,]+), ?SignedHeaders=([^,]+), "
        r"?Signature=([0-9a-f]{64})", header)
    if not match:
        raise refusal(403, "AccessDenied", "Access Denied")
    key, scope, names, signature = match.groups()
    if key not in keys:
        raise refusal(403, "InvalidAccessKeyId",
                      "The access key does not exist in our records.")
    secret, token = keys[key]
    if token != handler.headers.get("x-amz-security-token", ""):
        raise refusal(403, "InvalidToken")
    signed = names.split(";")
    check_headers(handler, signed, refusal)
    request = canonical_request(handler, signed, refusal)
    text = "\n".join([ALGORITHM, handler.headers["x-amz-date"], scope,
                      hashlib.sha256(request.encode(
                          "utf-8", "surrogateescape")).hexdigest()])
    made = hmac.new(derive_key(secret, scope.split("/")), text.encode(),
                    hashlib.sha256).hexdigest()
    if not hmac.compare_digest(made, signature):
        raise refusal(403, "SignatureDoesNotMatch",
                      "The signature that we calculated is another one.")


# ---- keys that end ----

def issue(handler: Handler) -> typing.Dict[str, str]:
    """Make temporary keys, which the server accepts from now on."""
    cls = type(handler)
    cls.issued += 1
    key, secret = f"TEMP{cls.issued}", f"temporary-word-{cls.issued}"
    token = f"token/of+{cls.issued}=="
    cls.keys[key] = (secret, token)
    life_s = handler.faults.settings().get("life", 3600)
    end = datetime.datetime.now(datetime.timezone.utc) + \
        datetime.timedelta(seconds=life_s)
    return {"AccessKeyId": key, "SecretAccessKey": secret, "Token": token,
            "Expiration": end.strftime("%Y-%m-%dT%H:%M:%SZ")}


def role_answer(handler: Handler) -> typing.Tuple[
        int, typing.Dict[str, str], bytes]:
    """Answer as STS does."""
    form = dict(urllib.parse.parse_qsl(handler.body.decode()))
    if form.get("WebIdentityToken") != "identity of the test" or \
            not form.get("RoleArn") or not form.get("RoleSessionName"):
        return 400, {}, (b"<ErrorResponse><Error><Code>InvalidIdentityToken"
                         b"</Code></Error></ErrorResponse>")
    keys = issue(handler)
    keys["SessionToken"] = keys.pop("Token")
    inside = "".join(f"<{n}>{v}</{n}>" for n, v in keys.items())
    name = "AssumeRoleWithWebIdentity"
    return 200, {}, (
        f'<{name}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">'
        f"<{name}Result><Credentials>{inside}</Credentials></{name}Result>"
        f"</{name}Response>").encode()


def credentials_answer(handler: Handler) -> typing.Optional[
        typing.Tuple[int, typing.Dict[str, str], bytes]]:
    """Answer as STS, a container or the metadata of an instance do."""
    roles = "/latest/meta-data/iam/security-credentials/"
    path, command = handler.raw_path, handler.command
    if command == "POST" and path == "/":
        return role_answer(handler)
    if path == "/container":
        if handler.headers.get("Authorization") != "container-token":
            return 401, {}, b"no"
        return 200, {}, json.dumps(issue(handler)).encode()
    if path == "/latest/api/token" and command == "PUT":
        return 200, {}, b"metadata-token"
    if path.startswith(roles):
        if handler.headers.get("X-aws-ec2-metadata-token") != \
                "metadata-token":
            return 401, {}, b"no"
        if path == roles:
            return 200, {}, b"role-of-the-test\n"
        return 200, {}, json.dumps({"Code": "Success",
                                    **issue(handler)}).encode()
    return None


# ---- bodies ----

def crc32c(data: bytes) -> int:
    """Compute CRC-32C (Castagnoli)."""
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def parts_of(body: bytes) -> typing.List[typing.Tuple[int, str]]:
    """Read the numbers and ETags of the end of an upload."""
    root = Tree.fromstring(body)
    space = root.tag.partition("}")[0] + "}"
    return [(int(part.findtext(space + "PartNumber") or 0),
             part.findtext(space + "ETag") or "")
            for part in root.findall(space + "Part")]
