import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** One import statement or dynamic import of a source file. Paths are relative to the repository's root. */
export interface ImportEdge {
  readonly from: string;
  /** As written. */
  readonly specifier: string;
  /** Target file for relative imports. */
  readonly to: string | undefined;
  /** Erased at run time. */
  readonly typeOnly: boolean;
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?\sfrom\s+['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Reads the imports of all TypeScript sources below `root/folder`, specs included. */
export function readImports(root: string, folder: string): ImportEdge[] {
  const edges: ImportEdge[] = [];
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.parentPath.includes(`${sep}node_modules${sep}`))
      continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(statement)) {
      const specifier = match[2] ?? match[3] ?? match[4];
      if (specifier === undefined) continue;
      const to = specifier.startsWith('.') ? relative(root, resolve(dirname(file), specifier)) : undefined;
      edges.push({ from: relative(root, file), specifier, to, typeOnly: match[1] !== undefined });
    }
  }
  return edges;
}

/** The first cycle among the imports of a package, types included, as a list of files; undefined when there is none. */
export function findCycle(edges: readonly ImportEdge[]): string[] | undefined {
  const next = new Map<string, string[]>();
  for (const edge of edges) {
    if (edge.to === undefined) continue;
    const targets = next.get(edge.from);
    if (targets === undefined) next.set(edge.from, [edge.to]);
    else targets.push(edge.to);
  }
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return undefined;
    path.push(file);
    for (const target of next.get(file) ?? []) {
      const cycle = visit(target);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of next.keys()) {
    const cycle = visit(file);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** A folder with rooms, its name with a final slash, and their floors from the ground up. */
export interface Floors {
  readonly base: string;
  readonly floors: readonly (readonly string[])[];
}

/**
 * The imports, types included, that run from a lower floor of a folder to a higher one, or to another room of the same
 * floor: `folder/file → folder/file`. What no floor names stands above all.
 */
export function importsUpwards(edges: readonly ImportEdge[], { base, floors }: Floors): string[] {
  const floorOf = (room: string): number => {
    const floor = floors.findIndex((rooms) => rooms.includes(room));
    return floor < 0 ? floors.length : floor;
  };
  return edges.flatMap(({ from, to }) => {
    if (to === undefined || !from.startsWith(base) || !to.startsWith(base)) return [];
    const [source, target] = [roomOf(from, base), roomOf(to, base)];
    if (source === target) return [];
    const [low, high] = [floorOf(source), floorOf(target)];
    const beside = low === high && low < floors.length;
    return high > low || beside ? [`${from.slice(base.length)} → ${to.slice(base.length)}`] : [];
  });
}

/**
 * The first circle among what stands side by side in one folder at any depth, files and folders as a whole, types
 * included: `folder: a → b → a`. Undefined when there is none.
 */
export function findRoomCycle(edges: readonly ImportEdge[]): string | undefined {
  const folders = new Set(
    edges.flatMap(({ from }) => [...from.matchAll(/\//g)].map(({ index }) => from.slice(0, index + 1))),
  );
  for (const base of folders) {
    const between = edges.flatMap((edge) => {
      if (edge.to === undefined || !edge.from.startsWith(base) || !edge.to.startsWith(base)) return [];
      const [from, to] = [roomOf(edge.from, base), roomOf(edge.to, base)];
      return from === to ? [] : [{ ...edge, from, to }];
    });
    const cycle = findCycle(between);
    if (cycle !== undefined) return `${base}: ${cycle.join(' → ')}`;
  }
  return undefined;
}

/** The file or folder directly in `base` in which a file is. */
function roomOf(file: string, base: string): string {
  return file.slice(base.length).split('/', 1)[0] ?? '';
}
