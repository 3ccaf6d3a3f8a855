import type { ContentKind } from "./content-kind.ts";

/** A planned campaign. Days are relative to the world's first day. */
export interface CampaignPlan {
  id: number;
  name: string;
  /** Index of the group. */
  group: 0 | 1;
  added: number;
  start?: number;
  end?: number;
  archived?: number;
  /** `{40}` becomes the date 40 days after the world's first. */
  rule: string;
  assets: readonly AssetPlan[];
  /** Indexes of zones where the campaign is disabled, each with the day from which it is. */
  disabled?: readonly { zoneIndex: number; from: number }[];
}

/** A planned asset. Days are relative to the world's first day. */
export interface AssetPlan {
  id: number;
  name: string;
  renamed?: { name: string; on: number };
  secs: number;
  start?: number;
  end?: number;
}

const always = Number.NEGATIVE_INFINITY;
const shared = { id: 2, name: "Loyalty Card", secs: 15 };

/**
 * The world's campaigns. They cover every form of rule, with and without dates. During the world's days, some
 * begin, end, are archived or are disabled in a zone. Each group has one that always runs. The same id stands
 * for different campaigns or assets in signage and messaging.
 */
export const campaignPlans: readonly { kind: ContentKind; campaigns: readonly CampaignPlan[] }[] = [
  {
    kind: "signage",
    campaigns: [
      {
        id: 1,
        name: "Welcome Loop",
        group: 0,
        added: -80,
        rule: "",
        assets: [
          { id: 1, name: "Welcome", renamed: { name: "Welcome 2027", on: 40 }, secs: 10 },
          shared,
          { id: 3, name: "Opening Hours", secs: 8 },
        ],
        disabled: [{ zoneIndex: 4, from: 35 }],
      },
      {
        id: 2,
        name: "Autumn Menu",
        group: 0,
        added: -20,
        start: 0,
        end: 45,
        rule: "FREQ=DAILY",
        assets: [
          { id: 4, name: "Pumpkin Soup", secs: 12 },
          { id: 5, name: "Apple Cake", secs: 12, end: 30 },
        ],
      },
      {
        id: 3,
        name: "Weekend Brunch",
        group: 0,
        added: -40,
        start: -30,
        rule: "FREQ=WEEKLY;BYDAY=SA,SU",
        assets: [{ id: 6, name: "Brunch", secs: 20 }],
        disabled: [{ zoneIndex: 2, from: always }],
      },
      {
        id: 4,
        name: "Loyalty Tuesdays",
        group: 0,
        added: -14,
        start: -14,
        rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
        assets: [{ id: 7, name: "Double Points", secs: 15 }, shared],
      },
      {
        id: 5,
        name: "Payday",
        group: 0,
        added: -60,
        start: -60,
        rule: "FREQ=MONTHLY;BYMONTHDAY=1,15",
        assets: [{ id: 8, name: "Payday Treats", secs: 15 }],
      },
      {
        id: 6,
        name: "Lunch Deals",
        group: 0,
        added: -10,
        start: -10,
        rule: "FREQ=DAILY;BYHOUR=11,12,13",
        assets: [{ id: 9, name: "Lunch for Two", secs: 10 }],
        disabled: [{ zoneIndex: 2, from: always }],
      },
      {
        id: 7,
        name: "Back to School",
        group: 0,
        added: -30,
        archived: 20,
        rule: "",
        assets: [{ id: 18, name: "Pens & Paper", secs: 10 }],
      },
      {
        id: 8,
        name: "House Rules",
        group: 1,
        added: -90,
        rule: "",
        assets: [
          { id: 10, name: "Wipe the Machines", secs: 10 },
          { id: 11, name: "Lockers", secs: 8 },
        ],
      },
      {
        id: 9,
        name: "Ten Day Sale",
        group: 1,
        added: 5,
        start: 12,
        rule: "FREQ=DAILY;COUNT=10",
        assets: [{ id: 12, name: "Everything Must Go", secs: 15 }],
      },
      {
        id: 10,
        name: "Festival Run",
        group: 1,
        added: 1,
        start: 5,
        rule: "FREQ=DAILY;INTERVAL=2;UNTIL={40}T235959Z",
        assets: [{ id: 13, name: "City Run", secs: 30 }],
      },
      {
        id: 11,
        name: "Members' Monday",
        group: 1,
        added: -5,
        start: 0,
        rule: "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6",
        assets: [{ id: 14, name: "Bring a Friend", secs: 15, start: 10, end: 50 }],
      },
      {
        id: 12,
        name: "Month End",
        group: 1,
        added: -60,
        start: -60,
        rule: "FREQ=MONTHLY;BYMONTHDAY=-1",
        assets: [{ id: 15, name: "Last Chance", secs: 12 }],
      },
      {
        id: 13,
        name: "Late Night",
        group: 1,
        added: -25,
        start: -20,
        end: 70,
        rule: "FREQ=DAILY;BYHOUR=22,23,0,1",
        assets: [{ id: 16, name: "Night Owls", secs: 12 }],
        disabled: [
          { zoneIndex: 9, from: always },
          { zoneIndex: 10, from: always },
        ],
      },
      {
        id: 14,
        name: "Gift Cards",
        group: 1,
        added: 30,
        rule: "",
        assets: [{ id: 17, name: "Gift Card", secs: 10 }],
      },
    ],
  },
  {
    kind: "messaging",
    campaigns: [
      {
        id: 1,
        name: "Greetings",
        group: 0,
        added: -80,
        rule: "",
        assets: [
          { id: 1, name: "Hello", secs: 12 },
          { id: 2, name: "Thank You", secs: 14 },
        ],
      },
      {
        id: 2,
        name: "Safety",
        group: 1,
        added: -80,
        rule: "FREQ=DAILY",
        start: -80,
        assets: [{ id: 3, name: "Exits", secs: 25 }],
      },
      {
        id: 3,
        name: "Saturday Raffle",
        group: 0,
        added: -9,
        start: -7,
        end: 49,
        rule: "FREQ=WEEKLY;BYDAY=SA",
        assets: [{ id: 4, name: "Raffle", secs: 30 }],
      },
      {
        id: 4,
        name: "Closing Soon",
        group: 0,
        added: -50,
        start: -50,
        rule: "FREQ=DAILY;BYHOUR=19,20,21,22,23,0,1",
        assets: [{ id: 5, name: "Closing Soon", secs: 18 }],
      },
      {
        id: 5,
        name: "First Aid Course",
        group: 1,
        added: 10,
        start: 15,
        rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,FR;UNTIL={55}",
        assets: [{ id: 6, name: "First Aid", secs: 28 }],
      },
      {
        id: 6,
        name: "Class Times",
        group: 1,
        added: -2,
        start: 0,
        rule: "FREQ=DAILY;INTERVAL=3;COUNT=15",
        assets: [
          { id: 7, name: "Spinning at Six", renamed: { name: "Spinning at Seven", on: 22 }, secs: 16 },
          { id: 8, name: "Yoga at Eight", secs: 16, start: 20 },
        ],
      },
      {
        id: 7,
        name: "Rent Day",
        group: 0,
        added: -60,
        start: -60,
        rule: "FREQ=MONTHLY;BYMONTHDAY=1,-1",
        assets: [{ id: 9, name: "Pay at the Desk", secs: 20 }],
        disabled: [{ zoneIndex: 1, from: 20 }],
      },
    ],
  },
];
