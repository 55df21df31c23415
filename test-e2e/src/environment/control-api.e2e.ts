import { expect } from 'chai';
import { request } from 'node:http';
import { join } from 'node:path';
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';

/** A schema of OpenAPI, as far as the control API's document has them. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  readonly requestBody?: { readonly content: Content };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** What of a value is not as its schema says: paths. */
function differences(value: unknown, schema: Schema, document: Document, path = '$'): readonly string[] {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined ? [`${path}: ${schema.$ref} is not there`] : differences(value, named, document, path);
  }
  if (schema.oneOf !== undefined) {
    const all = schema.oneOf.map((one) => differences(value, one, document, path));
    return all.filter((found) => found.length === 0).length === 1
      ? []
      : [`${path}: not one of ${all.flat().join('; ')}`];
  }
  if (schema.enum?.includes(value) === false)
    return [`${path}: ${JSON.stringify(value)} is none of ${schema.enum.join()}`];
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  if (type !== schema.type && !(type === 'integer' && schema.type === 'number'))
    return [`${path}: ${type}, not ${schema.type}`];
  if (typeof value === 'number' && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)))
    return [`${path}: ${value} is out of bounds`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => differences(item, schema.items ?? {}, document, `${path}[${index}]`));
  if (type !== 'object') return [];
  const members = value as Readonly<Record<string, unknown>>;
  return [
    ...(schema.required ?? []).filter((name) => !(name in members)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(members).flatMap(([name, member]) => {
      const known = schema.properties?.[name];
      if (known !== undefined) return differences(member, known, document, `${path}.${name}`);
      return schema.additionalProperties === false ? [`${path}.${name} is unknown`] : [];
    }),
  ];
}

describe('the control API by its own document', function () {
  this.timeout(120_000);
  let env: TestEnvironment;
  let document: Document;
  const called = new Set<string>();

  const send = (method: string, path: string, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const call = request(
        { socketPath: join(env.dataDir, 'run/control.sock'), method, path, agent: false },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              type: (answer.headers['content-type'] ?? '').split(';')[0] ?? '',
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      call.once('error', reject);
      call.end(body);
    });

  /** Calls an operation, holds what is sent and answered to the document, and resolves to the answer. */
  const use = async (
    method: string,
    template: string,
    { body, id = '', query = '' }: { readonly body?: unknown; readonly id?: string; readonly query?: string } = {},
  ): Promise<any /* oxlint-disable-line typescript/no-explicit-any -- as its schema says */> => {
    const operation = document.paths[template]?.[method.toLowerCase()];
    if (operation === undefined) throw new TypeError(`${method} ${template} is not in the document`);
    called.add(operation.operationId);
    const taken = operation.requestBody?.content['application/json']?.schema;
    if (taken !== undefined) expect(differences(body, taken, document)).to.deep.equal([]);
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const path = template.replace(/\{\w+\}/, id);
    const answer = await send(method, query === '' ? path : `${path}?${query}`, text);
    const content = operation.responses[answer.status]?.content ?? {};
    expect(content, `${answer.status} ${answer.text}`).to.have.property(answer.type);
    if (answer.type !== 'application/json') return answer.text;
    const value = JSON.parse(answer.text) as unknown;
    expect(differences(value, content[answer.type]?.schema ?? {}, document), template).to.deep.equal([]);
    return value;
  };

  before(async () => {
    env = await startTestEnvironment({ topology: 'processes', control: true });
    document = JSON.parse((await send('GET', '/openapi/v3')).text) as Document;
  });
  after(() => env?.stop());

  it('keeps and puts back snapshots', async () => {
    await use('PUT', '/v1/snapshots/{name}', { id: 'one' });
    await use('POST', '/v1/snapshots/{name}', { id: 'two' });
    expect((await use('GET', '/v1/snapshots')).snapshots).to.include.members(['one', 'two']);
    const file = await use('GET', '/v1/snapshots/{name}', { id: 'one' });
    await use('POST', '/v1/snapshots/{name}/restore', { id: 'one' });
    await use('POST', '/v1/restore', { body: file });
    await use('DELETE', '/v1/snapshots/{name}', { id: 'two' });
  });

  const rules = [
    { match: { verbs: ['update'], resources: ['pods/status'] }, effect: { kind: 'status', code: 409 }, count: 2 },
    { effect: { kind: 'cut', when: 'within' }, probability: 0.5, seed: 7 },
    { target: 'request', effect: { kind: 'timeout', when: 'after' }, afterMs: 60_000 },
    { match: {}, effect: { kind: 'chaos', among: ['delay'] }, durationMs: 1 },
    { match: { verbs: ['update'], names: ['nobody'] }, effect: { kind: 'conflict' } },
    { target: 'watch', match: { resources: ['pods'] }, effect: { kind: 'delay', milliseconds: 5 } },
    { target: 'watch', effect: { kind: 'withoutBookmarks' } },
    { target: 'certificate', effect: { kind: 'expired' }, durationMs: 1 },
    { target: 'certificate', effect: { kind: 'chaos' }, probability: 0.01, seed: 7, durationMs: 1 },
    { target: 'webhook', match: { names: ['a.b.c'] }, effect: { kind: 'status', code: 503 } },
    { target: 'apiservice', effect: { kind: 'garble' } },
    { target: 'delegate', match: { names: ['nobody'] }, effect: { kind: 'refuse' } },
    { target: 'webhook', match: { names: ['nobody'] }, effect: { kind: 'chaos', among: ['delay', 'garble'] } },
    { target: 'store', match: { names: ['/none'], verbs: ['write'] }, effect: { kind: 'loseAnswer' } },
  ];
  for (const rule of rules)
    it(`takes the fault ${JSON.stringify(rule)}`, async () => {
      const { id } = await use('POST', '/v1/faults', { body: rule });
      expect((await use('GET', '/v1/faults')).faults.map((fault: { readonly id: string }) => fault.id)).to.include(id);
      await use('DELETE', '/v1/faults/{id}', { id });
    });

  it('takes scenarios, and tells servers of their faults', async () => {
    const body = 'steps: [{ target: store, match: { names: [/none] }, effect: { kind: readOnly } }]';
    const { id, seed } = await use('POST', '/v1/scenarios', { body, query: 'seed=7' });
    expect(seed).to.equal(7);
    expect((await use('GET', '/v1/scenarios')).scenarios).to.have.lengthOf(1);
    expect((await use('GET', '/v1/faults/peers', { query: 'follower=test' })).peers).to.deep.equal(['store']);
    const taken = await use('POST', '/v1/faults/take', { query: 'peer=store&name=/none&verb=write' });
    expect(taken).to.deep.equal({ effect: { kind: 'readOnly' } });
    expect(await use('POST', '/v1/faults/take', { query: 'peer=webhook&name=/none&verb=call' })).to.deep.equal({});
    // Whoever asks once is waited for by those who set faults, for two seconds.
    await use('DELETE', '/v1/scenarios/{id}', { id });
    await use('DELETE', '/v1/faults');
  });

  it('shows watches and the store', async () => {
    await use('GET', '/v1/watches');
    await use('POST', '/v1/watches/expire');
    const { keys } = await use('GET', '/v1/store', { query: 'prefix=/registry/namespaces/' });
    const query = `key=${encodeURIComponent((keys[0] as { readonly key: string }).key)}`;
    expect((await use('GET', '/v1/store/key', { query })).text).to.match(/"kind":"Namespace"/);
    expect((await use('GET', '/v1/store/history', { query })).versions.length).to.be.at.least(1);
  });

  it('moves the clock', async () => {
    await use('GET', '/v1/clock');
    for (const body of [{ advance: '1m' }, { advance: 5 }, { freeze: true }, { reset: true }])
      await use('POST', '/v1/clock', { body });
  });

  it('tells what was asked', async () => {
    await use('GET', '/v1/journal/bodies');
    await use('POST', '/v1/journal/webhooks', {
      body: {
        auditID: 'none',
        configuration: 'c',
        webhook: 'w',
        type: 'mutating',
        durationMs: 1.5,
        outcome: 'allowed',
        patch: '[]',
      },
    });
    await use('PUT', '/v1/journal/bodies', { body: { record: true } });
    await env.install('{apiVersion: v1, kind: ConfigMap, metadata: {name: told, namespace: default}}');
    const { entries } = await use('GET', '/v1/journal', { query: 'bodies=true&resource=configmaps&verb=patch' });
    expect(entries[0]).to.nested.include({ 'requestBody.contentType': 'application/apply-patch+yaml' });
  });

  it('keeps tenants, and settles', async () => {
    const processes = env;
    await using allInOne = await startTestEnvironment({ topology: 'all-in-one', control: true });
    env = allInOne;
    try {
      expect((await use('POST', '/v1/tenants', { body: { name: 'a' } })).name).to.equal('a');
      expect((await use('GET', '/v1/tenants')).tenants).to.have.length(1);
      await use('DELETE', '/v1/tenants/{name}', { id: 'a' });
      expect((await use('GET', '/v1/tenants')).tenants).to.have.length(0);
      expect((await use('POST', '/v1/settle')).revision).to.be.greaterThan(0);
    } finally {
      env = processes;
    }
  });

  it('has been used whole', () => {
    const all = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect([...called].toSorted()).to.deep.equal(all.toSorted());
    expect(new Set(all).size).to.equal(all.length);
  });

  it('refuses what it does not know in the form of its document', async () => {
    const error = document.components.schemas['Error'] ?? {};
    for (const [method, path, status] of [
      ['GET', '/v2/faults', 404],
      ['PATCH', '/v1/faults', 404],
      ['POST', '/v1/faults/', 404],
      ['GET', '/v1/snapshots/none', 404],
      ['GET', '/v1/snapshots/%zz', 400],
      ['POST', '/v1/faults', 400],
      ['POST', '/v1/clock', 400],
      ['POST', '/v1/faults/take?peer=moon', 400],
    ] as const) {
      const answer = await send(method, path);
      expect([answer.status, differences(JSON.parse(answer.text), error, document)], `${method} ${path}`).to.deep.equal(
        [status, []],
      );
    }
  });
});
