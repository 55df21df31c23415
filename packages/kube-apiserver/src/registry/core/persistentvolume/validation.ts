import {
  append,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  notSupported,
  printed,
  Quantity,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from '@kubechain/apimachinery/types/core/v1';
import { posix } from 'node:path';
import { semanticEqual } from '../../semantic-equal.ts';
import { immutable } from '../../validation/immutable.ts';
import { internalDiff } from '../../validation/internal-diff.ts';
import { internalForm, publishedForm } from '../../validation/internal-form.ts';
import { filled, format } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { validateAccessModes } from '../access-modes.ts';
import { volumeMode } from '../persistentvolumeclaim/claim-spec.ts';
import { hasUnlabelableValue, validateNodeSelector } from '../pod/validation/node-selector.ts';
import { validateVolumeAmount } from '../resource-name.ts';
import { sameNodes } from './node-labels.ts';
import { persistentSourceRules, volumeSources } from './source-rules.ts';
import type { Capabilities } from '../../capabilities.ts';

const specPath = FieldPath.of('spec');
const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const mountOptions = 'volume.beta.kubernetes.io/mount-options';
/** Volumes that are mounted with options. */
const takesMountOptions = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;
/** Where errors spell a source otherwise than its field: of a second one, and of what is inside. */
const spelled: Readonly<Record<string, string>> = { cephfs: 'cephFS' };
const insideSpelled: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const inlineOnly = 'in the context of inline volumes';

/** Rules of new volumes (ValidatePersistentVolume of pkg/apis/core/validation and of pkg/volume/validation, 1.36). */
export function validatePersistentVolume(
  { metadata, spec = {} }: PersistentVolume,
  rules: Pick<VolumeSpecOptions, 'checkNodeValues'> = {},
): FieldError[] {
  const options =
    metadata?.annotations?.[mountOptions] !== undefined &&
    takesMountOptions.every((source) => spec[source] === undefined);
  return [
    ...validateVolumeSpec(spec, specPath, { volumeName: metadata?.name ?? '', ...rules }),
    ...(options
      ? [
          forbiddenValue(
            FieldPath.of('metadata', 'annotations', mountOptions),
            'may not specify mount options for this volume type',
          ),
        ]
      : []),
  ];
}

/** Rules of the new volume of an update. */
export function validatePersistentVolumeUpdate(volume: PersistentVolume, old: PersistentVolume): FieldError[] {
  return validatePersistentVolume(volume, nodeValues(old));
}

/** Rules of a change, which look at the new volume once more: where the data is stays (ValidatePersistentVolumeUpdate). */
export function validatePersistentVolumeChange(
  volume: PersistentVolume,
  old: PersistentVolume,
  { enabled }: Pick<Capabilities, 'enabled'>,
): FieldError[] {
  const spec = volume.spec ?? {};
  const before = old.spec ?? {};
  const source = sourceOf(withoutNewSecret(spec, before));
  const removed = before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined;
  return [
    ...validateVolumeSpec(spec, specPath, { volumeName: volume.metadata?.name ?? '', ...nodeValues(old) }),
    ...(semanticEqual(source, sourceOf(before))
      ? []
      : [
          forbiddenValue(
            'spec.persistentvolumesource',
            'spec.persistentvolumesource is immutable after ' +
              `creation\n${internalDiff('core.PersistentVolumeSource', { before: sourceOf(before), after: source })}`,
          ),
        ]),
    ...immutable('volumeMode', spec.volumeMode, before.volumeMode),
    ...(enabled('MutablePVNodeAffinity') ? [] : validateAffinityUpdate(spec.nodeAffinity, before.nodeAffinity)),
    ...(removed
      ? [forbiddenValue('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')]
      : []),
  ];
}

/** Nodes that were asked for by values that no label can have may be asked for on. */
function nodeValues({ spec }: PersistentVolume): Required<Pick<VolumeSpecOptions, 'checkNodeValues'>> {
  return { checkNodeValues: !hasUnlabelableValue(spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []) };
}

export interface VolumeSpecOptions {
  /** '' in an attachment, which describes a volume that has no object. */
  readonly volumeName: string;
  /** The volume is described where it is used: of a CSI driver, and with no claim. */
  readonly inline?: boolean;
  /** Whether nodes are asked for by values that labels can have. Default: true. */
  readonly checkNodeValues?: boolean;
}

/** Rules of what a volume is, as an object of its own or described in an attachment (ValidatePersistentVolumeSpec). */
export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  path: FieldPath,
  { checkNodeValues = true, inline = false, volumeName }: VolumeSpecOptions,
): FieldError[] {
  const modes = path.child('accessModes');
  const errors: FieldError[] = [];
  const notInline = (field: keyof PersistentVolumeSpec): FieldError =>
    forbiddenValue(path.child(field), `may not be specified ${inlineOnly}`);
  if (inline) {
    if (spec.claimRef !== undefined) errors.push(notInline('claimRef'));
    if (Object.keys(spec.capacity ?? {}).length > 0) errors.push(notInline('capacity'));
    if (spec.csi === undefined) errors.push(required(path.child('csi'), `has to be specified ${inlineOnly}`));
  }
  append(
    errors,
    (spec.accessModes?.length ?? 0) === 0 ? [required(modes)] : validateAccessModes(spec.accessModes, modes),
  );
  if (!inline) append(errors, validateCapacity(spec, path.child('capacity')));
  append(errors, validatePolicy(spec, path.child('persistentVolumeReclaimPolicy'), inline));
  if (spec.nodeAffinity !== undefined)
    append(
      errors,
      inline
        ? [notInline('nodeAffinity')]
        : validateAffinity(spec.nodeAffinity, path.child('nodeAffinity'), { checkValues: checkNodeValues }),
    );
  append(errors, validateSource(spec, path, volumeName));
  if (
    spec.hostPath !== undefined &&
    /^\/+$/.test(posix.normalize(spec.hostPath.path || '.')) &&
    spec.persistentVolumeReclaimPolicy === 'Recycle'
  ) {
    errors.push(
      forbiddenValue(path.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'"),
    );
  }
  if ((spec.storageClassName ?? '') !== '')
    append(
      errors,
      inline
        ? [notInline('storageClassName')]
        : filled(format(isDNS1123Subdomain))(spec.storageClassName, path.child('storageClassName')),
    );
  if (!inline) append(errors, volumeMode(spec.volumeMode, path.child('volumeMode')));
  else if (spec.volumeMode !== undefined && spec.volumeMode !== 'Filesystem')
    errors.push(
      forbiddenValue(path.child('volumeMode'), `may not specify volumeMode other than Filesystem ${inlineOnly}`),
    );
  return inline ? errors : [...errors, ...validateAttributesClass(spec, path)];
}

function validateCapacity(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const { capacity } = spec;
  const names = Object.keys(capacity ?? {}).sort();
  return [
    ...(names.length === 0 ? [required(path)] : []),
    ...(names.length === 1 && names[0] === 'storage'
      ? []
      : [notSupported(path, publishedForm(printed(spec, 'capacity')), ['storage'])]),
    ...names.flatMap((name) => {
      const text = capacity?.[name] ?? '0';
      return [
        ...validateVolumeAmount(text, path.key(name)),
        ...(Quantity.parse(text).sign > 0 ? [] : [invalidValue(path.key(name), text, 'must be greater than zero')]),
      ];
    }),
  ];
}

function validatePolicy(
  { persistentVolumeReclaimPolicy: policy }: PersistentVolumeSpec,
  path: FieldPath,
  inline: boolean,
): FieldError[] {
  if (policy === undefined) return [];
  if (inline) return policy === 'Retain' ? [] : [forbiddenValue(path, `may only be Retain ${inlineOnly}`)];
  return reclaimPolicies.includes(policy) ? [] : [notSupported(path, policy, reclaimPolicies)];
}

function validateAffinity(
  affinity: VolumeNodeAffinity,
  path: FieldPath,
  rules: { readonly checkValues: boolean },
): FieldError[] {
  const at = path.child('required');
  return affinity.required === undefined
    ? [required(at, 'must specify required node constraints')]
    : validateNodeSelector(affinity.required, at, rules);
}

function validateSource(spec: PersistentVolumeSpec, path: FieldPath, volumeName: string): FieldError[] {
  const given = volumeSources.filter((source) => spec[source] !== undefined);
  const rules = persistentSourceRules(volumeName);
  const check = (source: (typeof volumeSources)[number]): FieldError[] =>
    (rules[source] as Rule<unknown>)(spec[source], path.child(insideSpelled[source] ?? source));
  if (given.length === 0) return [required(path, 'must specify a volume type')];
  return given.flatMap((source, i) => {
    // A flexVolume is never one too many.
    if (i > 0 && source !== 'flexVolume')
      return [forbiddenValue(path.child(spelled[source] ?? source), 'may not specify more than 1 volume type')];
    const adrift = source === 'local' && spec.nodeAffinity === undefined;
    return [
      ...check(source),
      ...(adrift ? [required(path.child('nodeAffinity'), 'Local volume requires node affinity')] : []),
    ];
  });
}

function validateAttributesClass(
  { csi, volumeAttributesClassName: name }: PersistentVolumeSpec,
  path: FieldPath,
): FieldError[] {
  if (name === undefined) return [];
  const at = path.child('volumeAttributesClassName');
  return [
    ...(name === '' ? [required(at, 'an empty string is disallowed')] : format(isDNS1123Subdomain)(name, at)),
    ...(csi === undefined
      ? [required(path.child('csi'), 'has to be specified when using volumeAttributesClassName')]
      : []),
  ];
}

/** Where a volume can be used stays once it is said; labels of nodes may get the names that they have by now. */
function validateAffinityUpdate(
  affinity: VolumeNodeAffinity | undefined,
  old: VolumeNodeAffinity | undefined,
): FieldError[] {
  if (old === undefined || sameNodes(affinity, old)) return [];
  return [
    invalidValue(
      'nodeAffinity',
      affinity === undefined ? null : internalForm('core.VolumeNodeAffinity', affinity),
      'field is immutable, except for updating from beta label to GA',
    ),
  ];
}

/** The spec as it is compared: a secret for growing the volume may be named later. */
function withoutNewSecret(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): PersistentVolumeSpec {
  if (
    spec.csi?.controllerExpandSecretRef === undefined ||
    before.csi === undefined ||
    before.csi.controllerExpandSecretRef !== undefined
  )
    return spec;
  const { controllerExpandSecretRef: _secret, ...csi } = spec.csi;
  return { ...spec, csi };
}

function sourceOf(spec: PersistentVolumeSpec): PersistentVolumeSpec {
  return Object.fromEntries(
    volumeSources.filter((source) => spec[source] !== undefined).map((source) => [source, spec[source]]),
  );
}
