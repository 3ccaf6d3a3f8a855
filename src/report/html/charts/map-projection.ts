import { type GeoProjection, geoBounds, geoProjection } from "d3-geo";
import { scaleLinear } from "d3-scale";
import type { MapPlace } from "./chart.ts";
import type { Area } from "./drawing.ts";

export interface Projection {
  area: Area;
  /** Projects `[longitude, latitude]` to pixels, and cuts shapes at the area. */
  project: GeoProjection;
  /** Width of the area in degrees. */
  degrees: number;
  /** Positions of the places, in the same order. */
  points: readonly Point[];
  /** Lines of latitude and longitude in the area. */
  parallels: readonly GraticuleLine[];
  meridians: readonly GraticuleLine[];
}

interface Point {
  x: number;
  y: number;
  size: number;
}

interface GraticuleLine {
  /** Position in pixels: `y` of a parallel, `x` of a meridian. */
  at: number;
  text: string;
}

/** Distance of the outermost places from the edge of the area, in pixels. */
const padding = 28;
/** Smallest extent of a map in degrees of latitude, about 2 km, so that rounding does not look like distance. */
const minExtent = 0.02;

/**
 * Projects places onto a drawing of this width: north is up, and distances are true at the middle latitude
 * (equirectangular projection). A map is as narrow as possible, so it may cross the 180th meridian, e.g. for places in
 * Fiji and Samoa; its maximum width is 360°.
 */
export function projectPlaces(places: readonly MapPlace[], width: number): Projection {
  const isNarrow = width < 500;
  const coordinates = places.map(({ longitude, latitude }): [number, number] => [longitude, latitude]);
  const [[west, south], [east, north]] = geoBounds({ type: "MultiPoint", coordinates });
  const extent = { x: (east - west + 360) % 360, y: north - south };
  const middle = { x: west + extent.x / 2, y: (south + north) / 2 };
  const squeeze = Math.max(0.1, Math.cos((middle.y * Math.PI) / 180));
  const left = isNarrow ? 58 : 64;
  const room = { x: width - 8 - left - 2 * padding, y: (isNarrow ? 300 : 440) - 2 * padding };
  // Pixels per degree of latitude.
  const scale = Math.min(
    room.x / Math.max(minExtent, extent.x * squeeze),
    room.y / Math.max(minExtent, extent.y),
  );
  const height = Math.max(isNarrow ? 150 : 200, Math.round(extent.y * scale) + 2 * padding);
  const area = { left, right: width - 8, top: 8, bottom: 8 + height };
  const project = geoProjection((east, north) => [east * squeeze, north])
    .rotate([-middle.x, 0])
    .scale((scale * 180) / Math.PI)
    .translate([(area.left + area.right) / 2, (area.top + area.bottom) / 2 + middle.y * scale])
    // Straight lines stay straight.
    .precision(0)
    .clipExtent([
      [area.left, area.top],
      [area.right, area.bottom],
    ]);
  const locate = (longitude: number, latitude: number) => {
    const [x, y] = project([longitude, latitude]) ?? [Number.NaN, Number.NaN];
    return { x, y };
  };
  const length = area.right - area.left;
  return {
    ...{ area, project, degrees: length / scale / squeeze },
    points: places.map(({ longitude, latitude, size }) => ({ ...locate(longitude, latitude), size })),
    parallels: chooseDegrees(middle.y, (height - 16) / scale, height / 90)
      .filter((degrees) => Math.abs(degrees) <= 90)
      .map((degrees) => ({ at: locate(middle.x, degrees).y, text: formatDegrees(degrees, "N", "S") })),
    meridians: chooseDegrees(middle.x, Math.min(360, (length - 48) / scale / squeeze), length / 120).map(
      (degrees) => ({
        at: locate(degrees, middle.y).x,
        text: formatDegrees(((degrees + 540) % 360) - 180, "E", "W"),
      }),
    ),
  };
}

/** Returns some round values around `middle`, for lines of latitude or longitude. */
function chooseDegrees(middle: number, extent: number, count: number): number[] {
  return scaleLinear([middle - extent / 2, middle + extent / 2], [0, 1]).ticks(
    Math.max(2, Math.floor(count)),
  );
}

/** E.g. `40° N`. */
function formatDegrees(degrees: number, positive: string, negative: string): string {
  const size = Number(Math.abs(degrees).toFixed(4));
  return size === 0 || size === 180 ? `${size}°` : `${size}° ${degrees > 0 ? positive : negative}`;
}

/** Places that share a symbol at the position of the largest. */
export interface Cluster extends Point {
  /** Indices of the places, largest first. */
  members: number[];
}

/** Joins each point with the nearest larger one that is closer than `distance`. Returns the largest first. */
export function clusterPoints(points: readonly Point[], distance: number): Cluster[] {
  const clusters: Cluster[] = [];
  const ordered = points.map((point, index) => ({ ...point, index })).sort((a, b) => b.size - a.size);
  for (const { x, y, size, index } of ordered) {
    let nearest: Cluster | undefined;
    let nearestSquare = distance ** 2;
    for (const cluster of clusters) {
      const square = (cluster.x - x) ** 2 + (cluster.y - y) ** 2;
      if (square >= nearestSquare) continue;
      nearest = cluster;
      nearestSquare = square;
    }
    if (nearest === undefined) clusters.push({ x, y, size, members: [index] });
    else {
      nearest.members.push(index);
      nearest.size += size;
    }
  }
  return clusters.sort((a, b) => b.size - a.size);
}
