/** Venue types of the OpenOOH venue taxonomy 1.1, on its second level. The third level is the place within the venue. */
const venueTypes: Readonly<Record<string, string>> = {
  transit: "airports buses taxi_rideshare_tv taxi_rideshare_top subway train_stations ferry",
  retail:
    "gas_stations convenience_store grocery liquor_stores malls dispensaries pharmacies parking_garages",
  outdoor: "billboards urban_panels bus_shelters",
  health_beauty: "gyms salons spas",
  point_care: "doctor_offices veterinary_offices",
  education: "schools colleges",
  office_buildings: "office_buildings",
  entertainment:
    "recreational movie_theaters sports bars casual_dining qsr hotels golf_cart night_club high_end_dining",
  government: "dmv military_bases postal",
  financial: "banks",
  residential: "apartment",
};

/** Attributes of zones and locations whose values are fixed, so that agencies can compare them between chains. */
export const closedValues: Readonly<Record<string, readonly string[]>> = {
  venue_type: Object.entries(venueTypes).flatMap(([parent, children]) => [
    parent,
    ...children.split(" ").map((child) => `${parent}.${child}`),
  ]),
  store_zone: ["exterior", "entrance", "checkout", "aisle", "other"],
};

/** Returns an invalid value of an attribute with fixed values, and the accepted values. */
export function findUnlisted(
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): readonly [value: string, accepted: string] | undefined {
  for (const name of names) {
    const { [name]: value = "" } = values;
    const accepted = closedValues[name] ?? [value];
    if (value !== "" && !accepted.includes(value)) return [value, `a ${name}: ${accepted.join(", ")}`];
  }
  return undefined;
}
