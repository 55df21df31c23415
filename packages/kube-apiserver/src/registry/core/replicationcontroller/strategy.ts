import { FieldPath, nameIsLongName } from '@kubechain/apimachinery';
import type { ReplicationController } from '@kubechain/apimachinery/types/core/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { validateReplicaStatus } from '../../validation/replica-status.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { takeTemplateLabels } from '../../template-labels.ts';
import { forgiving } from '../pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { podNameWarnings, templateWarnings } from '../pod/warnings.ts';
import { validateReplicationController } from './validation.ts';

const templatePath = FieldPath.of('spec', 'template');

/**
 * ReplicationController: an update warns of the template that it replaces, as the reference does
 * (pkg/registry/core/replicationcontroller/strategy.go, 1.36).
 */
export const replicationControllerStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (controller) => (controller as ReplicationController).spec?.template },
    generation: 'spec',
    status: true,
    validateName: nameIsLongName,
    garbageCollectionPolicy: 'OrphanDependents',
    canonicalize: takeTemplateLabels,
    ...validated<ReplicationController>({
      create: (object) => validateReplicationController(object, capabilities),
      update: (object, old) =>
        forgiving(capabilities, old.spec?.template, (lenient) => validateReplicationController(object, lenient)),
    }),
    warningsOnCreate: (controller) => [
      ...podNameWarnings(controller.metadata?.name),
      ...templateWarnings((controller as ReplicationController).spec?.template, templatePath),
    ],
    warningsOnUpdate: (controller, old) =>
      controller.metadata?.generation === old.metadata?.generation
        ? []
        : templateWarnings((old as ReplicationController).spec?.template, templatePath),
  });

/** ReplicationController's status endpoint. */
export const replicationControllerStatusStrategy = statusStrategy({
  hooks: { ...validated({ update: validateReplicaStatus }), canonicalize: takeTemplateLabels },
});
