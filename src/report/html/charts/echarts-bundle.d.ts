/** ECharts in one file: the same exports as the package itself, which describes no types for it. */
declare module "echarts/dist/echarts.esm.min.mjs" {
  export * from "echarts";
}
