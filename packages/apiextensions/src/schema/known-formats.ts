import type { ReleaseAge } from '@kubechain/apimachinery';
import type { HasFormat } from './without-words.ts';

const texts: ReadonlySet<string> = new Set(['', 'string']);
const names: ReadonlySet<string> = new Set(['k8s-short-name', 'k8s-long-name']);

/** Formats that a release looks at (pkg/apiserver/validation/formats.go); undefined where it knows all there are. */
export function knownFormats(release: ReleaseAge): HasFormat | undefined {
  if (release.since('1.36')) return undefined;
  // Formats of numbers came with 1.36, those of names are checked since 1.35.
  return ({ format = '', type = '' }) => texts.has(type) && (release.since('1.35') || !names.has(format));
}
