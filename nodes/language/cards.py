"""Numbers of payment cards among the many other long numbers that people write (zh + en)."""

import re
from datetime import date

# Groups of two or three digits in the middle are a date's or a phone number's; a card has none.
_NUMBER = re.compile(
    r"(?<![\d+./#\w-])(?<!\d[ -])[2-9](?:\d{12,18}|\d{3,5}(?:[ -]\d{4,7}){1,4}(?:[ -]\d{1,4})?)(?![ -]?\d|[A-Za-z_])"
    r"|(?<=[\u3400-\u9fff])[2-9](?:\d{12,18}|\d{3,5}(?:[ -]\d{4,7}){1,4}(?:[ -]\d{1,4})?)(?![ -]?\d|[A-Za-z_])"
)
# Issuer ranges and lengths of ISO/IEC 7812 as the networks publish them.
_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"  # Discover
    r"|62\d{14,17}"  # UnionPay
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"  # JCB
    r"|(?:30[0-5]\d|3095|36\d\d|3[89]\d\d)\d{10,15}"  # Diners Club
    r"|220[0-4]\d{12,15}"  # Mir
)
_CARD_WORDS = re.compile(
    r"(?<!会员)(?<!学生)(?<!借书)(?<!电话)(?<!门禁)(?<!公交)(?<!社保)(?<!身份)(?<!积分)(?<!SIM)(?:银行|信用|储蓄|借记"
    r"|贷记|工资|副|主)?卡(?:号|的号码"
    r"|(?=[\s:：是为尾]|$))"
    r"|银行卡|信用卡|储蓄卡|借记卡|银行账[号户]|有效期|安全码"
    r"|\b(?:credit|debit|bank|payment|prepaid|visa|mastercard|amex|unionpay) ?cards?\b|\bvisa\b|\bmaster ?card\b"
    r"|\b(?:amex|american express|unionpay|maestro|jcb|diners club)\b|\bcard (?:number|no\b)|\bmy card\b"
    r"|\bcvv2?\b|\bcvc2?\b|\bexp(?:iry|ires)?\b",
    re.I,
)
_OTHER_WORDS = re.compile(
    r"订单|单号|运单|快递|物流|流水|发票|会员|学号|工号|身份证|社保|序列|编号|批次|设备|工单|申请号|受理|票号|条码"
    r"|雪花|合同|案件|积分"
    r"|\b(?:order|tracking|shipment|parcel|waybill|invoice|receipt|ticket|booking|reservation|imei|imsi|iccid|isbn"
    r"|ean|upc"
    r"|serial|reference|ref|case|request|transaction id|trace|uuid|snowflake|timestamp|member(?:ship)?|loyalty|library"
    r"|passport|policy|account id|user id|message id|tweet|barcode|sku)\b",
    re.I,
)
_NEAR = 24
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def card_number_in(text: str) -> bool:
    """Say whether a text holds the number of a payment card.

    Called a card, any 13 to 19 digits are one; else they must lie in an issuer's range, have its length and pass
    the check of ISO/IEC 7812 (Luhn), and nothing near may call them an order, a parcel or the like. A Chinese identity
    number is none.
    """
    return any(_is_card(text, match) for match in _NUMBER.finditer(text))


def _is_card(text: str, match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match.group())
    if not 13 <= len(digits) <= 19 or _is_identity_number(digits):
        return False
    # What a number is called stands before it as a rule: the nearest name counts.
    before, after = text[max(match.start() - _NEAR, 0) : match.start()], text[match.end() : match.end() + _NEAR]
    card, other = _last(_CARD_WORDS, before), _last(_OTHER_WORDS, before)
    if card > other:
        return True
    if other >= 0:
        return False
    return (_CARD_WORDS.search(after) is not None or _ISSUED.fullmatch(digits) is not None) and _passes(digits)


def _last(words: re.Pattern[str], text: str) -> int:
    return max((match.end() for match in words.finditer(text)), default=-1)


def _passes(number: str) -> bool:
    digits = [int(char) for char in number]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_identity_number(digits: str) -> bool:
    """Say whether 18 digits are a Chinese identity number (GB 11643: place, day of birth, order, check)."""
    if len(digits) != 18:
        return False
    try:
        born = date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return False
    check = "10X98765432"[sum(int(digit) * weight for digit, weight in zip(digits, _WEIGHTS, strict=False)) % 11]
    return born.year >= 1900 and check == digits[-1]
