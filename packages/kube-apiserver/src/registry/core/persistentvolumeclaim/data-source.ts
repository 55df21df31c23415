import type { Capabilities } from '../../capabilities.ts';
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '@kubechain/apimachinery/types/core/v1';

/**
 * Brings the two ways to name what a claim is filled from into step: dataSource, which may name a claim or a snapshot
 * and is dropped otherwise, and dataSourceRef, which may name anything in the same namespace
 * (pkg/api/persistentvolumeclaim, 1.36), or in another one where CrossNamespaceVolumeDataSource is on. What an old
 * claim names stays.
 */
export function prepareDataSources(
  spec: PersistentVolumeClaimSpec,
  { enabled }: Pick<Capabilities, 'enabled'>,
  old?: PersistentVolumeClaimSpec,
): void {
  const foreign = enabled('CrossNamespaceVolumeDataSource');
  if (!foreign && (spec.dataSourceRef?.namespace ?? '') !== '' && old?.dataSourceRef === undefined)
    delete spec.dataSourceRef;
  const inUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!inUse && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  alignDataSources(spec);
}

/** Gives a claim that names its source in one field the other field. */
export function alignDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  else if (dataSource === undefined && dataSourceRef !== undefined && (dataSourceRef.namespace ?? '') === '') {
    const { namespace: _namespace, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function isClaimOrSnapshot(source: TypedLocalObjectReference | undefined): boolean {
  const group = source?.apiGroup ?? '';
  return (
    (source?.kind === 'PersistentVolumeClaim' && group === '') ||
    (source?.kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}
