/**
 * Functions that Trino has and DuckDB knows by another name or sign, so that SQL that needs them runs on both. Those of bits
 * are of BIGINTs, whose lowest 63 bits are used. Those of time zones take an IANA name: `with_timezone` reads an instant
 * off a clock, and `at_timezone` tells the clock's time of such an instant; cast what it answers to `timestamp(6)`.
 */
export const trinoFunctions = `
  create temp macro bitwise_left_shift(value, shift) as (value << shift);
  create temp macro bitwise_right_shift(value, shift) as (value >> shift);
  create temp macro bitwise_or_agg(value) as bit_or(value);
  create temp macro bit_count(value, bits) as system.main.bit_count(value);
  create temp macro with_timezone(value, zone) as timezone(zone, value);
  create temp macro at_timezone(value, zone) as timezone(zone, value)`;
