/** States of a device now, most urgent first. The SQL of `device_now` determines them. */
export const deviceStates = ["down", "silent", "unknown", "up", "replaced"] as const;

export type DeviceState = (typeof deviceStates)[number];
