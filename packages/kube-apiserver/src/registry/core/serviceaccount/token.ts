import {
  badRequest,
  conflict,
  formatTime,
  goQuote,
  internalError,
  invalid,
  invalidValue,
  parseGroupVersion,
  messageOf,
} from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { EXPIRATION_EXTENSION_SECONDS, WARN_ONLY_BOUND_TOKEN_EXPIRATION_SECONDS } from '@kubechain/apiserver/tokens';
import { internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext, RESTStorage, Store } from '@kubechain/apiserver/resources';
import { createOnly } from '../../create-only.ts';
import type { RegistryContext, ServiceAccountTokenIssuer } from '../../storage-provider.ts';

interface BoundObjectRef {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}
interface TokenRequest extends KubeObject {
  spec?: { audiences?: string[]; expirationSeconds?: number; boundObjectRef?: BoundObjectRef };
}

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const tenMinutes = 600;
const oneHour = 3600;

/**
 * serviceaccounts/token: signs a token for a service account (pkg/registry/core/serviceaccount/storage TokenREST,
 * 1.36).
 */
export function serviceAccountToken(
  accounts: Store,
  context: Pick<RegistryContext, 'storeOf' | 'clock'>,
  issuer: ServiceAccountTokenIssuer,
): RESTStorage {
  return {
    ...createOnly({
      kind: kind.kind,
      namespaced: true,
      groupVersionKind: () => ({ group: kind.group, version: 'v1', kind: kind.kind }),
      check: async (object, name, call) => {
        const request = object as TokenRequest;
        checkName(request, name, call.namespace);
        const { metadata: { uid = '' } = {} } = (await accounts.get(call, name, {})).object();
        const metadata = (request.metadata ??= {});
        if ((metadata.uid ?? '') !== '' && metadata.uid !== uid) {
          throw conflict(
            { group: kind.group, resource: kind.kind },
            name,
            `the UID in the token request (${metadata.uid ?? ''}) does not match the UID of the service ` +
              `account (${uid})`,
          );
        }
        Object.assign(metadata, {
          name,
          namespace: call.namespace,
          uid,
          creationTimestamp: formatTime(context.clock.now()),
        });
        const spec = (request.spec ??= {});
        if ((spec.audiences ?? []).length === 0) spec.audiences = [...issuer.audiences];
        checkExpiration((spec.expirationSeconds ??= oneHour));
      },
      answer: async (object, name, call) => {
        const request = object as TokenRequest;
        const account = (await accounts.get(call, name, {})).object();
        const { audiences = [], boundObjectRef, expirationSeconds: asked = oneHour } = request.spec ?? {};
        const bound = await boundObjects(boundObjectRef, { context: call, storeOf: context.storeOf, account: name });
        const expirationSeconds = grantedSeconds(asked, issuer, call);
        return {
          ...request,
          spec: { ...request.spec, expirationSeconds },
          status: await issue(issuer, { account, bound, audiences, expirationSeconds, clock: context.clock }),
        };
      },
    }),
    acceptsGroupVersion: ({ group, version }) => group === kind.group && version === 'v1',
    preservesObjectMetaOnCreate: true,
  };
}

function checkName(request: TokenRequest, name: string, namespace: string): void {
  const { name: bodyName = '', namespace: bodyNamespace = '' } = request.metadata ?? {};
  if (bodyName !== '' && bodyName !== name)
    throw invalid(kind, name, [
      invalidValue('metadata.name', bodyName, 'must match the service account name if specified'),
    ]);
  if (bodyNamespace !== '' && bodyNamespace !== namespace)
    throw invalid(kind, name, [
      invalidValue('metadata.namespace', bodyNamespace, 'must match the service account namespace if specified'),
    ]);
}

function checkExpiration(asked: number): void {
  const errors = [];
  if (asked < tenMinutes)
    errors.push(invalidValue('spec.expirationSeconds', asked, 'may not specify a duration less than 10 minutes'));
  if (asked > 2 ** 32)
    errors.push(invalidValue('spec.expirationSeconds', asked, 'may not specify a duration larger than 2^32 seconds'));
  if (errors.length > 0) throw invalid(kind, '', errors);
}

function grantedSeconds(asked: number, issuer: ServiceAccountTokenIssuer, context: RESTContext): number {
  if (issuer.maxExpirationSeconds === 0 || asked <= issuer.maxExpirationSeconds) return asked;
  context.request.addWarning(
    `requested expiration of ${asked} seconds shortened to ${issuer.maxExpirationSeconds} seconds`,
  );
  return issuer.maxExpirationSeconds;
}

interface Bound {
  readonly pod?: KubeObject;
  readonly secret?: KubeObject;
  readonly node?: KubeObject;
}

async function boundObjects(
  reference: BoundObjectRef | undefined,
  call: { readonly context: RESTContext; readonly storeOf: RegistryContext['storeOf']; readonly account: string },
): Promise<Bound> {
  if (reference === undefined) return {};
  const name = reference.name ?? '';
  const get = async (plural: string): Promise<KubeObject> =>
    (await call.storeOf('', plural).get(lookup(call.context, plural), name, {})).object();
  const checked = (object: KubeObject): KubeObject => {
    if ((reference.uid ?? '') !== '' && reference.uid !== object.metadata?.uid) {
      throw conflict(
        { group: '', resource: reference.kind ?? '' },
        name,
        `the UID in the bound object reference (${reference.uid ?? ''}) does not match the UID in record. The ` +
          'object might have been deleted and then recreated',
      );
    }
    return object;
  };
  // The version counts for nothing.
  const { group, version } = parseGroupVersion(reference.apiVersion ?? '') ?? { group: '', version: '' };
  switch (group === '' ? reference.kind : undefined) {
    case 'Pod': {
      const pod = await get('pods');
      const spec = pod['spec'] as { serviceAccountName?: string; nodeName?: string } | undefined;
      if (spec?.serviceAccountName !== call.account)
        throw badRequest(
          `cannot bind token for serviceaccount ${goQuote(call.account)} to pod running with different ` +
            'serviceaccount name.',
        );
      const nodeName = spec.nodeName ?? '';
      if (nodeName === '') return { pod: checked(pod) };
      const node = await call
        .storeOf('', 'nodes')
        .storage.get(call.storeOf('', 'nodes').key(call.context, nodeName), { ignoreNotFound: true });
      return { pod: checked(pod), node: node?.object() ?? { metadata: { name: nodeName } } };
    }
    case 'Node':
      return { node: checked(await get('nodes')) };
    case 'Secret':
      return { secret: checked(await get('secrets')) };
    default:
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${reference.kind ?? ''}`);
  }
}

/** A read of another resource for the same user, whose errors name that resource. */
function lookup({ namespace, request }: RESTContext, resource: string): RESTContext {
  const { signal, user } = request;
  return internalContext({ groupResource: { group: '', resource }, namespace, user, signal });
}

async function issue(
  issuer: ServiceAccountTokenIssuer,
  call: {
    readonly account: KubeObject;
    readonly bound: Bound;
    readonly audiences: readonly string[];
    readonly expirationSeconds: number;
    readonly clock: Clock;
  },
): Promise<KubeObject> {
  const ours = call.audiences.every((audience) => issuer.audiences.includes(audience));
  const extend =
    issuer.extendExpiration &&
    call.bound.pod !== undefined &&
    call.expirationSeconds === WARN_ONLY_BOUND_TOKEN_EXPIRATION_SECONDS &&
    ours;
  const extendedSeconds = Math.min(EXPIRATION_EXTENSION_SECONDS, issuer.maxExtendedSeconds ?? Infinity);
  const now = call.clock.now();
  try {
    const { token } = await issuer.generator.generate({
      serviceAccount: call.account,
      ...call.bound,
      audiences: call.audiences,
      expirationSeconds: extend ? extendedSeconds : call.expirationSeconds,
      ...(extend ? { warnAfterSeconds: call.expirationSeconds } : {}),
    });
    return { token, expirationTimestamp: formatTime(now + call.expirationSeconds * 1000) };
  } catch (error) {
    throw internalError(`failed to generate token: ${messageOf(error)}`);
  }
}
