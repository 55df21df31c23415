import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { runRenderer } from './run-renderer.ts';
import { readText } from './read-text.ts';
import type { SourceObject, Sources } from './source-object.ts';

const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;
const originAnnotation = 'config.kubernetes.io/origin';

/** Whether a folder is a kustomization. */
export function isKustomization(folder: string): boolean {
  return names.some((name) => existsSync(join(folder, name)));
}

/**
 * The objects that kustomize makes of a folder, each with its place in the file that it comes from.
 * @throws LaunchError when neither kustomize nor kubectl is there, or refuses the folder
 */
export async function renderKustomization(folder: string): Promise<Sources> {
  // One around it, which has kustomize tell of each object where it comes from.
  const around = realpathSync(mkdtempSync(join(tmpdir(), 'kubechain-kustomize-')));
  try {
    const base = JSON.stringify(relative(around, realpathSync(folder)));
    writeFileSync(join(around, names[0]), `resources: [${base}]\nbuildMetadata: [originAnnotations]\n`);
    const text = await runRenderer(`${folder}, a kustomization`, [
      ['kustomize', 'build', around],
      ['kubectl', 'kustomize', around],
    ]);
    const origins = new Origins(folder, around);
    const { errors, objects } = readText(folder, text);
    return { errors, objects: objects.map((object) => origins.placed(object)) };
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

interface Manifest {
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown; annotations?: Record<string, string> };
}

/** Files that rendered objects come from. */
class Origins {
  readonly #folder: string;
  readonly #around: string;
  readonly #read = new Map<string, readonly SourceObject[]>();

  constructor(folder: string, around: string) {
    this.#folder = folder;
    this.#around = around;
  }

  /** The object without the annotation that tells its file, and with its place there, where it is a file. */
  placed({ place, value }: SourceObject): SourceObject {
    const file = this.#fileOf(value as Manifest);
    const found = file === undefined ? undefined : sameObject(this.#objectsOf(file), value as Manifest);
    return { value, place: found?.place ?? place };
  }

  /** Takes the annotation out. */
  #fileOf({ metadata }: Manifest): string | undefined {
    const origin = metadata?.annotations?.[originAnnotation];
    if (metadata?.annotations === undefined || origin === undefined) return undefined;
    delete metadata.annotations[originAnnotation];
    if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
    const { path, repo } = (parse(origin) ?? {}) as { readonly path?: unknown; readonly repo?: unknown };
    if (typeof path !== 'string' || repo !== undefined) return undefined;
    const file = join(this.#folder, relative(realpathSync(this.#folder), resolve(this.#around, path)));
    return existsSync(file) ? file : undefined;
  }

  #objectsOf(file: string): readonly SourceObject[] {
    const known = this.#read.get(file) ?? readText(file, readFileSync(file, 'utf8')).objects;
    this.#read.set(file, known);
    return known;
  }
}

/** kustomize may have put something before or behind the name. */
function sameObject(objects: readonly SourceObject[], { kind, metadata }: Manifest): SourceObject | undefined {
  const name = String(metadata?.name);
  const alike = objects.filter(({ value }) => (value as Manifest).kind === kind);
  const nameOf = ({ value }: SourceObject): string => String((value as Manifest).metadata?.name);
  return alike.find((object) => nameOf(object) === name) ?? alike.find((object) => name.includes(nameOf(object)));
}
