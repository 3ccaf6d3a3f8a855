import { escapeText, Html } from "../html.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";

const chartFont = "system-ui, sans-serif";

/**
 * Draws with ECharts, without a browser. What comes back carries no style and no script, so that a page may forbid
 * both; colours are attributes, which the page's own style may replace.
 */
export async function drawSvg({ height, option, titles }: Drawing, width: number): Promise<Html> {
  // One file of it loads in a third of the time of its many modules.
  const echarts: typeof import("echarts") = await import("echarts/dist/echarts.esm.min.mjs");
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: chartFont, fontSize: 12, color: palette.muted.light },
      ...option,
    });
    return new Html(plainSvg(chart.renderToSVGString(), { width, height, titles }));
  } finally {
    chart.dispose();
  }
}

function plainSvg(
  svg: string,
  { width, height, titles }: Pick<Drawing, "height" | "titles"> & { width: number },
): string {
  return (
    svg
      .replace(/<style[\s\S]*?<\/style>/g, "")
      // The figure around it says in words what it shows.
      .replace(
        /^<svg [^>]*?(viewBox="[^"]*")[^>]*>/,
        `<svg width="${width}" height="${height}" $1 aria-hidden="true" focusable="false">`,
      )
      .replace(/ style="([^"]*)"/g, (_all, style: string) => attributesOf(style))
      .replace(/ (class|pointer-events|cursor)="[^"]*"/g, "")
      .replace(
        /<(path|rect|circle)([^>]*?) ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)"([^>]*)>/g,
        withTitle,
      )
      .replace(/ ecmeta_\w+="[^"]*"/g, "")
      .replace(/\n+/g, "\n")
  );

  function withTitle(
    _all: string,
    element: string,
    before: string,
    series: string,
    index: string,
    after: string,
  ): string {
    const title = titles[Number(series)]?.[Number(index)];
    return `<${element}${before}${after}>${title === undefined ? "" : `<title>${escapeText(title)}</title>`}`;
  }
}

/** `font-size:12px;…` as attributes: a style that is written on an element would need the page's permission. */
function attributesOf(style: string): string {
  return style
    .split(";")
    .filter((rule) => rule.includes(":"))
    .map((rule) => {
      const colon = rule.indexOf(":");
      return ` ${rule.slice(0, colon).trim()}="${rule.slice(colon + 1).trim()}"`;
    })
    .join("");
}
