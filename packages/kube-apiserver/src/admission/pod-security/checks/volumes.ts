import type { Volume } from '@kubechain/apimachinery/types/core/v1';
import type { Check, CheckPod } from '../check.ts';
import { plural, quoted, sortedOnce } from '../wording.ts';

type Source = Exclude<keyof Volume, 'name'>;

const allowed: readonly Source[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const restricted: readonly Source[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

const noHostPath: CheckPod = ({ spec: { volumes = [] } }) => {
  const bad = volumes.filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  return bad.length === 0
    ? undefined
    : { reason: 'hostPath volumes', detail: `${plural(bad.length, 'volume')} ${quoted(bad)}` };
};

const onlyAllowed: CheckPod = ({ spec: { volumes = [] } }) => {
  const bad = volumes.filter((volume) => allowed.every((source) => volume[source] === undefined));
  if (bad.length === 0) return undefined;
  const types = sortedOnce(bad.map((volume) => restricted.find((source) => volume[source] !== undefined) ?? 'unknown'));
  return {
    reason: 'restricted volume types',
    detail:
      `${plural(bad.length, 'volume')} ${quoted(bad.map(({ name }) => name))} ` +
      `${plural(bad.length, 'uses', 'use')} ${plural(types.length, 'restricted volume type')} ${quoted(types)}`,
  };
};

/** No directories of the node. */
export const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  level: 'baseline',
  revisions: [{ since: 0, check: noHostPath }],
};

/** Storage by claims, and what Kubernetes itself provides. */
export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  level: 'restricted',
  revisions: [{ since: 0, check: onlyAllowed, overrides: [hostPathVolumes.id] }],
};
