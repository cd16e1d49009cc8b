"""What is masked, what must stay readable, and that no input makes it slow."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.domain import masking
from chatops_bot.domain.masking import MASK, mask, without_keys

JWT = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"
KEY_BLOCK = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\nabcdEFGH1234+/==\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("Authorization: Bearer abc123def456", "abc123def456"),
        ('{"Authorization": "Basic dXNlcjpwYXNz"}', "dXNlcjpwYXNz"),
        ("calling with bearer 0a1b2c3d4e5f6789", "0a1b2c3d4e5f6789"),
        (f"token was {JWT}", JWT),
        (f"GET /x?jwt={JWT}&a=1", JWT),
        ("postgres://app:s3cr3t@db:5432/orders", "s3cr3t"),
        ("postgres://app:p/w0rd@db/orders", "p/w0rd"),
        ("mysql://app:p@ss@db/orders", "p@ss"),
        ("redis://:hunter2@cache:6379/0", "hunter2"),
        ("cloning https://0123456789abcdef0123456789abcdef@git.example.com/x", "0123456789abcdef0123"),
        ("DB_PASSWORD=hunter2", "hunter2"),
        ("spring.redis.password=hunter2 port=1", "hunter2"),
        ("password: hunter2", "hunter2"),
        ("  password: letmein", "letmein"),
        ('{"user":"a","password":"with \\"quotes\\" inside","n":1}', "inside"),
        ('msg="{\\"password\\":\\"hunter2\\"}"', "hunter2"),
        ("{'clientSecret': 'abcdef'}", "abcdef"),
        ("accessToken=abcdef;x=1", "abcdef"),
        ('api_key=abc api-key:abc1 apikey="q"', "abc1"),
        ("mysqld --password hunter2 --port 1", "hunter2"),
        ("run --db-token=hunter2", "hunter2"),
        ("aws_access_key_id=AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
        ("key AKIAIOSFODNN7EXAMPLE rejected", "AKIAIOSFODNN7EXAMPLE"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
        (KEY_BLOCK, "MIIEowIBAAKCAQEA7"),
        (KEY_BLOCK.replace("\n", "\\n"), "MIIEowIBAAKCAQEA7"),
        (KEY_BLOCK[:60], "MIIEowIBAAKC"),
        (KEY_BLOCK[32:], "MIIEowIBAAKC"),
        ("\n".join(["MIIE" * 16] * 4), "MIIEMIIE"),
        ("slack xoxb-1234567890-abcdefghij failed", "1234567890-abcdefghij"),
        ("app xapp-1-A0123456789-abc", "A0123456789"),
        ("https://hooks.slack.com/services/T000/B000/XXXXXXXX", "XXXXXXXX"),
        ("https://open.feishu.cn/open-apis/bot/v2/hook/0123-4567-89ab", "0123-4567"),
        ("https://qyapi.example.com/cgi-bin/webhook/send?key=693a91f6-7xxx-4bc4", "693a91f6"),
        ("push with ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_0123456789"),
        ("OPENAI sk-proj-abcdefghij0123456789abcdefghij", "abcdefghij0123456789"),
        ("PASSWORD='$ecret'", "$ecret"),
        ("SECRET_KEY_BASE=0123abcd", "0123abcd"),
        ("PGPASSWORD=hunter2 psql", "hunter2"),
        ("mongodb+srv://app:hunter2@db.example.com/x", "hunter2"),
        ("X-API-Key: abc123", "abc123"),
        ("Server=db;Password=hunter2;AccountKey=abc==;", "hunter2"),
        ("SharedAccessKey=abcDEF123=", "abcDEF123"),
        ("data: {password: aHVudGVyMg==}", "aHVudGVyMg"),
        ("Cookie: session=abc; csrf=def", "abc"),
        ("set-cookie: sid=abcdef; Path=/", "abcdef"),
        ("ALTER USER a IDENTIFIED BY 'hunter2'", "hunter2"),
        ("https://b.s3.example.com/k?X-Amz-Signature=abcdef0123456789", "abcdef0123456789"),
        ("用户密码password=hunter2，请勿外传", "hunter2"),
        ("密码：hunter2", "hunter2"),
    ],
)
def test_a_secret_is_masked(line: str, secret: str) -> None:
    masked = mask(line)
    assert secret not in masked
    assert MASK in masked


@pytest.mark.parametrize(
    "line",
    [
        'secret "db-credentials" not found',
        'MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found',
        "invalid token: expired",
        "error fetching token: connection refused",
        'password authentication failed for user "app"',
        "max_tokens=4096 prompt_tokens: 512 token_count=5",
        "secretName=db-credentials secretRef: {name: x}",
        "tokenExpirationSeconds: 3600",
        "pwd=/srv/app PWD=/home/app",
        "token: null password=None secret=true",
        "PASSWORD=$DB_PASSWORD --password ${DB_PASSWORD} --token $(TOKEN)",
        "TOKEN_FILE=/var/run/secrets/token",
        "GET http://web.shop:8080/healthz 503",
        "dial tcp 10.0.0.1:5432: connect: connection refused to user@example.com",
        "http://a:8080 b@c.example.com",
        "Basic authentication is required; Bearer authentication is off",
        "image reg.example.com/team/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "Back-off restarting failed container app in pod web-5d9c7b6f4-x2x4z_shop(0b1f-22)",
        "tests: pass: 12, fail: 0",
        "cookie: too large",
        "disk-key task-5 ask-me-anything-about-sk-foo",
        "2026-11-29T10:00:00Z INFO keyspace=orders key=42 signature=ok",
        "订单 42 的 token 已过期",
    ],
)
def test_an_ordinary_line_stays(line: str) -> None:
    assert mask(line) == line


def test_the_words_around_a_secret_stay() -> None:
    line = 'time=1 level=error user=app password="hunter2" msg="login failed" dsn=postgres://app:s3@db:5432/x?a=1'
    assert mask(line) == (
        'time=1 level=error user=app password="***" msg="login failed" dsn=postgres://app:***@db:5432/x?a=1'
    )


@given(st.text(alphabet=" :=\"'/@.-_\\n\npasswordtokeneyJBearer0Aé{}&?", max_size=80))
def test_masking_twice_changes_nothing(text: str) -> None:
    once = mask(text)
    assert mask(once) == once


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "eyJ",
        "://a:",
        "password",
        "password=",
        "a.",
        "-",
        "Bearer ",
        "AKIA",
        "https://",
        "eyJaaaaaaaaa.",
        "@",
        "\\",
        '"',
        "-----BEGIN PRIVATE KEY-----",
        "token: ",
        "cookie:",
        "\n",
        "sk-",
    ],
)
@pytest.mark.timeout(10)
def test_a_hostile_text_costs_little(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert isinstance(mask(text), str)


@pytest.mark.parametrize(
    "pattern",
    [pattern for pattern, _ in masking._STEPS] + list(masking._SHAPES),
    ids=lambda pattern: pattern.pattern[:24],
)
@settings(max_examples=10)
@given(st.data())
def test_no_pattern_finds_anything_in_a_text_that_was_not_suspicious(
    pattern: re.Pattern[str], data: st.DataObject
) -> None:
    assert masking.suspicious(data.draw(st.from_regex(pattern)))


BODY = ["MIIE" * 16, "0aB/" * 16, "zZ9+" * 16, "c2VjcmV0=="]
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
STAMPS = ["", "2026-01-05T09:59:58.123456789Z ", "2026-01-05T09:59:58+08:00 "]


@pytest.mark.parametrize("stamp", STAMPS)
@pytest.mark.parametrize(
    ("rows", "hidden"),
    [
        (["up", BEGIN, *BODY, END, "down"], range(2, 6)),
        (["up", BEGIN, "Proc-Type: 4,ENCRYPTED", "", *BODY], range(2, 8)),
        (["- up", *BODY[2:], END, "down"], range(1, 3)),
        (["- up", *BODY[:3], "- down"], range(1, 4)),
        ([BEGIN, *BODY, "no key any more: x", "down"], range(1, 5)),
        (["up", BODY[0], BODY[1], "down"], ()),
        (["x -----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY----- y", "down"], ()),
        (["-----BEGIN CERTIFICATE-----", "MIIE", "-----END CERTIFICATE-----"], ()),
        ([], ()),
    ],
)
def test_rows_of_a_key_are_hidden_one_by_one(rows: list[str], hidden: range, stamp: str) -> None:
    given_rows = [stamp + row for row in rows]
    found = without_keys(given_rows)
    assert [place for place, row in enumerate(found) if row == stamp + MASK] == list(hidden)
    assert [row for row in found if not row.endswith(MASK)] == [
        row for place, row in enumerate(given_rows) if place not in hidden
    ]


def test_a_key_that_never_ends_hides_no_more_than_a_key_is_long() -> None:
    assert without_keys([BEGIN, *["word"] * 1_000]).count(MASK) == 400


def test_what_nobody_reads_to_its_end_is_cut() -> None:
    assert mask("a" * masking.LONGEST) == "a" * masking.LONGEST
    assert mask("a" * (masking.LONGEST + 1)) == "a" * masking.LONGEST + "…"
    assert "hunter2" not in mask("a " * masking.LONGEST + "password=hunter2")
