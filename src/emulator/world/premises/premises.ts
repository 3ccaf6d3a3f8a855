/** A place to model locations and zones on. */
export interface Premises {
  name: string;
  street: string;
  city: string;
  state: string;
  zip: string;
  latitude: string;
  longitude: string;
  timeZone: string;
  /** One zone each. */
  rooms: readonly Room[];
}

interface Room {
  name: string;
  /** Its name from the 31st day on. */
  renamedTo?: string;
  opensMinute: number;
  /** Over 1,440: on the next day. */
  closesMinute: number;
  closedWeekdays?: readonly number[];
}

const hours = (opens: number, closes: number) => ({ opensMinute: opens * 60, closesMinute: closes * 60 });
const sunday = 0;

/** Twelve zones at nine places in four time zones, three of which change their clocks in autumn. */
export const premises: readonly Premises[] = [
  {
    name: "Harbor Market",
    street: "210 South Street",
    city: "New York",
    state: "NY",
    zip: "10002",
    latitude: "40.7105",
    longitude: "-73.9869",
    timeZone: "America/New_York",
    rooms: [
      { name: "Harbor Market Floor", ...hours(7, 22) },
      { name: "Harbor Market Café", renamedTo: 'Harbor Café & "Bakery"', ...hours(6.5, 21) },
    ],
  },
  {
    name: "Fulton Bar",
    street: "88 Fulton Street",
    city: "New York",
    state: "NY",
    zip: "10038",
    latitude: "40.7091",
    longitude: "-74.0051",
    timeZone: "America/New_York",
    rooms: [{ name: "Fulton Bar", ...hours(17, 26) }],
  },
  {
    name: "Sunset Gym",
    street: "6500 Sunset Boulevard",
    city: "Los Angeles",
    state: "CA",
    zip: "90028",
    latitude: "34.0981",
    longitude: "-118.3304",
    timeZone: "America/Los_Angeles",
    rooms: [
      { name: "Sunset Gym Floor", ...hours(5, 23) },
      { name: "Sunset Gym Studio", ...hours(6, 22) },
    ],
  },
  {
    name: "Pico Deli",
    street: "3100 West Pico Boulevard",
    city: "Los Angeles",
    state: "CA",
    zip: "90019",
    latitude: "34.0472",
    longitude: "-118.3181",
    timeZone: "America/Los_Angeles",
    rooms: [{ name: "Pico Deli", ...hours(8, 20) }],
  },
  {
    name: "Kantstraße Markt",
    street: "Kantstraße 41",
    city: "Berlin",
    state: "BE",
    zip: "10625",
    latitude: "52.5064",
    longitude: "13.3126",
    timeZone: "Europe/Berlin",
    rooms: [{ name: "Kantstraße Markt", ...hours(7, 22), closedWeekdays: [sunday] }],
  },
  {
    name: "Spree Bar",
    street: "Schiffbauerdamm 8",
    city: "Berlin",
    state: "BE",
    zip: "10117",
    latitude: "52.5222",
    longitude: "13.3859",
    timeZone: "Europe/Berlin",
    rooms: [{ name: "Spree Bar", ...hours(17, 27) }],
  },
  {
    name: "Alex Fitness",
    street: "Alexanderplatz 3",
    city: "Berlin",
    state: "BE",
    zip: "10178",
    latitude: "52.5219",
    longitude: "13.4132",
    timeZone: "Europe/Berlin",
    rooms: [{ name: "Alex Fitness", ...hours(0, 24) }],
  },
  {
    name: "Indiranagar Store",
    street: "100 Feet Road 612",
    city: "Bengaluru",
    state: "KA",
    zip: "560038",
    latitude: "12.9719",
    longitude: "77.6412",
    timeZone: "Asia/Kolkata",
    rooms: [
      { name: "Indiranagar Store", ...hours(10, 22) },
      { name: "Indiranagar Upstairs", ...hours(10, 22) },
    ],
  },
  {
    name: "Andheri Gym",
    street: "Veera Desai Road 17",
    city: "Mumbai",
    state: "MH",
    zip: "400053",
    latitude: "19.1334",
    longitude: "72.8344",
    timeZone: "Asia/Kolkata",
    rooms: [{ name: "Andheri Gym", ...hours(5, 23) }],
  },
];
