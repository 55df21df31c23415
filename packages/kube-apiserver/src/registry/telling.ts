import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import { tellDeclaratively } from './declarative-rules.ts';
import { tellFormerly } from './former-rules.ts';

/** How a release tells the mistakes that were found in an object; undefined where it tells them as they are. */
export function tellingOf(
  release: ReleaseAge,
): ((errors: readonly FieldError[], object: KubeObject) => FieldError[]) | undefined {
  if (release.since('1.37')) return tellDeclaratively;
  return release.since('1.36') ? undefined : tellFormerly(release);
}
