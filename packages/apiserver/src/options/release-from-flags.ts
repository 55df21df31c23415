import { builtinRelease, knownReleases, loadRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { OptionsError } from './options-error.ts';

/** Why `--kubernetes-version` cannot be had; undefined when it can. */
export function releaseProblem(version: string): string | undefined {
  if (knownReleases.some((release) => release.version === version)) return undefined;
  const known = knownReleases.map((release) => release.version).join(', ');
  return `${JSON.stringify(version)} is none of the releases that are known: ${known}`;
}

/**
 * The facts of the release that `--kubernetes-version`, which has been checked, asks for. Servers of one process that
 * ask for the same one share them.
 * @throws OptionsError
 */
export async function releaseFromFlags(flags: { readonly 'kubernetes-version'?: string } = {}): Promise<Release> {
  const version = flags['kubernetes-version'] ?? builtinRelease.version;
  const release = await loadRelease(version);
  if (release === undefined)
    throw new OptionsError('InvalidValue', `--kubernetes-version: ${releaseProblem(version) ?? 'not known'}`);
  return release;
}
