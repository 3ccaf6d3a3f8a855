import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTempFolder } from "../../support/temp-folder.ts";
import { findJava } from "./find-java.ts";

function createJava(version: string): { home: string; folder: string } {
  const folder = createTempFolder();
  const home = join(folder, "java");
  mkdirSync(join(home, "bin"), { recursive: true });
  writeFileSync(join(home, "bin/java"), "");
  writeFileSync(join(home, "release"), `IMPLEMENTOR="X"\nJAVA_VERSION="${version}"\n`);
  return { home, folder };
}

const old = () => createJava("17.0.15").home;

it("takes JAVA_HOME where it is new enough", () => {
  const [named, other] = [createJava("25.0.3").home, createJava("24")];
  expect(findJava({ JAVA_HOME: named }, [other.folder])).toBe(named);
});

it("takes another where it is too old, or is none", () => {
  const other = createJava("24");
  expect(findJava({ JAVA_HOME: old() }, [other.folder])).toBe(other.home);
  expect(findJava({ JAVA_HOME: createTempFolder() }, ["/nowhere", other.folder])).toBe(other.home);
});

it("takes that of the path, whose program may be a link", () => {
  const { home } = createJava("26-ea");
  const bin = createTempFolder();
  symlinkSync(join(home, "bin/java"), join(bin, "java"));
  expect(findJava({ PATH: `/nowhere:${bin}` }, [])).toBe(home);
});

it("finds none where all are too old", () => {
  expect(findJava({ JAVA_HOME: old(), PATH: "" }, [createJava("1.8.0_402").folder])).toBeUndefined();
});
