import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { canonicalizeNode } from './defaults.ts';
import { validateNode, validateNodeUpdate } from './validation.ts';
import { nodeWarnings } from './warnings.ts';

/**
 * Nodes: a kubelet registers its node with its status; configuration from ConfigMaps is no more
 * (pkg/registry/core/node/strategy.go, 1.36).
 */
export const nodeStrategy = specStrategy({
  status: 'created',
  ...validated({ create: validateNode, update: validateNode, change: validateNodeUpdate }),
  warningsOnCreate: (node) => nodeWarnings(node as Node),
  warningsOnUpdate: (node) => nodeWarnings(node as Node),
  prepareForCreate(object) {
    const { spec, status } = object as Node;
    delete spec?.configSource;
    delete status?.config;
  },
  prepareForUpdate(object, old) {
    if ((old as Node).spec?.configSource === undefined) delete (object as Node).spec?.configSource;
  },
  canonicalize: (node) => canonicalizeNode(node as Node),
});

/** Node's status endpoint. */
export const nodeStatusStrategy = statusStrategy({
  hooks: {
    ...validated({ update: validateNodeUpdate }),
    prepareForUpdate(object, old) {
      if ((old as Node).status?.config === undefined) delete (object as Node).status?.config;
    },
    canonicalize: (node) => canonicalizeNode(node as Node),
  },
});
