import { FieldPath } from '@kubechain/apimachinery';
import type { Deployment } from '@kubechain/apimachinery/types/apps/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { forgiving } from '../../core/pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { validateDeploymentStatus } from '../../validation/replica-status.ts';
import { podNameWarnings, templateWarnings } from '../../core/pod/warnings.ts';
import { validateDeployment, validateDeploymentUpdate } from './validation.ts';

const templatePath = FieldPath.of('spec', 'template');

/** Deployment: what its spec's endpoint does beyond the generic registry. */
export const deploymentStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (deployment) => (deployment as Deployment).spec?.template },
    generation: 'spec+annotations',
    status: true,
    ...validated<Deployment>({
      create: (object) => validateDeployment(object, capabilities),
      update: (object, old) =>
        forgiving(capabilities, old.spec?.template, (lenient) => validateDeploymentUpdate(object, old, lenient)),
    }),
    warningsOnCreate: (deployment) => [
      ...podNameWarnings(deployment.metadata?.name),
      ...templateWarnings((deployment as Deployment).spec?.template, templatePath),
    ],
    warningsOnUpdate: (deployment, old) =>
      deployment.metadata?.generation === old.metadata?.generation
        ? []
        : templateWarnings((deployment as Deployment).spec?.template, templatePath),
  });

/** Deployment's status endpoint. */
export const deploymentStatusStrategy = statusStrategy({
  keepLabels: true,
  hooks: validated({ update: validateDeploymentStatus }),
});
