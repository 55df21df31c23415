import { builtinRelease, knownReleases, loadRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { FlagSyntaxError, stringFlag, type Flag } from './flag.ts';
import { OptionsError } from './options-error.ts';

/**
 * The release that a text names, `1.36` of `v1.36` and of the release whose facts are known, `1.36.2` or `v1.36.2`.
 * @throws FlagSyntaxError for one that is not known
 */
export function parseRelease(text: string): string {
  const name = text.replace(/^v/, '');
  const found = knownReleases.find(({ gitVersion, version }) => name === version || gitVersion === `v${name}`);
  if (found !== undefined) return found.version;
  throw new FlagSyntaxError(`${JSON.stringify(text)} is none of the releases that are known: ${namesOfReleases()}`);
}

/** Whose facts servers have. */
export const releaseFlag: Flag<string> = {
  ...stringFlag(`Release of Kubernetes whose APIs are served: ${namesOfReleases()}.`, builtinRelease.version),
  parse: parseRelease,
};

function namesOfReleases(): string {
  return knownReleases.map(({ version }) => version).join(', ');
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
    throw new OptionsError('InvalidValue', `--kubernetes-version: ${version} is none of ${namesOfReleases()}`);
  return release;
}
