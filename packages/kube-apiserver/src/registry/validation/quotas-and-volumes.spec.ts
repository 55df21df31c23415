import { FieldPath } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
  ResourceQuota,
  ResourceQuotaSpec,
} from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { validateLimitRange } from '../core/limitrange/validation.ts';
import { validateClaimTemplate } from '../core/persistentvolumeclaim/claim-spec.ts';
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatus,
  validatePersistentVolumeClaimUpdate,
} from '../core/persistentvolumeclaim/validation.ts';
import { claimWarnings } from '../core/persistentvolumeclaim/warnings.ts';
import {
  validatePersistentVolume,
  validatePersistentVolumeChange,
  validatePersistentVolumeUpdate,
} from '../core/persistentvolume/validation.ts';
import { volumeWarnings } from '../core/persistentvolume/warnings.ts';
import { resourceQuotaWarnings } from '../core/resourcequota/warnings.ts';
import { validateResourceQuota, validateResourceQuotaUpdate } from '../core/resourcequota/validation.ts';

const limits = (...items: Partial<LimitRangeItem>[]): LimitRange => ({ spec: { limits: items as LimitRangeItem[] } });
const quota = (spec: ResourceQuotaSpec): ResourceQuota => ({ spec });
const claim = (spec: PersistentVolumeClaimSpec, rest: PersistentVolumeClaim = {}): PersistentVolumeClaim => ({
  ...rest,
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '2Gi' } },
    volumeMode: 'Filesystem',
    ...spec,
  },
});
const sized = (storage: string): PersistentVolumeClaimSpec => ({ resources: { requests: { storage } } });
const bound: PersistentVolumeClaim = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
const volume = (spec: PersistentVolumeSpec, annotations: Record<string, string> = {}): PersistentVolume => ({
  metadata: { name: 'v', annotations },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...spec },
});
const onDisk = (path: string, rest: PersistentVolumeSpec = {}): PersistentVolume =>
  volume({ hostPath: { path }, ...rest });
const zone = (key: string): PersistentVolumeSpec => ({
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }] } },
});

const updateOf = (volume: PersistentVolume, old: PersistentVolume): FieldError[] => [
  ...validatePersistentVolumeUpdate(volume, old),
  ...validatePersistentVolumeChange(volume, old, { enabled: () => false }),
];
const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  ['limits', () => validateLimitRange(limits({ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' } }))],
  [
    'limits of one type twice',
    () => validateLimitRange(limits({ type: 'Pod' }, { type: 'Pod' })),
    'spec.limits[1].type: Duplicate value: "Pod"',
  ],
  [
    'limits of no known type',
    () => validateLimitRange(limits({ type: 'Odd' })),
    'spec.limits[0].type: Invalid value: "Odd": must be a standard limit type or fully qualified',
  ],
  [
    'a default above the most',
    () => validateLimitRange(limits({ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } })),
    'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
  ],
  [
    'a ratio that cannot be reached',
    () =>
      validateLimitRange(
        limits({ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      ),
    'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
  ],
  [
    'defaults that differ where nothing may be promised twice',
    () =>
      validateLimitRange(limits({ type: 'Container', default: { 'a.b/c': '2' }, defaultRequest: { 'a.b/c': '1' } })),
    'spec.limits[0].defaultRequest[a.b/c]: Invalid value: "1": default value 2 must equal to defaultRequest ' +
      'value 1 in a.b/c',
  ],
  ['a quota', () => validateResourceQuota(quota({ hard: { pods: '1', 'requests.a.b/c': '2', 'count/x.y': '3' } }))],
  [
    'a quota of thirds',
    () => validateResourceQuota(quota({ hard: { pods: '300m' } })),
    'spec.hard[pods]: Invalid value: "300m": must be an integer',
  ],
  [
    'a scope of other resources',
    () => validateResourceQuota(quota({ hard: { cpu: '1' }, scopes: ['BestEffort'] })),
    'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
  ],
  [
    'a scope and its opposite',
    () => validateResourceQuota(quota({ scopes: ['Terminating', 'NotTerminating'] })),
    'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
  ],
  [
    'a selector without values',
    () =>
      validateResourceQuota(
        quota({ scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } }),
      ),
    'spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` ' +
      "is 'In' or 'NotIn' for scope selector",
  ],
  [
    'a selector without an operator',
    () =>
      validateResourceQuota(
        quota({ scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass' } as never] } }),
      ),
    'spec.scopeSelector.matchExpressions.operator: Invalid value: "": not a valid selector operator',
  ],
  [
    'other scopes',
    () => validateResourceQuotaUpdate(quota({}), quota({ scopes: ['BestEffort'] })),
    'spec.scopes: Invalid value: null: field is immutable',
  ],
  [
    'the same scopes in another order',
    () =>
      validateResourceQuotaUpdate(
        quota({ scopes: ['BestEffort', 'Terminating'] }),
        quota({ scopes: ['Terminating', 'BestEffort'] }),
      ),
  ],
  ['a claim', () => validatePersistentVolumeClaim(claim({}))],
  [
    'a claim of nothing',
    () => validatePersistentVolumeClaim({}),
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.resources[storage]: Required value',
  ],
  [
    'a claim of two kinds',
    () => validatePersistentVolumeClaim(claim({ accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] })),
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  [
    'two sources',
    () =>
      validatePersistentVolumeClaim(
        claim({
          dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
          dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
        }),
      ),
    'spec: Invalid value: {}: must match dataSourceRef',
  ],
  ['a bound claim that grows', () => validatePersistentVolumeClaimUpdate(claim(sized('3Gi'), bound), claim({}, bound))],
  [
    'a bound claim that takes back what failed',
    () => validatePersistentVolumeClaimUpdate(claim(sized('1500Mi'), bound), claim({}, bound)),
  ],
  [
    'a bound claim that shrinks',
    () => validatePersistentVolumeClaimUpdate(claim(sized('1Gi'), bound), claim({}, bound)),
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ],
  ['a first volume', () => validatePersistentVolumeClaimUpdate(claim({ volumeName: 'v' }), claim({}))],
  ['a first class', () => validatePersistentVolumeClaimUpdate(claim({ storageClassName: 'c' }), claim({}))],
  [
    'another volume',
    () => validatePersistentVolumeClaimUpdate(claim({ volumeName: 'w' }), claim({ volumeName: 'v' })),
    'spec: Forbidden: spec is immutable after creation except resources.requests and ' +
      'volumeAttributesClassName for bound claims\n@@ -9,7 +9,7 @@\n    "storage": "2Gi"\n   }\n  },\n- ' +
      '"VolumeName": "v",\n+ "VolumeName": "w",\n  "StorageClassName": null,\n  "VolumeMode": "Filesystem",\n  ' +
      '"DataSource": null,\n',
  ],
  [
    'a status of no known resource',
    () => validatePersistentVolumeClaimStatus(claim({}, { status: { allocatedResources: { cpu: '1' } } })),
    'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
  ],
  [
    'a template with a name',
    () =>
      validateClaimTemplate(
        { metadata: { name: 'x', labels: { a: 'b' } }, spec: { accessModes: ['ReadWriteOnce'], ...sized('1') } },
        FieldPath.of('template'),
      ),
    'template.metadata.name: Forbidden: cannot be set',
  ],
  ['a volume', () => validatePersistentVolume(onDisk('/data'))],
  [
    'a volume of nothing',
    () => validatePersistentVolume({ spec: {} }),
    'spec.accessModes: Required value',
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: null: supported values: "storage"',
    'spec: Required value: must specify a volume type',
  ],
  [
    'a volume of two types',
    () => validatePersistentVolume(onDisk('/data', { cephfs: { monitors: ['m'] } })),
    'spec.cephFS: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'the whole disk recycled',
    () => validatePersistentVolume(onDisk('//', { persistentVolumeReclaimPolicy: 'Recycle' })),
    "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
  ],
  [
    'a local volume of no node',
    () => validatePersistentVolume(volume({ local: { path: '/x' } })),
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ],
  [
    'options of a path',
    () =>
      validatePersistentVolume(
        volume({ hostPath: { path: '/x' } }, { 'volume.beta.kubernetes.io/mount-options': 'ro' }),
      ),
    'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options ' +
      'for this volume type',
  ],
  [
    'a secret for growing',
    () =>
      updateOf(
        volume({ csi: { driver: 'd', volumeHandle: 'h', controllerExpandSecretRef: { name: 's', namespace: 'n' } } }),
        volume({ csi: { driver: 'd', volumeHandle: 'h' } }),
      ),
  ],
  [
    'stable labels',
    () =>
      updateOf(
        onDisk('/x', zone('topology.kubernetes.io/zone')),
        onDisk('/x', zone('failure-domain.beta.kubernetes.io/zone')),
      ),
  ],
];

describe('Rules of quotas, limits, volumes and claims', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });

  it('keep where a volume can be used', () => {
    expect(
      updateOf(onDisk('/x', zone('a')), onDisk('/x', zone('b'))).map(({ detail, field }) => [field, detail]),
    ).to.deep.equal([['nodeAffinity', 'field is immutable, except for updating from beta label to GA']]);
  });

  it('let a volume be used elsewhere where that feature is on', () => {
    const enabled = (gate: string): boolean => gate === 'MutablePVNodeAffinity';
    expect(validatePersistentVolumeChange(onDisk('/x', zone('a')), onDisk('/x', zone('b')), { enabled })).to.deep.equal(
      [],
    );
  });

  it('refuse another place for the data', () => {
    expect(updateOf(onDisk('/y'), onDisk('/x')).map(({ body }) => body.split('\n')[0])).to.deep.equal([
      'Forbidden: spec.persistentvolumesource is immutable after creation',
    ]);
  });

  it('warn of what is old', () => {
    expect(
      resourceQuotaWarnings(
        quota({ hard: { cpu: '2', 'limits.cpu': '1500m', 'requests.memory': '1Gi', 'limits.memory': '1Gi' } }),
      ),
    ).to.deep.equal(['ResourceQuota cpu (2) should be less than limits.cpu (1500m)']);
    expect(claimWarnings(claim(sized('1500m')))).to.deep.equal([
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
    expect(volumeWarnings(volume({ storageos: {}, ...zone('beta.kubernetes.io/os') }))).to.deep.equal([
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is ' +
        'deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
    ]);
  });
});
