"""Writes 2,000 campaign rules, one JSON object a line, the same on every run.

`rule`, `startDate`, `addDate`, `from` and `to` come from a campaign and a caller. `plain`, `dtstart` and `is_added`
are the same without prefixes, odd blanks and embedded starts, for other implementations; with `is_added`, the start
is the campaign's add_date. An UNTIL that is an instant applies to a clock `offsetMinutes` ahead of UTC.
"""

import json
import random
from datetime import date, datetime, timedelta

WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
WEIGHTS = [18, 20, 22, 18, 12, 6, 4]
# Longest period, and earliest start before it, in days; short where an expansion lists every second.
REACH = {"YEARLY": (2500, 9000), "HOURLY": (300, 300), "MINUTELY": (20, 15), "SECONDLY": (3, 2)}
# COUNT counts times, and days have many at these frequencies.
MANY = {"HOURLY": [5000], "MINUTELY": [20_000, 20_000], "SECONDLY": [200_000, 200_000]}

random_numbers = random.Random(20260105)


def chance(percent):
    return random_numbers.random() * 100 < percent


def some(values, most=4):
    return sorted(random_numbers.sample(values, random_numbers.randint(1, min(most, len(values)))))


def signed(most):
    return [n for n in range(-most, most + 1) if n != 0]


def day_parts(freq):
    """Parts that RFC 5545 allows together, with a day for YEARLY's BYWEEKNO."""
    parts = {}
    if chance(25):
        parts["BYMONTH"] = some(range(1, 13), 9)
    if freq == "YEARLY" and chance(25):
        # dateutil puts the last days of December in week 1, but not in week -52 or -53.
        weeks = [n for n in signed(53) if n > -52]
        parts["BYWEEKNO"] = some(random_numbers.choice([weeks, [1, 52, 53, -1]]), 5)
        parts["BYDAY"] = some(WEEKDAYS)
    elif freq in ("YEARLY", "HOURLY", "MINUTELY", "SECONDLY") and chance(20):
        parts["BYYEARDAY"] = some(random_numbers.choice([signed(366), [1, 60, 366, -1, -366]]), 60)
    # Combined, all of them would rarely match a day.
    is_narrow = "BYWEEKNO" in parts or "BYYEARDAY" in parts
    if freq != "WEEKLY" and chance(5 if is_narrow else 25):
        days = [n for n in signed(31) if n < 29] if parts.get("BYMONTH") == [2] else signed(31)
        parts["BYMONTHDAY"] = some(days, 8)
    if "BYDAY" not in parts and chance(70 if freq == "WEEKLY" else 10 if is_narrow else 35):
        if freq in ("MONTHLY", "YEARLY") and chance(55):
            most = 5 if freq == "MONTHLY" or "BYMONTH" in parts else 53
            # With and without plus; dateutil joins numbered and plain days by "and", so they are not combined.
            # 53TH, which few years have, is chosen more often than at random.
            numbers = signed(most) if most == 5 or chance(60) else [52, 53, -52, -53]
            parts["BYDAY"] = [f"{n:+}{day}" if chance(20) else f"{n}{day}" for n, day in
                              zip(some(numbers, 3), random_numbers.sample(WEEKDAYS, 3))]
        else:
            parts["BYDAY"] = some(WEEKDAYS, 5)
    return parts


def time_parts(freq):
    parts = {}
    if chance(30):
        parts["BYHOUR"] = some(range(24), 6)
    if chance(15):
        parts["BYMINUTE"] = some(range(60), 4)
    if chance(8):
        parts["BYSECOND"] = some(range(60), 3)
    return parts


def set_positions(freq, parts):
    times = 1
    for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
        times *= len(parts.get(name, [0]))
    return some(signed(min(366, max(2, 3 * times))), 3)


def interval(freq):
    most = {"YEARLY": 4, "MONTHLY": 14, "WEEKLY": 6, "DAILY": 40, "HOURLY": 100, "MINUTELY": 4000, "SECONDLY": 90000}
    return random_numbers.choice([1, 2, 3, random_numbers.randint(1, most[freq])])


def basic(time, form):
    return time.strftime({"date": "%Y%m%d", "time": "%Y%m%dT%H%M%S", "utc": "%Y%m%dT%H%M%SZ"}[form])


def dress(parts, starts):
    """Formats a rule as in listings: in any order and case, with blanks, a prefix, a start."""
    texts = [f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}" for name, value in parts.items()]
    if chance(30):
        random_numbers.shuffle(texts)
    if starts and starts[1]:
        texts.insert(random_numbers.randint(0, len(texts)), starts[0])
    text = random_numbers.choice([";", "; ", " ; "] if chance(15) else [";"]).join(texts)
    if chance(8):
        text += ";"
    if chance(10):
        text = text.replace("=", " = ").replace(",", ", ")
    if starts and not starts[1]:
        text = f"{starts[0]}{random_numbers.choice([chr(10), chr(13) + chr(10), ' '])}RRULE:{text}"
    elif chance(15):
        text = f"RRULE:{text}"
    return text.lower() if chance(8) else f" {text}\n" if chance(8) else text


def generate():
    freq = random_numbers.choices(FREQUENCIES, WEIGHTS)[0]
    longest, farthest = REACH.get(freq, (500, random_numbers.choice([300, 3000])))
    first = date(2025, 1, 1) + timedelta(random_numbers.randrange(900))
    last = first + timedelta(random_numbers.randint(longest // 3, longest))
    start = first + timedelta(random_numbers.randint(-farthest, longest // 2))
    if freq in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY") and chance(4):
        start = date(1970, 1, 1) + timedelta(random_numbers.randrange(4000))
    parts = {"FREQ": freq, **day_parts(freq)}
    names_day = freq not in ("YEARLY", "MONTHLY", "WEEKLY") or any(
        name in parts for name in ("BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"))
    parts |= time_parts(freq)
    if len(parts) > 1 and chance(18 if freq in ("YEARLY", "MONTHLY", "WEEKLY") else 6):
        parts["BYSETPOS"] = set_positions(freq, parts)
    if chance(20):
        parts["WKST"] = random_numbers.choice(WEEKDAYS)
    has_anchor = not (names_day and chance(15))
    if chance(45 if has_anchor else 5):
        parts["INTERVAL"] = interval(freq) if has_anchor else 1
    if has_anchor and chance(30):
        parts["COUNT"] = random_numbers.randint(1, random_numbers.choice([10, 60, 600, *MANY.get(freq, [])]))
    time = datetime.combine(start, datetime.min.time())
    starts, given = None, {}
    if has_anchor:
        if chance(22):
            form = random_numbers.choice(["date", "time", "time", "utc"])
            if form != "date":
                time = time.replace(hour=random_numbers.randrange(24), minute=random_numbers.choice([0, 30, 59]))
            as_part = chance(30)
            name = "DTSTART" + ("" if as_part else random_numbers.choice(
                {"date": ["", ";VALUE=DATE"], "time": ["", ";TZID=America/New_York"], "utc": [""]}[form]))
            starts = (f"{name}{'=' if as_part else ':'}{basic(time, form)}", as_part)
            if chance(50):
                given["startDate"] = (start + timedelta(3)).isoformat()
        elif chance(85):
            given["startDate"] = start.isoformat()
            if chance(30):
                given["addDate"] = (start - timedelta(11)).isoformat()
        else:
            given["addDate"] = start.isoformat()
    if "COUNT" not in parts and chance(25):
        until = datetime.combine(first, datetime.min.time()) + timedelta(random_numbers.randint(-5, longest))
        until = until.replace(hour=random_numbers.randrange(24), minute=random_numbers.randrange(60))
        form = random_numbers.choice(["date", "time", "utc", "utc"])
        if form == "utc":
            # Z at a day's first or last second represents a local date.
            if chance(25):
                until = until.replace(hour=0, minute=0) if chance(50) else until.replace(hour=23, minute=59, second=59)
            else:
                given["offsetMinutes"] = random_numbers.choice([-720, -300, 0, 60, 330, 840])
                until = until.replace(second=random_numbers.choice([0, 59]))
        parts["UNTIL"] = basic(until, form)
    return {
        "rule": dress(parts, starts), **given, "from": first.isoformat(), "to": last.isoformat(),
        "plain": parts, "dtstart": time.isoformat() if has_anchor else None,
        "is_added": starts is None and "addDate" in given and "startDate" not in given,
    }


for _ in range(2000):
    print(json.dumps(generate()))
