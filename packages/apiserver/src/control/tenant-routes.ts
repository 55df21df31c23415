import { parseJSON } from '@kubechain/apimachinery';
import { created, ok, refusal } from './control-call.ts';
import type { ControlRoute } from './control-route.ts';
import { listOf, objectOf, refTo } from './control-schemas.ts';
import { TenantError, type TenantKeeper } from './tenant-keeper.ts';

/** Whoever has tenants; undefined where there can be none. */
export interface HasTenants {
  readonly tenants: TenantKeeper | undefined;
}

/** Calls about tenants. Those of a tenant's own control API are below `/v1/tenants/NAME/`. */
export const tenantRoutes: readonly ControlRoute<HasTenants>[] = [
  {
    method: 'GET',
    path: '/v1/tenants',
    summary: 'The tenants that there are. Every call of this API is there below /v1/tenants/{name}/… for each.',
    answers: objectOf({ tenants: listOf(refTo('Tenant')) }),
    handle: async ({ tenants }) => ok({ tenants: (await tenants?.list()) ?? [] }),
  },
  {
    method: 'POST',
    path: '/v1/tenants',
    summary: 'Makes a tenant, a chain of its own on the port of this one; answered when it is ready.',
    takes: objectOf({ name: { type: 'string' } }),
    answers: refTo('Tenant'),
    status: 201,
    handle: async ({ tenants }, { body }) => {
      const { name } = parseJSON(body) as { readonly name?: unknown };
      if (tenants === undefined) throw new TenantError('there are tenants where kubechain runs all processes');
      if (typeof name !== 'string') throw new TenantError('name must be a text');
      return created(await tenants.create(name));
    },
  },
  {
    method: 'DELETE',
    path: '/v1/tenants/{name}',
    summary: 'Ends a tenant, with all that it holds.',
    answers: refTo('None'),
    handle: async ({ tenants }, _call, { name = '' }) =>
      (await tenants?.remove(name)) === true ? ok({}) : noTenant(name),
  },
];

/** The answer for one that is not there. */
export function noTenant(name: string): ReturnType<typeof refusal> {
  return refusal(404, `there is no tenant ${JSON.stringify(name)}`);
}
