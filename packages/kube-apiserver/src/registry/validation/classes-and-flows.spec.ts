import type { FieldError } from '@kubechain/apimachinery';
import type { ControllerRevision } from '@kubechain/apimachinery/types/apps/v1';
import type { FlowSchema, PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import type { RuntimeClass } from '@kubechain/apimachinery/types/node/v1';
import type { StorageClass, VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { defaultFlowSchemas, defaultPriorityLevels } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { validateControllerRevision, validateControllerRevisionUpdate } from '../apps/controllerrevision/validation.ts';
import { nodeWarnings } from '../core/node/warnings.ts';
import { secretWarnings } from '../core/secret/warnings.ts';
import { validateFlowSchema, validateFlowSchemaStatus } from '../flowcontrol/flowschema/validation.ts';
import { validatePriorityLevelConfiguration } from '../flowcontrol/prioritylevelconfiguration/validation.ts';
import {
  runtimeClassWarnings,
  validateRuntimeClass,
  validateRuntimeClassChange,
} from '../node/runtimeclass/validation.ts';
import { validatePriorityClass } from '../scheduling/priorityclass/validation.ts';
import {
  validateCSIStorageCapacity,
  validateCSIStorageCapacityChange,
} from '../storage/csistoragecapacity/validation.ts';
import {
  storageClassWarnings,
  validateStorageClass,
  validateStorageClassChange,
} from '../storage/storageclass/validation.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from '../storage/volumeattachment/validation.ts';
import {
  validateVolumeAttributesClass,
  validateVolumeAttributesClassChange,
} from '../storage/volumeattributesclass/validation.ts';

const user = { kind: 'User', user: { name: 'u' } };
const rule = (fields: object): object => ({ rules: [{ subjects: [user], ...fields }] });
const schema = (spec: object): FlowSchema =>
  ({
    metadata: { name: 's' },
    spec: { matchingPrecedence: 100, priorityLevelConfiguration: { name: 'l' }, ...spec },
  }) as FlowSchema;
const level = (limited: object): PriorityLevelConfiguration =>
  ({ metadata: { name: 'l' }, spec: { type: 'Limited', limited } }) as PriorityLevelConfiguration;
const queuing = (handSize: number, queues: number): object => ({
  limitResponse: { type: 'Queue', queuing: { handSize, queues, queueLengthLimit: 1 } },
});
const attachment = (source: object, nodeName = 'n'): VolumeAttachment =>
  ({ spec: { attacher: 'd', nodeName, source } }) as VolumeAttachment;
const storageClass = (fields: object): StorageClass =>
  ({ provisioner: 'p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...fields }) as StorageClass;
const zone = { key: 'zone', values: ['a'] };
const attributes = { driverName: 'd', parameters: { a: 'b' } };

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  [
    'a flow schema',
    () => validateFlowSchema(schema(rule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/', '/a/*'] }] }))),
  ],
  [
    'the schemas that clusters start with',
    () =>
      defaultFlowSchemas.flatMap(([name, spec]) =>
        validateFlowSchema({ metadata: { name }, spec } as unknown as FlowSchema),
      ),
  ],
  [
    'a fixed schema that changes',
    () => validateFlowSchema({ ...schema({}), metadata: { name: 'catch-all' } }),
    'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"l"},"MatchingPrecedence":100,' +
      '"DistinguisherMethod":null,"Rules":null}: spec of \'catch-all\' must equal the fixed value',
  ],
  [
    'a rule about nothing',
    () => validateFlowSchema(schema(rule({}))),
    'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
  ],
  [
    'a rule about a cluster alone, as it is stored',
    () =>
      validateFlowSchema(
        schema(
          rule({
            resourceRules: [
              { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: null as never },
            ],
          }),
        ),
      ),
  ],
  [
    'a path with a star inside',
    () => validateFlowSchema(schema(rule({ nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/a*'] }] }))),
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a*": wildcard can only do suffix matching',
  ],
  [
    'a subject of two kinds',
    () =>
      validateFlowSchema(
        schema({
          rules: [
            {
              subjects: [{ ...user, group: { name: 'g' } }],
              nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
            },
          ],
        }),
      ),
    "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
  ],
  [
    'a condition twice',
    () => validateFlowSchemaStatus({ status: { conditions: [{ type: 'A' }, { type: 'A' }] } } as FlowSchema),
    'status.conditions[1].type: Duplicate value: "A"',
  ],
  [
    'the levels that clusters start with',
    () =>
      defaultPriorityLevels.flatMap(([name, spec]) =>
        validatePriorityLevelConfiguration({ metadata: { name }, spec } as unknown as PriorityLevelConfiguration),
      ),
  ],
  [
    'an exempt level with another share',
    () =>
      validatePriorityLevelConfiguration({
        metadata: { name: 'exempt' },
        spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 7 } },
      }),
  ],
  [
    'a level that says nothing',
    () => validatePriorityLevelConfiguration({ metadata: { name: 'l' }, spec: { type: 'Limited' } }),
    'spec.limited: Required value: must not be empty when type is Limited',
  ],
  [
    'a level without a type, in 1.37',
    () =>
      validatePriorityLevelConfiguration(
        { metadata: { name: 'l' }, spec: { limited: {} } } as unknown as PriorityLevelConfiguration,
        { since: () => true },
      ),
    'spec.type: Required value',
    'spec.limited: Forbidden: must be nil if the type is not Limited',
  ],
  [
    'a hand larger than the deck',
    () => validatePriorityLevelConfiguration(level(queuing(5, 4))),
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 5: should not be greater than queues (4)',
  ],
  [
    'a hand of too many bits',
    () => validatePriorityLevelConfiguration(level(queuing(11, 64))),
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and ' +
      'handSize 11 should not be greater than 60',
  ],
  ['an attachment', () => validateVolumeAttachment(attachment({ persistentVolumeName: 'v' }))],
  [
    'an attachment of a described volume',
    () =>
      validateVolumeAttachment(
        attachment({ inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } } }),
      ),
  ],
  [
    'one with a claim',
    () =>
      validateVolumeAttachment(
        attachment({
          inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' }, claimRef: {} },
        }),
      ),
    'spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of inline volumes',
  ],
  [
    'an attachment elsewhere',
    () =>
      validateVolumeAttachmentUpdate(
        attachment({ persistentVolumeName: 'v' }, 'm'),
        attachment({ persistentVolumeName: 'v' }),
      ),
    'spec: Invalid value: {"Attacher":"d","Source":{"PersistentVolumeName":"v","InlineVolumeSpec":null},' +
      '"NodeName":"m"}: field is immutable',
  ],
  [
    'a storage class',
    () => validateStorageClass(storageClass({ allowedTopologies: [{ matchLabelExpressions: [zone] }] })),
  ],
  [
    'a zone twice',
    () => validateStorageClass(storageClass({ allowedTopologies: [{ matchLabelExpressions: [zone, zone] }] })),
    'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"',
  ],
  [
    'a storage class that recycles',
    () => validateStorageClass(storageClass({ reclaimPolicy: 'Recycle' })),
    'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
  ],
  [
    'another provisioner',
    () => validateStorageClassChange(storageClass({}), storageClass({ provisioner: 'q' })),
    'provisioner: Invalid value: "p": field is immutable',
  ],
  [
    'no attributes',
    () => validateVolumeAttributesClass({ driverName: 'd' }),
    'parameters: Required value: must contain at least one key/value pair',
  ],
  [
    'other attributes',
    () => validateVolumeAttributesClassChange(attributes, { ...attributes, parameters: { a: 'c' } }),
    'parameters: Forbidden: updates to parameters are forbidden.',
  ],
  [
    'less than nothing',
    () => validateCSIStorageCapacity({ storageClassName: 'c', capacity: '-1' }),
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'capacity of another class',
    () => validateCSIStorageCapacityChange({ storageClassName: 'd' }, { storageClassName: 'c' }),
    'storageClassName: Invalid value: "d": field is immutable',
  ],
  [
    'a revision of a list',
    () => validateControllerRevision({ revision: 1, data: [] } as unknown as ControllerRevision),
    'data: Required value: data must be a valid JSON object',
  ],
  [
    'a revision that is rewritten',
    () =>
      validateControllerRevisionUpdate(
        { revision: 2, data: { a: 1 } } as ControllerRevision,
        { revision: 1, data: { a: 2 } } as ControllerRevision,
      ),
    'data: Invalid value: {"a":1}: field is immutable',
  ],
  [
    'a class of the system',
    () => validatePriorityClass({ metadata: { name: 'system-node-critical' }, value: 1 }),
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. " +
      'error: value of system-node-critical PriorityClass must be 2000001000',
  ],
  [
    'an update without a handler',
    () => [...validateRuntimeClass({}), ...validateRuntimeClassChange({} as RuntimeClass, { handler: 'h' })],
    'handler: Required value',
    'handler: Invalid value: "": field is immutable',
  ],
  [
    'an update of a class of nobody',
    () => {
      const now = storageClass({ provisioner: '', parameters: { b: '2', a: '1' } });
      return [...validateStorageClass(now), ...validateStorageClassChange(now, storageClass({}))];
    },
    'provisioner: Required value',
    'parameters: Invalid value: {"a":"1","b":"2"}: field is immutable',
    'provisioner: Invalid value: "": field is immutable',
  ],
  [
    'the same topologies in another order',
    () =>
      validateStorageClass(
        storageClass({
          allowedTopologies: [
            { matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] },
            { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] },
          ],
        }),
      ),
    'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
  ],
  [
    'a toleration twice',
    () =>
      validateRuntimeClass({
        handler: 'h',
        scheduling: {
          tolerations: [
            { key: 'a', operator: 'Exists' },
            { key: 'a', operator: 'Exists' },
          ],
        },
      }),
    'scheduling.tolerations[1]: Duplicate value: ' +
      '{"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
  ],
];

describe('Rules of storage, flow control and classes', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });

  it('warn of labels and fields that are not used any more', () => {
    expect(
      storageClassWarnings(
        storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ ...zone, key: 'beta.kubernetes.io/os' }] }] }),
      ),
    ).to.deep.equal([
      'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
    expect(
      runtimeClassWarnings({ handler: 'h', scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } }),
    ).to.deep.equal(['scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead']);
    expect(nodeWarnings({ spec: { externalID: 'x' } })).to.deep.equal([
      'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    ]);
  });
});

describe('Warnings of TLS secrets', () => {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const cases: readonly (readonly [name: string, certificate: string, key: string, expected: string])[] = [
    ['no certificate', 'x', privateKey, 'tls: failed to find any PEM data in certificate input'],
    [
      'the key in its place',
      privateKey,
      privateKey,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs ' +
        'may have been switched',
    ],
    ['no key', broken, 'x', 'tls: failed to find any PEM data in key input'],
    [
      'the certificate in its place',
      broken,
      broken,
      'tls: found a certificate rather than a key in the PEM for the private key',
    ],
    ['a certificate that is none', broken, privateKey, 'x509: malformed certificate'],
  ];
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  for (const [name, certificate, key, expected] of cases) {
    it(name, () => {
      expect(
        secretWarnings({ type: 'kubernetes.io/tls', data: { 'tls.crt': base64(certificate), 'tls.key': base64(key) } }),
      ).to.deep.equal([expected]);
    });
  }
  it('are none of other secrets', () => {
    expect(secretWarnings({ type: 'Opaque' })).to.deep.equal([]);
  });
});
