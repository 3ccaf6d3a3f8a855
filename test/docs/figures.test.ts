import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { renderFiguresPage } from "./figures-page.ts";

it("docs/figures.md matches the definitions; `make figures` writes it", async () => {
  await expect(renderFiguresPage()).toMatchFileSnapshot(join(packageRoot, "docs", "figures.md"));
});
