import { duplicate, FieldPath, invalidValue, notSupported, repeats } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { CSIDriver, CSIDriverSpec, TokenRequest } from '@kubechain/apimachinery/types/storage/v1';
import { immutable } from '../../validation/immutable.ts';
import { fields, needed, oneOfIfSet } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

const specPath = FieldPath.of('spec');
const lifecycleModes = ['Persistent', 'Ephemeral'];
const minExpirationSeconds = 600;
const maxExpirationSeconds = 2 ** 32;
const minUpdatePeriodSeconds = 10;

/** One token for each audience, the API server's own ('') included. */
const tokenRequests: Rule<readonly TokenRequest[] | undefined> = (requests = [], path) => {
  const repeated = repeats(requests.map(({ audience }) => audience ?? ''));
  return requests.flatMap(({ audience, expirationSeconds: seconds }, i) => {
    const at = path.index(i);
    if (repeated[i] === true) return [duplicate(at.child('audience'), audience ?? '')];
    const wrong = (detail: string): FieldError[] => [invalidValue(at.child('expirationSeconds'), seconds, detail)];
    if (seconds === undefined) return [];
    return seconds < minExpirationSeconds
      ? wrong('may not specify a duration less than 10 minutes')
      : seconds > maxExpirationSeconds
        ? wrong('may not specify a duration larger than 2^32 seconds')
        : [];
  });
};

const rules = fields<CSIDriverSpec>({
  podInfoOnMount: needed(),
  storageCapacity: needed(),
  fsGroupPolicy: oneOfIfSet(['File', 'None', 'ReadWriteOnceWithFSType']),
  tokenRequests,
  // The one that is wrong is told at the list.
  volumeLifecycleModes: (modes = [], path) =>
    modes.filter((mode) => !lifecycleModes.includes(mode)).map((mode) => notSupported(path, mode, lifecycleModes)),
  seLinuxMount: needed(),
  nodeAllocatableUpdatePeriodSeconds: (seconds, path) =>
    seconds === undefined || seconds >= minUpdatePeriodSeconds
      ? []
      : [invalidValue(path, seconds, 'must be greater than or equal to 10 seconds')],
});

/**
 * Rules of new drivers; the first field is spelled as in the reference (ValidateCSIDriver of
 * pkg/apis/storage/validation, 1.36).
 */
export function validateCSIDriver({ spec = {} }: Partial<CSIDriver>): FieldError[] {
  const { attachRequired, serviceAccountTokenInSecrets: inSecrets, tokenRequests: requests = [] } = spec;
  return [
    ...needed()(attachRequired, specPath.child('attachedRequired')),
    ...rules(spec, specPath),
    ...(inSecrets !== undefined && requests.length === 0
      ? [
          invalidValue(
            specPath.child('serviceAccountTokenInSecrets'),
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

/** How volumes are attached and where they live does not change. */
export function validateCSIDriverUpdate(driver: CSIDriver, old: CSIDriver): FieldError[] {
  return [
    ...validateCSIDriver(driver),
    ...immutable(specPath.child('attachedRequired'), driver.spec?.attachRequired, old.spec?.attachRequired),
    ...immutable(
      specPath.child('volumeLifecycleModes'),
      driver.spec?.volumeLifecycleModes,
      old.spec?.volumeLifecycleModes,
    ),
  ];
}
