import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { setOfTemplate, templateHashLabel } from './replica-sets.ts';
import { lastRevision, ownAnnotations, parseRevision, revisionOf, rollbackAnnotation } from './revision.ts';

/** What is told of a rollback. */
export interface RollbackEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The revision that a deployment asks to go back to, 0 for the last one; undefined where it asks for none. */
export function rollbackOf({ metadata }: Deployment): bigint | undefined {
  return parseRevision(metadata?.annotations?.[rollbackAnnotation] ?? '');
}

/**
 * A deployment as it is after it went back to a revision, or after it has been told that it cannot: in any case it
 * does not ask for it any more (pkg/controller/deployment/rollback.go, 1.36).
 * @param sets all of its sets, the newest with its revision
 */
export function rolledBack(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  asked: bigint,
): { readonly deployment: Deployment; readonly event: RollbackEvent } {
  const refused = (reason: string, message: string): ReturnType<typeof rolledBack> => ({
    deployment: withoutRequest(deployment),
    event: { type: 'Warning', reason, message },
  });
  const notFound = 'DeploymentRollbackRevisionNotFound';
  const revision = asked === 0n ? lastRevision(sets) : asked;
  if (revision === 0n) return refused(notFound, 'Unable to find last revision.');
  const set = sets.find((candidate) => revisionOf(candidate) === revision);
  if (set === undefined) return refused(notFound, 'Unable to find the revision to rollback to.');
  const name = JSON.stringify(deployment.metadata?.name ?? '');
  if (setOfTemplate([set], deployment.spec?.template ?? {}) !== undefined)
    return refused(
      'DeploymentRollbackTemplateUnchanged',
      `The rollback revision contains the same template as current deployment ${name}`,
    );
  return {
    deployment: withoutRequest(withTemplateOf(deployment, set)),
    event: {
      type: 'Normal',
      reason: 'DeploymentRollback',
      message: `Rolled back deployment ${name} to revision ${revision}`,
    },
  };
}

/** Its template and those annotations that came from the deployment: what the set was made of. */
function withTemplateOf(deployment: Deployment, set: ReplicaSet): Deployment {
  const template = set.spec?.template ?? {};
  const { [templateHashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  const kept = Object.entries(deployment.metadata?.annotations ?? {}).filter(([key]) => ownAnnotations.has(key));
  const taken = Object.entries(set.metadata?.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: Object.fromEntries([...kept, ...taken]) },
    spec: { ...deployment.spec!, template: { ...template, metadata: { ...template.metadata, labels } } },
  };
}

function withoutRequest(deployment: Deployment): Deployment {
  const { [rollbackAnnotation]: _asked, ...annotations } = deployment.metadata?.annotations ?? {};
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
