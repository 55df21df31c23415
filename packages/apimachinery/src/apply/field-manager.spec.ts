import { expect } from 'chai';
import fc from 'fast-check';
import type { StatusError } from '../errors/status.ts';
import type { JSONObject } from '../object/json-object.ts';
import { cloneJSON } from '../object/json-object.ts';
import type { JSONValue, KubeObject, ManagedFieldsEntry } from '../object/object.ts';
import { builtinScheme } from '../builtin/builtin-scheme.ts';
import type { Schema } from '../schema/schema.ts';
import { pod } from '../testing/sample-pod.ts';
import { atomOf } from './atom.ts';
import { compareTyped } from './compare.ts';
import { FieldManager } from './field-manager.ts';
import { fieldSetOf, recursiveDifference, union } from './field-set.ts';
import { toFieldsV1 } from './fields-v1.ts';
import { newFieldsText } from './new-fields.ts';
import { checkedFieldSet, toFieldSet } from './to-field-set.ts';
import { validateTyped } from './validate.ts';
import { int, field, map, rootOf, root, texts, fields, specFields } from './testing/sample-kind.ts';

describe('FieldManager', () => {
  let now = 1_700_000_000_000;
  const clock = { now: () => now };
  const gvk = { group: '', version: 'v1', kind: 'Thing' };
  const manager = (options: Partial<ConstructorParameters<typeof FieldManager>[0]> = {}): FieldManager =>
    new FieldManager({
      gvk,
      clock,
      schemaFor: (apiVersion) => (apiVersion === 'v1' ? root : undefined),
      convert: (object, apiVersion) => ({ ...object, apiVersion }),
      ...options,
    });
  const thing = (rest: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Thing',
    ...rest,
    metadata: { name: 't', ...(rest as KubeObject).metadata },
  });
  const stored = (object: KubeObject): KubeObject => ({ ...object, metadata: { ...object.metadata, uid: 'u' } });
  const managers = (object: KubeObject): string[] =>
    (object.metadata?.managedFields ?? []).map(
      (e) => `${e.manager} ${e.operation} ${e.apiVersion}${e.subresource === undefined ? '' : ` ${e.subresource}`}`,
    );
  const own = (object: KubeObject, name: string): string[] =>
    fields(object.metadata?.managedFields?.find((e) => e.manager === name));
  const refusal = async (run: Promise<unknown>): Promise<[number, string]> => {
    try {
      await run;
    } catch (error) {
      return [(error as StatusError).code, (error as StatusError).message];
    }
    return [0, ''];
  };

  it('records what an update sets, changes and removes', async () => {
    const created = stored(
      await manager().update(
        undefined,
        thing({ data: { a: '1', b: '2' }, spec: { containers: [{ name: 'c', image: 'i' }] } }),
        'm1',
      ),
    );
    expect(own(created, 'm1')).to.deep.equal([
      '.data',
      '.data.a',
      '.data.b',
      '.spec.containers',
      '.spec.containers[name="c"]',
      '.spec.containers[name="c"].image',
      '.spec.containers[name="c"].name',
      '.spec.containers[name="c"].resources',
    ]);
    now += 5_000;
    const changed = await manager().update(created, { ...created, data: { a: '1', b: '3' } }, 'm2');
    expect(own(changed, 'm1')).not.to.include('.data.b');
    expect(own(changed, 'm2')).to.deep.equal(['.data.b']);
    expect(changed.metadata?.managedFields?.map((e) => e.time)).to.deep.equal([
      '2023-11-14T22:13:20Z',
      '2023-11-14T22:13:25Z',
    ]);
    const removed = await manager().update(changed, { ...changed, data: { a: '1' } }, 'm3');
    expect(managers(removed)).to.deep.equal(['m1 Update v1']);
    now += 5_000;
    const same = await manager().update(changed, changed, 'm2');
    expect(same.metadata?.managedFields).to.deep.equal(changed.metadata?.managedFields);
  });

  it('takes managedFields from the request, ignores broken ones, and starts afresh for an empty list', async () => {
    const created = stored(await manager().update(undefined, thing({ data: { a: '1' } }), 'm1'));
    const renamed = {
      ...created,
      metadata: {
        ...created.metadata,
        managedFields: [{ ...created.metadata?.managedFields?.[0], manager: 'other' } as ManagedFieldsEntry],
      },
    };
    expect(managers(await manager().update(created, renamed, 'm2'))).to.deep.equal(['other Update v1']);
    const broken = { ...created, metadata: { ...created.metadata, managedFields: [{ manager: 'x' }] } };
    expect(managers(await manager().update(created, broken, 'm2'))).to.deep.equal(['m1 Update v1']);
    for (const managedFields of [[], [{}]]) {
      expect(
        (await manager().update(created, { ...created, metadata: { ...created.metadata, managedFields } }, 'm2'))
          .metadata,
      ).not.to.have.property('managedFields');
    }
  });

  it('cannot read entries of no version since 1.37, and keeps the live ones', async () => {
    const created = stored(await manager().update(undefined, thing({ data: { a: '1' } }), 'm1'));
    const entry = { ...created.metadata?.managedFields?.[0], apiVersion: 'a/b/c' } as ManagedFieldsEntry;
    const malformed = { ...created, metadata: { ...created.metadata, managedFields: [entry] } };
    const after = async (minor: number): Promise<string[]> => {
      const release = { since: (version: string) => minor >= Number(version.slice(2)) };
      return managers(await manager({ release }).update(created, malformed, 'm2'));
    };
    expect(await after(37)).to.deep.equal(['m1 Update v1']);
    expect(await after(36)).to.deep.equal([]);
  });

  it('merges the oldest of more than ten update managers', async () => {
    let object = stored(await manager().update(undefined, thing({ data: {} }), 'm0'));
    for (let i = 1; i <= 12; i++) {
      now += 1_000;
      object = await manager().update(
        object,
        { ...object, data: { ...(object['data'] as object), [`k${i}`]: 'v' } },
        `m${i}`,
      );
    }
    expect(managers(object)).to.have.length(10);
    expect(managers(object)[0]).to.equal('ancient-changes Update v1');
    expect(own(object, 'ancient-changes')).to.include.members(['.data', '.data.k1', '.data.k2']);
  });

  it('applies, co-owns, conflicts, forces and gives up', async () => {
    const first = stored(
      await manager().apply(undefined, thing({ data: { x: '1', s: 's' }, metadata: { labels: { one: '1' } } }), {
        manager: 'm1',
        force: false,
      }),
    );
    expect(own(first, 'm1')).to.deep.equal(['.data.s', '.data.x', '.metadata.labels.one']);
    now += 1_000;
    const second = await manager().apply(first, thing({ data: { s: 's' } }), { manager: 'm2', force: false });
    expect(own(second, 'm2')).to.deep.equal(['.data.s']);
    expect(
      second.metadata?.managedFields?.find((e) => e.manager === 'm2'),
      'an apply that changes nothing has no time',
    ).not.to.have.property('time');
    expect(
      await refusal(manager().apply(second, thing({ data: { x: '2' } }), { manager: 'm2', force: false })),
    ).to.deep.equal([409, 'Apply failed with 1 conflict: conflict with "m1": .data.x']);
    const forced = await manager().apply(second, thing({ data: { x: '2' } }), { manager: 'm2', force: true });
    expect(forced['data']).to.deep.equal({ x: '2', s: 's' });
    expect(own(forced, 'm1')).to.deep.equal(['.data.s', '.metadata.labels.one']);
    const dropped = await manager().apply(forced, thing({}), { manager: 'm2', force: false });
    expect(dropped['data']).to.deep.equal({ s: 's' });
    expect(managers(dropped)).to.deep.equal(['m1 Apply v1']);
  });

  it('says which version an updater used, and groups conflicts by manager', async () => {
    const live = stored(
      await manager().update(undefined, thing({ data: { a: '1', b: '1' }, spec: { replicas: 1 } }), 'u'),
    );
    expect(
      await refusal(
        manager().apply(live, thing({ data: { a: '2', b: '2' }, spec: { replicas: 1 } }), {
          manager: 'm',
          force: false,
        }),
      ),
    ).to.deep.equal([409, 'Apply failed with 2 conflicts: conflicts with "u" using v1:\n- .data.a\n- .data.b']);
  });

  it('removes an item with all that is in it, but keeps what others own elsewhere', async () => {
    const live = stored(
      await manager().apply(
        undefined,
        thing({
          spec: {
            containers: [
              { name: 'a', image: 'x' },
              { name: 'b', image: 'y' },
            ],
          },
        }),
        { manager: 'm', force: false },
      ),
    );
    const injected = await manager().update(
      live,
      {
        ...live,
        spec: { containers: [{ name: 'a', image: 'x', args: ['i'] }, { name: 'b', image: 'y' }, { name: 'side' }] },
      },
      'injector',
    );
    const applied = await manager().apply(injected, thing({ spec: { containers: [{ name: 'c', image: 'z' }] } }), {
      manager: 'm',
      force: false,
    });
    expect(applied['spec']).to.deep.equal({ containers: [{ name: 'side' }, { name: 'c', image: 'z' }] });
  });

  it('orders items as the configuration has them', async () => {
    const live = stored(
      await manager().apply(undefined, thing({ metadata: { finalizers: ['a', 'b', 'c'] } }), {
        manager: 'm',
        force: false,
      }),
    );
    const applied = await manager().apply(live, thing({ metadata: { finalizers: ['c', 'n', 'a'] } }), {
      manager: 'o',
      force: false,
    });
    expect(applied.metadata?.finalizers).to.deep.equal(['b', 'c', 'n', 'a']);
  });

  it('uses defaults of keys', async () => {
    const live = stored(
      await manager().apply(undefined, thing({ spec: { containers: [{ name: 'a', ports: [{ port: 80 }] }] } }), {
        manager: 'm',
        force: false,
      }),
    );
    expect(own(live, 'm')).to.include('.spec.containers[name="a"].ports[port=80,protocol="TCP"].port');
  });

  it('gives objects from before the first apply an owner', async () => {
    const live = stored(thing({ data: { x: '1' } }));
    expect((await manager().update(live, { ...live, data: { x: '2' } }, 'u')).metadata).not.to.have.property(
      'managedFields',
    );
    expect(
      await refusal(manager().apply(live, thing({ data: { x: '2' } }), { manager: 'm', force: false })),
    ).to.deep.equal([409, 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.x']);
    expect(
      managers(await manager().apply(live, thing({ data: { y: '2' } }), { manager: 'm', force: false })),
    ).to.deep.equal(['m Apply v1', 'before-first-apply Update v1']);
  });

  it('lets kubectl take over from client-side apply, and keeps the annotation up to date', async () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const config = thing({ data: { x: '1', y: '1' } });
    const live = stored(
      await manager().update(
        undefined,
        thing({ data: { x: '1', y: '1' }, metadata: { annotations: { [annotation]: JSON.stringify(config) } } }),
        'kubectl-client-side-apply',
      ),
    );
    const next = thing({ data: { x: '2', y: '1' } });
    expect((await refusal(manager().apply(live, next, { manager: 'm', force: false })))[0]).to.equal(409);
    const applied = await manager().apply(live, next, { manager: 'kubectl', force: false });
    expect(applied['data']).to.deep.equal({ x: '2', y: '1' });
    expect(applied.metadata?.annotations?.[annotation]).to.equal(
      '{"apiVersion":"v1","data":{"x":"2","y":"1"},"kind":"Thing","metadata":{"name":"t"}}\n',
    );
    const touched = await manager().update(live, { ...live, data: { x: '9', y: '1' } }, 'someone');
    expect(await refusal(manager().apply(touched, next, { manager: 'kubectl', force: false }))).to.deep.equal([
      409,
      'Apply failed with 1 conflict: conflict with "someone" using v1: .data.x',
    ]);
  });

  const bodies: [object, number, string][] = [
    [{ kind: 'Other' }, 400, 'invalid object type: /v1, Kind=Other'],
    [{ apiVersion: 'a/b/c' }, 400, 'invalid object type: /, Kind='],
    [{ metadata: { managedFields: [] } }, 400, 'metadata.managedFields must be nil'],
    [{ metadata: { managedFields: [{ manager: 'm', time: null }] } }, 400, 'metadata.managedFields must be nil'],
    [
      { metadata: { managedFields: [{ manager: 'm', time: 'x' }] }, bogus: 1 },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .bogus: field not declared in schema',
    ],
    [
      { bogus: 1 },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .bogus: field not declared in schema',
    ],
    [
      { data: ['x'] },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .data: expected map, got &{[x]}',
    ],
    [
      { data: { x: 1 } },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .data.x: expected string, got ' +
        '&value.valueUnstructured{Value:1}',
    ],
    [
      { spec: { replicas: 'x' } },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .spec.replicas: expected numeric (int or ' +
        'float), got string',
    ],
    [
      { metadata: { finalizers: ['d', 'd'] } },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .metadata.finalizers: duplicate entries for ' +
        'key [="d"]',
    ],
    [
      { metadata: { finalizers: [null] } },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .metadata.finalizers: element 0: ' +
        "associative list without keys has an element that's an explicit null",
    ],
    [
      { spec: { volumes: [{ size: 'x' }] } },
      500,
      'failed to create typed patch object (/t; /v1, Kind=Thing): .spec.volumes: element 0: associative list ' +
        'with keys has an element that omits all key fields ["id"] (and doesn\'t have default values for any ' +
        'key fields)',
    ],
  ];
  for (const [body, code, message] of bodies) {
    it(`refuses ${JSON.stringify(body)}`, async () =>
      expect(await refusal(manager().apply(undefined, thing(body), { manager: 'm', force: false }))).to.deep.equal([
        code,
        message,
      ]));
  }

  it('names what the decoder says about the result', async () => {
    const strict = manager({
      decode: () => {
        throw new TypeError('error decoding from json: illegal base64 data at input byte 4');
      },
    });
    expect(
      await refusal(strict.apply(undefined, thing({ data: { x: '1' } }), { manager: 'm', force: false })),
    ).to.deep.equal([
      500,
      'failed to convert new object (/t; /v1, Kind=Thing) to proper version: unable to convert unstructured ' +
        'object to /v1, Kind=Thing: error decoding from json: illegal base64 data at input byte 4',
    ]);
  });

  it('says what of an object does not fit the version of one of its managers', async () => {
    const older = rootOf(specFields.filter(([name]) => name !== 'replicas'));
    const versions = manager({
      schemaFor: (apiVersion) => (apiVersion === 'v1' ? root : apiVersion === 'v0' ? older : undefined),
      checkConverted: true,
    });
    const live = stored(await versions.update(undefined, thing({ spec: { replicas: 1 } }), 'm'));
    const [entry] = live.metadata?.managedFields ?? [];
    const fieldsV1 = { 'f:data': { 'f:x': {} } };
    const managedFields = [entry, { ...entry, manager: 'older', apiVersion: 'v0', fieldsV1 }];
    const both = { ...live, metadata: { ...live.metadata, managedFields } } as KubeObject;
    expect(
      await refusal(versions.apply(both, thing({ data: { y: '1' } }), { manager: 'm', force: false })),
    ).to.deep.equal([500, '.spec.replicas: field not declared in schema']);
  });

  it('asks once for each version whether the object fits, however many managers have it', async () => {
    let asked = 0;
    const versions = manager({
      schemaFor: (apiVersion) => (apiVersion === 'v1' || apiVersion === 'v0' ? root : undefined),
      convert: (object, apiVersion) => {
        asked++;
        return Promise.resolve({ ...object, apiVersion });
      },
      checkConverted: true,
    });
    const live = stored(await manager().update(undefined, thing({ data: { x: '1' } }), 'm'));
    const [entry] = live.metadata?.managedFields ?? [];
    const callsWith = async (count: number): Promise<number> => {
      const fieldsV1 = { 'f:data': { 'f:x': {} } };
      const older = Array.from({ length: count }, (_, i) => ({
        ...entry,
        manager: `older${i}`,
        apiVersion: 'v0',
        fieldsV1,
      }));
      const metadata = { ...live.metadata, managedFields: [entry, ...older] };
      asked = 0;
      await versions.update({ ...live, metadata } as KubeObject, thing({ data: { x: '1', y: '2' } }), 'm');
      return asked;
    };
    const calls = await callsWith(1);
    expect(calls).to.be.greaterThan(0);
    expect(await callsWith(5)).to.equal(calls);
  });

  it('does not manage reset fields', async () => {
    const status = manager({
      subresource: 'status',
      resetFields: new Map([['v1', { without: [['spec'], ['data']] }]]),
    });
    const live = stored(await manager().update(undefined, thing({ spec: { replicas: 1 } }), 'm'));
    const updated = await status.update(live, { ...live, spec: { replicas: 2 }, status: { phase: 'x' } }, 's');
    expect(managers(updated)).to.deep.equal(['m Update v1', 's Update v1 status']);
    expect(own(updated, 's')).to.deep.equal(['.status.phase']);
    expect(own(updated, 'm')).to.deep.equal(['.spec.replicas']);
  });

  it('keeps owners in other versions by converting, and drops those of versions that are gone', async () => {
    const v2 = rootOf([field('count', int), ...specFields]);
    const rename = (object: KubeObject, apiVersion: string): KubeObject => {
      const { replicas, count, ...rest } = (object['spec'] ?? {}) as { replicas?: number; count?: number };
      const amount = replicas ?? count;
      return {
        ...object,
        apiVersion,
        spec: {
          ...rest,
          ...(amount === undefined ? {} : apiVersion === 'v2' ? { count: amount } : { replicas: amount }),
        },
      };
    };
    for (const convert of [
      rename,
      (object: KubeObject, apiVersion: string): Promise<KubeObject> => Promise.resolve(rename(object, apiVersion)),
    ]) {
      const schemaFor = (apiVersion: string): Schema | undefined =>
        apiVersion === 'v1' ? root : apiVersion === 'v2' ? v2 : undefined;
      const one = manager({ schemaFor, convert });
      const two = manager({ schemaFor, convert, gvk: { ...gvk, version: 'v2' } });
      const live = stored(
        await two.apply(
          undefined,
          { apiVersion: 'v2', kind: 'Thing', metadata: { name: 't' }, spec: { count: 1 } },
          { manager: 'm2', force: false },
        ),
      );
      const inV1: KubeObject = { ...live, apiVersion: 'v1', spec: { replicas: 1 } };
      expect(
        await refusal(one.apply(inV1, thing({ spec: { replicas: 2 } }), { manager: 'm1', force: false })),
      ).to.deep.equal([409, 'Apply failed with 1 conflict: conflict with "m2": .spec.count']);
      expect(managers(await one.update(inV1, { ...inV1, spec: { replicas: 3 } }, 'u'))).to.deep.equal(['u Update v1']);
      const moved = await one.apply(inV1, thing({ spec: { strategy: { type: 'x' } } }), {
        manager: 'm2',
        force: false,
      });
      expect(moved['spec']).to.deep.equal({ strategy: { type: 'x' } });
      expect(
        managers(await manager().update(live, { ...live, apiVersion: 'v1', data: { a: '1' } }, 'u')),
      ).to.deep.equal(['u Update v1']);
    }
  });

  it('follows a field that became atomic', async () => {
    const granular = rootOf([field('selector', map())]);
    const before = manager({ schemaFor: () => granular });
    const live = stored(
      await before.apply(undefined, thing({ spec: { selector: { a: '1' } } }), { manager: 'm', force: false }),
    );
    expect(own(live, 'm')).to.deep.equal(['.spec.selector.a']);
    const after = await manager().update(live, { ...live, data: { x: '1' } }, 'u');
    expect(own(after, 'm')).to.deep.equal(['.spec.selector']);
  });

  const value = fc.constantFrom('1', '2');
  const config = fc.record(
    {
      data: fc.dictionary(fc.constantFrom('a', 'b', 'c'), value),
      spec: fc.record(
        {
          replicas: fc.nat(2),
          selector: fc.dictionary(fc.constantFrom('x', 'y'), value),
          free: fc.oneof(
            value,
            fc.dictionary(fc.constantFrom('p', 'q'), fc.oneof(value, fc.array(value, { maxLength: 2 }))),
          ),
          containers: fc.uniqueArray(
            fc.record(
              {
                name: fc.constantFrom('a', 'b', 'c'),
                image: value,
                args: fc.array(value, { maxLength: 2 }),
                ports: fc.uniqueArray(
                  fc.record({ port: fc.constantFrom(80, 81), name: value }, { requiredKeys: ['port'] }),
                  { selector: (p) => p.port, maxLength: 2 },
                ),
              },
              { requiredKeys: ['name'] },
            ),
            { selector: (c) => c.name, maxLength: 3 },
          ),
        },
        { requiredKeys: [] },
      ),
      metadata: fc.record(
        {
          labels: fc.dictionary(fc.constantFrom('l', 'm'), value),
          finalizers: fc.uniqueArray(fc.constantFrom('f', 'g', 'h'), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );

  it('tells what a new object sets without comparing as by comparing', () => {
    const without = fieldSetOf(['f:apiVersion'], ['f:metadata', 'f:name'], ['f:spec', 'f:containers']);
    fc.assert(
      fc.property(config, fc.boolean(), (one, all) => {
        const leftOut = all ? fieldSetOf() : without;
        const object = thing(one) as JSONObject;
        const { added, modified } = compareTyped(atomOf(root), {}, object);
        const expected = JSON.stringify(toFieldsV1(recursiveDifference(union(modified, added), leftOut)));
        expect(newFieldsText(atomOf(root), object, leftOut) || '{}').to.equal(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('checks a configuration and finds its fields in one walk as in two', () => {
    const odd = fc.constantFrom<JSONValue>(
      null,
      'x',
      1,
      true,
      [],
      {},
      [null],
      ['a', 'a'],
      [{ name: 'a' }, { name: 'a' }],
      { bogus: 1 },
      [{}],
    );
    const place = fc.constantFrom(
      ['spec'],
      ['data'],
      ['spec', 'replicas'],
      ['spec', 'containers'],
      ['spec', 'selector'],
      ['spec', 'free'],
      ['metadata', 'finalizers'],
      ['spec', 'volumes'],
      ['metadata', 'labels', 'l'],
      ['bogus'],
    );
    const changed = fc.tuple(config, fc.option(fc.tuple(place, odd))).map(([one, change]) => {
      const object = thing(cloneJSON(one as JSONObject)) as JSONObject;
      if (change !== null) {
        const [path, value] = change;
        let at = object;
        for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as JSONObject;
        at[path.at(-1) ?? ''] = value;
      }
      return object;
    });
    fc.assert(
      fc.property(changed, changed, (object, other) => {
        const fits = (): boolean => {
          try {
            validateTyped(atomOf(root), object);
            return true;
          } catch {
            return false;
          }
        };
        const set = checkedFieldSet(atomOf(root), object);
        expect(set !== undefined).to.equal(fits());
        if (set === undefined) return;
        expect(toFieldsV1(set)).to.deep.equal(toFieldsV1(toFieldSet(atomOf(root), object)));
        // What it is said to be like changes nothing; what is alike is the same.
        const like = checkedFieldSet(atomOf(root), object, toFieldSet(atomOf(root), other));
        expect(toFieldsV1(like ?? new Map())).to.deep.equal(toFieldsV1(set));
        expect(checkedFieldSet(atomOf(root), object, set)).to.equal(set);
      }),
      { numRuns: 2000 },
    );
  });

  it('owns the very same set when the same fields are applied again, to this object or another one', async () => {
    const one = manager();
    const applied = (name: string, replicas: number): KubeObject =>
      thing({
        metadata: { name },
        spec: { replicas, containers: [{ name: 'a' }, { name: 'b', ports: [{ port: 80 }] }] },
      });
    const fields = (object: KubeObject): unknown => object.metadata?.managedFields?.[0]?.fieldsV1;
    const first = stored(await one.apply(undefined, applied('x', 1), { manager: 'm', force: false }));
    expect(fields(await one.apply(undefined, applied('y', 2), { manager: 'm', force: false }))).to.equal(fields(first));
    expect(fields(await one.apply(first, applied('x', 3), { manager: 'm', force: false }))).to.equal(fields(first));
    const less = stored(await one.apply(first, thing({ spec: { replicas: 1 } }), { manager: 'm', force: false }));
    expect(own(less, 'm')).to.deep.equal(['.spec.replicas']);
    expect(fields(await one.apply(less, applied('x', 3), { manager: 'm', force: false }))).to.equal(fields(first));
  });

  it('tells it of pods, too', () => {
    const schema = builtinScheme().kind({ group: '', version: 'v1', kind: 'Pod' })?.schema as Schema;
    const full = pod() as JSONObject;
    const cut = (given: JSONObject, seed: number): JSONObject =>
      JSON.parse(
        JSON.stringify(given, (key, item: unknown) =>
          /^[a-z]/.test(key) &&
          (key.length * 7 + seed) % 11 === 0 &&
          key !== 'name' &&
          key !== 'containerPort' &&
          key !== 'mountPath' &&
          key !== 'uid'
            ? undefined
            : item,
        ),
      ) as JSONObject;
    for (let seed = 0; seed < 11; seed++) {
      const object = cut(full, seed);
      const { added, modified } = compareTyped(atomOf(schema), {}, object);
      expect(newFieldsText(atomOf(schema), object, fieldSetOf())).to.equal(
        JSON.stringify(toFieldsV1(union(modified, added))),
      );
    }
  });

  it('leaves objects with repeated items or undeclared fields to comparing', () => {
    const text = (object: object): string | undefined =>
      newFieldsText(atomOf(root), object as JSONObject, fieldSetOf());
    expect(text({ metadata: { finalizers: ['a', 'b', 'a'] } })).to.equal(undefined);
    expect(text({ spec: { containers: [{ image: 'x' }, { name: 'a' }, { name: 'a' }] } })).to.equal(undefined);
    const open: Schema = { ...root, preserveUnknown: true } as Schema;
    expect(newFieldsText(atomOf(open), { bogus: 1 }, fieldSetOf())).to.equal(undefined);
  });

  it('is idempotent, and leaves its arguments alone', async () => {
    await fc.assert(
      fc.asyncProperty(config, config, async (one, other) => {
        const live = stored(await manager().update(undefined, thing(one), 'u'));
        const applied = thing(other);
        const [liveBefore, appliedBefore] = [cloneJSON(live as JSONObject), cloneJSON(applied as JSONObject)];
        const first = stored(await manager().apply(live, applied, { manager: 'm', force: true }));
        expect(live).to.deep.equal(liveBefore);
        expect(applied).to.deep.equal(appliedBefore);
        now += 1_000;
        expect(await manager().apply(first, applied, { manager: 'm', force: false })).to.deep.equal(first);
      }),
    );
  });

  /** Nobody owns an empty list, so nobody can take it back. */
  const withoutEmptyLists = (value: object): object =>
    JSON.parse(
      JSON.stringify(value, (_key, item: unknown) => (Array.isArray(item) && item.length === 0 ? undefined : item)),
    ) as object;

  it('takes back by an empty configuration what one alone had applied', async () => {
    await fc.assert(
      fc.asyncProperty(config, async (one) => {
        const live = stored(
          await manager().apply(undefined, thing(withoutEmptyLists(one)), { manager: 'm', force: false }),
        );
        fc.pre(live.metadata?.managedFields !== undefined);
        const gone = await manager().apply(live, thing({}), { manager: 'm', force: false });
        expect(gone.metadata?.managedFields ?? []).to.deep.equal([]);
        const change = compareTyped(atomOf(root), thing({}) as JSONObject, gone as JSONObject);
        expect(texts(change.added).filter((path) => path !== '.metadata.uid')).to.deep.equal([]);
      }),
    );
  });
});
