import { expect } from 'chai';
import { builtinResources, builtinScheme, schemaFor } from '@kubechain/apimachinery';
import type { Schema } from '@kubechain/apimachinery';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

/** How deep members are left empty: below spec of a pod's template in a workload. */
const depth = 4;
const concurrent = 8;

type Path = readonly (string | 0)[];

/** Values that say nothing, for a member of that schema. */
function emptyValues(schema: Schema): readonly unknown[] {
  switch (schema.kind) {
    case 'list':
      return [[], [null], ...(schema.items.kind === 'struct' ? [[{}], [{}, {}]] : [])];
    case 'struct':
    case 'map':
      return [null, {}];
    default:
      return [null];
  }
}

function* emptied(schema: Schema, path: Path, left: number): Generator<readonly [path: Path, value: unknown]> {
  if (schema.kind !== 'struct' || left === 0) return;
  for (const [name, { schema: member }] of schema.fields) {
    if (path.length === 0 && (name === 'apiVersion' || name === 'kind' || name === 'status')) continue;
    const at = [...path, name];
    for (const value of emptyValues(member)) yield [at, value];
    yield* member.kind === 'list' ? emptied(member.items, [...at, 0], left - 1) : emptied(member, at, left - 1);
  }
}

/** A copy of an object with a value at a path, whose steps are made where they are missing. */
function withValue(object: object, path: Path, value: unknown): object {
  const copy = structuredClone(object);
  let within = copy as Record<string | 0, unknown>;
  path.forEach((step, i) => {
    if (i === path.length - 1) within[step] = value;
    else within = (within[step] ??= path[i + 1] === 0 ? [] : {}) as Record<string | 0, unknown>;
  });
  return copy;
}

describe('objects with empty members', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain();
    client = Client.fromKubeconfig(chain.kubeconfig);
    expect(
      (await client.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })).status,
    ).to.be.oneOf([201, 409]);
  });
  after(async () => {
    client?.close();
    await chain?.stop();
  });

  for (const { group, kind, namespaced, resource, storage, verbs, version } of builtinResources()) {
    if (storage === undefined || !verbs.includes('create')) continue;
    const { definition } =
      [...builtinScheme().kinds()].find(
        ({ gvk }) => gvk.group === group && gvk.version === version && gvk.kind === kind,
      ) ?? {};
    if (definition === undefined) throw new TypeError(`${kind} of ${group}/${version} has no definition`);
    it(`of ${resource}.${version}.${group} never make a server fail`, async () => {
      const object = { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name: 'empty' } };
      const path =
        `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/` +
        `${resource}?dryRun=All`;
      const left = [...emptied(schemaFor(definition), [], depth)];
      expect(left.length).to.be.at.least(20);
      const failed: string[] = [];
      await Promise.all(
        Array.from({ length: concurrent }, async () => {
          for (let next = left.pop(); next !== undefined; next = left.pop()) {
            const [at, value] = next;
            const { body, status } = await client.post(path, withValue(object, at, value));
            if (status >= 500)
              failed.push(
                `${at.join('.')} = ${JSON.stringify(value)}: ${JSON.stringify((body as { message?: string }).message)}`,
              );
          }
        }),
      );
      expect(failed).to.deep.equal([]);
    });
  }
});
