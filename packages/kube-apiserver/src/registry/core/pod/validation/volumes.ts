import {
  append,
  duplicate,
  forbiddenValue,
  goQuote,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { Volume } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { each, needed } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';
import { validateProjected } from './projected-volume.ts';
import { sourceRules } from './volume-sources.ts';

/** Sources in the order in which the reference looks for them: the first wins, and the others are refused. */
const sources = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const;
/** Fields that the reference's errors spell otherwise. */
const spelled: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
/** Where errors inside a source say another name than the field's. */
const insideSpelled: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const maxPortal = 64;

/**
 * Whose volumes they are: `podName` is '' for templates, which may leave the reference of an image to what makes pods
 * of them.
 */
interface VolumesOwner extends Pick<Capabilities, 'forgives'> {
  readonly isPod: boolean;
  readonly podName: string;
}

/** Volumes of a pod; gives those that mounts may refer to (ValidateVolumes of pkg/apis/core/validation, 1.36). */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  path: FieldPath,
  { forgives, isPod, podName }: VolumesOwner,
): { readonly errors: FieldError[]; readonly byName: ReadonlyMap<string, Volume> } {
  const errors: FieldError[] = [];
  const byName = new Map<string, Volume>();
  const claims = new Set(
    podName === ''
      ? []
      : (volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`),
  );
  (volumes ?? []).forEach((volume, i) => {
    const at = path.index(i);
    const name = volume.name || '';
    const own = validateSource(volume, at, { isPod, podName, forgives });
    if (name === '') own.push(required(at.child('name')));
    else
      append(
        own,
        isDNS1123Label(name).map((message) => invalidValue(at.child('name'), name, message)),
      );
    if (byName.has(name)) own.push(duplicate(at.child('name'), name));
    if (own.length === 0) byName.set(name, volume);
    append(errors, own);
    const claim = volume.persistentVolumeClaim?.claimName ?? '';
    if (claims.has(claim))
      errors.push(
        invalidValue(
          at.child('persistentVolumeClaim', 'claimName'),
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
  });
  return { errors, byName };
}

/** The claim that is made for a volume is named for the pod and the volume. */
function validateClaimName(name: string, podName: string, path: FieldPath): FieldError[] {
  if (name === '' || podName === '') return [];
  const claim = `${podName}-${name}`;
  return isDNS1123Subdomain(claim).map((message) =>
    invalidValue(path.child('name'), name, `PVC name ${goQuote(claim)}: ${message}`),
  );
}

function validateSource(volume: Volume, path: FieldPath, { forgives, isPod, podName }: VolumesOwner): FieldError[] {
  const given = sources.filter((source) => volume[source] !== undefined);
  const [first] = given;
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const claim = first === 'ephemeral' ? validateClaimName(volume.name || '', podName, path) : [];
  return each(given, (source) =>
    source === first
      ? [
          ...(isPod && source === 'image' ? needed()(volume.image?.reference, path.child('image', 'reference')) : []),
          ...(first === 'projected'
            ? validateProjected(volume.projected!, path.child('projected'), { forgives })
            : validateFirst(volume, first, path)),
          ...claim,
        ]
      : [forbiddenValue(path.child(spelled[source] ?? source), 'may not specify more than 1 volume type')],
  );
}

function validateFirst(volume: Volume, source: (typeof sources)[number], path: FieldPath): FieldError[] {
  if (source === 'emptyDir')
    return volume.emptyDir?.sizeLimit?.startsWith('-') === true
      ? [forbiddenValue(path.child('emptyDir', 'sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
      : [];
  const rule = sourceRules[source] as Rule<unknown> | undefined;
  const errors = rule?.(volume[source], path.child(insideSpelled[source] ?? source)) ?? [];
  if (volume.iscsi?.initiatorName !== undefined && `${volume.name}:${volume.iscsi.targetPortal}`.length > maxPortal)
    errors.push(
      invalidValue(
        path.child('name'),
        volume.name,
        'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if ' +
          'iscsi.initiatorName is specified.',
      ),
    );
  return errors;
}
