import { builtinRelease, builtinScheme, decodeJSON } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';
import type {
  Pod,
  PersistentVolume,
  PersistentVolumeClaimSpec,
  PodTemplate,
  ResourceQuota,
} from '@kubechain/apimachinery/types/core/v1';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import type { Ingress, ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';
import type { ResourceClaimTemplate, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import type { CSIStorageCapacity, StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import type { RESTContext, Strategy } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { defaultHorizontalPodAutoscaler } from '../autoscaling/horizontalpodautoscaler/defaults.ts';
import { validateHorizontalPodAutoscaler } from '../autoscaling/horizontalpodautoscaler/validation.ts';
import { mutatingWebhookConfigurationStrategy } from '../admissionregistration/mutatingwebhookconfiguration/strategy.ts';
import { validateClaimSpec } from '../core/persistentvolumeclaim/claim-spec.ts';
import { validatePersistentVolume } from '../core/persistentvolume/validation.ts';
import { validateEphemeralContainers } from '../core/pod/validation/container.ts';
import { validatePodTemplate } from '../core/pod/validation/pod-spec.ts';
import { validateResourceQuotaUpdate } from '../core/resourcequota/validation.ts';
import { validateEvent, validateNewEventChange } from '../events/event/validation.ts';
import { priorityLevelConfigurationStatusStrategy } from '../flowcontrol/prioritylevelconfiguration/strategy.ts';
import { networkPolicyStrategy } from '../networking/networkpolicy/strategy.ts';
import { validateIngress } from '../networking/ingress/validation.ts';
import { validateServiceCIDRUpdate } from '../networking/servicecidr/validation.ts';
import { validateResourceClaimTemplate } from '../resource/resourceclaimtemplate/validation.ts';
import { resourceSliceStrategy } from '../resource/resourceslice/strategy.ts';
import { validateResourceSlice } from '../resource/resourceslice/validation.ts';
import { csiDriverStrategy } from '../storage/csidriver/strategy.ts';
import { validateStorageClassChange } from '../storage/storageclass/validation.ts';
import { validateCSIStorageCapacityChange } from '../storage/csistoragecapacity/validation.ts';
import { internalForm, publishedForm } from './internal-form.ts';
import { FieldPath } from '@kubechain/apimachinery';
import { capabilitiesOf } from '../capabilities.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

/** An object as a body gives it. */
function given<T>(group: string, kind: string, members: object): T {
  const version = kind === 'HorizontalPodAutoscaler' ? 'v2' : 'v1';
  const text = JSON.stringify({ apiVersion: group === '' ? version : `${group}/${version}`, kind, ...members });
  return decodeJSON(Buffer.from(text), builtinScheme().kind({ group, version, kind }), {
    strict: 'Ignore',
    scheme: builtinScheme(),
    schemeName: 'x',
  }).object as T;
}
const pod = (spec: object): Pod => given('', 'Pod', { spec });
const template = (spec: object): NonNullable<PodTemplate['template']> =>
  given<PodTemplate>('', 'PodTemplate', { template: { spec } }).template ?? {};
const slice = (spec: object): ResourceSlice =>
  given('resource.k8s.io', 'ResourceSlice', {
    metadata: { name: 's' },
    spec: { driver: 'd.io', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, ...spec },
  });
const capacity = (members: object): CSIStorageCapacity =>
  given('storage.k8s.io', 'CSIStorageCapacity', { storageClassName: 's', ...members });
const event = (members: object): Event =>
  given('', 'Event', {
    metadata: { namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingComponent: 'a/b',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
    ...members,
  });
const eventsContext = { request: { requestInfo: { apiGroup: 'events.k8s.io' } } } as RESTContext;
const surroundings = {
  containers: [],
  initContainers: [],
  volumes: new Map(),
  claims: new Set<string>(),
  gracePeriodSeconds: 30,
  restartPolicy: 'Always',
  hostUsers: true,
  capabilities: unprivileged,
} as never;

const autoscaler = (): HorizontalPodAutoscaler => {
  const object = given<HorizontalPodAutoscaler>('autoscaling', 'HorizontalPodAutoscaler', {
    spec: {
      maxReplicas: 1,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      behavior: { scaleDown: { policies: [] } },
    },
  });
  defaultHorizontalPodAutoscaler(object);
  return object;
};

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  [
    'ports of an ephemeral container',
    () =>
      validateEphemeralContainers(
        pod({ ephemeralContainers: [{ ports: [], resources: { claims: [] } }] }).spec?.ephemeralContainers ?? [],
        FieldPath.of('e'),
        surroundings,
      ).filter(({ type }) => type === 'FieldValueForbidden'),
    'e[0].ports: Forbidden: cannot be set for an Ephemeral Container',
    'e[0].resources: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [
    'claims of a pod',
    () =>
      validatePodTemplate(template({ resources: { claims: [] } }), FieldPath.of('t'), unprivileged).filter(
        ({ type }) => type === 'FieldValueForbidden',
      ),
    't.spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
  ],
  [
    'an image of no name, which a template may have',
    () =>
      validatePodTemplate(
        template({ volumes: [{ name: 'v', image: { pullPolicy: 'Always' } }] }),
        FieldPath.of('t'),
        unprivileged,
      ).filter(({ field }) => field.includes('volumes')),
  ],
  [
    'policies of an autoscaler',
    () => validateHorizontalPodAutoscaler(autoscaler(), unprivileged),
    'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy',
  ],
  [
    'the capacity of a volume',
    () =>
      validatePersistentVolume(
        given<PersistentVolume>('', 'PersistentVolume', {
          spec: { capacity: {}, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
        }),
      ).filter(({ field }) => field === 'spec.capacity'),
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: {}: supported values: "storage"',
  ],
  [
    'rules of an ingress',
    () => validateIngress(given<Ingress>('networking.k8s.io', 'Ingress', { spec: { rules: [] } })),
    'spec: Invalid value: []: either `defaultBackend` or `rules` must be specified',
  ],
  [
    'scopes of a quota',
    () =>
      validateResourceQuotaUpdate(given<ResourceQuota>('', 'ResourceQuota', { spec: { scopes: [] } }), {
        spec: { scopes: ['BestEffort'] },
      }),
    'spec.scopes: Invalid value: []: field is immutable',
  ],
  [
    'parameters of a class',
    () =>
      validateStorageClassChange(
        given<StorageClass>('storage.k8s.io', 'StorageClass', {
          provisioner: 'p',
          reclaimPolicy: 'Delete',
          volumeBindingMode: 'Immediate',
          parameters: {},
        }),
        { provisioner: 'p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', parameters: { a: 'b' } },
      ),
    'parameters: Invalid value: {}: field is immutable',
  ],
  [
    'ranges of addresses',
    () =>
      validateServiceCIDRUpdate(given<ServiceCIDR>('networking.k8s.io', 'ServiceCIDR', { spec: { cidrs: [] } }), {
        spec: { cidrs: ['10.9.0.0/24'] },
      }),
    'spec.cidrs: Invalid value: []: field is immutable',
  ],
  [
    'metadata of a template',
    () =>
      validateResourceClaimTemplate(
        given<ResourceClaimTemplate>('resource.k8s.io', 'ResourceClaimTemplate', {
          spec: { metadata: { ownerReferences: [], finalizers: [] }, spec: {} },
        }),
      ),
    'spec.metadata.ownerReferences: Forbidden: cannot be set',
    'spec.metadata.finalizers: Forbidden: cannot be set',
  ],
  [
    'counters beside devices',
    () => validateResourceSlice(slice({ devices: [], sharedCounters: [] })),
    'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
  ],
  [
    'a selector of nodes without terms',
    () =>
      validateResourceSlice(slice({ nodeName: undefined, nodeSelector: {} })).filter(({ field }) =>
        field.endsWith('Terms'),
      ),
    'spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
    'spec.nodeSelector.nodeSelectorTerms: Invalid value: null: must have exactly one node selector term',
  ],
  [
    'a topology that was not there',
    () => validateCSIStorageCapacityChange(capacity({ nodeTopology: {} }), capacity({})),
    'nodeTopology: Invalid value: {}: field is immutable',
  ],
  [
    'what an event is related to',
    () => validateNewEventChange(event({ related: {} }), event({})),
    'related: Invalid value: {"Kind":"","Namespace":"","Name":"","UID":"","APIVersion":"",' +
      '"ResourceVersion":"","FieldPath":""}: field is immutable',
  ],
  [
    'the time of an event',
    () => [
      ...validateEvent(event({ eventTime: null }), eventsContext),
      ...validateNewEventChange(event({ eventTime: null }), event({})),
    ],
    'eventTime: Invalid value: null: field is immutable',
  ],
  [
    'the source of an event',
    () => validateNewEventChange(event({ source: { host: 'h' } }), event({})),
    'source: Invalid value: {"Component":"","Host":"h"}: field is immutable',
  ],
];

const storedPV = (azureFile: object): PersistentVolume =>
  ({
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      azureFile,
    },
  }) as unknown as PersistentVolume;

describe('what stored objects have null for', () => {
  it('is absent for the rules', () => {
    expect(
      validatePersistentVolume(storedPV({ secretName: 's', shareName: 'n', secretNamespace: null }))
        .map(String)
        .filter((text) => text.includes('azureFile')),
    ).to.deep.equal([]);
    const claim = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 's' },
    };
    const bad = {
      ...claim,
      dataSource: { apiGroup: 'Bad_', kind: 'K', name: 's' },
    } as unknown as PersistentVolumeClaimSpec;
    const naming = (apiGroup: string | null): PersistentVolumeClaimSpec =>
      ({ ...claim, dataSource: { apiGroup, kind: 'K', name: 's' } }) as unknown as PersistentVolumeClaimSpec;
    expect([
      validateClaimSpec(bad, FieldPath.of('spec'), naming('a.b')).length,
      validateClaimSpec(bad, FieldPath.of('spec'), naming(null)).length,
    ]).to.deep.equal([0, 1]);
    expect(
      validateClaimSpec(claim as unknown as PersistentVolumeClaimSpec, FieldPath.of('spec')).map(String),
    ).to.deep.equal([]);
  });
});

const generationAfter = (strategy: Strategy, object: KubeObject, old: KubeObject): number | undefined => {
  object.metadata = {
    ...object.metadata,
    ...(old.metadata?.generation === undefined ? {} : { generation: old.metadata.generation }),
  };
  void strategy.prepareForUpdate?.(object, old, {} as RESTContext);
  return object.metadata.generation;
};

describe('what a body gives without entries', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });

  it('is printed as such', () => {
    expect(
      internalForm(
        'core.ExecAction',
        pod({ containers: [{ livenessProbe: { exec: { command: [] } } }] }).spec?.containers[0]?.livenessProbe?.exec,
      ),
    ).to.deep.equal({ Command: [] });
    expect(internalForm('core.ExecAction', {})).to.deep.equal({ Command: null });
    expect(
      JSON.stringify(
        internalForm('core.PodTemplateSpec', {
          metadata: { ownerReferences: [{ blockOwnerDeletion: true, controller: false }] },
        }),
      ),
    ).to.match(
      /^\{"ownerReferences":\[\{"apiVersion":"","kind":"","name":"","uid":"","controller":false,"blockOwnerDeletion":true\}\],"Spec":/,
    );
    expect(JSON.stringify(publishedForm({ matchExpressions: [{}], matchLabels: { a: 'b' } }))).to.equal(
      '{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"","operator":""}]}',
    );
  });

  it('is a change where the reference compares exactly', () => {
    const policy = (spec: object): KubeObject =>
      given('networking.k8s.io', 'NetworkPolicy', {
        metadata: { name: 'p', generation: 1 },
        spec: { podSelector: {}, ...spec },
      });
    expect([
      generationAfter(networkPolicyStrategy(builtinRelease), policy({ egress: [] }), policy({})),
      generationAfter(networkPolicyStrategy(builtinRelease), policy({}), policy({})),
    ]).to.deep.equal([2, 1]);
    const hooks = (clientConfig: object): KubeObject =>
      given('admissionregistration.k8s.io', 'MutatingWebhookConfiguration', {
        metadata: { name: 'h', generation: 1 },
        webhooks: [{ name: 'a.b.c', clientConfig: { url: 'https://a', ...clientConfig } }],
      });
    expect(
      generationAfter(
        mutatingWebhookConfigurationStrategy({ featureEnabled: () => false, release: builtinRelease }),
        hooks({ caBundle: '' }),
        hooks({}),
      ),
    ).to.equal(2);
  });
});

describe('generations', () => {
  it('of drivers start with the first change', () => {
    const driver = (spec: object): KubeObject => ({ metadata: { name: 'd' }, spec });
    expect(generationAfter(csiDriverStrategy(unprivileged), driver({ podInfoOnMount: true }), driver({}))).to.equal(1);
    expect(generationAfter(csiDriverStrategy(unprivileged), driver({}), driver({}))).to.equal(undefined);
  });

  it('of slices count what is taken off as well', () => {
    const old = { ...slice({ devices: [{ name: 'd' }] }), metadata: { name: 's', generation: 1 } } as KubeObject;
    const asked = slice({
      devices: [{ name: 'd', nodeAllocatableResourceMappings: { a: { quantity: '1' } } }],
    }) as KubeObject;
    expect(generationAfter(resourceSliceStrategy(unprivileged), asked, old)).to.equal(2);
    expect(asked['spec'])
      .to.have.property('devices')
      .that.deep.equals([{ name: 'd' }]);
  });
});

describe('statuses of flow control', () => {
  it('leave all metadata but managed fields as they are, in the same object', () => {
    const old: KubeObject = {
      metadata: { name: 'p', uid: 'u', resourceVersion: '7', labels: { a: 'b' } },
      spec: { type: 'Exempt' },
    };
    const metadata = { name: 'p', uid: 'other', generateName: 'Bad_', managedFields: [{ manager: 'm' }] };
    const object: KubeObject = { metadata, spec: {} };
    void priorityLevelConfigurationStatusStrategy.prepareForUpdate?.(object, old, {} as RESTContext);
    expect(object.metadata)
      .to.equal(metadata)
      .and.to.deep.equal({ ...old.metadata, managedFields: [{ manager: 'm' }] });
  });
});
