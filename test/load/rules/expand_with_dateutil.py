"""Expands rules with python-dateutil (2.9), an implementation of RFC 5545 independent of the program's.

Recreates the fixture:
    python3 generate_rules.py | python3 expand_with_dateutil.py > expanded-rules.jsonl

Works around dateutil where it differs from RFC 5545 or from the meaning of a campaign's rule:
- COUNT counts from the first day on which the campaign may run. If dateutil gets an earlier start, occurrences are
  counted here.
- An UNTIL without time includes its whole day; to dateutil it is midnight. An instant is converted to the local time of
  one clock; at a day's first or last second its Z is dropped.
- In the first week of a WEEKLY rule dateutil counts BYSETPOS from the start, not from the week's first day, so it
  gets a start a whole number of INTERVALs earlier, at the beginning of a week.
- For 53TH in years with 52 Thursdays it agrees with RFC 5545: no date (checked day by day, 2000 to 2040). It fails on
  numbers over 5 within a month, which the rules avoid.
- It combines BYDAY=MO,1FR with "and", and reads BYWEEKNO without BYDAY as all seven days. The rules avoid both.
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
    # Rules without start do not depend on one: any before the period works, a near one saves many steps.
    early = first - DAY if has_steps else datetime.date(first.year - 1, 1, 1)
    start = anchor or datetime.datetime.combine(early, datetime.time())
    if "UNTIL" in parts:
        parts["UNTIL"] = local_until(parts["UNTIL"], case.get("offsetMinutes", 0))
    begin = start
    if case["is_added"]:
        # Missing parts come from add_date, on which the campaign does not run yet.
        start += DAY
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        parts.setdefault("BYDAY", [WEEKDAYS[begin.weekday()]])
        begin = week_begin(parts, begin)
    count = parts.pop("COUNT", None) if begin != start else None
    counted = 0
    # dateutil searches for a next date up to the year 9999, even long after UNTIL.
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
        # INTERVAL never reaches these hours.
        if "Invalid combination of interval and" not in str(error) and "rrule byxxx generates an empty set" not in str(error):
            raise
    return {day: times for day, times in dates.items() if day >= first}


def shorten(dates):
    """Shortens dates to the first one and the gaps in days, repeats as NxTIMES: `2026-01-05 7x3 14`."""
    gaps = [(later - day).days for day, later in zip(dates, dates[1:])]
    runs = []
    for gap in gaps:
        if runs and runs[-1][0] == gap:
            runs[-1][1] += 1
        else:
            runs.append([gap, 1])
    return " ".join([str(day) for day in dates[:1]] + [f"{gap}x{n}" if n > 1 else str(gap) for gap, n in runs])


def digest(times):
    """Counts the first time of each minute, with a fingerprint in seconds since midnight: `2 1f0c9a3be2d4`."""
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
        # First and last date only: COUNT and UNTIL may end within a day.
        case["times"] = [digest(expanded[min(expanded)]), digest(expanded[max(expanded)])]
    del case["plain"], case["dtstart"], case["is_added"]
    print(json.dumps({**case, "dates": dates}, separators=(",", ":")))
