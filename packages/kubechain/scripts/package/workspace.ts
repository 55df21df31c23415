import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** What is read of a package's manifest. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** What only an entry point for tests needs: all of them optional. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: true }>>;
}

export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', directory, 'package.json'), 'utf8')) as Manifest;
}

/** Folders of all packages, those first that others import. */
export function packageFolders(): readonly string[] {
  return readdirSync(join(root, 'packages')).sort();
}

/** What all published manifests say. */
export function commonManifest({ description, license, name, version }: Manifest): Record<string, unknown> {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    // What the packages are tested on; node:sqlite has what the embedded store needs since 22.16.
    engines: { node: '>=22.19' },
    keywords: ['kubernetes', 'kube-apiserver', 'envtest', 'testing', 'controllers', 'operators'],
    publishConfig: { access: 'public', provenance: true },
  };
}
