import type { PublishedMart } from "../published/published-mart.ts";

/** Says so when no device is known: an empty report would puzzle. */
export async function noteNoDevices(mart: PublishedMart): Promise<string[]> {
  const [known] = await mart.all<{ devices: number }>("select count(*) as devices from dim_device");
  return known?.devices === 0 ? ["No listing of devices has been loaded yet."] : [];
}
