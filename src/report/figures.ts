/** What people call a report's column, and what it means. */
export interface Figure {
  label: string;
  /** One or two sentences; none where the label says it all. */
  definition?: string;
}

/** Every column of every report that people may ask about, as pages say it; docs/analyst.md defines the same ones. */
export const figures: Readonly<Record<string, Figure>> = {
  kind: { label: "Kind", definition: "music, signage or messaging." },
  group_id: { label: "Group id" },
  group_name: { label: "Group" },
  location_id: { label: "Location id" },
  location_name: { label: "Location" },
  zone_id: { label: "Zone id" },
  zone_name: { label: "Zone" },
  item_key: {
    label: "Item key",
    definition: "The item's number together with its kind, as in the published tables.",
  },
  item_id: { label: "Item id" },
  item_name: { label: "Item", definition: "What played: a song, or an asset of signage or messaging." },
  artist_id: { label: "Artist id" },
  artist_name: { label: "Artist" },
  campaign_key: {
    label: "Campaign key",
    definition: "The campaign's number together with its kind, as in the published tables.",
  },
  campaign_id: { label: "Campaign id" },
  campaign_name: { label: "Campaign" },
  device_id: { label: "Device" },
  date: { label: "Date", definition: "The local day, on the zone's own clock." },
  week: { label: "Week", definition: "ISO week: Monday to Sunday." },
  month: { label: "Month" },
  hour: { label: "Hour", definition: "Local hour in which the plays began, 0 to 23." },

  plays: {
    label: "Plays",
    definition:
      "An item that started in a zone at an instant and lasted over 0 seconds is one play. It belongs wholly to the local day on which it began; repeated lines are one play.",
  },
  play_seconds: { label: "Play time", definition: "How long all plays lasted together." },
  complete_plays: {
    label: "Complete plays",
    definition: "Of the measured plays, those that lasted at least the asset's length, less 1 second.",
  },
  measured_plays: { label: "Measured plays", definition: "Plays of an asset whose length is known." },
  short_plays: { label: "Short plays", definition: "Songs that lasted under 30 seconds." },
  zones: { label: "Zones", definition: "How many different zones played." },
  items: { label: "Items", definition: "How many different songs and assets played." },

  scheduled_days: {
    label: "Scheduled days",
    definition:
      "Zone days on which a campaign was listed and enabled, within its dates and its rule, with at least one asset active.",
  },
  compliant_days: {
    label: "Days that ran",
    definition: "Scheduled zone days on which at least one of the campaign's assets played.",
  },
  missed_days: {
    label: "Missed",
    definition:
      "Scheduled zone days without such a play although the device was up, or the zone played other things.",
  },
  missed_offline_days: {
    label: "Missed while down",
    definition: "Scheduled zone days without such a play on which the device was down, and never seen up.",
  },
  closed_days: {
    label: "Closed",
    definition:
      "Scheduled zone days without any play on which the zone has no opening hours: not counted against it.",
  },
  not_measurable_days: {
    label: "Not measurable",
    definition:
      "Scheduled zone days of which too little is known: listings disagree, or neither plays nor the device's state are known.",
  },
  pending_days: {
    label: "Pending",
    definition:
      "Scheduled zone days whose history is not settled yet: it is complete some days after the day has ended.",
  },
  unscheduled_days: {
    label: "Unscheduled",
    definition:
      "Zone days on which a campaign played though it was not scheduled: shown, never held against it.",
  },
  compliance: {
    label: "Compliance",
    definition:
      "Days that ran ÷ (days that ran + missed + missed while down). Closed, pending and not measurable days are left out.",
  },
  coverage: {
    label: "Coverage",
    definition:
      "How much of what was asked for could be measured; the figures beside it speak of that part alone.",
  },
  asset_coverage: {
    label: "Asset coverage",
    definition: "Assets that played ÷ assets that were active, over the days that compliance counts.",
  },
  candidate_plays: {
    label: "Candidate plays",
    definition: "Plays that could be this campaign's: of one of its assets, active that day, in that zone.",
  },
  exclusive_plays: {
    label: "Exclusive plays",
    definition: "Candidate plays that no other scheduled campaign can claim.",
  },
  zones_scheduled: { label: "Zones scheduled", definition: "Zones with at least one scheduled day." },
  zones_reached: { label: "Zones reached", definition: "Zones with at least one day that ran." },

  devices: { label: "Devices", definition: "Devices that count in the row." },
  up_seconds: { label: "Up", definition: "Time in which devices are known to have been online." },
  down_seconds: { label: "Down", definition: "Time in which devices are known to have been offline." },
  unknown_seconds: {
    label: "Unknown",
    definition: "Time between two looks at a device that says neither up nor down, or that nobody looked.",
  },
  availability: {
    label: "Availability",
    definition: "Up ÷ (up + down). Unknown time is left out, and shown as coverage.",
  },
  open_availability: {
    label: "Availability while open",
    definition: "Availability within opening hours, given or learnt: shops cut the power at night.",
  },
  planned_down_seconds: {
    label: "Down during planned work",
    definition: "Down time while the service had announced maintenance, for all devices alike.",
  },
  availability_without_planned: {
    label: "Availability without planned work",
    definition: "The same, with down time during announced maintenance left out.",
  },
  outages: {
    label: "Outages",
    definition: "Spans of down time of at least 15 minutes, counted on the local day on which they began.",
  },
  silent_seconds: {
    label: "Silent",
    definition: "Time in which a device was up and its zone open, yet nothing played for over 10 minutes.",
  },
  playing_while_down_seconds: {
    label: "Playing while down",
    definition: "Play time within spans in which the device was reported down.",
  },
  resolution_seconds: {
    label: "Resolution",
    definition: "The usual time between two looks at a device: up and down are known no finer than this.",
  },

  started_at: { label: "Began" },
  ended_at: { label: "Ended", definition: "Empty while it lasts." },
  is_open: { label: "Still out" },
  planned: { label: "Planned", definition: "Whether announced maintenance overlaps it." },
  notices: { label: "Notices", definition: "Notices of the service that overlap it." },
  status: { label: "State", definition: "The device's state, in the service's words." },
  down_for_seconds: { label: "Down for" },
  silent_for_seconds: { label: "Silent for", definition: "Open time since the zone's last play." },
  last_online_at: { label: "Last online" },
  last_play_at: { label: "Last play" },
  last_sd_error: { label: "Last storage error" },
  storage_used_share: { label: "Storage used" },
  firmware: { label: "Firmware" },
  version: { label: "Version" },

  devices_down: {
    label: "Down now",
    definition:
      "Devices in an outage of 15 minutes or more that had not ended when they were looked at last.",
  },
  devices_silent: {
    label: "Up but silent",
    definition: "Not down, yet no play in its zone for over 10 minutes of open time.",
  },
  devices_with_storage_error: {
    label: "With a storage error",
    definition: "Devices that have reported an error of their storage card, ever.",
  },
  section: { label: "Section" },
  subject: { label: "Subject" },
  value: { label: "Value" },
  note: { label: "Note" },
  lines: {
    label: "Lines",
    definition:
      "Lines of the newest load of each source. Each is accounted for: new, changed, unchanged, duplicate, rejected or blank.",
  },
  rejected: {
    label: "Rejected",
    definition: "Lines that could not become a play, each kept with its reason.",
  },
  duplicates: { label: "Duplicates", definition: "Lines that repeat a play: counted once." },
  vanished: {
    label: "Vanished",
    definition: "Plays that the newest complete export should hold but does not: kept, and counted.",
  },
  data_as_of: {
    label: "Data as of",
    definition:
      "The oldest, over everything that was read for this page, of the newest complete request to the service.",
  },
};

/** A column that is not explained is called by its own name. */
export function figureOf(name: string): Figure {
  const words = name.replaceAll("_", " ").trim();
  return figures[name] ?? { label: words.charAt(0).toUpperCase() + words.slice(1) };
}
