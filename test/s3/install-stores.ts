import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The folder in which tests keep programs that they install. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "venue-analytics-test");

/** A program, or the reason why it is not available. */
export type Installed = { program: string } | { problem: string };

const gatewayVersion = "1.8.0";

/** Compiles versitygw the first time, which takes minutes, and keeps the program (80 MB). */
export function installGateway(): Installed {
  const target = join(cache, `versitygw-${gatewayVersion}`);
  const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/local/go/bin` };
  return install(target, join(target, "versitygw"), `versitygw ${gatewayVersion}`, (folder) => {
    execFileSync("go", ["install", `github.com/versity/versitygw/cmd/versitygw@v${gatewayVersion}`], {
      env: { ...environment, GOBIN: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
  });
}

/** Installs moto in a Python environment of its own (140 MB). */
export function installMoto(): Installed {
  return installPython("moto-5.2.5", "moto_server", ["moto[s3]==5.2.5", "flask==3.1.2", "flask-cors==6.0.1"]);
}

/** Installs tools that read from S3 in a Python environment of their own (290 MB). */
export function installReaders(): Installed {
  const packages = [
    "polars==2.1.0",
    "duckdb==1.5.5",
    "duckdb-extension-httpfs==1.5.5",
    "duckdb-extension-ducklake==1.5.5",
  ];
  return installPython("s3-readers-2", "python", packages);
}

function installPython(name: string, program: string, packages: readonly string[]): Installed {
  const target = join(cache, name);
  return install(target, join(target, "bin", program), name, () => {
    // A Python environment can't be renamed, so it is created in place.
    try {
      execFileSync("python3", ["-m", "venv", target], { stdio: ["ignore", "ignore", "pipe"] });
      const options = ["--quiet", "--disable-pip-version-check", "--retries", "2", "--timeout", "20"];
      execFileSync(join(target, "bin", "pip"), ["install", ...options, ...packages], {
        stdio: ["ignore", "ignore", "pipe"],
      });
    } catch (error) {
      rmSync(target, { recursive: true, force: true });
      throw error;
    }
  });
}

/** @param create puts the program into a folder that becomes `target`, or creates `target` itself */
function install(target: string, program: string, name: string, create: (folder: string) => void): Installed {
  if (existsSync(program)) return { program };
  process.stdout.write(`Installing ${name} into ${target} ...\n`);
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(join(cache, "install-"));
  try {
    create(own);
    if (!existsSync(target)) renameSync(own, target);
    return { program };
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `${path} was not found` : message.trim().split("\n").at(-1);
    // Another process may have been faster.
    return existsSync(program) ? { program } : { problem: `${name} can't be installed (${why})` };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
