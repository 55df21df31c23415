import index from '../generated/releases/index.json' with { type: 'json' };
import { Release } from './release.ts';
import type { ReleaseChanges } from './release.ts';

/** What is known of a release without its tables. */
export interface KnownRelease {
  /** `1.36` */
  readonly version: string;
  readonly gitVersion: string;
  /** The neighbour that its table of changes begins from; absent for the release of the checked-in tables. */
  readonly from?: string;
  /** Group versions that the neighbour does not have. */
  readonly groupVersions?: readonly string[];
}

/** Releases that can be had, oldest first. */
export const knownReleases: readonly KnownRelease[] = index.releases;

/** The release of the checked-in tables, which is the one that servers have by default. */
export const builtinRelease: Release = new Release(
  knownReleases.find(({ from }) => from === undefined) as KnownRelease,
  [],
);

/** Loads of tables by release: what they say never changes. */
const loaded = new Map<string, Promise<Release>>([[builtinRelease.version, Promise.resolve(builtinRelease)]]);

/** The facts of a release, e.g. `1.37`; undefined when it is not known. Only what is asked for is read. */
export function loadRelease(version: string): Promise<Release | undefined> {
  const known = knownReleases.find((release) => release.version === version);
  if (known === undefined) return Promise.resolve(undefined);
  let release = loaded.get(version);
  if (release === undefined) loaded.set(version, (release = read(known)));
  return release;
}

async function read(release: KnownRelease): Promise<Release> {
  return new Release(release, await Promise.all(pathTo(release).map(changesOf)));
}

/** Releases from the checked-in one's neighbour to this one. */
function pathTo({ from, version }: KnownRelease): readonly string[] {
  const neighbour = knownReleases.find((release) => release.version === from);
  return neighbour === undefined ? [] : [...pathTo(neighbour), version];
}

/** The type of so large a literal is not looked at. */
function changesIn({ default: table }: { readonly default: unknown }): ReleaseChanges {
  return table as ReleaseChanges;
}

/** One line a release, so that what bundles the sources finds the files. */
async function changesOf(version: string): Promise<ReleaseChanges> {
  switch (version) {
    case '1.34':
      return changesIn(await import('../generated/releases/1.34.json', { with: { type: 'json' } }));
    case '1.35':
      return changesIn(await import('../generated/releases/1.35.json', { with: { type: 'json' } }));
    case '1.37':
      return changesIn(await import('../generated/releases/1.37.json', { with: { type: 'json' } }));
    default:
      throw new Error(`no table of changes for release ${version}`);
  }
}
