import type { KubeObject } from '@kubechain/apimachinery';
import type { ServiceAccount } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';

/** ServiceAccounts: of references to secrets, the name is kept (pkg/registry/core/serviceaccount/strategy.go, 1.36). */
export const serviceAccountStrategy = specStrategy({ prepareForCreate: keepSecretNames, prepareForUpdate: keepSecretNames });

function keepSecretNames(object: KubeObject): void {
  const account = object as ServiceAccount;
  if (account.secrets !== undefined) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
