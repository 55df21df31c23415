import {
  FieldPath,
  badRequest,
  ensureMeta,
  invalid,
  invalidValue,
  required,
  validateAnnotations,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { RESTStorage, Store } from '@kubechain/apiserver/resources';
import { createOnly } from '../create-only.ts';

/** Where apps/v1 keeps what other versions had as spec.rollbackTo; the deployment controller acts on it. */
const rollbackAnnotation = 'deprecated.deployment.rollback.to';

interface DeploymentRollback {
  readonly name?: string;
  readonly updatedAnnotations?: Readonly<Record<string, string>>;
  readonly rollbackTo?: { readonly revision?: number };
}

/**
 * deployments/rollback, which takes a DeploymentRollback and asks the deployment controller for an old revision
 * (RollbackREST of pkg/registry/apps/deployment/storage, 1.15).
 */
export function deploymentRollback(deployments: Store): RESTStorage {
  return createOnly({
    kind: 'DeploymentRollback',
    namespaced: true,
    check(object, name) {
      const rollback = object as DeploymentRollback;
      const errors = validate(rollback);
      if (errors.length > 0) throw invalid({ group: 'apps', kind: 'DeploymentRollback' }, rollback.name ?? '', errors);
      if (rollback.name !== name) throw badRequest('name in URL does not match name in DeploymentRollback object');
    },
    async answer(object, name, context) {
      const { rollbackTo = {}, updatedAnnotations = {} } = object as DeploymentRollback;
      const added = { ...updatedAnnotations, [rollbackAnnotation]: String(rollbackTo.revision ?? 0) };
      await deployments.update(
        context,
        name,
        {
          preconditions: undefined,
          updatedObject(_call, old) {
            const deployment = structuredClone(old);
            const metadata = ensureMeta(deployment);
            metadata.annotations = { ...metadata.annotations, ...added };
            return deployment;
          },
        },
        {
          ...context.options,
          forceAllowCreate: false,
          validateCreate: () => undefined,
          validateUpdate: () => undefined,
        },
      );
      return {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        message: `rollback request for deployment ${JSON.stringify(name)} succeeded`,
        code: 200,
      } satisfies KubeObject;
    },
  });
}

function validate({ name = '', rollbackTo, updatedAnnotations }: DeploymentRollback): FieldError[] {
  const revision = rollbackTo?.revision ?? 0;
  return [
    ...validateAnnotations(updatedAnnotations ?? {}, FieldPath.of('updatedAnnotations')),
    ...(name === '' ? [required(FieldPath.of('name'), 'name is required')] : []),
    ...(revision < 0
      ? [invalidValue(FieldPath.of('rollback').child('version'), revision, 'must be greater than or equal to 0')]
      : []),
  ];
}
