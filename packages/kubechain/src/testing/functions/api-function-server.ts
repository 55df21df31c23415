import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../../launch-error.ts';
import { APIError, unlessAnswered, type JSONClient } from '../json-client.ts';
import {
  resourceList,
  targetOf,
  typed,
  verbOf,
  type APIFunctionAnswer,
  type APIFunctionRequest,
  type APIFunctions,
  type APIFunctionTarget,
} from './api-functions.ts';
import { functionService, type FunctionAnswer, type FunctionCall } from './function-server.ts';
import { registrationOf, type Functions, type RegisteredFunction } from './functions.ts';

const longestWaitMs = 30_000;
const lookMs = 10;
const services = `/api/v1/namespaces/${functionService.namespace}/services`;
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

/** Aggregated APIs that are functions of a test. */
export class APIFunctionServer {
  readonly #functions: Functions;

  constructor(functions: Functions) {
    this.#functions = functions;
  }

  /**
   * Serves a group version by functions, one for each verb of a resource; when this resolves it is discovered.
   *
   *     await using metrics = await env.apis.serve({
   *       group: 'metrics.k8s.io', version: 'v1beta1',
   *       resources: [{ plural: 'pods', kind: 'PodMetrics', list: ({ namespace }) => usage(namespace) }],
   *     });
   * @throws LaunchError where another server has the group version
   */
  serve(api: APIFunctions): Promise<RegisteredFunction> {
    const name = `${api.group}/${api.version}`;
    const registeredAt = registrationOf(`the API ${name}`);
    const { caCertificate, client } = this.#functions.place;
    const path = `/apis/${name}`;
    const apiService = `${api.version}.${api.group}`;
    return this.#functions.add(
      {
        name,
        path,
        counts: (call) => call.path !== path,
        describe: ({ method, path: asked }) => `${method} ${asked}`,
        answer: (call) => answer(api, call, path),
        failed: (_call, { message }) => failure(500, 'InternalError', `Internal error occurred: ${message}`),
        register: async () => {
          const { port } = await this.#functions.server();
          await unlessAnswered(409, client.send({ method: 'POST', path: services, body: service }));
          await client.send({
            method: 'POST',
            path: apiServices,
            body: {
              apiVersion: 'apiregistration.k8s.io/v1',
              kind: 'APIService',
              metadata: { name: apiService },
              spec: {
                group: api.group,
                version: api.version,
                groupPriorityMinimum: 1000,
                versionPriority: 100,
                caBundle: Buffer.from(caCertificate).toString('base64'),
                service: { ...functionService, port },
              },
            },
          });
          await until(`${name} is served`, () => isServed(client, path, api));
        },
        unregister: async ({ wait }) => {
          await unlessAnswered(404, client.send({ method: 'DELETE', path: `${apiServices}/${apiService}` }));
          if (wait) await until(`${name} is gone`, async () => !(await isServed(client, path, api)));
        },
      },
      registeredAt,
    );
  }
}

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: functionService.name },
  spec: { type: 'ExternalName', externalName: 'localhost' },
};

async function answer(api: APIFunctions, call: FunctionCall, root: string): Promise<FunctionAnswer> {
  // Who has no certificate of the aggregator could claim to be anybody.
  if (!call.proxied) return failure(401, 'Unauthorized', 'Unauthorized');
  if (call.path === root) return { status: 200, body: resourceList(api) };
  const target = targetOf(api, call.path.slice(root.length));
  if (target === undefined) return failure(404, 'NotFound', 'the server could not find the requested resource');
  const { name, namespace, resource } = target;
  const verb = verbOf(call.method, name, call.query);
  if (verb === undefined || resource[verb] === undefined)
    return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  const request: APIFunctionRequest = { ...carried(call), verb, namespace, name };
  if (verb === 'list') {
    const items = (await resource.list?.(request)) ?? [];
    const list = typed(
      { metadata: {}, items: items.map((item) => typed(item, api, resource.kind)) },
      api,
      `${resource.kind}List`,
    );
    return { status: 200, body: list };
  }
  const made = await Promise.resolve<APIFunctionAnswer>(resource[verb](request));
  return objectAnswer(api, target, { verb, made });
}

function objectAnswer(
  api: APIFunctions,
  { name, resource }: APIFunctionTarget,
  { made, verb }: { readonly verb: APIFunctionRequest['verb']; readonly made: APIFunctionAnswer },
): FunctionAnswer {
  if (made === undefined) {
    const [plural = ''] = resource.plural.split('/');
    return failure(404, 'NotFound', `${plural}.${api.group} "${name}" not found`);
  }
  const { code, kind } = made as { readonly kind?: string; readonly code?: number };
  if (kind === 'Status') return { status: code ?? 200, body: { apiVersion: 'v1', metadata: {}, ...made } };
  return { status: verb === 'create' ? 201 : 200, body: typed(made, api, resource.kind) };
}

function carried({
  body,
  headers,
  query,
  signal,
}: FunctionCall): Omit<APIFunctionRequest, 'name' | 'namespace' | 'verb'> {
  const all = (name: string): string[] => [headers[name] ?? []].flat().flatMap((value) => value.split(', '));
  const contentType = headers['content-type'] ?? '';
  const extra: Record<string, string[]> = {};
  for (const name of Object.keys(headers))
    if (name.startsWith('x-remote-extra-')) extra[decodeURIComponent(name.slice('x-remote-extra-'.length))] = all(name);
  return {
    user: {
      name: all('x-remote-user')[0] ?? '',
      uid: all('x-remote-uid')[0] ?? '',
      groups: all('x-remote-group'),
      extra,
    },
    query,
    contentType,
    body: /json/.test(contentType) && body !== '' ? (JSON.parse(body) as unknown) : body,
    signal,
  };
}

function failure(code: number, reason: string, message: string): FunctionAnswer {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
  };
}

/** Discovery has what the functions say, not what is left of others. */
async function isServed(client: JSONClient, path: string, { resources }: APIFunctions): Promise<boolean> {
  try {
    const list = await client.send<{ readonly resources?: readonly { readonly name: string }[] }>({
      method: 'GET',
      path,
    });
    return resources.every(({ plural }) => list.resources?.some(({ name }) => name === plural) === true);
  } catch (error) {
    if (error instanceof APIError) return false;
    throw error;
  }
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new LaunchError('Timeout', `it did not come to this in time: ${what}`);
    await delay(lookMs);
  }
}
