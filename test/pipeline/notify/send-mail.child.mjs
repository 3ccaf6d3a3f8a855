// Sends one mail with settings from the environment, and prints why it failed, if it did.
import { Settings } from "../../../dist/config/settings.js";
import { sendNow } from "../../../dist/pipeline/notify/delivery/deliver.js";
import { createClock } from "../../../dist/util/clock.js";

const settings = new Settings({ flags: {}, environment: process.env, workingFolder: process.cwd() });
const digest = { headline: "Over TLS", sections: [], age: "Today.", stop: "Ask ops@example.com." };
const options = { settings, clock: createClock(), signal: new AbortController().signal };
const content = { digest, attach: [] };
process.stdout.write((await sendNow("mailto:ops@example.com", content, options)) ?? "sent");
