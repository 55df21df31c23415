import { messageOf } from '@kubechain/apimachinery';
import { SnapshotFileError } from '@kubechain/shared-storage/snapshots';
import { BodyRecordingError } from './body-recorder.ts';
import { ClockCallError } from './clock-call.ts';
import { ok, refusal, type ControlAnswer, type ControlCall } from './control-call.ts';
import { controlDocument } from './control-document.ts';
import type { ControlRoute, PathParameters } from './control-route.ts';
import { controlRoutes } from './control-routes.ts';
import { UnknownSnapshotError, type Control } from './control.ts';
import { FaultRuleError } from './fault-rule.ts';
import { TenantError, type TenantKeeper } from './tenant-keeper.ts';
import { noTenant, tenantRoutes, type HasTenants } from './tenant-routes.ts';

/** Where the API's own description is. */
const documentPath = '/openapi/v3';

/** Answers the calls of docs/control-api.md. Never throws. */
export function answerControlCall(control: Control, call: ControlCall): Promise<ControlAnswer> {
  return answer(control, controlRoutes, call);
}

/** Answers those that are about tenants, for a process that has nothing else. Never throws. */
export function answerTenantsCall(tenants: TenantKeeper, call: ControlCall): Promise<ControlAnswer> {
  return answer({ tenants }, tenantRoutes, call);
}

async function answer<Of extends HasTenants>(
  of: Of,
  routes: readonly ControlRoute<Of>[],
  call: ControlCall,
): Promise<ControlAnswer> {
  try {
    if (call.method === 'GET' && call.path === documentPath) return ok(controlDocument());
    const [, name, rest] = /^\/v1\/tenants\/([^/]+)(\/.+)$/.exec(call.path) ?? [];
    if (name !== undefined && rest !== undefined)
      return await ofTenant(of, decodeURIComponent(name), { ...call, path: `/v1${rest}` });
    const matched = match(routes, call);
    if (matched === undefined) return refusal(404, `there is nothing at ${call.method} ${call.path}`);
    return await matched.route.handle(of, call, matched.parameters);
  } catch (error) {
    if (error instanceof UnknownSnapshotError) return refusal(404, error.message);
    if (
      error instanceof BodyRecordingError ||
      error instanceof ClockCallError ||
      error instanceof FaultRuleError ||
      error instanceof SnapshotFileError ||
      error instanceof SyntaxError ||
      error instanceof TenantError ||
      error instanceof URIError
    )
      return refusal(400, error.message);
    return refusal(500, messageOf(error));
  }
}

async function ofTenant({ tenants }: HasTenants, name: string, call: ControlCall): Promise<ControlAnswer> {
  return (await tenants?.answer(name, call)) ?? noTenant(name);
}

/** The first that fits: what is written out stands before what is a parameter. */
function match<Of>(
  routes: readonly ControlRoute<Of>[],
  { method, path }: ControlCall,
): { readonly route: ControlRoute<Of>; readonly parameters: PathParameters } | undefined {
  const parts = path.split('/').map(decodeURIComponent);
  for (const route of routes) {
    if (route.method !== method) continue;
    const parameters = parametersOf(route.path.split('/'), parts);
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}

function parametersOf(pattern: readonly string[], parts: readonly string[]): PathParameters | undefined {
  if (pattern.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const wanted = pattern[index] as string;
    if (wanted.startsWith('{')) parameters[wanted.slice(1, -1)] = part;
    else if (wanted !== part) return undefined;
  }
  return parameters;
}
