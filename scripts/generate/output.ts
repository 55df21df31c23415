import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Collects generated files, then writes them or reports how they differ from what is checked in. */
export class Output {
  readonly #root: string;
  readonly #files = new Map<string, string>();

  /** @param root the workspace root; paths of `add` are relative to it */
  constructor(root: string) {
    this.#root = root;
  }

  add(path: string, text: string): void {
    this.#files.set(join(this.#root, path), text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Writes what changed; resolves to the changed paths. */
  write(): string[] {
    const changed = this.#differing();
    for (const path of changed) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, this.#files.get(path) ?? '');
    }
    return changed.map((path) => relative(this.#root, path));
  }

  /** Paths whose checked-in text is not what the facts give. */
  check(): string[] {
    return this.#differing().map((path) => relative(this.#root, path));
  }

  #differing(): string[] {
    return [...this.#files]
      .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
      .map(([path]) => path);
  }
}

/** A JSON object with one line per member: compact, and still readable in a diff. */
export function jsonLines(value: Readonly<Record<string, unknown>>): string {
  return `{\n${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`)
    .join(',\n')}\n}`;
}

/** A JSON list with one line per row. */
export function rows(list: readonly unknown[]): string {
  return `[\n${list.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
}
