import type { AuditEvent } from '@kubechain/apiserver/control';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionAnswer, FunctionCall } from './function-server.ts';
import { registrationOf, type Functions, type NewFunction } from './functions.ts';

/** Who somebody is (authentication.k8s.io/v1 UserInfo). */
export interface TokenUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What somebody wants to do (authorization.k8s.io/v1 SubjectAccessReviewSpec). */
export interface AccessReview {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** Absent for paths. */
  readonly resourceAttributes?: {
    readonly namespace?: string;
    readonly verb?: string;
    readonly group?: string;
    readonly version?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly name?: string;
    readonly fieldSelector?: unknown;
    readonly labelSelector?: unknown;
  };
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

/** Says whose a bearer token is that the server does not know itself; nothing: nobody's. */
export type AuthenticateFunction = (
  token: string,
  call: { readonly audiences: readonly string[]; readonly signal: AbortSignal },
) => TokenUser | undefined | Promise<TokenUser | undefined>;

/** `NoOpinion`: RBAC decides. */
export type AccessDecision = 'Allow' | 'Deny' | 'NoOpinion';

/** Says whether somebody may do something, before RBAC does. `system:masters` may everything, and is not asked about. */
export type AuthorizeFunction = (
  access: AccessReview,
  call: { readonly signal: AbortSignal },
) => AccessAnswer | Promise<AccessAnswer>;
/** Whether a request is allowed, with what is said where it is not. */
export type AccessAnswer = AccessDecision | { readonly decision: AccessDecision; readonly reason?: string };

/** Is told what was asked of the servers, as their audit log is. */
export type AuditFunction = (event: AuditEvent) => void | Promise<void>;

/** How much audit events say (audit.k8s.io/v1). */
export type AuditEventLevel = 'Metadata' | 'Request' | 'RequestResponse';

/** Functions that the servers are started with. */
export interface RightsFunctions {
  readonly authenticate?: AuthenticateFunction;
  readonly authorize?: AuthorizeFunction;
  readonly audit?: AuditFunction | { readonly level: AuditEventLevel; readonly sink: AuditFunction };
}

/** Serves the functions, and answers the flags by which servers find them. */
export async function serveRights(
  functions: Functions,
  { audit, authenticate, authorize }: RightsFunctions,
): Promise<string[]> {
  const flags: string[] = [];
  const serve = async (
    added: Pick<NewFunction, 'name' | 'describe' | 'answer'> & Partial<Pick<NewFunction, 'failed'>>,
  ): Promise<string> => {
    const path = `/rights/${functions.nextNumber()}`;
    await functions.add({ failed, ...added, path, register: nothing, unregister: nothing }, registrationOf(added.name));
    const file = join(functions.place.dataDir, `functions-${added.name}.kubeconfig`);
    writeFileSync(file, kubeconfigOf((await functions.server()).urlOf(path), functions.place.caCertificate), {
      mode: 0o600,
    });
    return file;
  };
  if (authenticate !== undefined) {
    const file = await serve({
      name: 'authenticator',
      describe: () => 'a bearer token',
      answer: tokenAnswer(authenticate),
    });
    flags.push(
      `--authentication-token-webhook-config-file=${file}`,
      '--authentication-token-webhook-version=v1',
      '--authentication-token-webhook-cache-ttl=0s',
    );
  }
  if (authorize !== undefined) {
    const file = await serve({ name: 'authorizer', describe: accessCall, answer: accessAnswer(authorize) });
    flags.push(
      '--authorization-mode=Node,Webhook,RBAC',
      `--authorization-webhook-config-file=${file}`,
      '--authorization-webhook-version=v1',
      '--authorization-webhook-cache-authorized-ttl=0s',
      '--authorization-webhook-cache-unauthorized-ttl=0s',
    );
  }
  if (audit !== undefined) {
    const { level, sink } = typeof audit === 'function' ? { level: 'Metadata', sink: audit } : audit;
    const file = await serve({
      name: 'audit-sink',
      describe: () => 'audit events',
      answer: auditAnswer(sink),
      failed: () => taken,
    });
    const policy = join(functions.place.dataDir, 'functions-audit-policy.yaml');
    writeFileSync(policy, `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: ${level}\n`, { mode: 0o600 });
    flags.push(
      `--audit-policy-file=${policy}`,
      `--audit-webhook-config-file=${file}`,
      // An answer is not there before its event is: a test need not wait for what it looks for.
      '--audit-webhook-mode=blocking',
    );
  }
  return flags;
}

const nothing = (): Promise<void> => Promise.resolve();

function tokenAnswer(authenticate: AuthenticateFunction): NewFunction['answer'] {
  return async ({ body, signal }) => {
    const { spec } = JSON.parse(body) as {
      readonly spec: { readonly token?: string; readonly audiences?: readonly string[] };
    };
    const { audiences = [], token = '' } = spec;
    const user = await authenticate(token, { audiences, signal });
    return answered('authentication.k8s.io/v1', 'TokenReview', {
      authenticated: user !== undefined,
      ...(user === undefined ? {} : { user, audiences }),
    });
  };
}

function accessAnswer(authorize: AuthorizeFunction): NewFunction['answer'] {
  return async (call) => {
    const answer = await authorize(accessOf(call), call);
    const { decision, reason = '' } = typeof answer === 'string' ? { decision: answer } : answer;
    return answered('authorization.k8s.io/v1', 'SubjectAccessReview', {
      allowed: decision === 'Allow',
      denied: decision === 'Deny',
      ...(reason === '' ? {} : { reason }),
    });
  };
}

/**
 * Also where the sink has thrown, which the test is told: servers send events again for a minute, whatever the answer
 * was, and the request waits for it.
 */
const taken: FunctionAnswer = { status: 200, body: {} };

function auditAnswer(sink: AuditFunction): NewFunction['answer'] {
  return async ({ body }) => {
    const { items } = JSON.parse(body) as { readonly items: readonly AuditEvent[] };
    for (const event of items) await sink(event);
    return taken;
  };
}

function accessOf({ body }: FunctionCall): AccessReview {
  return (JSON.parse(body) as { readonly spec: AccessReview }).spec;
}

function accessCall(call: FunctionCall): string {
  const { nonResourceAttributes, resourceAttributes, user = '' } = accessOf(call);
  const { group = '', name, namespace, resource = '', verb = '' } = resourceAttributes ?? {};
  const what =
    resourceAttributes === undefined
      ? `${nonResourceAttributes?.verb ?? ''} ${nonResourceAttributes?.path ?? ''}`
      : [`${verb} ${resource}${group === '' ? '' : `.${group}`}`, [namespace, name].filter(Boolean).join('/')].join(
          ' ',
        );
  return `${user}: ${what}`.trimEnd();
}

function answered(apiVersion: string, kind: string, status: object): FunctionAnswer {
  return { status: 200, body: { apiVersion, kind, status } };
}

/** What a server makes of a webhook that fails is its own business: a 400 is not tried again. */
function failed(_call: FunctionCall, error: Error): FunctionAnswer {
  return {
    status: 400,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: error.message, code: 400 },
  };
}

function kubeconfigOf(server: string, caCertificate: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'functions',
        cluster: { server, 'certificate-authority-data': Buffer.from(caCertificate).toString('base64') },
      },
    ],
    contexts: [{ name: 'functions', context: { cluster: 'functions', user: 'server' } }],
    'current-context': 'functions',
    users: [{ name: 'server', user: {} }],
  });
}
