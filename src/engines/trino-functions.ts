/**
 * Functions that Trino has and DuckDB knows by another name or sign, so that SQL that needs them runs on both: of BIGINTs,
 * whose lowest 63 bits are used.
 */
export const trinoFunctions = `
  create temp macro bitwise_left_shift(value, shift) as (value << shift);
  create temp macro bitwise_right_shift(value, shift) as (value >> shift);
  create temp macro bitwise_or_agg(value) as bit_or(value);
  create temp macro bit_count(value, bits) as system.main.bit_count(value)`;
