import { Logger } from '@kubechain/apiserver/logging';
import type { featureGatesOf } from '@kubechain/apiserver/options';
import { bootstrapPolicy, ensureBootstrapPolicy, withGatedRoles } from '@kubechain/apiserver/resources';
import type { GenericAPIServer, Security } from '@kubechain/apiserver/servers';
import { messageOf } from '@kubechain/apimachinery';
import type { BuiltInRegistry } from '../registry/registry-context.ts';

const log = new Logger('bootstrap');
const group = 'rbac.authorization.k8s.io';

/** Where default roles go, and which of them there are. */
export interface RBACHookOptions {
  readonly registry: BuiltInRegistry;
  readonly authorization: Security['authorization'];
  readonly gates: ReturnType<typeof featureGatesOf>;
}

/**
 * The hook that creates the default roles and bindings, and is done when the authorizer knows them
 * (pkg/registry/rbac/rest/storage_rbac.go, 1.36).
 */
export function addRBACHook(
  server: GenericAPIServer,
  { authorization, gates, registry: { storeOf } }: RBACHookOptions,
): void {
  const { clock, release } = server.config;
  server.addPostStartHook('rbac/bootstrap-roles', async ({ signal }) => {
    const clusterRoles = storeOf(group, 'clusterroles');
    await ensureBootstrapPolicy(
      {
        clusterRoles,
        clusterRoleBindings: storeOf(group, 'clusterrolebindings'),
        roles: storeOf(group, 'roles'),
        roleBindings: storeOf(group, 'rolebindings'),
      },
      withGatedRoles(bootstrapPolicy(release), (gate) => gates.enabled(gate), release),
      {
        scheme: clusterRoles.spec.scheme,
        signal,
        clock,
        onError: (error) => {
          log.warning('default roles', { error: messageOf(error) });
        },
      },
    );
    await authorization.waitForSync(signal);
  });
}
