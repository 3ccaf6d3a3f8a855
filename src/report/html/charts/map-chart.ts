import { symbol, symbolCircle, symbolDiamond2, symbolSquare, symbolTriangle } from "d3-shape";
import { createDistinctShortener } from "../../text/distinct-shortener.ts";
import type { Html } from "../html.ts";
import { type MapChart, type MapShape, type MapSymbol, palette } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  type Area,
  createElement,
  type Drawing,
  drawLabel,
  drawRules,
  estimateWidth,
  linkShape,
  roundToTenths,
  title,
} from "./drawing.ts";
import { drawLand } from "./land.ts";
import { type Cluster, clusterPoints, type Projection, projectPlaces } from "./map-projection.ts";

export const mapChart: ChartKind<MapChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: ({ levels }) =>
    levels.length < 2
      ? []
      : levels.map(({ label, shape, colour }) => ({ label, colour, mark: shapes[shape].mark })),
  tabulate: (chart) => [
    ["place", "zones", chart.figure],
    ...placeSymbols(chart, getWideWidth()).map(({ label, zones, value }) => [label, zones, value]),
  ],
};

const shapes: Readonly<Record<MapShape, { type: typeof symbolCircle; mark: string }>> = {
  circle: { type: symbolCircle, mark: "●" },
  triangle: { type: symbolTriangle, mark: "▲" },
  diamond: { type: symbolDiamond2, mark: "◆" },
  square: { type: symbolSquare, mark: "■" },
};

/** Distance in pixels below which locations share a symbol. */
const minDistance = 26;
/** Areas of symbols in square pixels. */
const [minSymbolArea, maxSymbolArea, unitArea] = [110, 530, 150];
const maxLabels = 30;
const maxLabelLetters = 26;

function getWideWidth(): number {
  return Math.max(...responsiveWidths);
}

interface PlacedSymbol extends Cluster, MapSymbol {
  radius: number;
  path: string;
}

function draw(chart: MapChart, width: number): Drawing {
  const projection = projectPlaces(chart.places, width);
  const { area } = projection;
  const symbols = placeSymbols(chart, width);
  const frame = { x: area.left, y: area.top, width: area.right - area.left, height: area.bottom - area.top };
  const marks = symbols.map(({ x, y, path, description, href, level }) =>
    linkShape(
      href,
      createElement(
        "g",
        { transform: `translate(${roundToTenths(x)} ${roundToTenths(y)})` },
        title(description),
        createElement("path", { d: path, fill: chart.levels[level]?.colour.light }),
      ),
    ),
  );
  return {
    height: area.bottom + 24,
    shapes: [
      ...drawLand(projection),
      ...drawGraticule(projection),
      createElement("rect", { ...frame, fill: "none", stroke: palette.line.light }),
      createElement("g", { stroke: palette.paper.light, "stroke-width": 1.5 }, marks),
      drawNames(symbols, area),
    ],
  };
}

/** Returns the symbols of a drawing of this width, largest first. */
function placeSymbols(chart: MapChart, width: number): PlacedSymbol[] {
  const clusters = clusterPoints(projectPlaces(chart.places, width).points, minDistance);
  const largest = Math.max(1, ...clusters.map(({ size }) => size));
  return clusters.map((cluster) => {
    const described = chart.describe(cluster.members);
    const pixels = Math.max(minSymbolArea, cluster.size * Math.min(unitArea, maxSymbolArea / largest));
    const shape = chart.levels[described.level]?.shape ?? "square";
    return {
      ...cluster,
      ...described,
      radius: Math.sqrt(pixels / 2),
      path: symbol(shapes[shape].type, pixels).digits(1)() ?? "",
    };
  });
}

/** Draws lines of latitude and longitude. */
function drawGraticule({ area, parallels, meridians }: Projection): Html[] {
  const { left, right, top, bottom } = area;
  return [
    drawRules([
      ...parallels.map(({ at }) => `M${left} ${roundToTenths(at)}H${right}`),
      ...meridians.map(({ at }) => `M${roundToTenths(at)} ${top}V${bottom}`),
    ]),
    createElement(
      "g",
      { fill: palette.muted.light, "font-size": 10, "text-anchor": "end" },
      parallels.map(({ at, text }) => drawLabel(text, { x: left - 6, y: at })),
    ),
    createElement(
      "g",
      { fill: palette.muted.light, "font-size": 10, "text-anchor": "middle" },
      meridians.map(({ at, text }) => drawLabel(text, { x: at, y: bottom + 13 })),
    ),
  ];
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Draws names and values next to the largest symbols where there is room. */
function drawNames(symbols: readonly PlacedSymbol[], area: Area): Html {
  const taken: Box[] = symbols.map(({ x, y, radius }) => createBox(x, y, radius * 2, radius * 2));
  const named = symbols.slice(0, maxLabels);
  const shorten = createDistinctShortener(
    maxLabelLetters,
    named.map(({ label }) => label),
  );
  const names = named.flatMap(({ x, y, radius, label, value }) => {
    const name = shorten(label);
    const width = estimateWidth(`${name} ${value}`);
    const beside = radius + 6;
    const place = [
      { x: x + beside, y, anchor: "start", middle: x + beside + width / 2 },
      { x: x - beside, y, anchor: "end", middle: x - beside - width / 2 },
      ...[y - radius - 9, y + radius + 9].flatMap((line) => [
        { x, y: line, anchor: "middle", middle: x },
        { x: x + radius, y: line, anchor: "end", middle: x + radius - width / 2 },
        { x: x - radius, y: line, anchor: "start", middle: x - radius + width / 2 },
      ]),
    ].find((at) => {
      const box = createBox(at.middle, at.y, width);
      return isWithin(box, area) && !taken.some((other) => overlaps(box, other));
    });
    if (place === undefined) return [];
    taken.push(createBox(place.middle, place.y, width));
    const position = { x: place.x, y: place.y, dy: ".35em", "text-anchor": place.anchor };
    const figure = createElement("tspan", { fill: palette.muted.light }, value);
    return [createElement("text", position, `${name} `, figure)];
  });
  // The outline keeps names readable on the lines of latitude and longitude.
  const outline = { stroke: palette.paper.light, "stroke-width": 3, "stroke-linejoin": "round" };
  return createElement("g", { fill: palette.ink.light, ...outline, "paint-order": "stroke" }, names);
}

/** Height of a name. */
const lineHeight = 16;

function createBox(x: number, y: number, width: number, height = lineHeight): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function isWithin(box: Box, area: Area): boolean {
  return box.left > area.left && box.right < area.right && box.top > area.top && box.bottom < area.bottom;
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
