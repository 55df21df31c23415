import type { Deployment, DeploymentSpec } from '@kubechain/apimachinery/types/apps/v1';
import { defaultPodTemplate } from '../../core/pod/pod-spec-defaults.ts';

const rollbackAnnotation = 'deprecated.deployment.rollback.to';

/** Defaults of deployments (pkg/apis/apps/v1, 1.36). */
export function defaultDeployment(deployment: Deployment): void {
  const annotations = deployment.metadata?.annotations;
  if (annotations?.[rollbackAnnotation] === '') delete annotations[rollbackAnnotation];
  const spec = (deployment.spec ??= {} as DeploymentSpec);
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const update = (strategy.rollingUpdate ??= {});
    update.maxUnavailable ??= '25%';
    update.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  defaultPodTemplate((spec.template ??= {}));
}
