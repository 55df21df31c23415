import type { KubeObject } from '@kubechain/apimachinery';
import type { ServiceAccount } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';

/** ServiceAccounts: of references to secrets, the name is kept (pkg/registry/core/serviceaccount/strategy.go, 1.36). */
export const serviceAccountStrategy = specStrategy({
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warningsOnCreate: (object) => mountableSecretsWarnings(object),
  warningsOnUpdate: (object, old) => (enforces(old) ? [] : mountableSecretsWarnings(object)),
});

const enforceMountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

function enforces({ metadata }: KubeObject): boolean {
  return metadata?.annotations?.[enforceMountableSecrets] !== undefined;
}

function mountableSecretsWarnings(object: KubeObject): readonly string[] {
  return enforces(object)
    ? [
        `metadata.annotations[${enforceMountableSecrets}]: deprecated in v1.32+; prefer separate namespaces ` +
          'to isolate access to mounted secrets',
      ]
    : [];
}

function keepSecretNames(object: KubeObject): void {
  const account = object as ServiceAccount;
  if (account.secrets !== undefined)
    account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
