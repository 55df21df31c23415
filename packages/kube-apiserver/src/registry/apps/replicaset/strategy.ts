import { FieldPath } from '@kubechain/apimachinery';
import type { ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { podNameWarnings, templateWarnings } from '../../core/pod/warnings.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { forgiving } from '../../core/pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { validateReplicaStatus } from '../../validation/replica-status.ts';
import { validateReplicaSet, validateReplicaSetUpdate } from './validation.ts';

const templatePath = FieldPath.of('spec', 'template');

/** ReplicaSet: what its spec's endpoint does beyond the generic registry. */
export const replicaSetStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (replicaSet) => (replicaSet as ReplicaSet).spec?.template },
    generation: 'spec',
    status: true,
    ...validated<ReplicaSet>({
      create: (object) => validateReplicaSet(object, capabilities),
      update: (object, old) =>
        forgiving(capabilities, old.spec?.template, (lenient) => validateReplicaSetUpdate(object, old, lenient)),
    }),
    warningsOnCreate: (replicaSet) => [
      ...podNameWarnings(replicaSet.metadata?.name),
      ...templateWarnings((replicaSet as ReplicaSet).spec?.template, templatePath),
    ],
    warningsOnUpdate: (replicaSet, old) =>
      replicaSet.metadata?.generation === old.metadata?.generation
        ? []
        : templateWarnings((replicaSet as ReplicaSet).spec?.template, templatePath),
  });

/** ReplicaSet's status endpoint. */
export const replicaSetStatusStrategy = statusStrategy({ hooks: validated({ update: validateReplicaStatus }) });
