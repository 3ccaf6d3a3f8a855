"""Expands rules with python-dateutil (2.9), an implementation of RFC 5545 that is not the one in use.

Makes the fixture again:
    python3 generate_rules.py | python3 expand_with_dateutil.py > expanded-rules.jsonl

Where dateutil says something else than RFC 5545 or than what a campaign's rule means, this asks it another way:
- COUNT counts from the first day on which the campaign may run. Where dateutil is given an earlier start, its
  occurrences are counted here.
- An UNTIL without time includes its whole day; to dateutil it is midnight. An instant is turned into the local time of
  one clock; at a day's first or last second its Z is dropped.
- In the first week of a WEEKLY rule dateutil counts BYSETPOS from the start on, not from the week's first day: it is
  given a start a whole number of INTERVALs earlier, at the beginning of a week.
- Of 53TH in years with 52 Thursdays it says what RFC 5545 says: nothing (looked at day by day, 2000 to 2040). Numbers
  over 5 under a month make it fail; none are among the rules.
- It would join BYDAY=MO,1FR by "and"; BYWEEKNO without BYDAY it reads as all seven days. Neither is among the rules.
"""

import datetime
import hashlib
import json
import sys

from dateutil.rrule import rrulestr

DAY = datetime.timedelta(1)
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def text(parts):
    return ";".join(f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
                    for name, value in parts.items())


def week_begin(parts, start):
    return start - DAY * ((start.weekday() - WEEKDAYS.index(parts.get("WKST", "MO"))) % 7)


def local_until(text, offset):
    if "T" not in text:
        return text + "T235959"
    if not text.endswith("Z") or text.endswith(("T000000Z", "T235959Z")):
        return text.rstrip("Z")
    time = datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ") + datetime.timedelta(minutes=offset)
    return time.strftime("%Y%m%dT%H%M%S")


def expand(case):
    parts = dict(case["plain"])
    first, last = (datetime.date.fromisoformat(case[name]) for name in ("from", "to"))
    anchor = case["dtstart"] and datetime.datetime.fromisoformat(case["dtstart"])
    has_steps = parts["FREQ"] in ("HOURLY", "MINUTELY", "SECONDLY")
    # Rules without start must not depend on one: any before the period does, a near one where steps are many.
    early = first - DAY if has_steps else datetime.date(first.year - 1, 1, 1)
    start = anchor or datetime.datetime.combine(early, datetime.time())
    if "UNTIL" in parts:
        parts["UNTIL"] = local_until(parts["UNTIL"], case.get("offsetMinutes", 0))
    begin = start
    if case["is_added"]:
        # What the rule doesn't say is of add_date, on which the campaign does not run yet.
        start += DAY
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        parts.setdefault("BYDAY", [WEEKDAYS[begin.weekday()]])
        begin = week_begin(parts, begin)
    count = parts.pop("COUNT", None) if begin != start else None
    counted = 0
    # dateutil looks for a next date up to the year 9999, however far UNTIL is behind.
    datetime.MAXYEAR = last.year
    dates = {}
    try:
        for time in rrulestr(text(parts), dtstart=begin):
            day = time.date()
            if day > last or counted == count:
                break
            if time >= start:
                counted += 1
                dates.setdefault(day, []).append(time)
    except ValueError as error:
        # Hours that INTERVAL never reaches.
        if "Invalid combination of interval and" not in str(error) and "rrule byxxx generates an empty set" not in str(error):
            raise
    return {day: times for day, times in dates.items() if day >= first}


def shorten(dates):
    """The first date, then the days from one to the next, repeats as NxTIMES: `2026-01-05 7x3 14`."""
    gaps = [(later - day).days for day, later in zip(dates, dates[1:])]
    runs = []
    for gap in gaps:
        if runs and runs[-1][0] == gap:
            runs[-1][1] += 1
        else:
            runs.append([gap, 1])
    return " ".join([str(day) for day in dates[:1]] + [f"{gap}x{n}" if n > 1 else str(gap) for gap, n in runs])


def digest(times):
    """How many times a day has, of each minute the first, and a fingerprint of them in seconds since midnight: `2 1f0c9a3be2d4`."""
    minutes = {}
    for time in times:
        minutes.setdefault((time.hour, time.minute), time.hour * 3600 + time.minute * 60 + time.second)
    seconds = ",".join(map(str, minutes.values()))
    return f"{len(minutes)} {hashlib.sha256(seconds.encode()).hexdigest()[:12]}"


def names_times(parts):
    return parts["FREQ"] in ("HOURLY", "MINUTELY") or (
        parts["FREQ"] != "SECONDLY" and ("BYHOUR" in parts or "BYMINUTE" in parts))


for line in sys.stdin:
    case = json.loads(line)
    expanded = expand(case)
    dates = shorten(list(expanded))
    if names_times(case["plain"]) and expanded:
        # Of the first and the last date: COUNT and UNTIL may end in the course of a day.
        case["times"] = [digest(expanded[min(expanded)]), digest(expanded[max(expanded)])]
    del case["plain"], case["dtstart"], case["is_added"]
    print(json.dumps({**case, "dates": dates}, separators=(",", ":")))
