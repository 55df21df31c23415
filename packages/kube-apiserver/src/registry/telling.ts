import type { FeatureGate } from '@kubechain/apiserver/options';
import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import { tellDeclaratively } from './declarative-rules.ts';
import { tellFormerly } from './former-rules.ts';
import { lenientOfAddresses } from './lenient-addresses.ts';

type Telling = (errors: readonly FieldError[], object: KubeObject) => FieldError[];

/** How a release tells the mistakes that were found in an object; undefined where it tells them as they are. */
export function tellingOf(release: ReleaseAge, featureEnabled: (gate: FeatureGate) => boolean): Telling | undefined {
  const told = tellingOfRelease(release);
  if (featureEnabled('StrictIPCIDRValidation')) return told;
  return (errors, object) => {
    const lenient = lenientOfAddresses(errors, object);
    return told?.(lenient, object) ?? lenient;
  };
}

function tellingOfRelease(release: ReleaseAge): Telling | undefined {
  if (release.since('1.37')) return tellDeclaratively;
  return release.since('1.36') ? undefined : tellFormerly(release);
}
