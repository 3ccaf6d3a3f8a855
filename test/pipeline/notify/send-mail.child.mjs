// Sends one mail with settings from the environment, and prints why it failed, if it did.
import { Settings } from "../../../dist/config/settings.js";
import { openMailer } from "../../../dist/pipeline/notify/delivery/send-mail.js";

const settings = new Settings({ flags: {}, environment: process.env, workingFolder: process.cwd() });
const digest = { headline: "Over TLS", sections: [], age: "Today.", stop: "Ask ops@example.com." };
const send = await openMailer(settings);
const failure = await send({
  id: "id",
  createdAt: new Date(),
  to: "ops@example.com",
  digest,
  attachments: [],
});
process.stdout.write(failure?.reason ?? "sent");
