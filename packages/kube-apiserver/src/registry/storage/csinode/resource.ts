import type { KubeObject } from '@kubechain/apimachinery';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateCSINode, validateCSINodeUpdate } from './validation.ts';
import { printCSINode } from '../table.ts';
import { storedResource } from '../../resource.ts';

interface WithStatus extends KubeObject {
  status?: { storageHealth?: readonly unknown[] };
}

/** What is behind a feature gate that is off (CSIVolumeHealth) goes, unless it is there already. */
function dropDisabledStatus(node: WithStatus, old: WithStatus): void {
  if ((old.status?.storageHealth?.length ?? 0) === 0) delete node.status?.storageHealth;
}

/** Serves csinodes, since 1.37 with status. */
export const csiNodeResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'csinodes',
  returnDeletedObject: true,
  strategy: ({ release }) =>
    specStrategy({
      ...validated({ create: validateCSINode, update: validateCSINodeUpdate }),
      status: release.since('1.37'),
      allowUnconditionalUpdate: false,
    }),
  status: statusStrategy({
    resetMetadata: true,
    hooks: { allowUnconditionalUpdate: false, prepareForUpdate: dropDisabledStatus },
  }),
  row: printCSINode,
});
