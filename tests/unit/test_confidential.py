"""Which texts tell a secret, and which only speak of one."""

import pytest

from nodes.language.confidential import secret_in

GROUPS = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    "text",
    [
        "我的密码是hunter2",
        "wifi密码：88886666",
        "密码是 芝麻开门",
        "我把银行卡密码改成了 778899",
        "口令是青花瓷",
        "验证码是 482913",
        "验证码：482913，别告诉别人",
        "密码123456",
        "abc123就是我的密码",
        "PIN码是１２３４",
        "My password is hunter2",
        "the password is swordfish",
        "my password for Gmail is Tr0ub4dor&3",
        "Password: correct-horse",
        "passwd=letmein",
        "I changed my password to bluemoon",
        "hunter2 is my password",
        "My PIN is 1234",
        "PIN 1234",
        "my passcode is 0000",
        "the door code is 4411",
        "CVV: 123",
        "The database is at postgres://ann:secret@db.example.org/app",
    ],
)
def test_a_password_with_its_value(text: str) -> None:
    assert secret_in(text) == "password"


@pytest.mark.parametrize(
    "text",
    [
        "sk-proj-abcDEF123456ghiJKL",
        "my key is sk-ant-api03-AbCd_efGh-1234567890",
        "ghp_" + "a1B2" * 9,
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-123456789012-abcdefghijkl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
        "API key: 9f8a7b6c5d4e3f2a",
        "我的密钥是 ab12cd34ef56",
    ],
)
def test_a_key(text: str) -> None:
    assert secret_in(text) == "key"


@pytest.mark.parametrize(
    "text",
    [
        GROUPS,
        "my card is 4111-1111-1111-1111, exp 12/28",
        "卡号：4111111111111111",
        "3782 822463 10005",
        "银行卡６２２２０２１２３４５６７８９０１２８",
        "6222021234567890128",
    ],
)
def test_a_card_number(text: str) -> None:
    assert secret_in(text) == "card number"


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password",
        "改一下密码",
        "我忘了密码",
        "密码是什么？",
        "密码是多少",
        "密码是错的，登不上去",
        "密码是必须的",
        "密码是八位的",
        "我的密码不对",
        "我改了密码3次",
        "密码2024年改过",
        "密码管理器是1Password",
        "我在学密码学",
        "验证码没收到",
        "What is my password?",
        "My password is too weak",
        "My password is not working",
        "the password was changed yesterday",
        "I need my password to log in",
        "I use a password manager",
        "Put a pin on the map",
        "The verification code is wrong",
        "我的手机号是13812345678",
        "+86 138 1234 5678",
        "call me at (415) 555-2671",
        "0086 13812345678",
        "订单号 4111111111111112",
        "order 2026113000012345",
        "我的生日是1990年5月20日",
        "born 1990-05-20, moved 2015-04-03 2016-01-02",
        "ISBN 9787111128069",
        "1796025600000",
        "scikit-learn and sk-learn-contrib are libraries",
        "I love tokens and keys",
        "Meeting at https://example.org:8080/a@b",
        "",
    ],
)
def test_no_secret_is_told(text: str) -> None:
    assert secret_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "我的银行卡号是6222 0200 0000 1234 566",  # a slip of the pen, or not: it is called a card
        "信用卡6228481111222233，有效期 08/29",
        "my credit card number is 4111111111111112",
    ],
)
def test_a_number_called_a_card(text: str) -> None:
    assert secret_in(text) == "card number"


@pytest.mark.parametrize(
    "text",
    [
        "身份证号 110105194912310021",
        "我的身份证是330106199001013219",
        "订单号 4111111111111111",  # called an order
        "order 5555555555554444 has shipped",
        "IMEI 490154203237518",
        "会员卡号 4111111111111111",
        "7992739871300000",  # of no issuer
    ],
)
def test_other_long_numbers(text: str) -> None:
    assert secret_in(text) is None


def _made_up(alphabet: str, length: int) -> str:
    return "".join(alphabet[(7 * at * at + 3 * at) % len(alphabet)] for at in range(length))


LETTERS = "aZ3kQ9xB7mV1tR5wL8nC2yD4fG6hJ0pS"
HEX = "0123456789abcdef"


@pytest.mark.parametrize("frame", ["{}", "here it is: {}", "我的 key 是 {}，先记一下"])
@pytest.mark.parametrize(
    "key",
    [
        "gsk_" + _made_up(LETTERS, 52),
        "pplx-" + _made_up(LETTERS, 48),
        "dop_v1_" + _made_up("4f8a0c1e9b7d2635", 64),
        "shpat_" + _made_up("4f8a0c1e9b7d2635", 32),
        "AIza" + _made_up(LETTERS, 35),
        "LTAI5t" + _made_up(LETTERS, 18),
        "AKID" + _made_up(LETTERS, 32),
        "1234567890:AA" + _made_up(LETTERS, 33),
        "GOCSPX-" + _made_up(LETTERS, 28),
        "key-" + _made_up(HEX, 32),
        "aws_secret_access_key = " + _made_up(LETTERS + "/+", 40),
    ],
)
def test_keys_of_many_makers(key: str, frame: str) -> None:
    assert secret_in(frame.format(key)) == "key"


@pytest.mark.parametrize(
    "text",
    [
        "the request id is 3f2b8c1e-9d4a-4f6b-8a7c-1e2d3c4b5a69",
        "fixed in commit 9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a",
        "sha256:" + _made_up(HEX, 64),
        "快递单号 SF1234567890123",
        "tracking 1Z999AA10123456784",
        '<img src="data:image/png;base64,' + _made_up(LETTERS, 200) + '">',
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        "eth address 0x" + _made_up(HEX, 40),
        "The responsibilities of a photogrammetrist are counterintuitive",
    ],
)
def test_what_looks_like_a_key(text: str) -> None:
    assert secret_in(text) is None


@pytest.mark.parametrize(
    "text", ["密码" * 3_000, "password " * 3_000, "4" * 20_000, "sk-" * 4_000, "a1" * 8_000, "4 " * 9_000]
)
def test_odd_texts_are_read_in_reasonable_time(text: str) -> None:
    # Fails by the time limit that all tests have: a careless pattern needs minutes for these.
    assert secret_in(text) in (None, "password", "key")
